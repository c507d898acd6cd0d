"""OVH303: Python state that changes on each call of compiled code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule
from overhead_lint.syntax.receivers import is_own_attribute

from .._wording import short
from ._attributes import initial
from ._compiled import runs_compiled

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH303",
    name="counter-in-forward",
    summary="Python counter that compiled code changes on each call",
    triggers=(b"compile", b"dynamo"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_HELP = "count where the compiled code is called, or keep a buffer and change it in place"
_GROW = frozenset({"append", "extend", "insert", "appendleft"})
_SHRINK = frozenset({"clear", "pop", "popleft", "remove"})


@RULE.on(ast.AugAssign)
def check_augmented(node: ast.AugAssign, ctx: Context) -> Iterator[Finding]:
    """``self.steps += 1``, ``state["steps"] += 1``, a global counter."""
    if runs_compiled(node, ctx) and _changes_guarded(node.target, node.value, ctx):
        yield _finding(node, short(node.target, ctx), ctx)


@RULE.on(ast.Assign)
def check_assigned(node: ast.Assign, ctx: Context) -> Iterator[Finding]:
    """``self.steps = self.steps + 1``."""
    value, target = node.value, node.targets[0]
    if not (isinstance(value, ast.BinOp) and len(node.targets) == 1) or not runs_compiled(node, ctx):
        return
    text = ctx.text(target)
    for old, step in ((value.left, value.right), (value.right, value.left)):
        if ctx.text(old) == text and _changes_guarded(target, step, ctx):
            yield _finding(node, text, ctx)
            return


@RULE.on(ast.Call, named=_GROW)
def check_grown(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``self.seen.append(x)`` on a list that the function never empties."""
    method = node.func
    if not (isinstance(method, ast.Attribute) and method.attr in _GROW and runs_compiled(node, ctx)):
        return
    kept = method.value
    if not (isinstance(kept, ast.Attribute) and _is_list(initial(kept, ctx), ctx)) or _is_reset(kept, ctx):
        return
    if _is_made_inside(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{short(kept, ctx)} grows on each call, and its length is guarded: every call compiles anew, "
        "until the limit is reached and the function runs eagerly",
        help="return the value, or collect it where the compiled code is called",
    )


def _is_made_inside(node: ast.AST, ctx: Context) -> bool:
    """Whether compiled code makes instances of the class around, which are new on each call."""
    cls = ctx.cls(node)
    if cls is None or cls.is_module:
        return False
    return any(runs_compiled(call, ctx) for call in ctx.calls(cls.qualname.rpartition(".")[2]))


def _finding(node: ast.stmt, what: str, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"{what} changes on each call, and its value is guarded: every call compiles anew, "
        "until the limit is reached and the function runs eagerly",
        help=_HELP,
    )


def _changes_guarded(target: ast.expr, step: ast.expr, ctx: Context) -> bool:
    """Whether a place holds a whole number or a string, which Dynamo takes for constants."""
    if isinstance(target, ast.Name):
        return _is_global(target, ctx) and _is_constant(ctx.value(target), step, module=True)
    if isinstance(target, ast.Subscript):
        held = initial(target.value, ctx) if isinstance(target.value, ast.Attribute) else None
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        return isinstance(held, ast.Dict) and any(
            isinstance(item, ast.Constant) and item.value == key and _is_constant(value, step)
            for item, value in zip(held.keys, held.values, strict=True)
        )
    if not isinstance(target, ast.Attribute) or not is_own_attribute(target):
        return False
    if (cls := ctx.cls(target)) is not None and not cls.is_module and not _is_text(step):
        return False  # only those of modules Dynamo takes for constants, however often they change
    return _is_constant(initial(target, ctx), step)


def _is_constant(first: ast.expr | None, step: ast.expr, *, module: bool = False) -> bool:
    """Whether a value starts as a whole number or string, and is changed by another one.

    A float is no constant to Dynamo from its second value on, and a flag has but two.
    """
    if first is None and module:
        return isinstance(step, ast.Constant) and type(step.value) is int
    if isinstance(first, ast.UnaryOp):
        first = first.operand
    if isinstance(first, ast.JoinedStr):
        return True
    if not (isinstance(first, ast.Constant) and type(first.value) in (int, str)):
        return False
    if isinstance(step, ast.Constant):
        return type(step.value) in (int, str) and bool(step.value)
    return isinstance(step, ast.JoinedStr) or type(first.value) is str


def _is_text(step: ast.expr) -> bool:
    """Whether what is added is text, so that what it is added to is."""
    return isinstance(step, ast.JoinedStr) or (isinstance(step, ast.Constant) and type(step.value) is str)


def _is_global(node: ast.Name, ctx: Context) -> bool:
    function = ctx.function(node)
    return function is not None and any(
        node.id in item.names for item in ctx.within(function.node, ast.Global)
    )


def _is_list(value: ast.expr | None, ctx: Context) -> bool:
    if isinstance(value, ast.Call):
        return ctx.qualified_name(value.func) == "collections.deque" or (
            isinstance(value.func, ast.Name) and value.func.id == "list"
        )
    return isinstance(value, ast.List)


def _is_reset(kept: ast.Attribute, ctx: Context) -> bool:
    """Whether the function around empties the list, or binds the attribute anew."""
    function = ctx.function(kept)
    if function is None:
        return True
    return any(
        item.attr == kept.attr
        and (not isinstance(item.ctx, ast.Load) or _is_method(ctx.parent(item), _SHRINK))
        for item in ctx.within(function.node, ast.Attribute)
    )


def _is_method(node: ast.AST | None, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in names
