"""Records single steps as spans, and shows the one that took as long as half of them.

The native core notes spans into memory that is set aside; what they are is worked out when the step is
over. Other steps cost nothing by it.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.dynamic import program
from overhead_lint.dynamic.library_lines import library_lines
from overhead_lint.dynamic.span_kinds import RawSpan, kinds_of
from overhead_lint.measure.time_profile import profile
from overhead_lint.measure.trace import Instant, Span, Trace
from overhead_lint.native import NativeUnavailable, load
from overhead_lint.probes import profile_slot
from overhead_lint.probes.attribution import folders
from overhead_lint.probes.contexts import context_entries

if TYPE_CHECKING:
    from collections import Counter
    from types import CodeType, ModuleType

    from overhead_lint.measure.library_time import LibraryPlace
    from overhead_lint.measure.time_profile import TimeProfile

__all__ = ["StepTrace"]

_MOST: Final = 50_000
"""Spans of a step that there is room for: 4 MB."""
_MOST_KEPT: Final = 4_000
_MOST_INSTANTS: Final = 1_000
_SHOWN: Final = frozenset({"event_record", "event_wait", "event_sync", "stream_sync", "device_sync"})


class StepTrace:
    """Records steps, one at a time, in the thread that makes them.

    Attributes:
        steps: how many were recorded.
        unavailable: why none can be; "" where nothing is known to stand in the way.
    """

    def __init__(self) -> None:
        self.steps = 0
        self.unavailable = ""
        self._native: ModuleType | None = None
        self._has_device = False
        self._thread = 0
        self._step = 0
        self._traces: list[Trace] = []
        self._inside: list[Counter[LibraryPlace]] = []  # of each of them

    def begin(self, step: int) -> bool:
        """Record the next step; False if that cannot be.

        Args:
            step: its number, for the trace.
        """
        if not profile_slot.free():
            self.unavailable = "another profiler is active in this thread; run without it"
            return False
        try:
            native = load("counters")
        except NativeUnavailable as error:
            self.unavailable = error.why
            return False
        import torch

        self._step, self._native, self._thread = step, native, threading.get_ident()
        self._has_device = torch.cuda.is_available()
        entries = [code for code, _ in context_entries()] + _walks()
        if self._has_device:
            native.start()
        profile_slot.take()
        native.start_spans(entries, program.run.__code__, _MOST, *folders())
        return True

    def end(self, *, whole: bool = True) -> Mapping[str, str]:
        """The step is over, or was broken off, which another thread may say.

        Returns:
            Why ``trace`` cannot be had; nothing where it was.
        """
        native, self._native = self._native, None
        assert native is not None, "end without begin"
        found = native.stop_spans()
        is_same_thread = self._thread == threading.get_ident()
        if is_same_thread:  # else the thread lets go of its profile function at its next call
            profile_slot.give_back()
        if self._has_device:
            native.stop()
        if not found["kept"] and is_same_thread:
            self.unavailable = "another profiler was used in this thread in the steps that were recorded"
        elif whole:
            self.steps += 1
            self._traces.append(_made(found, self._step))
            self._inside.append(library_lines(found))
        return {"trace": self.unavailable} if self.unavailable else {}

    def trace(self) -> Trace | None:
        """The step whose length is the median, of two the shorter one; None if none was recorded.

        Not the fastest: it would be shorter than what its times are compared with.
        """
        by_length = sorted(self._traces, key=lambda trace: trace.length)
        if not by_length:
            return None
        recorded = tuple(trace.length for trace in by_length)
        return replace(by_length[(len(by_length) - 1) // 2], recorded=recorded)

    def host_time(self) -> TimeProfile | None:
        """Where the time of all recorded steps went; None if none was recorded."""
        return profile(self._traces, self._inside)


def _walks() -> list[CodeType]:
    """Code of the generators that walk over a module's parts, which torch resumes for the program's lines."""
    from torch.nn import Module

    found = (value for name, value in vars(Module).items() if not name.startswith("_"))
    return [one.__code__ for one in found if inspect.isgeneratorfunction(one)]


def _made(found: Mapping[str, Any], step: int) -> Trace:
    """A trace out of what the native core recorded; made at once, as that takes much more memory."""
    raw = [RawSpan(*fields) for fields in found["spans"]]
    instants = [one for one in found["instants"] if one[1] in _SHOWN]
    kinds = kinds_of(raw, instants)
    begun, length = found["begun"], found["ended"] - found["begun"]
    kept = _longest(one.end - one.begin for one in raw)
    numbers = {old: new for new, old in enumerate(kept)}
    spans: list[Span] = []
    for old in kept:
        one = raw[old]
        parent = numbers.get(one.parent, -1)
        place = one.path or one.code_path or "", one.line if one.path else one.code_line
        start, taken = max(0, one.begin - begun), max(0, one.end - one.begin)
        spans.append(Span(start, taken, parent, one.thread, kinds[old], one.name, *place))
    marks = [
        Instant(max(0, at - begun), metric, _around(parent, raw, numbers))
        for at, metric, parent in instants[:_MOST_INSTANTS]
    ]
    left_out = len(raw) - len(kept) + found["lost"]
    return Trace(step, length, tuple(spans), tuple(marks), left_out)


def _around(number: int, raw: list[RawSpan], numbers: dict[int, int]) -> int:
    """The innermost span around that is kept."""
    while number >= 0 and number not in numbers:
        number = raw[number].parent
    return numbers.get(number, -1)


def _longest(lengths: Iterable[int]) -> list[int]:
    """Numbers of the longest spans. A span is as long as its parts, or longer: what is left is a tree."""
    all_lengths = list(lengths)
    if len(all_lengths) <= _MOST_KEPT:
        return list(range(len(all_lengths)))
    least = sorted(all_lengths, reverse=True)[_MOST_KEPT]
    return [number for number, length in enumerate(all_lengths) if length > least]
