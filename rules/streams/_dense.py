"""Forms of operators whose result has a size that no values decide."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_statement, set_argument
from overhead_lint.rule import Applicability, Fix, Import, Kind

from .._blocks import scope_of
from .._names import names_in
from .._taken import bound_within
from ._together import is_reduced

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["assigned_densely", "repeated_with_size", "summed_densely"]

_TORCH = Import("torch")
_MADE_OF_LISTS = frozenset({"torch.as_tensor", "torch.tensor"})
_MOVING = frozenset({"cuda", "int", "long", "to"})
_CHANGING = frozenset({"append", "clear", "extend", "insert", "pop", "remove"})


def assigned_densely(node: ast.Subscript, mask: ast.expr, statement: ast.Assign, ctx: Context) -> Fix | None:
    """Return the unsafe fix of ``x[mask] = y[mask]`` and ``x[x > 0] = y.mean()``, whose mask compares x or y.

    It copies ``torch.where(mask, y, x)`` into the tensor, which is seen by who shares it, as before.
    """
    value = statement.value
    if len(statement.targets) != 1 or not isinstance(node.value, ast.Name) or node.slice is not mask:
        return None
    if is_reduced(value, ctx) and _is_of_shape(mask, node.value, ctx):
        new = value
    elif isinstance(value, ast.Subscript) and _is_from_same_places(node.value, value, mask, ctx):
        new = value.value
    else:
        return None
    template = "{old}.copy_({torch}.where({mask}, {new}, {old}))"
    edit = replace_statement(statement, template, mask=mask, new=new, old=node.value)
    return Fix(Applicability.UNSAFE, "choose with torch.where", edits=(edit,), imports=(_TORCH,))


def _is_from_same_places(old: ast.Name, value: ast.Subscript, mask: ast.expr, ctx: Context) -> bool:
    """Whether what is assigned stands behind the same mask, which compares one of the two tensors."""
    if not isinstance(value.value, ast.Name) or ctx.text(value.slice) != ctx.text(mask):
        return False
    made = ctx.value(mask) if isinstance(mask, ast.Name) else mask
    if not ctx.is_mask(mask) or not isinstance(made, ast.Compare):
        return False
    return not {old.id, value.value.id}.isdisjoint(ctx.text(side) for side in (made.left, *made.comparators))


def summed_densely(node: ast.Subscript, mask: ast.expr, ctx: Context) -> Fix | None:
    """Return the unsafe fix of ``x[x > 0].sum()``, which adds zeros for what the mask leaves out.

    Returns:
        None for other masks than comparisons of the tensor with numbers, whose shape might be another.
    """
    call = ctx.parent(node)
    if isinstance(call, ast.Attribute):
        call = ctx.parent(call)
    if not isinstance(call, ast.Call) or not is_reduced(call, ctx) or node.slice is not mask:
        return None
    function = call.func
    assert isinstance(function, ast.Attribute)
    summed = function.value if not call.args else call.args[0]
    if summed is not node or function.attr not in ("mean", "sum") or not _is_of_shape(mask, node.value, ctx):
        return None
    template = "{torch}.where({mask}, {tensor}, 0).sum()"
    if function.attr == "mean":
        template += " / {mask}.sum()"
    edit = replace(call, template, mask=mask, tensor=node.value)
    return Fix(Applicability.UNSAFE, "sum over all with torch.where", edits=(edit,), imports=(_TORCH,))


def _is_of_shape(mask: ast.expr, tensor: ast.expr, ctx: Context) -> bool:
    """Whether a mask compares a tensor, a local name with one value, with a number: both have one shape."""
    if isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert):
        return _is_of_shape(mask.operand, tensor, ctx)
    if not isinstance(tensor, ast.Name):
        return False
    made = ctx.value(mask) if isinstance(mask, ast.Name) else mask
    if not isinstance(made, ast.Compare) or len(made.ops) != 1:
        return False
    sides = (made.left, made.comparators[0])
    own = [side for side in sides if isinstance(side, ast.Name) and side.id == tensor.id]
    others = [side for side in sides if side not in own]
    if len(own) != 1 or not all(_is_number(side, ctx) for side in others):
        return False
    then, now = (ctx.bindings(name) for name in (own[0], tensor))
    return len(then) == len(now) == 1 and then[0] is now[0]  # else it may have been another one then


def _is_number(node: ast.expr, ctx: Context) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    return ctx.kind(node) is Kind.NUMBER or is_reduced(node, ctx)


def repeated_with_size(call: ast.Call, ctx: Context) -> Fix | None:
    """Return the unsafe fix that tells ``repeat_interleave`` the size, where the host has the counts."""
    of_torch = (ctx.qualified_name(call.func) or "").startswith("torch.")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    place = int(of_torch and len(call.args) > 1)
    counts = named.get("repeats") or (call.args[place] if len(call.args) > place else None)
    made = ctx.value(counts) if isinstance(counts, ast.Name) else counts
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _MOVING:
        made = made.func.value
    if not isinstance(made, ast.Call) or not made.args or ctx.is_bound("sum", call):
        return None
    if ctx.qualified_name(made.func) not in _MADE_OF_LISTS or "output_size" in named:
        return None
    lengths = made.args[0]
    if not isinstance(lengths, ast.Name) or ctx.kind(lengths) is not Kind.OBJECT or _may_change(lengths, ctx):
        return None
    edit = set_argument(call, "output_size", "sum({lengths})", lengths=lengths)
    return Fix(Applicability.UNSAFE, "tell it the size", edits=(edit,))


def _may_change(name: ast.Name, ctx: Context) -> bool:
    """Whether a list is another one, or holds something else, below where a tensor is made of it."""
    scope = scope_of(name, ctx)
    if list(bound_within(scope, ctx)).count(name.id) != 1:
        return True
    for part in ctx.within(scope, ast.Attribute, ast.Subscript):
        if part.lineno >= name.lineno and any(one.id == name.id for one in names_in(part)):
            if isinstance(part, ast.Attribute) and part.attr in _CHANGING:
                return True
            if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
                return True
    return False
