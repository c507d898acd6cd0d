"""Copies that cross between host and device though no kind says so: offloading, and helpers for batches."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional
from overhead_lint.rule import Kind

from .._conditions import branches, says
from .._devices import device_told
from .._names import own_name
from .._vocabulary import OFFLOADING, OUTPUTS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_mover", "is_offloading", "moves_all"]

_CONTAINERS = frozenset(
    {"Iterable", "Mapping", "MutableMapping", "Sequence", "UserDict", "dict", "list", "namedtuple", "tuple"}
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_offloading(node: ast.AST, ctx: Context) -> bool:
    """Whether a branch around the place is for offloading: one side of a copy is on the host."""
    return any(says(test, OFFLOADING, holds) for test, holds in branches(node, ctx))


def is_mover(node: ast.Call, ctx: Context) -> bool:
    """Whether ``item.to(device)`` is the innermost part of a helper that moves nested lists and dictionaries.

    Either the function around calls itself for what containers hold, or it is handed to a function that
    does: ``tree_map(lambda item: item.to(device), batch)``.
    """
    assert isinstance(node.func, ast.Attribute)
    moved, function = node.func.value, ctx.function(node)
    if not isinstance(moved, ast.Name) or function is None or ctx.kind(moved) is Kind.MODULE:
        return False
    arguments = function.node.args
    names = [argument.arg for argument in positional(arguments)]
    if moved.id not in names or moved.id in {"self", "cls"}:
        return False
    if isinstance(function.node, ast.Lambda):
        return len(names) == 1 and _is_handed_on(function.node, ctx)
    calls = ctx.calls(function.node.name)
    if any(_holder(call, ctx) is function.node for call in calls):
        return any(_asks_for_container(call) for call in ctx.within(function.node, ast.Call))
    outer = _holder(function.node, ctx)
    return outer is not None and any(
        name.id == function.node.name and _is_handed_on(name, ctx) for name in ctx.within(outer, ast.Name)
    )


def moves_all(node: ast.Call, ctx: Context) -> bool:
    """Whether ``value.to(device)`` is done with each value of a mapping, which gives a mapping again.

    ``{key: value.to(device) for key, value in batch.items()}``, or ``batch[key] = batch[key].to(device)`` in
    a loop over the keys: nobody does that with what was computed on the device. What is called an output and
    weights that are known by name are left out, and what another tensor says the device of.
    """
    assert isinstance(node.func, ast.Attribute)
    device = device_told(node)
    if isinstance(device, ast.Attribute) and ctx.kind(device.value) in (Kind.TENSOR, Kind.HOST_TENSOR):
        return False
    chosen: ast.AST = node
    while isinstance(holder := ctx.parent(chosen), ast.IfExp) and chosen is not holder.test:
        chosen = holder
    if isinstance(holder, ast.DictComp) and holder.value is chosen and len(holder.generators) == 1:
        one = holder.generators[0]
        return _walked(node.func.value, holder.key, one.target, one.iter, ctx)
    if not (isinstance(holder, ast.Assign) and holder.value is chosen and len(holder.targets) == 1):
        return False
    kept, loop = holder.targets[0], next(reversed(ctx.loops(node)), None)
    if not (isinstance(kept, ast.Subscript) and isinstance(loop, ast.For)):
        return False
    return _walked(node.func.value, kept.slice, loop.target, loop.iter, ctx)


def _walked(moved: ast.expr, key: ast.expr, target: ast.expr, walked: ast.expr, ctx: Context) -> bool:
    """Whether something is the value under a key, where both come from going over a mapping."""
    over, asked = walked, "keys"
    if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Attribute) and not walked.args:
        over, asked = walked.func.value, walked.func.attr
    elif isinstance(walked, ast.Call) and len(walked.args) == 1 and not walked.keywords:
        over = _mapping_of(walked.args[0])  # list(batch.keys())
    if not isinstance(over, (ast.Name, ast.Subscript)) or ctx.text(over).endswith("state_dict"):
        return False
    if isinstance(over, ast.Name) and over.id.rpartition("_")[2] in OUTPUTS:
        return False
    if asked == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        names = [element.id for element in target.elts if isinstance(element, ast.Name)]
        if isinstance(key, ast.Name) and names[:1] == [key.id]:
            return (isinstance(moved, ast.Name) and names[1:] == [moved.id]) or _is_entry(
                moved, over, key, ctx
            )
    if asked == "keys" and isinstance(target, ast.Name) and isinstance(key, ast.Name) and key.id == target.id:
        return _is_entry(moved, over, key, ctx)
    return False


def _mapping_of(keys: ast.expr) -> ast.expr:
    """The mapping whose keys are gone over: itself, or what ``keys()`` is called on."""
    if isinstance(keys, ast.Call) and isinstance(keys.func, ast.Attribute) and keys.func.attr == "keys":
        return keys.func.value
    return keys


def _is_entry(node: ast.expr, mapping: ast.expr, key: ast.expr, ctx: Context) -> bool:
    if not isinstance(node, ast.Subscript):
        return False
    return ctx.text(node.value) == ctx.text(mapping) and ctx.text(node.slice) == ctx.text(key)


def _is_handed_on(function: ast.expr, ctx: Context) -> bool:
    """Whether a function is the first argument of a call that is given something to go through as well."""
    call = ctx.parent(function)
    if not (isinstance(call, ast.Call) and call.args[:1] == [function] and len(call.args) > 1):
        return False
    return own_name(call.func) not in {"map", "filter", "partial"}


def _asks_for_container(call: ast.Call) -> bool:
    if not (isinstance(call.func, ast.Name) and call.func.id == "isinstance" and len(call.args) == 2):
        return False
    asked = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else [call.args[1]]
    return not _CONTAINERS.isdisjoint(map(own_name, asked))


def _holder(node: ast.AST, ctx: Context) -> ast.AST | None:
    """The innermost function around a node, comprehensions left aside."""
    parent = ctx.parent(node)
    while parent is not None and not isinstance(parent, _FUNCTIONS):
        parent = ctx.parent(parent)
    return parent
