"""Watches Dynamo through its hooks, which `guards_api` finds.

Three of Dynamo's own hooks are used, each chained to whoever had it before:

- the *bytecode hook* runs once for each frame compiled;
- the *guard testing hook* sees the guards of that frame while its inputs are alive;
- the *guard complete hook* runs after each cache lookup and says hit or miss, but not for which
  frame. After a hit the compiled code is the next Python code to start in this thread, so the hook
  arms a profile function of `guards_calls` for that one call, which takes itself off again.
"""

from __future__ import annotations

import functools
import sys
import threading
import types
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from overhead_lint.probes import profile_slot
from overhead_lint.probes.guards_api import Api, Unsupported, api, is_trying_out
from overhead_lint.probes.guards_calls import AfterMiss, Arrival, Departure, Lookups
from overhead_lint.probes.guards_failure import changed_state, entry_that_failed, is_global_state
from overhead_lint.probes.guards_listener import Break, Compilation, GivenUp, Listener
from overhead_lint.probes.guards_records import CompileTime, break_of, compile_times, gave_up

if TYPE_CHECKING:
    from overhead_runtime.global_state import GlobalState

__all__ = ["Watch", "watch"]


@dataclass
class _Pending(threading.local):
    """A frame compiled on this thread whose guards are not built yet."""

    code: types.CodeType | None = None
    new: types.CodeType | None = None
    latest: types.CodeType | None = None
    """The last frame compiled on this thread."""
    state: GlobalState | None = None
    """The global state of the last call whose guards failed."""
    in_lookup: bool = False
    """Whether the hook of this thread's lookup is running."""


