"""Which values of a loop come from a data loader."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .._assignments import assigned_values, attribute_values, value_behind
from .._calls import has_unpacked, passed_values
from .._names import is_named
from .._vocabulary import LOADERS, one_of
from ._copies import moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Context

_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
_TENSOR_DATASETS = frozenset({"torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset"})
_NAME = re.compile(rf"(?i){one_of(LOADERS)}(_?iter(ator)?)?$")
_WRAPPERS = frozenset({"enumerate", "islice", "iter", "next", "tqdm", "trange", "zip"})
_CONTENTS = frozenset({"items", "values", "copy", "get", "pop"})
_TREE_MAPS = frozenset({"torch.utils._pytree.tree_map", "optree.tree_map"})
_FOLLOWED = 5
_PLACE_OF_PIN = 7
"""Where ``pin_memory`` stands among the arguments of ``DataLoader``."""


def loader_behind(node: ast.expr, ctx: Context, steps: int = _FOLLOWED) -> ast.expr | None:
    """The data loader that a value comes out of; None if it comes from elsewhere, or nobody knows."""
    if not steps:
        return None
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return loader_behind(node.value, ctx, steps)
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [loader_behind(part, ctx, steps - 1) for part in node.elts]
        return parts[0] if parts and all(parts) else None
    if isinstance(node, ast.Attribute):
        return loader_behind(node.value, ctx, steps) if not ctx.text(node).startswith("self.") else None
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Name) and function.id == "next" and node.args:
            return _loader(node.args[0], ctx)
        if isinstance(function, ast.Attribute) and function.attr in _CONTENTS:
            return loader_behind(function.value, ctx, steps)
        return None
    if not isinstance(node, ast.Name):
        return None
    bound = ctx.bindings(node)
    found = [_behind_binding(one, node, ctx, steps) for one in bound]
    return found[0] if found and all(found) else None


def _behind_binding(bound: ast.AST, node: ast.Name, ctx: Context, steps: int) -> ast.expr | None:
    """The loader behind what one binding of a name gives it: a loop, an assignment, a caller."""
    if isinstance(bound, ast.arg):
        given = [] if node.id.endswith("state_dict") else passed_values(node, ctx)  # that holds weights
        found = [loader_behind(one, ctx, steps - 1) for one in given]
        mapped = _mapped(bound, node, ctx)
        found += [_loader(one, ctx) or loader_behind(one, ctx, steps - 1) for one in mapped]
        return found[0] if found and all(found) else None
    whole, holder = bound, ctx.parent(bound)
    while isinstance(holder, (ast.Tuple, ast.List, ast.Starred)):
        whole, holder = holder, ctx.parent(holder)
    if isinstance(holder, (ast.For, ast.AsyncFor, ast.comprehension)) and holder.target is whole:
        return _loader(holder.iter, ctx) or loader_behind(holder.iter, ctx, steps - 1)
    if not isinstance(holder, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) or holder.value is None:
        return None
    loader = loader_behind(holder.value, ctx, steps - 1)
    made_of: ast.AST = holder.value
    while isinstance(made_of, (ast.Attribute, ast.Call, ast.Subscript)):
        made_of = made_of.func if isinstance(made_of, ast.Call) else made_of.value
    if loader is None and is_named(made_of, node.id) and not _holds_moved(holder.value, ctx):
        assert isinstance(made_of, ast.Name)  # y = y.float()
        return loader_behind(made_of, ctx, steps - 1)
    return loader


def _mapped(parameter: ast.arg, node: ast.Name, ctx: Context) -> list[ast.expr]:
    """What gives a parameter its items: ``batch`` of ``map(lambda x: x.to(device), batch)``.

    Args:
        parameter: of the function around `node`, or of another.
        node: a use of it.
        ctx: the file.
    """
    function = ctx.function(node)
    if function is None or parameter not in function.node.args.args:
        return []
    behind = function.node.args.args.index(parameter) + 1
    given = []
    for call in (call for name in ("map", "tree_map") for call in ctx.calls(name)):
        is_map = is_named(call.func, "map") and not ctx.is_bound("map", call)
        if not (is_map or ctx.qualified_name(call.func) in _TREE_MAPS) or not call.args:
            continue
        if call.args[0] is function.node or ctx.qualified_name(call.args[0]) == f".{function.qualname}":
            items = call.args[1 : behind + 1]
            if len(items) == behind and not any(isinstance(one, ast.Starred) for one in items):
                given.append(items[-1])
    return given


def _loader(iterated: ast.expr, ctx: Context) -> ast.expr | None:
    """The loader that an expression is, or goes through: ``enumerate(tqdm(loader))``."""
    if isinstance(iterated, ast.Call):
        if ctx.qualified_name(iterated.func) in _LOADERS:
            return iterated
        name = iterated.func.attr if isinstance(iterated.func, ast.Attribute) else ctx.text(iterated.func)
        if name in _WRAPPERS:
            return next(filter(None, (_loader(argument, ctx) for argument in iterated.args)), None)
        return iterated if _NAME.search(name) else None
    if isinstance(iterated, (ast.Name, ast.Attribute)):
        value = ctx.value(iterated) or _entered(iterated, ctx)
        if isinstance(value, ast.Call):
            found = _loader(value, ctx)
            if found is not None:
                return found
        name = iterated.attr if isinstance(iterated, ast.Attribute) else iterated.id
        return iterated if _NAME.search(name) else None
    return None


def _entered(node: ast.expr, ctx: Context) -> ast.expr | None:
    """What a ``with`` around a use gives a name: ``with tqdm(loader) as bar: for batch in bar:``."""
    parent = ctx.parent(node) if isinstance(node, ast.Name) else None
    while parent is not None and not isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        for item in parent.items if isinstance(parent, (ast.With, ast.AsyncWith)) else ():
            if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == getattr(node, "id", ""):
                return item.context_expr
        parent = ctx.parent(parent)
    return None


def gives_device(loader: ast.expr, ctx: Context) -> bool:
    """Whether a loader certainly gives what was moved before: ``TensorDataset(x.to(device), y.cuda())``."""
    if not (isinstance(loader, ast.Call) and ctx.qualified_name(loader.func) in _LOADERS and loader.args):
        return False
    made = _value(loader.args[0], ctx)
    if not (isinstance(made, ast.Call) and ctx.qualified_name(made.func) in _TENSOR_DATASETS):
        return False
    return bool(made.args) and all(_is_moved(_value(tensor, ctx), ctx) for tensor in made.args)


def _value(node: ast.expr, ctx: Context) -> ast.expr:
    """What an expression is bound to, if that is all that it is ever bound to."""
    return value_behind(node, ctx) or node


def _holds_moved(node: ast.expr, ctx: Context) -> bool:
    """Whether something is moved to a device, or its parts are: ``{k: v.to(device) for k, v in items}``."""
    return any(_is_moved(call, ctx) for call in (node, *ctx.within(node, ast.Call)))


def _is_moved(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is moved to a device, and not to the host."""
    found = moved(node, ctx) if isinstance(node, ast.Call) else None
    return found is not None and not (isinstance(found.device, ast.Constant) and found.device.value == "cpu")


