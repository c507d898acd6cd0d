"""What the Python wrapper around compiled code adds to a call, apart from the guards and from that code.

The wrapper is the same for every function, and for every module, so it is measured once in a process, on an
empty one: a whole call, less its guards, less a direct call of its compiled code. So is a graph break.
"""

from __future__ import annotations

import functools
import types
from typing import Any, Final, NamedTuple

from overhead_lint.probes import timing
from overhead_lint.probes.guards_api import api, check_guards, counting_nothing

__all__ = ["Wrapper", "break_seconds", "wrapper_of", "wrapper_seconds"]

_WRAPPER_FILE: Final = "eval_frame.py"
_MODULE_FILE: Final = "module.py"
_DISPATCHER_FILE: Final = "_dispatch/dispatcher.py"
_MOST_FRAMES: Final = 24


class Wrapper(NamedTuple):
    """The way from a call to compiled code.

    Attributes:
        kind: "function" or "module"; "" for code that other code calls, as after a graph break.
        mode: "stock" for `torch.compile`; else how `overhead_lint.runtime.compile` evaluates guards: "full"
            or "token".
    """

    kind: str = ""
    mode: str = "stock"

    def __str__(self) -> str:
        """What compiled the code."""
        if self.mode == "stock":
            return "torch.compile"
        return f"overhead_lint.runtime.compile, guard_eval={self.mode!r}"


def wrapper_of(frame: types.FrameType | None) -> Wrapper:
    """Which wrapper compiled code was called through.

    Args:
        frame: the frame that called it.
    """
    names, mode = [], "stock"
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        path = frame.f_code.co_filename.replace("\\", "/")
        if path.endswith(_DISPATCHER_FILE):
            mode = frame.f_locals["self"].guard_eval
            break
        names.append((path.rpartition("/")[2], frame.f_code.co_name))
        frame = frame.f_back
    inside = 0
    while inside < len(names) and names[inside][0] == _MODULE_FILE:
        inside += 1
    if inside == len(names) or names[inside] != (_WRAPPER_FILE, "compile_wrapper"):
        return Wrapper("", mode)
    above = names[inside + 1 : inside + 2]
    is_module = inside > 0 or (bool(above) and above[0][0] in (_MODULE_FILE, _WRAPPER_FILE))
    return Wrapper("module" if is_module else "function", mode)


@functools.cache
def wrapper_seconds(wrapper: Wrapper) -> float:
    """What a wrapper adds to a call here, in seconds; comparing a remembered state counts with "token".

    Args:
        wrapper: one with a kind.

    Raises:
        Unsupported: this torch lacks what the measurement needs.
    """
    import torch

    import overhead_runtime as runtime

    class Empty(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x + 1

    def empty(x: Any) -> Any:
        return x + 1

    x = torch.ones(1)
    target: Any = Empty() if wrapper.kind == "module" else empty
    code = Empty.forward.__code__ if wrapper.kind == "module" else empty.__code__
    inputs = {"self": target, "x": x} if wrapper.kind == "module" else {"x": x}
    if wrapper.mode == "stock":
        compiled: Any = torch.compile(target, backend=_nothing)
    else:
        compiled = runtime.compile(target, backend=_nothing, guard_eval=wrapper.mode)
    with counting_nothing():
        for _ in range(4):
            compiled(x)
    (entry,) = api().entries(code)
    direct = types.FunctionType(entry.code, empty.__globals__)
    whole, inner, guards = timing.hot_seconds_of(
        [
            functools.partial(compiled, x),
            functools.partial(direct, *inputs.values()),
            check_guards(entry.guard_manager, inputs),
        ]
    )
    return max(0.0, whole - inner - (0.0 if wrapper.mode == "token" else guards))


@functools.cache
def break_seconds() -> float:
    """What a graph break adds to a call of a compiled function here, apart from guards, in seconds."""
    import torch

    def whole(x: Any) -> Any:
        x = x + 1
        return x + 1

    def broken(x: Any) -> Any:
        x = x + 1
        torch._dynamo.graph_break()
        return x + 1

    x, found = torch.ones(1), []
    for function in (whole, broken):
        compiled: Any = torch.compile(function, backend=_nothing)
        with counting_nothing():
            for _ in range(3):
                compiled(x)
        found.append(functools.partial(compiled, x))
    (entry,) = api().entries(whole.__code__)
    one, two, guards = timing.hot_seconds_of([*found, check_guards(entry.guard_manager, {"x": x})])
    return max(0.0, two - one - guards)


def _nothing(graph: Any, inputs: Any) -> Any:
    """A backend whose code does nothing."""
    return lambda *args: args[-1:]
