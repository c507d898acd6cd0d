"""Sums that a loop keeps on the host: kept on the device, and read where they are looked at."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, insert_before, replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind
from overhead_lint.tuples import NamedTuple

from .._blocks import block_of, scope_of
from .._taken import bound_within, is_declared_outer
from ._provable import is_read_elsewhere, may_be_read_behind, stays_on_one_device

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from overhead_lint.rule import Context, Edit

    from ._reads import Read

__all__ = ["is_count", "summed_on_device"]

_Loop = ast.For | ast.AsyncFor | ast.While
_READS = frozenset({".item()", "float()", "int()"})
_COUNTED = frozenset(
    {"eq", "ge", "gt", "le", "lt", "ne", "isclose", "logical_and", "logical_not", "logical_or"}
)


class _Sum(NamedTuple):
    """A name to which each round of a loop adds what it reads.

    Attributes:
        name: the name.
        loop: the outermost loop that goes on adding.
        counts: whether what is added are counts, so that the sum is a whole number.
        uses: the statements that look at the sum, the first of each block.
    """

    name: str
    loop: _Loop
    counts: bool
    uses: Sequence[ast.stmt]


def summed_on_device(read: Read, ctx: Context) -> Fix | None:
    """Return the fix that adds to a sum on the device, and reads that behind the loop.

    It adds in double precision, as Python does, so that the sum is the same to the last bit. Counts stay
    whole numbers, which each device has: safe where nothing can tell that they are read later.

    Returns:
        None for what is no ``total += loss.item()``, perhaps times or by a number, to a sum that begins at 0,
        and where the loop looks at the sum on each round, or reads the same tensor elsewhere.
    """
    found = _sum(read, ctx)
    if found is None or is_read_elsewhere(read, found.loop, ctx):
        return None
    number = "int" if found.counts else "float"
    text = f"{found.name} = {number}({found.name})"
    edits: list[Edit] = [_kept(read, found), *(insert_before(place, text) for place in found.uses)]
    if _is_read_behind(found, ctx):
        edits.append(insert_after(found.loop, text))
    is_safe = (
        found.counts
        and may_be_read_behind(found.loop, read.node, found.name, ctx)
        and stays_on_one_device(found.loop, ctx)
    )
    safety = Applicability.SAFE if is_safe else Applicability.UNSAFE
    return Fix(safety, "sum on the device, and read the sum after the loop", edits=tuple(edits))


def _is_read_behind(found: _Sum, ctx: Context) -> bool:
    """Whether anything may look at the sum when the loop has ended: of a module, another one may."""
    scope, last = scope_of(found.loop, ctx), found.loop.end_lineno or 0
    uses = (use for use in ctx.within(scope, ast.Name) if use.id == found.name and use.lineno > last)
    return isinstance(scope, ast.Module) or any(isinstance(use.ctx, ast.Load) for use in uses)


def _kept(read: Read, found: _Sum) -> Edit:
    """Return the edit that leaves on the device what was read."""
    if found.counts:
        return replace(read.node, "{tensor}", tensor=read.tensor)
    detach = "" if _is_detached(read.tensor) else ".detach()"
    return replace(read.node, f"{{tensor}}{detach}.double()", tensor=read.tensor)


def _is_detached(tensor: ast.expr) -> bool:
    made = tensor.func if isinstance(tensor, ast.Call) else tensor
    return isinstance(made, ast.Attribute) and made.attr in {"data", "detach"}


def _sum(read: Read, ctx: Context) -> _Sum | None:
    statement = ctx.statement(read.node)
    if read.how not in _READS or read.what or not isinstance(statement, ast.AugAssign):
        return None
    target = statement.target
    if not isinstance(target, ast.Name) or not isinstance(statement.op, ast.Add):
        return None
    if not _is_scaled(read.node, statement.value, ctx):
        return None
    scope, starts = scope_of(statement, ctx), _starts(target, ctx)
    loop = _loop(statement, starts, ctx)
    if loop is None or loop.orelse or is_declared_outer(target.id, scope, ctx):
        return None
    counts = is_count(read.tensor, ctx)
    if read.how == "int()" and not counts:
        return None  # it may cut fractions off
    is_whole = read.how != "float()" and all(type(start.value) is int for start in starts.values())
    counts = counts and is_whole and statement.value is read.node
    uses = _uses(target, loop, ctx)
    return _Sum(target.id, loop, counts, uses) if uses is not None else None


def _starts(target: ast.Name, ctx: Context) -> dict[ast.stmt, ast.Constant]:
    """The statements that set a sum to nothing; none if anything else binds it but one addition."""
    scope = scope_of(target, ctx)
    others = sum(name == target.id for name in bound_within(scope, ctx))
    starts: dict[ast.stmt, ast.Constant] = {}
    for statement in ctx.within(scope, ast.Assign, ast.AnnAssign):
        assert isinstance(statement, (ast.Assign, ast.AnnAssign))
        for name, value in _bound(statement):
            if name == target.id and isinstance(value, ast.Constant) and value.value in (0, 0.0):
                starts[statement] = value
                others -= 1
    return starts if others == 1 else {}


def _bound(statement: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement binds, each with its value: those of tuples, too."""
    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
        if isinstance(target, ast.Name):
            yield target.id, statement.value
        elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            for item, value in zip(target.elts, statement.value.elts, strict=False):
                if isinstance(item, ast.Name):
                    yield item.id, value


