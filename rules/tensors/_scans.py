"""Loops over time steps that carry a weighted sum: discounted returns, advantages, moving averages."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .._names import mentions
from ._loops import TENSORS, has_moving_end

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["carried_sum"]

_KEEPING = frozenset({"append", "appendleft", "insert"})


def carried_sum(loop: ast.For, ctx: Context) -> ast.Assign | None:
    """The assignment of ``for t in reversed(range(n))`` that adds an element to a weighted sum of others.

    The sum is kept on each round, and only added to, and multiplied by what does not depend on it: a scan
    computes all rounds at once.
    """
    step = loop.target
    if not isinstance(step, ast.Name) or not _counts(loop.iter, ctx) or loop.orelse:
        return None
    body = list(_statements(loop.body, step.id))
    if not body or any(item is None for item in body):
        return None
    statements = [item for item in body if item is not None]
    for item in statements:
        for name in _names(item):
            if _is_carried(name, item, statements, ctx) and _adds_up(name, step.id, statements, ctx):
                assert isinstance(item, ast.Assign)
                return item
    return None


def _names(item: ast.stmt) -> list[str]:
    """The plain names that a statement binds: ``out[t] = last = ...`` binds ``last``."""
    targets = item.targets if isinstance(item, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _counts(items: ast.expr, ctx: Context) -> bool:
    """Whether a loop goes over ``range(n)``, forward or back."""
    if not isinstance(items, ast.Call) or not isinstance(items.func, ast.Name) or items.keywords:
        return False
    if ctx.is_bound(items.func.id, items):
        return False
    if items.func.id == "reversed":
        return len(items.args) == 1 and _counts(items.args[0], ctx)
    return items.func.id == "range" and any(not isinstance(end, ast.Constant) for end in items.args)


def _statements(block: Sequence[ast.stmt], step: str) -> Iterator[ast.Assign | ast.Expr | None]:
    """The simple statements of a loop, branches on the step looked into; None for one that is not simple."""
    for item in block:
        if isinstance(item, (ast.Assign, ast.Expr)):
            yield item
        elif isinstance(item, ast.If) and _asks_for(step, item.test):
            yield from _statements(item.body, step)
            yield from _statements(item.orelse, step)
        else:
            yield None


def _asks_for(step: str, test: ast.expr) -> bool:
    """Whether a test is of the step itself, as that for the last one, and of no element."""
    return mentions(test, frozenset({step})) and not any(
        isinstance(part, (ast.Subscript, ast.Call)) and mentions(part, frozenset({step}))
        for part in ast.walk(test)
    )


def _is_carried(name: str, made: ast.stmt, body: Sequence[ast.stmt], ctx: Context) -> bool:
    """Whether a round reads what the one before left in a name, which is bound once in the loop."""
    if [item for item in body if name in _names(item)] != [made] or not isinstance(made, ast.Assign):
        return False
    before = body[: body.index(made)]
    reads = [use for item in (*before, made.value) for use in (item, *ctx.within(item, ast.Name))]
    return any(
        isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load) for use in reads
    )


def _adds_up(carry: str, step: str, body: Sequence[ast.stmt], ctx: Context) -> bool:
    """Whether the sum stays one: elements of tensors are added, and it is kept on each round."""
    carriers, steps = {carry}, frozenset({step})
    adds = keeps = False
    for item in body:
        if isinstance(item, ast.Expr):
            kept = _kept(item.value)
            if kept is None or not _is_affine(kept, frozenset(carriers)):
                return False
            keeps = keeps or mentions(kept, frozenset(carriers))
            continue
        assert isinstance(item, ast.Assign)
        depends = mentions(item.value, frozenset(carriers))
        if not _is_affine(item.value, frozenset(carriers)):
            return False
        adds = adds or _has_element(item.value, steps, ctx)
        for target in item.targets:
            if isinstance(target, ast.Name):
                carriers |= {target.id} if depends else set()
            elif isinstance(target, ast.Subscript) and mentions(target.slice, steps):
                keeps = keeps or depends
            else:
                return False
    return adds and keeps


def _kept(value: ast.expr) -> ast.expr | None:
    """What a statement puts into a list."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.args):
        return None
    return value.args[-1] if value.func.attr in _KEEPING else None


def _is_affine(value: ast.expr, carriers: frozenset[str]) -> bool:
    """Whether a value is a sum of what does not depend on some names, and of products with one that does."""
    if not mentions(value, carriers):
        return True
    if isinstance(value, ast.Name):
        return True
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.USub) and _is_affine(value.operand, carriers)
    if not isinstance(value, ast.BinOp):
        return False
    if isinstance(value.op, (ast.Add, ast.Sub)):
        return _is_affine(value.left, carriers) and _is_affine(value.right, carriers)
    if isinstance(value.op, ast.Mult):
        sides = [side for side in (value.left, value.right) if mentions(side, carriers)]
        return len(sides) == 1 and _is_affine(sides[0], carriers)
    if isinstance(value.op, ast.Div):
        return not mentions(value.right, carriers) and _is_affine(value.left, carriers)
    return False


def _has_element(value: ast.expr, steps: frozenset[str], ctx: Context) -> bool:
    """Whether a value takes an element of a tensor by the step."""
    return any(
        isinstance(part, ast.Subscript)
        and mentions(part.slice, steps)
        and not has_moving_end(part.slice, steps)
        and ctx.kind(part.value) in TENSORS
        for part in ast.walk(value)
    )
