"""Tensors that a block reads several times, and could read once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Fix, Kind

from .._blocks import block_of
from .._names import names_in
from .._taken import bound_within
from ._appended import is_only_read
from ._together import is_evaluated, named_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from overhead_lint.rule import Context, Edit

    from ._reads import Read

__all__ = ["read_once"]

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)


def read_once(read: Read, ctx: Context) -> Fix | None:
    """Return the fix that reads a tensor once for all statements of a block: ``loss_value = loss.item()``.

    Returns:
        None for what is read once, and for all but the first of its reads; where a statement in between binds
        what the tensor is named by, or is seen to write to it.
    """
    if read.how != ".item()" or read.what or not isinstance(read.node, ast.Call):
        return None
    statement = ctx.statement(read.node)
    block = block_of(statement, ctx)
    if not block or not isinstance(read.tensor, (ast.Name, ast.Attribute, ast.Call)):
        return None
    text = ctx.text(read.tensor)
    reads = [(one, call) for one in block for call in _reads(one, text, ctx)]
    if len(reads) < 2 or reads[0][1] is not read.node:
        return None
    names = {name.id for name in names_in(read.tensor)}
    run = block[block.index(reads[0][0]) : block.index(reads[-1][0]) + 1]
    if any(names & set(bound_within(one, ctx)) or _changes(one, names, ctx) for one in run):
        return None
    (name,) = named_numbers({text: read.tensor}, ctx).values()
    edits: list[Edit] = [insert_before(reads[0][0], f"{name} = {{read}}", blank_lines=0, read=read.node)]
    edits += [replace(call, name) for _, call in reads]
    is_safe = ctx.kind(read.tensor) is Kind.TENSOR and is_only_read(read.tensor, read.tensor, ctx)
    safety = Applicability.SAFE if is_safe else Applicability.UNSAFE
    return Fix(safety, "read it once", edits=tuple(edits))


def _reads(statement: ast.stmt, text: str, ctx: Context) -> Iterator[ast.Call]:
    """The reads of a tensor that a statement surely makes."""
    if not isinstance(statement, _STATEMENTS):
        return
    for call in ctx.within(statement, ast.Call):
        match call:
            case ast.Call(func=ast.Attribute(attr="item", value=tensor), args=[], keywords=[]) if ctx.text(
                tensor
            ) == text and is_evaluated(call, statement, ctx):
                yield call


def _changes(place: ast.AST, names: AbstractSet[str], ctx: Context) -> bool:
    """Whether something is seen to write to what names hold: ``loss.mul_(2)``, ``stats["n"] += 1``."""
    for part in ctx.within(place, ast.expr):
        if not isinstance(part, (ast.Attribute, ast.Subscript)):
            continue
        if names.isdisjoint(name.id for name in names_in(part.value)):
            continue
        if not isinstance(part.ctx, ast.Load):
            return True
        if isinstance(part, ast.Attribute) and part.attr.endswith("_") and not part.attr.startswith("_"):
            return True
    return False
