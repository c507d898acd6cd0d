"""Moments in which only stock ``torch.compile`` may serve a call.

Dynamo's guards cover what changes the traced program. What is listed here changes who runs it:
stock looks at these around each call, before or instead of its guards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch._C._dynamo import eval_frame as native
from torch._dynamo import eval_frame
from torch.compiler import is_compiling, is_dynamo_compiling

_FX_TRACES = "being traced by torch.jit or torch.fx"
_TORCH_TRACES = "inside a trace of torch.compile or torch.export"
_FX_FLAG = "_is_fx_tracing_flag"
_GUARDS_WATCHED = "a guard-complete hook is set"
_PROFILED = "a profiler is running"
# Who looks on changes no result.
ONLY_WATCHED = frozenset({_GUARDS_WATCHED, _PROFILED})

_AUTOCAST_KEYS = tuple(
    key
    for name, key in torch._C.DispatchKey.__members__.items()
    if name.startswith("Autocast") and name != "AutocastFunctionality"
)

# Not None while frames are handed to Dynamo: the caller's is one that stock has to restore, and the
# dispatcher's own frames would be compiled. So this is asked before any other function is called.
running_callback: Callable[[], object] = getattr(native, "get_eval_frame_callback", lambda: None)


class ThreadFlag(NamedTuple):
    """A switch that each thread has for itself; off where a thread never set it.

    Args:
        local: The ``threading.local`` that holds it.
        name: Its attribute there.
        why: Why only stock may serve a call while it is on.
    """

    local: threading.local
    name: str
    why: str


def thread_flags() -> list[ThreadFlag]:
    """The switches of this torch that are kept by thread, where others have one of the process, or none."""
    sought = (
        (_fx.get("_is_fx_tracing_tls"), "flag", _FX_TRACES),
        (_frames.get("_force_eager_nested_compile"), "depth", _TORCH_TRACES),
    )
    return [ThreadFlag(local, name, why) for local, name, why in sought if isinstance(local, threading.local)]


def tells_fx_tracing() -> bool:
    """Whether it shows here when `torch.fx` traces: tried by telling torch, for a moment, that it does.

    Where there is nothing to tell it by, the name of the process's flag is what is known.
    """
    claim = _fx.get("_is_fx_tracing_context")
    if claim is None:
        return _FX_FLAG in _fx
    with claim(True):
        return any(one.why is _FX_TRACES and getattr(one.local, one.name, False) for one in thread_flags())


class _Stance:
    """Recognises the default stance by value: every ``set_stance`` installs a new object."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: object = None

    def is_default(self, stance: object) -> bool:
        if stance is self._known:
            return True
        if stance == eval_frame.DynamoStance():
            self._known = stance
            return True
        return False


_stance = _Stance()
# A torch without them is refused by `dynamo.probe`, in words.
_dispatch_modes: Callable[[], int] = getattr(torch._C, "_len_torch_dispatch_stack", int)
_function_modes: Callable[[], int] = getattr(torch._C, "_len_torch_function_stack", int)
_frames = vars(eval_frame)
_compiler = vars(torch.compiler)
_fx = vars(torch.fx._symbolic_trace)
_profiler = vars(torch.autograd.profiler)


def is_traced() -> bool:
    """Whether a call in this thread is a part of what `torch.compile` or `torch.export` traces.

    The flag of torch is one of the process: it is also up while another thread compiles. Where export traces
    by running, modes are active in the thread that it does so in.
    """
    if is_dynamo_compiling():
        return True
    return is_compiling() and bool(_dispatch_modes() or _function_modes())


def stance() -> object:
    """The stance object that is installed now."""
    return _frames["_stance"]


def facts() -> list[tuple[Any, ...]]:
    """What `watch` reads in modules, for the native gate: dict, name and the value that lets a call pass.

    Only for a moment in which the stance is the default.
    """
    one_flag_for_fx = [(_fx, _FX_FLAG, False)] if _FX_FLAG in _fx else []
    return [
        (_frames, "_stance", stance()),
        (_compiler, "_is_compiling_flag", False),
        *one_flag_for_fx,
        (_profiler, "_is_profiler_enabled", False),
    ]


def watch() -> Callable[[], str | None]:
    """Build the check of the calling thread and the process.

    Returns:
        A function that returns why stock has to serve a call that is made now, or None.
    """
    set_guard_hook = native.set_guard_complete_hook
    functorch_depth = torch._C._functorch.get_dynamic_layer_stack_depth
    dispatch_modes, function_modes = _dispatch_modes, _function_modes
    tracing_state = torch._C._get_tracing_state
    fake_kernel = torch._C._meta_in_tls_dispatch_include
    frames, compiler, fx, profiler = _frames, _compiler, _fx, _profiler
    collective_hook = frames.get("guard_collectives_hook")
    is_default = _stance.is_default

    by_thread = [(one.local, one.name, one.why) for one in thread_flags()]

    collectives = False

    def guard_hook() -> bool:
        # There is no getter. Taking a hook away for a moment is harmless for a counting hook; the one of
        # guard collectives must see every evaluation on every rank, so once seen it is not touched again.
        nonlocal collectives
        if collectives:
            return True
        hook = set_guard_hook(None)
        if hook is None:
            return False
        set_guard_hook(hook)
        collectives = hook is collective_hook
        return True

    def busy() -> str | None:
        if guard_hook():
            return _GUARDS_WATCHED
        if functorch_depth():
            return "inside a functorch transform"
        if dispatch_modes():
            return "a TorchDispatchMode is active"
        if function_modes():
            return "a TorchFunctionMode is active"
        if not is_default(frames["_stance"]):
            return "torch.compiler stance is not the default"
        if compiler["_is_compiling_flag"]:
            return _TORCH_TRACES
        if tracing_state() is not None or fx.get(_FX_FLAG):
            return _FX_TRACES
        for local, name, why in by_thread:
            if getattr(local, name, False):
                return why
        if fake_kernel():
            return "inside a fake kernel"
        if profiler["_is_profiler_enabled"]:
            return _PROFILED
        return None

    return busy


def autocast_keys() -> tuple[bool, ...]:
    """Which autocast dispatch keys are excluded on this thread."""
    excluded = torch._C._dispatch_tls_is_dispatch_key_excluded
    return tuple(excluded(key) for key in _AUTOCAST_KEYS)


def restore_after_error(excluded: tuple[bool, ...]) -> None:
    """Undo what a graph that raised half-way has left on this thread, as stock does.

    Args:
        excluded: What ``autocast_keys`` said in a call of the same entry. Dynamo's guards hold the
            autocast state equal over all calls of an entry.
    """
    torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth(0)
    for key, value in zip(_AUTOCAST_KEYS, excluded, strict=True):
        torch._C._dispatch_tls_set_dispatch_key_excluded(key, value)