def made_loaders(loader: ast.expr, ctx: Context, steps: int = _FOLLOWED) -> list[ast.Call]:
    """The calls of ``DataLoader`` that make a loader, as this file shows them; none if one is made elsewhere.

    Of a parameter they are those that all calls in the file pass.
    """
    made = _loader(loader, ctx) or loader
    if isinstance(made, ast.Call):
        return [made] if ctx.qualified_name(made.func) in _LOADERS else []
    if not steps:
        return []
    if isinstance(made, ast.Name):
        given = assigned_values(made, ctx)
        whole = len(given) == len(ctx.bindings(made)) and bool(given)
        values: Sequence[ast.expr | None] = given if whole else passed_values(made, ctx)
    elif isinstance(made, ast.Attribute):
        values = attribute_values(made, ctx)
    else:
        return []
    found = [made_loaders(one, ctx, steps - 1) if one is not None else [] for one in values]
    return list(dict.fromkeys(call for calls in found for call in calls)) if all(found) else []


def pins_memory(loader: ast.Call) -> bool | None:
    """Whether a call of ``DataLoader`` gives batches in pinned memory; None if it may be told to.

    True also where an expression decides.
    """
    for keyword in loader.keywords:
        if keyword.arg == "pin_memory":
            return not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False)
        if keyword.arg is None:
            return None
    if len(loader.args) > _PLACE_OF_PIN:
        given = loader.args[_PLACE_OF_PIN]
        return not (isinstance(given, ast.Constant) and given.value is False)
    return None if has_unpacked(loader) else False


def may_pin(loader: ast.Call) -> bool:
    """Whether a call of ``DataLoader`` leaves it open whether to pin memory: nobody chose not to."""
    is_told = any(item.arg in ("pin_memory", None) for item in loader.keywords)
    return not is_told and not has_unpacked(loader) and len(loader.args) <= _PLACE_OF_PIN
