"""What Dynamo's Python wrapper adds to a call, apart from the guards and from the compiled code.

The wrapper is the same for every function, and for every module, so it is measured once in a process, on an
empty one: a whole call, less its guards, less a direct call of its compiled code.
"""

from __future__ import annotations

import functools
import types
from typing import Any, Final

from overhead_lint.probes import timing
from overhead_lint.probes.guards_api import api, check_guards

__all__ = ["WRAPPERS", "wrapper_of", "wrapper_seconds"]

WRAPPERS: Final = ("function", "module")
_WRAPPER_FILE: Final = "eval_frame.py"
_MODULE_FILE: Final = "module.py"
_MOST_FRAMES: Final = 8


def wrapper_of(frame: types.FrameType | None) -> str:
    """Which wrapper compiled code was called through.

    Args:
        frame: the frame that called it.

    Returns:
        One of `WRAPPERS`; "" for code that was called from other code, as after a graph break.
    """
    names = []
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        names.append((frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name))
        frame = frame.f_back
    inside = 0
    while inside < len(names) and names[inside][0] == _MODULE_FILE:
        inside += 1
    if inside == len(names) or names[inside] != (_WRAPPER_FILE, "compile_wrapper"):
        return ""
    above = names[inside + 1 : inside + 2]
    is_module = inside > 0 or (bool(above) and above[0][0] in (_MODULE_FILE, _WRAPPER_FILE))
    return "module" if is_module else "function"


@functools.cache
def wrapper_seconds(kind: str) -> float:
    """What the wrapper around a compiled function, or module, adds to a call here, in seconds.

    Args:
        kind: one of `WRAPPERS`.

    Raises:
        Unsupported: this torch lacks what the measurement needs.
    """
    import torch

    class Empty(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x + 1

    def empty(x: Any) -> Any:
        return x + 1

    x = torch.ones(1)
    target: Any = Empty() if kind == "module" else empty
    code = Empty.forward.__code__ if kind == "module" else empty.__code__
    inputs = {"self": target, "x": x} if kind == "module" else {"x": x}
    compiled: Any = torch.compile(target, backend=_nothing)
    compiled(x)
    (entry,) = api().entries(code)
    direct = types.FunctionType(entry.code, empty.__globals__)
    arguments = tuple(inputs.values())
    whole = timing.hot_seconds(functools.partial(compiled, x))
    guards = timing.hot_seconds(check_guards(entry.guard_manager, inputs))
    inner = timing.hot_seconds(functools.partial(direct, *arguments))
    return max(0.0, whole - guards - inner)


def _nothing(graph: Any, inputs: Any) -> Any:
    """A backend whose code does nothing."""
    return lambda *args: args[-1:]