@dataclass
class Watch:
    """Dynamo's hooks, shared by all blocks that are measured at the time.

    Once installed, the bytecode hook stays until the process ends and keeps, for each compiled code
    object that is still alive, its graph breaks. The other two hooks are there only while a block
    is measured.
    """

    api: Api
    given_up: list[GivenUp] = field(default_factory=list)
    """Frames that could not be compiled, since the watch was installed."""
    compile_times: list[CompileTime] = field(default_factory=list)
    """How long each compilation took, since the watch was installed."""
    _listeners: list[Listener] = field(default_factory=list)
    _callers: list[Listener] = field(default_factory=list)
    """Those of the listeners that are told of calls, too."""
    _breaks: dict[int, tuple[weakref.ref[types.CodeType], tuple[Break, ...]]] = field(default_factory=dict)
    _last_break: Any = None
    _last_metrics: Any = None
    _pending: _Pending = field(default_factory=_Pending)
    _lookups: Lookups = field(init=False)
    _hook: Any = None
    """Ours, as it was installed."""
    _previous_complete_hook: Any = None
    _previous_testing_hook: Any = None

    def __post_init__(self) -> None:
        self._lookups = Lookups(self.api, self.original, self.guards_of, self.callers)
        self._fresh_breaks()
        self.drain()
        self.given_up.clear()
        self.compile_times.clear()
        self.api.skip(Arrival.__call__.__code__)
        self.api.skip(Departure.__call__.__code__)
        self.api.skip(AfterMiss.__call__.__code__)
        self.api.register_bytecode_hook(self._on_bytecode)
        _state()  # imports here what would else be imported in the midst of somebody's call

    def add(self, listener: Listener, *, calls: bool = True) -> None:
        """Tell `listener` from now on.

        Args:
            listener: told what happens.
            calls: tell it of calls of compiled frames, too, which slows each of these down by some
                microseconds; without, of compilations only, which costs calls nothing.
        """
        if not self._listeners:
            self._previous_testing_hook = self.api.guards_module.guard_manager_testing_hook_fn
            self.api.guards_module.guard_manager_testing_hook_fn = self._on_guards
        self._listeners.append(listener)
        if calls:
            if not self._callers:
                self._hook = self._on_lookup
                self._previous_complete_hook = self.api.set_guard_complete_hook(self._hook)
            self._callers.append(listener)

    def remove(self, listener: Listener) -> None:
        """Tell `listener` no more."""
        self._listeners.remove(listener)
        if not self._listeners:
            self.api.guards_module.guard_manager_testing_hook_fn = self._previous_testing_hook
        if listener in self._callers:
            self._callers.remove(listener)
            found = self.api.set_guard_complete_hook(
                self._hook if self._callers else self._previous_complete_hook
            )
            if found is not self._hook:
                self.api.set_guard_complete_hook(found)  # it is for its owner to take away
                listener.deaf("another tool took Dynamo's guard hook while it was measured")
        self.drain()

    def breaks(self, new: types.CodeType) -> tuple[Break, ...] | None:
        """Graph breaks of compiled code, or None when it was compiled before the watch."""
        known = self._breaks.get(id(new))
        return known[1] if known is not None and known[0]() is new else None

    def recorded_breaks(self, code: types.CodeType) -> tuple[Break, ...]:
        """Graph breaks of a function since Dynamo's last reset, as Dynamo's own list has them."""
        lines = {line for _, _, line in code.co_lines()}
        found = {
            break_of(reason): None
            for reason in self.api.graph_break_reasons
            if any(
                frame.filename == code.co_filename and frame.name == code.co_name and frame.lineno in lines
                for frame in getattr(reason, "user_stack", None) or ()
            )
        }
        return tuple(found)

    def original(self, new: types.CodeType) -> types.CodeType | None:
        """The user's code that `new` was compiled from, or None when `new` is none of Dynamo's."""
        try:
            found = self.api.orig_code_map[new]
        except KeyError:
            return None
        return found if isinstance(found, types.CodeType) else None

    def guards_of(self, code: types.CodeType, new: types.CodeType) -> Any:
        """The guards of the cache entry that runs `new`, or None when it is gone."""
        return next((entry.guard_manager for entry in self.api.entries(code) if entry.code is new), None)

    def pending_code(self) -> types.CodeType | None:
        """The compiled code whose guards are being built on this thread."""
        return self._pending.latest

    def has_compiled(self) -> bool:
        """Whether Dynamo has compiled something in this process, or has tried to, by its own records."""
        return bool(self.api.compilation_metrics())

    def callers(self) -> tuple[Listener, ...]:
        """Who is told of calls."""
        return tuple(self._callers)

    def drain(self) -> None:
        """Take note of compilations, and of frames that could not be compiled, since the last time."""
        records = self.api.compilation_metrics()
        fresh: list[Any] = []
        for record in reversed(records):
            if record is self._last_metrics:
                break
            fresh.append(record)
        self._last_metrics = records[-1] if records else None
        self.given_up.extend(gave_up(reversed(fresh)))
        self.compile_times.extend(compile_times(reversed(fresh)))

    def _on_bytecode(self, code: types.CodeType, new: types.CodeType) -> None:
        if is_trying_out():
            return  # to the blocks that are measured meanwhile it is nothing
        self.drain()
        key, known = id(new), self._breaks
        known[key] = (weakref.ref(new, lambda _: known.pop(key, None)), self._fresh_breaks())
        self._pending.code, self._pending.new, self._pending.latest = code, new, new
        if self._listeners:
            entries = len(self.api.entries(code))
            failures = self.api.guard_failures.get(code, [])
            reason = failures[-entries] if 0 < entries <= len(failures) else ""
            now = self._changed_state(code, reason) if is_global_state(reason) else ""
            for listener in tuple(self._listeners):
                listener.compiled(Compilation(code, new, entries > 0, reason, now))

    def _fresh_breaks(self) -> tuple[Break, ...]:
        """The graph breaks since the last time."""
        fresh: list[Any] = []
        # torch._dynamo.reset() empties Dynamo's list, so that its length says nothing.
        for reason in reversed(self.api.graph_break_reasons):
            if reason is self._last_break:
                break
            fresh.append(reason)
        self._last_break = fresh[0] if fresh else self._last_break
        return tuple(map(break_of, reversed(fresh)))

    def _changed_state(self, code: types.CodeType, reason: str) -> str:
        """The fields of the global state that changed since the entry was made that a reason names."""
        entry, state = entry_that_failed(reason, self.api.entries(code)), self._pending.state
        return changed_state(entry.guard_manager, state) if entry is not None and state is not None else ""

    def _on_guards(self, guards: Any, f_locals: Any, builder: Any) -> None:
        if self._previous_testing_hook is not None:
            self._previous_testing_hook(guards, f_locals, builder)
        code, new = self._pending.code, self._pending.new
        self._pending.code = self._pending.new = None
        if code is not None and new is not None:
            for listener in tuple(self._listeners):
                listener.guarded(code, new, guards, f_locals)

    def _on_lookup(self, hit: bool) -> bool:
        if self._pending.in_lookup:  # the one before ours is one that calls ours
            return hit
        self._pending.in_lookup = True
        try:
            verdict = bool(hit if self._previous_complete_hook is None else self._previous_complete_hook(hit))
        finally:
            self._pending.in_lookup = False
        try:
            if self._callers:  # else somebody calls ours, although nobody is measuring
                self._tell_lookup(verdict)
        except Exception as error:  # Dynamo calls this from C++ that ends the process on any exception
            for listener in self.callers():
                listener.lost(f"noting a call failed: {type(error).__name__}: {error}")
        return verdict

    def _tell_lookup(self, verdict: bool) -> None:
        if isinstance(sys.getprofile(), (AfterMiss, Departure)):
            sys.setprofile(None)
        set_profile = profile_slot.borrow()
        if not verdict:
            self._pending.state = _state()  # compiling changes it for a while
            path, line = _user_line(sys._getframe(2), self.api.torch_root)
            for listener in self.callers():
                listener.missed(path, line)
            if set_profile is not None:
                set_profile(AfterMiss(self._lookups, set_profile))
        elif set_profile is not None:
            set_profile(Arrival(self._lookups, set_profile))
        else:
            for listener in self.callers():
                listener.lost("a profiler used this thread's profile function; run without it")


def _state() -> GlobalState | None:
    """The global state as it is; None where this torch has no guard on it."""
    from overhead_runtime.global_state import GlobalState

    try:
        return GlobalState.capture()
    except RuntimeError:
        return None


def _user_line(frame: types.FrameType | None, torch_root: str) -> tuple[str, int]:
    """The innermost line outside torch, starting at `frame`."""
    while frame is not None:
        if not frame.f_code.co_filename.startswith(torch_root):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0


@functools.cache
def watch() -> Watch:
    """The one watch of this process; the first call installs it, and imports torch._dynamo.

    Raises:
        Unsupported: a piece of Dynamo that it needs is missing.
    """
    found = api()
    try:
        return Watch(found)
    except Exception as error:  # private API may raise anything, here in the midst of somebody's import
        raise Unsupported(f"Dynamo cannot be watched: {type(error).__name__}: {error}") from error
