"""Parts of a batch that stay on the host, where the function that is given it moves others to the device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from .._assignments import assigned_values
from .._calls import passed_values
from .._literals import is_text
from ._copies import moved
from ._elements import loop_targets

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_left_on_host"]

_FOLLOWED: Final = 5
# Methods that give what is where the tensor is.
_STAYING: Final = frozenset({"clone", "contiguous", "detach", "double", "float", "int", "long", "view"})


def is_left_on_host(node: ast.expr, ctx: Context, steps: int = _FOLLOWED) -> bool:
    """Whether a value is a part of a batch, and on the host as only other parts of it are moved.

    ``x = batch["x"].to(device)`` tells that ``batch["scale"]`` is on the host. It is followed through loops,
    and to what all calls in the class pass for a parameter.
    """
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STAYING:
        node = node.func.value
    if not steps:
        return False
    if isinstance(node, ast.Subscript):
        batch = _batch(node)
        if batch is not None:
            return _moves_others(node, batch, ctx)
        return is_left_on_host(node.value, ctx, steps - 1)
    if not isinstance(node, ast.Name):
        return False
    iterated = next((one for target, one in loop_targets(node, ctx) if target.id == node.id), None)
    given = [iterated] if iterated is not None else passed_values(node, ctx)
    return bool(given) and all(is_left_on_host(one, ctx, steps - 1) for one in given)


def _batch(node: ast.expr) -> ast.Name | None:
    """What ``batch["boxes"]["scale"]`` is a part of, each part named by a text."""
    while isinstance(node, ast.Subscript):
        if not is_text(node.slice):
            return None
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _moves_others(node: ast.Subscript, batch: ast.Name, ctx: Context) -> bool:
    """Whether the function around moves parts of a batch, and neither this one nor all of them."""
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda) or assigned_values(batch, ctx):
        return False
    wanted, names = ctx.text(node), set[str]()
    for statement in ctx.within(function.node, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Subscript) and _root(target) == batch.id:
                return False
            if isinstance(target, ast.Name) and _is_part(statement.value, batch):
                names.add(target.id if ctx.text(statement.value) != wanted else wanted)
    calls = (moved(call, ctx) for call in ctx.within(function.node, ast.Call))
    sources = [call.source for call in calls if call is not None and call.source is not None]
    if any(ctx.text(source) in (batch.id, wanted) for source in sources) or wanted in names:
        return False
    return any(ctx.text(source) in names or _is_part(source, batch) for source in sources)


def _is_part(node: ast.expr, batch: ast.Name) -> bool:
    found = _batch(node) if isinstance(node, ast.Subscript) else None
    return found is not None and found.id == batch.id


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