def _loop(statement: ast.AugAssign, starts: Collection[ast.stmt], ctx: Context) -> _Loop | None:
    """The outermost loop around an addition before which the sum begins, and which seldom sets it back."""
    found = None
    for loop in reversed(ctx.loops(statement)):
        if not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
            return None
        inside = [start for start in starts if start in ctx.within(loop, type(start))]
        if any(ctx.warmth(start).heat >= Heat.STEP for start in inside):
            break
        if not any(start.lineno < loop.lineno for start in starts):
            break
        found = loop
    return found


def _is_scaled(node: ast.expr, value: ast.expr, ctx: Context) -> bool:
    """Whether a value is what was read, perhaps times a number or divided by one."""
    while node is not value:
        holder = ctx.parent(node)
        match holder:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                other = right if left is node else left
            case ast.BinOp(left=left, op=ast.Div(), right=other) if left is node:
                pass
            case _:
                return False
        if ctx.kind(other) not in (Kind.NUMBER, Kind.UNKNOWN) or any(
            isinstance(part, (ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)) for part in ast.walk(other)
        ):
            return False
        node = holder
    return True


def is_count(tensor: ast.expr, ctx: Context) -> bool:
    """Whether it is how many elements a comparison holds for: ``(x == y).sum()``, ``x.eq(y).sum()``."""
    made = tensor.func if isinstance(tensor, ast.Call) and not tensor.keywords else None
    if not (isinstance(tensor, ast.Call) and isinstance(made, ast.Attribute) and made.attr == "sum"):
        return False
    if ctx.qualified_name(made) == "torch.sum" and len(tensor.args) == 1:
        summed = tensor.args[0]
    elif not tensor.args:
        summed = made.value
    else:
        return False
    if isinstance(summed, ast.Name):
        summed = ctx.value(summed) or summed
    called = summed.func if isinstance(summed, ast.Call) else None
    return isinstance(summed, ast.Compare) or (isinstance(called, ast.Attribute) and called.attr in _COUNTED)


def _uses(target: ast.Name, loop: ast.stmt, ctx: Context) -> list[ast.stmt] | None:
    """The first statement of each block that looks at a sum; None if one does so on each round of a loop.

    Also where what stands elsewhere may look at it.
    """
    scope, inside, last = scope_of(target, ctx), set(ctx.within(loop, ast.Name)), loop.end_lineno or 0
    found: dict[int, ast.stmt] = {}
    for use in ctx.within(scope, ast.Name):
        if use.id != target.id or not isinstance(use.ctx, ast.Load):
            continue
        if scope_of(use, ctx) is not scope or (use not in inside and use.lineno <= last):
            return None
        if use in inside:
            if ctx.warmth(use).heat >= Heat.STEP:
                return None
            statement = ctx.statement(use)
            first = block_of(statement, ctx)[0]
            found.setdefault(id(first), statement)
    return list(found.values())
