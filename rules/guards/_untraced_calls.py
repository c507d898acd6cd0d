"""Calls that the compiler does not trace, by what is called, and what else to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_self

from .._assignments import value_behind
from .._names import own_name
from .._releases import BREAKS_SINCE, TRACED_SINCE, may_precede, spelled
from .._wording import short
from . import _breaks
from ._compiled import is_fullgraph, sets_config

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["CONVERSIONS", "TENSORS", "captures_shapes", "untraced"]

TENSORS = frozenset({Kind.TENSOR, Kind.HOST_TENSOR})
CONVERSIONS = frozenset({"float", "int", "bool", "complex"})


def untraced(node: ast.Call, ctx: Context) -> tuple[str, str] | None:
    """What a call is if it breaks the graph, and what else to do; None if it is traced."""
    return _by_name(node, ctx) or _by_method(node, ctx)


def _by_name(node: ast.Call, ctx: Context) -> tuple[str, str] | None:
    """Functions by their names, if a torch that the code runs with does not trace them."""
    found = _named(node, ctx)
    traced = TRACED_SINCE.get(ctx.qualified_name(node.func) or "")
    if found is None or traced is None:
        return found
    if not may_precede(traced, ctx):
        return None
    what, help = found
    return f"{what.rstrip(',')}, before torch {spelled(traced)},", help


def _named(node: ast.Call, ctx: Context) -> tuple[str, str] | None:
    name = ctx.qualified_name(node.func)
    if name is None and isinstance(node.func, ast.Name) and not ctx.is_bound(node.func.id, node):
        name = node.func.id
        if name == "print" and sets_config(_breaks.LOG_SWITCHES, ctx):
            return None
        if name in _breaks.BUILTINS:
            return f"{name}()", _breaks.OUTSIDE
        if name in CONVERSIONS and _takes_tensor(node, ctx) and not _captures_scalars(node, ctx):
            return f"{name}() of a tensor", _breaks.ON_DEVICE
        if name in {"repr", "str", "range"} and _takes_tensor(node, ctx):
            return f"{name}() of a tensor", _breaks.OUTSIDE
        if name in {"any", "all"} and _takes_tensor(node, ctx):
            return f"{name}() over a tensor", f"use torch.{name}, and {_breaks.ON_DEVICE}"
        return None
    if name is None:
        return None
    if name in _breaks.FUNCTIONS:
        return f"{short(node.func, ctx)}()", _breaks.FUNCTIONS[name]
    module, _, last = name.rpartition(".")
    if module == "logging" and last in _breaks.LOG_METHODS:
        return None if sets_config(_breaks.LOG_SWITCHES, ctx) else (f"{name}()", _breaks.OUTSIDE)
    if name == "torch._assert" and node.args and ctx.kind(node.args[0]) in TENSORS:
        return "torch._assert() of a tensor", "use torch._assert_async"
    if name in _breaks.SIZES and any(ctx.kind(argument) is Kind.TENSOR for argument in node.args):
        return f"{short(node.func, ctx)}() with a tensor for a size", _breaks.FIXED_SHAPE
    if module in {"copy", "math"} and _takes_tensor(node, ctx) and last != "copy":
        return f"{name}() of a tensor", _breaks.OUTSIDE if module == "copy" else f"use torch.{last}"
    if _gives_any_shape(name, node, ctx) and not captures_shapes(ctx):
        return (
            f"{short(node.func, ctx)}(), whose result is as large as the values say,",
            _breaks.FIXED_SHAPE,
        )
    return None


def _gives_any_shape(name: str, node: ast.Call, ctx: Context) -> bool:
    if name == "torch.where":
        return len(node.args) == 1 and not node.keywords
    if name == "torch.nn.functional.one_hot":
        return len(node.args) == 1 and not node.keywords
    if name == "torch.repeat_interleave":
        return len(node.args) > 1 and _repeats_by_tensor(node, node.args[1], ctx)
    return name in _breaks.SHAPE_FUNCTIONS


def _repeats_by_tensor(node: ast.Call, repeats: ast.expr, ctx: Context) -> bool:
    return ctx.kind(repeats) in TENSORS and not any(item.arg == "output_size" for item in node.keywords)


def _by_method(node: ast.Call, ctx: Context) -> tuple[str, str] | None:
    """Methods of tensors, loggers and modules."""
    if not isinstance(node.func, ast.Attribute):
        return None
    name, receiver = node.func.attr, node.func.value
    if name in _breaks.LOG_METHODS and _is_logger(receiver, ctx):
        return None if sets_config(_breaks.LOG_SWITCHES, ctx) else (f"a logger's {name}()", _breaks.OUTSIDE)
    if name == "item" and not node.args and not node.keywords:
        scalar = ctx.kind(receiver) in TENSORS | {Kind.UNKNOWN} and not _captures_scalars(node, ctx)
        return (".item()", _breaks.ON_DEVICE) if scalar else None
    if name in _breaks.OPTIMIZER_METHODS and _is_optimizer(receiver, ctx):
        return f"an optimizer's {name}()", "call it outside of the compiled function"
    if name in BREAKS_SINCE and _is_module(receiver, ctx):
        what = f"a module's {name}(), with torch {spelled(BREAKS_SINCE[name])} and later,"
        return what, "call it outside of the compiled function"
    if ctx.kind(receiver) not in TENSORS:
        return None
    if name in _breaks.SIZE_METHODS and any(ctx.kind(argument) is Kind.TENSOR for argument in node.args):
        return f".{name}() with a tensor for a size", "use sizes of tensors, or -1"
    if name in _breaks.VALUE_METHODS:
        return f".{name}()", _breaks.ON_DEVICE
    if name in _breaks.OTHER_METHODS:
        return f".{name}()", _breaks.OTHER_METHODS[name]
    shapes = name in _breaks.SHAPE_METHODS or (
        name == "repeat_interleave" and bool(node.args) and _repeats_by_tensor(node, node.args[0], ctx)
    )
    if shapes and not captures_shapes(ctx):
        return f".{name}(), whose result is as large as the values say,", _breaks.FIXED_SHAPE
    return None


def _is_logger(node: ast.expr, ctx: Context) -> bool:
    """Whether a name is bound to ``logging.getLogger(...)`` or what a package wraps around it."""
    value = value_behind(node, ctx)
    return isinstance(value, ast.Call) and own_name(value.func) in {"getLogger", "get_logger"}


def _is_module(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is known to be a module."""
    cls = ctx.cls(node)
    if is_self(node) and cls is not None:
        return cls.is_module
    return ctx.kind(node) is Kind.MODULE


