"""Elements that a loop takes by index and reads one by one: of a list that is read above it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Fix
from overhead_lint.syntax.dotted_names import is_dotted

from .._hoists import fresh_local, loop_to_leave
from .._names import own_name
from .._writes import is_written_in_place
from ._elements import read_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Context, Edit

    from ._elements import Element

__all__ = ["listed_above"]


def listed_above(found: Element, ctx: Context) -> Fix | None:
    """Return the unsafe fix that reads a tensor with one ``tolist()`` above the loop that indexes it.

    Returns:
        None for more than one index, whose tensor may be much larger than what is read of it, and where the
        loop binds the tensor or writes to it.
    """
    place = read_value(found.read, ctx) if isinstance(found.read, ast.Call) else None
    if not isinstance(place, ast.Subscript) or not is_dotted(found.tensor) or not _is_one(place.slice):
        return None
    loop = loop_to_leave(found.tensor, ctx)
    if loop is None:
        return None
    text = ctx.text(found.tensor)
    uses: list[ast.Name | ast.Attribute] = [*ctx.within(loop, ast.Name), *ctx.within(loop, ast.Attribute)]
    same = [use for use in uses if ctx.text(use) == text]
    if any(not isinstance(use.ctx, ast.Load) or is_written_in_place(use, ctx) for use in same):
        return None
    name = fresh_local(f"{own_name(found.tensor).strip('_')}_values", ctx)
    edits: list[Edit] = [insert_before(loop, f"{name} = {{tensor}}.tolist()", tensor=found.tensor)]
    for call, taken in _reads(loop, text, ctx):
        whole = call if isinstance(call.func, ast.Attribute) else taken
        edits.append(replace(whole, f"{name}[{{index}}]", index=taken.slice))
    return Fix(Applicability.UNSAFE, "read it with one tolist() above the loop", edits=tuple(edits))


def _reads(loop: ast.stmt, text: str, ctx: Context) -> Iterator[tuple[ast.Call, ast.Subscript]]:
    """The reads of single elements of a tensor in a loop, with what takes the element."""
    for call in ctx.within(loop, ast.Call):
        taken = read_value(call, ctx)
        if isinstance(taken, ast.Subscript) and ctx.text(taken.value) == text and _is_one(taken.slice):
            yield call, taken


def _is_one(index: ast.expr) -> bool:
    """Whether an index is one number, as far as it is written: no slice, no tuple, no list."""
    several = (ast.Slice, ast.Tuple, ast.List, ast.ListComp, ast.Compare, ast.Starred)
    constant = isinstance(index, ast.Constant) and type(index.value) is not int
    return not isinstance(index, several) and not constant
