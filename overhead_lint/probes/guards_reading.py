"""Reads compiled frames that run in a block: guards, recompiles, graph breaks, and the times of guards.

What counts is a *cache entry that was used*: it served a call while the block ran (its guards held
and its code ran), or was compiled in it. Each is counted once, however often it was called. Frames
are found however `torch.compile` was spelled, resume functions after graph breaks among them.

A block in which no compiled frame ran has no values at all: zero guards of nothing is not a pass.
"""

from __future__ import annotations

import contextlib
import threading
import types
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from overhead_lint.probes import guards_lookout, timing
from overhead_lint.probes.api import Cause, ProbeUnavailable, Reading
from overhead_lint.probes.guards_api import Unsupported, check_guards, locals_of
from overhead_lint.probes.guards_causes import (
    break_causes,
    first_causes,
    guard_causes,
    ordered,
    recompile_causes,
    time_causes,
)
from overhead_lint.probes.guards_dynamo import Watch, watch
from overhead_lint.probes.guards_failure import value_now
from overhead_lint.probes.guards_families import FamilyTime, family_times
from overhead_lint.probes.guards_listener import Break, Compilation, EagerCall, GivenUp
from overhead_lint.probes.guards_lookout import NOTHING_CALLED, NOTHING_RAN
from overhead_lint.probes.guards_tree import Leaf, leaves
from overhead_lint.probes.guards_tryout import self_test
from overhead_lint.probes.guards_twin import Inputs
from overhead_lint.probes.guards_wrapper import Wrapper, wrapper_of

if TYPE_CHECKING:
    from overhead_lint.probes.guards_records import CompileTime

__all__ = ["TIMED", "Entry", "GuardProbe"]

TIMED = frozenset({"guards", "recompiles", "graph_breaks", "guard_time_hot", "guard_time_cold"})
_TIMED_CALLS = 5
_TIMES = frozenset({"guard_time_hot", "guard_time_cold"})
# What needs to know which entries ran; recompiles are counted without.
_OF_ENTRIES = frozenset({"guards", "graph_breaks", *_TIMES})
_RESUME = "__resume_at_"
_NO_WRAPPER = Wrapper()


@dataclass
class Entry:
    """A cache entry that was used."""

    code: types.CodeType
    """The user's code object."""
    new: types.CodeType
    """What Dynamo made of it."""
    breaks: tuple[Break, ...]
    guards: tuple[Leaf, ...] | None = None
    """None while they were not read."""
    times: dict[str, float] = field(default_factory=dict)
    """Seconds of one evaluation of the guards, by metric."""
    cold_quartiles: tuple[float, float] | None = None
    """Of those with cold caches, which the time is the median of."""
    wrapper: Wrapper = _NO_WRAPPER
    """Which wrapper its first call in the block came through."""
    families: tuple[FamilyTime, ...] = ()
    """Where the time of one evaluation goes; only where the probe looks closely, as all below."""
    code_seconds: float | None = None
    """The least that the compiled code itself ran in one of its first five calls; None where it was not
    timed, or other compiled code was called from it."""
    inputs: Inputs | None = None
    """Its first call."""
    hits: int = 0
    """Calls that it served in the block; the call that compiled it is none."""

    def ran(self, seconds: float) -> None:
        """Note how long one call of the compiled code took."""
        self.code_seconds = seconds if self.code_seconds is None else min(self.code_seconds, seconds)


