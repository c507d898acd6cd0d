"""Places where a wait for the device is meant, or is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from overhead_lint.torch_calls import named_device

from .._calls import argument_values
from .._conditions import branches, passed
from .._devices import device_keyword, is_to_host
from .._names import is_named, own_name
from .._once import once
from .._vocabulary import ENVIRONMENTS, TIMING, one_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_OTHER_DEVICES = frozenset({"cpu", "hpu", "meta", "mps", "npu", "privateuseone", "xla"})
_OF_TENSORS = frozenset({"device", "is_cpu", "is_cuda", "is_xpu"})
_ACCELERATORS = frozenset({"cuda", "xpu"})
_AVAILABLE = frozenset(
    {"torch.accelerator.is_available", "torch.cuda.is_available", "torch.xpu.is_available"}
)
# Through so many assignments what a name holds is followed to what it is made of.
_FOLLOWED = 3
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
# Libraries whose functions take what is on the host.
_HOST_LIBRARIES = frozenset("PIL cv2 imageio librosa matplotlib scipy skimage sklearn soundfile".split())  # noqa: SIM905
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


def is_for_other_devices(node: ast.AST, ctx: Context) -> bool:
    """Whether a branch or the function is for devices without streams: ``device.type == "mps"``."""
    function = ctx.function(node)
    if function is not None and any(part.endswith("_cpu") for part in function.qualname.split(".")):
        return not _copies_to_host(function.node, ctx)  # `_to_cpu` is for what is elsewhere
    return any(True for _ in _for_other_devices(branches(node, ctx), ctx))


def is_refused_on_device(node: ast.AST, ctx: Context) -> bool:
    """Whether what is used at a place was refused before where it is on a device with streams.

    ``if x.is_cuda: raise ValueError`` before ``x.item()``.
    """
    return any(_is_about(test, node, ctx) for test in _for_other_devices(passed(node, ctx), ctx))


def _for_other_devices(conditions: Iterable[tuple[ast.expr, bool]], ctx: Context) -> Iterator[ast.expr]:
    """What those conditions ask which have an outcome for devices without streams."""
    for condition, outcome in conditions:
        yield from _of_others(condition, outcome, ctx)


def _of_others(test: ast.expr, holds: bool, ctx: Context) -> list[ast.expr]:
    """What a test asks of devices, if it only holds, or only does not, for one without streams."""
    test, holds = _asked(test, holds, ctx)
    if isinstance(test, ast.BoolOp):
        found = [_of_others(value, holds, ctx) for value in test.values]
        all_hold = isinstance(test.op, ast.And) is holds
        return [one for some in found for one in some] if all_hold or all(found) else []
    refuses = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.NotEq, ast.NotIn))
    names = _names_other_device if holds is not refuses else _names_accelerator
    return [test] if names(test, ctx) else []


def _is_about(test: ast.expr, node: ast.AST, ctx: Context) -> bool:
    """Whether a test of devices is about something that is used at a place, or about no tensor's."""
    asked = [item for item in ast.walk(test) if isinstance(item, ast.Attribute) and item.attr in _OF_TENSORS]
    if not asked:
        return True
    used = _made_of(node, ctx)
    return any(ctx.text(item.value) in used for item in asked)


def _made_of(node: ast.AST, ctx: Context) -> set[str]:
    """The names that are used at a place, and those that what they hold may be made of."""
    function = ctx.function(node)
    assigned = list(ctx.within(function.node, ast.Assign)) if function is not None else []
    found: set[str] = set()
    parts = [node]
    for _ in range(_FOLLOWED):
        used = {
            ctx.text(item)
            for part in parts
            for item in ast.walk(part)
            if isinstance(item, (ast.Attribute, ast.Name))
        }
        new = used - found
        found |= new
        parts = [one.value for one in assigned if any(name.id in new for name in _bound(one))]
    return found


def _bound(statement: ast.Assign) -> Iterator[ast.Name]:
    """The names that a statement gives a value to, or a part of one."""
    for target in statement.targets:
        yield from (part for part in ast.walk(target) if isinstance(part, ast.Name))


def _asked(test: ast.expr, holds: bool, ctx: Context) -> tuple[ast.expr, bool]:
    """What a test asks, without ``not``, and whether that is so where the test holds, or does not."""
    if isinstance(test, ast.Name):
        test = ctx.value(test) or test
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    return test, holds


def _copies_to_host(function: ast.AST, ctx: Context) -> bool:
    """Whether a function itself copies something to the host, so that it is given what is on a device."""
    return any(is_to_host(call) for call in ctx.within(function, ast.Call))


def _names_other_device(test: ast.expr, ctx: Context) -> bool:
    """Whether a test is about a device without streams, or some of which CUDA is none."""
    named = _named(test, ctx)
    return bool(named & _OTHER_DEVICES) and named <= _OTHER_DEVICES | {"xpu"}


def _names_accelerator(test: ast.expr, ctx: Context) -> bool:
    """Whether a test is about a device with streams: ``device.type == "cuda"``, ``x.is_cuda``."""
    if isinstance(test, ast.Call):
        return ctx.qualified_name(test.func) in _AVAILABLE
    if isinstance(test, ast.Attribute):
        return test.attr in ("is_cuda", "is_xpu")
    return bool(_named(test, ctx) & _ACCELERATORS)


def _named(test: ast.expr, ctx: Context) -> set[str]:
    """The texts that something is compared with."""
    if not (
        isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.In, ast.NotEq, ast.NotIn))
    ):
        return set()
    return {item.value for item in ctx.within(test, ast.Constant) if isinstance(item.value, str)}


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


def is_for_cuda(node: ast.Call, ctx: Context) -> bool:
    """Whether a call names a device with streams itself: ``x.cuda()``, ``device="cuda:0"``.

    Data sets and what puts batches together work on the host; one that does so copies each sample by itself.
    """
    if isinstance(node.func, ast.Attribute) and node.func.attr == "cuda":
        return True
    told = device_keyword(node)
    if told is None and isinstance(node.func, ast.Attribute) and node.func.attr == "to" and node.args:
        told = node.args[0]
    return named_device(told, ctx.qualified_name).partition(":")[0] in _ACCELERATORS


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
        name is not None and _is_given(name, _is_of_host_library, ctx, where=_uses_host_libraries(ctx))
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
    return (ctx.qualified_name(call.func) or "").partition(".")[0] in _HOST_LIBRARIES


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


@once
def _uses_host_libraries(ctx: Context) -> bool:
    imported = {alias.name for statement in ctx.nodes(ast.Import) for alias in statement.names}
    imported |= {statement.module or "" for statement in ctx.nodes(ast.ImportFrom)}
    return any(name.partition(".")[0] in _HOST_LIBRARIES for name in imported)


def is_no_wait(node: ast.AST, ctx: Context) -> bool:
    """Whether a read at the place waits for nothing, or is meant to wait."""
    return (
        expects_sync(node, ctx)
        or loads_data(node, ctx)
        or is_for_other_devices(node, ctx)
        or is_refused_on_device(node, ctx)
        or sets_up(node, ctx)
    )