def _is_optimizer(node: ast.expr, ctx: Context) -> bool:
    """Whether a name is bound to one of torch's optimizers, or says that it is one."""
    value = ctx.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if isinstance(value, ast.Call):
        return (ctx.qualified_name(value.func) or "").startswith("torch.optim.")
    return own_name(node).rpartition("_")[2] in _breaks.OPTIMIZERS


def _takes_tensor(node: ast.Call, ctx: Context) -> bool:
    return len(node.args) == 1 and ctx.kind(node.args[0]) in TENSORS


def _captures_scalars(node: ast.Call, ctx: Context) -> bool:
    """Whether a read is traced: a setting says so, and no branch depends on a number that is known later."""
    switch = _breaks.SCALAR_SWITCH
    if is_fullgraph(ctx) or sets_config(frozenset({switch}), ctx):
        return True
    return _is_set_elsewhere(switch, ctx) and not _decides(node, ctx)


def captures_shapes(ctx: Context) -> bool:
    """Whether sizes that depend on values are traced."""
    switch = _breaks.SHAPE_SWITCH
    return is_fullgraph(ctx) or sets_config(frozenset({switch}), ctx) or _is_set_elsewhere(switch, ctx)


def _is_set_elsewhere(switch: str, ctx: Context) -> bool:
    """Whether another file of the project has Dynamo trace more than it does by default."""
    return any(setting.name == f"torch._dynamo.config.{switch}" for setting in ctx.settings_elsewhere())


def _decides(read: ast.Call, ctx: Context) -> bool:
    """Whether a branch of the function asks what a read gives, or the name that it is bound to."""
    function, statement = ctx.function(read), ctx.statement(read)
    bound = statement.targets if isinstance(statement, ast.Assign) else ()
    names = {target.id for target in bound if isinstance(target, ast.Name)}
    return function is not None and any(
        part is read or (isinstance(part, ast.Name) and part.id in names)
        for part in _branched_on(function.node, ctx)
    )


def _branched_on(function: ast.AST, ctx: Context) -> Iterator[ast.AST]:
    """All parts of the tests in a function."""
    tests = [
        *(branch.test for branch in ctx.within(function, ast.If)),
        *(loop.test for loop in ctx.within(function, ast.While)),
        *(choice.test for choice in ctx.within(function, ast.IfExp)),
    ]
    for test in tests:
        yield from ast.walk(test)