class GuardProbe:
    """Counts guards, recompiles and graph breaks of the compiled frames that run in a block.

    Args:
        attribute: give the source lines behind each number.
        closely: also time the guards by family and the first calls of compiled code, and keep the inputs of
            one call of each entry, to try advice on. What is kept stays alive as long as the entries.
        cold_repeats: calls that the time with cold caches is the median of; each takes some 10 ms.
    """

    def __init__(
        self, *, attribute: bool = True, closely: bool = False, cold_repeats: int = timing.COLD_REPEATS
    ) -> None:
        self._attribute = attribute
        self._closely = closely
        self._cold_repeats = cold_repeats
        self._metrics: frozenset[str] = frozenset()
        self._entries: dict[int, Entry] = {}
        self._compiled: list[Compilation] = []
        self._recompiled: list[Compilation] = []
        self._missed: defaultdict[int, list[EagerCall]] = defaultdict(list)
        self._problems: list[str] = []
        self._deaf = ""
        self._given_up_before = 0
        self._timed_before = 0
        self._watch: Watch | None = None

    def start(self, metrics: frozenset[str]) -> None:
        """Begin, and import Dynamo if nobody has.

        Raises:
            ProbeUnavailable: this torch lacks what is needed, as far as shows before anything is compiled.
        """
        self._metrics = metrics
        try:
            self._watch = watch()
        except Unsupported as error:
            raise ProbeUnavailable(min(metrics), str(error)) from error
        self._watch.drain()
        before = guards_lookout.given_up_before()
        self._given_up_before = len(self._watch.given_up) if before is None else before
        self._timed_before = len(self._watch.compile_times)
        self._open = contextlib.ExitStack()
        if "guard_time_cold" in metrics:
            self._open.enter_context(timing.flushing())
        self._watch.add(self)

    def stop(self) -> Reading:
        """End, and give values and causes; metrics without a value say why."""
        assert self._watch is not None, "stop without start"
        self._watch.remove(self)
        self._open.close()
        if wrong := self._what_does_not_work():
            return Reading({}, {}, dict.fromkeys(self._metrics, wrong))
        values: dict[str, float] = {}
        causes: dict[str, tuple[Cause, ...]] = {}
        unavailable: dict[str, str] = {}
        for metric in sorted(self._metrics):
            if why := self._why_not(metric):
                unavailable[metric] = why
            else:
                found = self._causes(metric)
                values[metric] = sum(cause.amount for cause in found)
                if self._attribute:
                    causes[metric] = found
        return Reading(values, causes, unavailable)

    def entries(self) -> list[Entry]:
        """The cache entries that were used, in the order of their first use."""
        return list(self._entries.values())

    def recompilations(self) -> list[Compilation]:
        """The compilations that followed a failed guard."""
        return list(self._recompiled)

    def eager_calls(self) -> list[EagerCall]:
        """The calls whose guards failed and that were not compiled again."""
        calls = [call for calls in self._missed.values() for call in calls]
        # Dynamo tries to compile the first one past the limit, so that only later ones show what runs.
        named = {call[:2]: call for call in reversed(calls) if call.function}
        return [call if call.function else named.get(call[:2], call) for call in calls]

    def given_up(self) -> list[GivenUp]:
        """The frames that Dynamo could not compile in the block, or since `prepare`."""
        assert self._watch is not None, "asked for after start"
        return self._watch.given_up[self._given_up_before :]

    # What the watch tells.

    def compiled(self, compilation: Compilation) -> None:
        """A frame was compiled in the block."""
        self._entry(compilation.code, compilation.new)
        if not compilation.recompiled:
            self._compiled.append(compilation)
        else:
            missed = self._missed[threading.get_ident()]
            if missed:
                missed.pop()
            self._recompiled.append(compilation)

    def guarded(self, code: types.CodeType, new: types.CodeType, guards: Any, f_locals: Any) -> None:
        """Read the guards of a frame just compiled."""
        self._see_what_failed(new, f_locals)
        self._read(self._entry(code, new), guards, f_locals)

    def _see_what_failed(self, new: types.CodeType, f_locals: Any) -> None:
        """Look up what a guard found that failed, while the inputs of that call are there."""
        for index, compilation in enumerate(self._recompiled):
            if compilation.new is new and not compilation.now:
                guard = compilation.reason.split("\n")[0].partition(": ")[2].partition("  # ")[0].strip()
                self._recompiled[index] = compilation._replace(now=value_now(guard, f_locals))

    def wants(self, new: types.CodeType) -> bool:
        """Count a call, and say whether this entry was not read yet, or not seen serving a call."""
        known = self._entries.get(id(new))
        if known is None:
            return True
        known.hits += 1
        first = _TIMED_CALLS if self._closely else 1
        return known.hits <= first or (known.guards is None and not self._problems)

    def entered(
        self, code: types.CodeType, new: types.CodeType, guards: Any, frame: types.FrameType
    ) -> Callable[[float], None] | None:
        """Read the guards of an entry that serves its first call in the block."""
        entry = self._entry(code, new)
        entry.hits = max(entry.hits, 1)
        if entry.hits == 1:
            entry.wrapper = wrapper_of(frame.f_back)
            if self._closely:
                entry.inputs = Inputs.of(code, frame, is_module=entry.wrapper.kind == "module")
        if entry.guards is None and not self._problems:
            self._read(entry, guards, locals_of(frame))
        return entry.ran if self._closely else None

    def missed(self, path: str, line: int) -> None:
        """A call whose guards all failed: a recompilation follows, or it runs eagerly."""
        self._missed[threading.get_ident()].append(EagerCall(path, line))

    def ran_eagerly(self, function: str, failed: str) -> None:
        """Note which function it was that missed last."""
        missed = self._missed[threading.get_ident()]
        if missed:
            missed[-1] = missed[-1]._replace(function=function, failed=failed)

    def lost(self, why: str) -> None:
        """An entry ran that could not be identified."""
        self._problems.append(why)

    def deaf(self, why: str) -> None:
        """Calls were perhaps made that nobody was told of."""
        self._deaf = why

    def _entry(self, code: types.CodeType, new: types.CodeType) -> Entry:
        assert self._watch is not None, "events come between start and stop"
        if id(new) not in self._entries:
            breaks = self._watch.breaks(new)
            if breaks is None:  # compiled before it was watched
                breaks = self._watch.recorded_breaks(code) or _static_breaks(code, new)
            self._entries[id(new)] = Entry(code, new, breaks)
        return self._entries[id(new)]

    def _read(self, entry: Entry, guards: Any, f_locals: Any) -> None:
        # An error raised here would come out of the user's compiled call, so it is kept for `stop`.
        try:
            if "guards" in self._metrics:
                entry.guards = tuple(leaves(guards))
            else:
                entry.guards = ()
            timed = sorted(self._metrics & _TIMES)
            if timed:
                check = check_guards(guards, f_locals)
                if not check():
                    self._problems.append(f"the guards of {entry.code.co_name} do not hold on its own inputs")
                    return
                for metric in timed:
                    if metric == "guard_time_cold":
                        entry.times[metric], entry.cold_quartiles = timing.cold_spread(
                            check, self._cold_repeats
                        )
                    else:
                        entry.times[metric] = timing.hot_seconds(check)
                if self._closely:
                    with contextlib.suppress(Unsupported):  # then there is no table, and all else stays
                        entry.families = family_times(guards, f_locals)
        except Exception as error:  # private API may raise anything: then the metric is "not measured"
            self._problems.append(f"the guards of {entry.code.co_name} cannot be read: {error}")

    # What is made of it.

    def _what_does_not_work(self) -> str:
        """Why what was heard, or that nothing was, cannot be relied on; "" if it can.

        Dynamo is tried out only where something was compiled: that takes as long as importing it.
        """
        assert self._watch is not None, "asked for after start"
        if not (self._entries or self._missed or self._watch.has_compiled()):
            return ""
        try:
            self_test()
        except Unsupported as error:
            return str(error)
        return ""

    def _why_not(self, metric: str) -> str:
        if self._deaf:
            return self._deaf
        if not self._entries and not self._problems:
            return f"{NOTHING_RAN}: {self._why_nothing_ran()}"
        if metric in _OF_ENTRIES:
            if self._problems:
                return self._problems[0]
            unread = [entry.code.co_name for entry in self._entries.values() if entry.guards is None]
            if unread and metric != "graph_breaks":
                return f"Dynamo did not show the guards of {unread[0]}"
        if metric == "compile_time" and any(one.seconds is None for one in self._compile_times()):
            return "Dynamo's records of compilations have no times in this torch"
        return ""

    def _compile_times(self) -> list[CompileTime]:
        assert self._watch is not None, "asked for after start"
        return self._watch.compile_times[self._timed_before :]

    def _why_nothing_ran(self) -> str:
        eager = sum(len(calls) for calls in self._missed.values())
        if eager:
            return f"{eager} calls failed their guards and ran eagerly (recompile limit or a stance)"
        for frame in self.given_up():
            return f"Dynamo gave up on {frame.function} ({frame.path}:{frame.line}): {frame.reason}"
        return NOTHING_CALLED

    def _causes(self, metric: str) -> tuple[Cause, ...]:
        if metric == "guards":
            return guard_causes(entry.guards or () for entry in self._entries.values())
        if metric == "recompiles":
            return recompile_causes(self._recompiled, self.eager_calls())
        if metric == "compiled_frames":
            return ordered([*first_causes(self._compiled), *recompile_causes(self._recompiled, ())])
        if metric == "compile_time":
            return time_causes(self._compile_times())
        if metric == "graph_breaks":
            breaks = (found for entry in self._entries.values() for found in entry.breaks)
            return break_causes(breaks, self.given_up())
        return ordered(
            Cause(
                entry.times[metric],
                entry.code.co_filename,
                entry.code.co_firstlineno,
                f"guards of {entry.code.co_name}",
            )
            for entry in self._entries.values()
        )


def _static_breaks(code: types.CodeType, new: types.CodeType) -> tuple[Break, ...]:
    """The break of code compiled before it was watched: it names code to resume, for each branch."""
    reason = "compiled before it was watched, so the line is unknown"
    broken = any(name.startswith(_RESUME) for name in new.co_names)
    return (Break(code.co_filename, code.co_firstlineno, code.co_name, reason),) * broken
