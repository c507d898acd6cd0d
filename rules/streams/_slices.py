"""Lists of places that are a slice: ``x[:, [0, 2]]`` is ``x[:, :3:2]``, which needs nothing of the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix

from .._calls import call_of
from .._literals import elements_of
from .._names import names_in, own_name
from .._views import ALIASES
from .._writes import AROUND, computes_from
from ._written_numbers import literal, range_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["sliced", "written_place"]

_OPERATORS = (ast.BinOp, ast.Compare, ast.UnaryOp)
_COMPUTING = frozenset(
    {f"torch.nn.{name}" for name in ("Conv1d", "Conv2d", "Conv3d", "GroupNorm", "LayerNorm", "Linear")}
)


def sliced(node: ast.Subscript, index: ast.expr, ctx: Context) -> Fix | None:
    """Return the unsafe fix that takes a slice in place of the places of a list.

    Args:
        node: the indexing.
        index: the list.
        ctx: the file.

    Returns:
        None for what is no list of numbers as far apart each, where something else indexes too, and where
        what is taken lives on, or gets a part of the whole: a slice shares its memory with that.
    """
    steps = _steps(index)
    reads = isinstance(node.ctx, ast.Load)
    if steps is None or not (_is_consumed(node, ctx) if reads else _gets_another(node, ctx)):
        return None
    start, end, step = steps
    parts: dict[str, ast.expr] = {"whole": node.value}
    places = [f"{start or ''}:{end or ''}" + (f":{step}" if step != 1 else "")]
    written = []
    for element in elements_of(node.slice):
        place = places.pop() if element is index else written_place(element, parts)
        if place is None:
            return None
        written.append(place)
    edit = replace(node, f"{{whole}}[{', '.join(written)}]", **parts)
    return Fix(Applicability.UNSAFE, "take a slice", edits=(edit,))


def _steps(index: ast.expr) -> tuple[int, int, int] | None:
    """Start, end and step of a list of places that go up, all from the front or all from the back."""
    if not isinstance(index, ast.List):
        return None
    only = literal(index.elts[0]) if len(index.elts) == 1 else None
    if type(only) is int:
        return only, only + 1, 1
    found = range_of(index)
    if found is None or found[2] < 0 or (found[0] < 0 < found[1]):
        return None
    return found


def written_place(element: ast.expr, parts: dict[str, ast.expr]) -> str | None:
    """A slice, an ellipsis or a new dimension as it is written, its ends among the parts; None for others."""
    if isinstance(element, ast.Constant) and (element.value is None or element.value is ...):
        return "None" if element.value is None else "..."
    if not isinstance(element, ast.Slice):
        return None
    texts = []
    for end in (element.lower, element.upper, element.step):
        name = f"end{len(parts)}"
        texts.append("" if end is None else f"{{{name}}}")
        if end is not None:
            parts[name] = end
    return ":".join(texts if texts[2] else texts[:2])


def _gets_another(node: ast.Subscript, ctx: Context) -> bool:
    """Whether a statement assigns what names nothing that the target does: no part of the same tensor."""
    statement = ctx.statement(node)
    if not isinstance(statement, (ast.Assign, ast.AugAssign)) or ctx.parent(node) is not statement:
        return False
    named = {name.id for name in names_in(node.value)}
    return named.isdisjoint(name.id for name in names_in(statement.value))


def _is_consumed(node: ast.expr, ctx: Context) -> bool:
    """Whether something new is computed at once from what is taken, and nothing else becomes of it."""
    place: ast.AST = node
    holder = ctx.parent(node)
    if isinstance(holder, _OPERATORS):
        return True
    if isinstance(holder, ast.Attribute):
        call = call_of(holder, ctx)
        return call is not None and holder.attr not in ALIASES and computes_from(node, call, ctx)
    while isinstance(holder, AROUND):
        place, holder = holder, ctx.parent(holder)
    if not isinstance(holder, ast.Call) or holder.func is place or own_name(holder.func) in ALIASES:
        return False
    return computes_from(node, holder, ctx) or _is_of_computing_module(holder, ctx)


def _is_of_computing_module(call: ast.Call, ctx: Context) -> bool:
    """Whether a call runs a module of torch that only reads what it is given, and gives something new."""
    made = ctx.value(call.func) if isinstance(call.func, (ast.Attribute, ast.Name)) else None
    return isinstance(made, ast.Call) and ctx.qualified_name(made.func) in _COMPUTING
