"""Places where a wait for the device is meant, or is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from overhead_lint.analysis.vocabulary import HOST_LIBRARIES

from .._calls import argument_values
from .._names import is_named, own_name
from .._vocabulary import ENVIRONMENTS, TIMING, one_of
from ._given_numbers import converts_what_is_given
from ._host_programs import computes_on_host, imported
from ._other_devices import is_for_other_devices, is_refused_on_device

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_CLOCKS = frozenset(
    {
        "time.time",
        "time.time_ns",
        "time.perf_counter",
        "time.perf_counter_ns",
        "time.monotonic",
        "time.monotonic_ns",
        "timeit.default_timer",
    }
)
# What writes a file, or makes the picture that is: of Python, NumPy, PyTorch, Pillow and OpenCV.
_WRITING = frozenset(
    "dump fromarray imsave imwrite save savetxt savez savez_compressed tofile write".split()  # noqa: SIM905
)
_TIMING_NAME = re.compile(rf"(?i){one_of(TIMING)}")


def expects_sync(node: ast.AST, ctx: Context) -> bool:
    """Whether the function synchronises or times on purpose, so that one more read costs nothing.

    What it does so where it hardly ever does, as for a profile that is asked for, says nothing of what comes
    without.
    """
    function = ctx.function(node)
    if function is None:
        return False
    first, last = function.node.lineno, function.node.end_lineno or 0
    found = [
        call
        for name in ("synchronize", "elapsed_time")
        for call in ctx.calls(name)  # few files have any
        if isinstance(call.func, ast.Attribute)
        and first <= call.lineno <= last
        and call in ctx.within(function.node, ast.Call)
    ]
    return any(ctx.warmth(call).heat >= ctx.warmth(node).heat for call in found)


def is_for_measuring(node: ast.AST, ctx: Context) -> bool:
    """Whether the function or the class that holds a place is there to measure, by its name."""
    function, cls = ctx.function(node), ctx.cls(node)
    return any(one is not None and bool(_TIMING_NAME.search(one.qualname)) for one in (function, cls))


def is_timing(node: ast.AST, ctx: Context) -> bool:
    """Whether the place belongs to code that measures: it reads a clock, or its name says so."""
    function = ctx.function(node)
    if is_for_measuring(node, ctx):
        return True
    if function is None:
        return any(ctx.qualified_name(call.func) in _CLOCKS for call in ctx.nodes(ast.Call))
    return any(
        ctx.qualified_name(call.func) in _CLOCKS
        or (isinstance(call.func, ast.Attribute) and call.func.attr == "elapsed_time")
        for call in ctx.within(function.node, ast.Call)
    )


def loads_data(node: ast.AST, ctx: Context) -> bool:
    """Whether the place belongs to a data set, whose tensors are on the host, or is run by one alone.

    A sampler that differentiates samples from a distribution, and gives no indices.
    """
    cls = ctx.cls(node)
    names = {base.rpartition(".")[2] for base in cls.bases} if cls is not None else set()
    if any(name.endswith("Dataset") for name in names):
        return True
    if cls is not None and any(name.endswith("Sampler") for name in names):
        calls = ctx.within(cls.node, ast.Call)
        if not any(isinstance(call.func, ast.Attribute) and call.func.attr == "backward" for call in calls):
            return True
    function = ctx.function(node)
    if function is not None and "collate" in function.qualname.rpartition(".")[2]:
        return True
    return ctx.is_run_by_data(node)


def is_wrapper(node: ast.AST, ctx: Context) -> bool:
    """Whether the function around does nothing else, or is named as what it calls: its callers decide."""
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda):
        return function is not None
    called = node.func if isinstance(node, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr == function.node.name:
        return True
    body = [
        statement
        for statement in function.node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    ]
    return len(body) == 1 and ctx.loops(node) == ()


def sets_up(node: ast.AST, ctx: Context) -> bool:
    """Whether the place belongs to a setter (``set_timesteps``), or to a class for another runtime (ONNX)."""
    function, cls = ctx.function(node), ctx.cls(node)
    if cls is not None and "onnx" in cls.qualname.lower():
        return True
    return function is not None and function.qualname.rpartition(".")[2].lstrip("_").startswith("set_")


def is_kept(node: ast.expr, ctx: Context) -> bool:
    """Whether a value is stored in an attribute, or made by a setter.

    What a constructor stores is there for one instance: where steps make instances, they make it anew.
    """
    function = ctx.function(node)
    if function is not None and function.qualname.endswith(".__init__"):
        return False
    statement = ctx.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is node else []
    return any(isinstance(target, ast.Attribute) for target in targets) or sets_up(node, ctx)


def is_needed_on_host(node: ast.expr, ctx: Context) -> bool:
    """Whether what is copied to the host is needed there: written to a file, or given to what works there.

    That is told where it is handed over right there, by the name that it is given in its function, or
    by that of a loop over it.
    """
    calls, name = _goes_to(node, ctx)
    return any(_is_of_host(call, ctx) for call in calls) or (
        name is not None
        and _is_given(name, _is_of_host_library, ctx, where=not HOST_LIBRARIES.isdisjoint(imported(ctx)))
    )


def is_for_environment(node: ast.expr, ctx: Context) -> bool:
    """Whether what is read is what an environment needs next: ``env.step(action.cpu().numpy())``."""
    if not any(_steps_environment(call) for call in ctx.calls("step")):
        return False
    calls, name = _goes_to(node, ctx)
    return any(map(_steps_environment, calls)) or (
        name is not None and _is_given(name, lambda call, _: _steps_environment(call), ctx, where=True)
    )


def _steps_environment(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    name = own_name(call.func.value)
    return bool(ENVIRONMENTS & set(name.rstrip("s").split("_")))


def _goes_to(node: ast.expr, ctx: Context) -> tuple[list[ast.Call], ast.Name | None]:
    """The calls that an expression is handed to right there, and the name that what they give is kept by."""
    calls: list[ast.Call] = []
    child: ast.AST = node
    parent = ctx.parent(node)
    while isinstance(parent, (ast.Attribute, ast.Call, ast.keyword, ast.Subscript)):
        if isinstance(parent, ast.Call) and child is not parent.func:
            calls.append(parent)
        child, parent = parent, ctx.parent(parent)
    name: ast.expr | None = None
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        name = parent.targets[0]
    elif isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is child:
        name = parent.target
    return calls, name if isinstance(name, ast.Name) else None


def _is_of_host(call: ast.Call, ctx: Context) -> bool:
    """Whether a call writes a file, or belongs to a library that knows no tensors of devices."""
    return own_name(call.func) in _WRITING or _is_of_host_library(call, ctx)


def _is_of_host_library(call: ast.Call, ctx: Context) -> bool:
    return (ctx.qualified_name(call.func) or "").partition(".")[0] in HOST_LIBRARIES


def _is_given(
    name: ast.Name, taker: Callable[[ast.Call, Context], bool], ctx: Context, *, where: bool
) -> bool:
    """Whether a name of a function is handed to such a call, itself or a part of it.

    `where` says whether the file has such calls at all.
    """
    function = ctx.function(name)
    if function is None or not where:
        return False
    for call in ctx.within(function.node, ast.Call):
        if not taker(call, ctx):
            continue
        for value in argument_values(call):
            root: ast.expr = value
            while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
                root = root.func if isinstance(root, ast.Call) else root.value
            if is_named(root, name.id):
                return True
    return False


def is_no_wait(node: ast.AST, ctx: Context) -> bool:
    """Whether a read at the place waits for nothing, or is meant to wait."""
    return (
        computes_on_host(ctx)
        or expects_sync(node, ctx)
        or loads_data(node, ctx)
        or is_for_other_devices(node, ctx)
        or is_refused_on_device(node, ctx)
        or sets_up(node, ctx)
        or converts_what_is_given(node, ctx)
    )
