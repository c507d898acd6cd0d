"""One step of a program as spans of host time: what ran, when, for which source line; part of evidence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["KINDS", "Instant", "Span", "Trace", "as_json", "unpacked"]

KINDS: Final[Mapping[str, str]] = {
    "python": "Python code of the program and of libraries other than torch",
    "torch": "torch around its operators: Python code, reading arguments",
    "operator": "operators",
    "backward": "backward, with its operators",
    "optimizer": "optimizer, with its operators",
    "compiled": "compiled code, its guards and wrappers",
    "context": "context managers made, entered and left",
    "copy": "copies and conversions of tensors",
    "wait": "waits of the host for the device",
    "data": "DataLoader",
}
"""Kinds of host time, and what each stands for."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of host time. Times in nanoseconds since the step began.

    Attributes:
        start: when it began.
        length: how long it took.
        parent: number of the span that it is a part of, which comes before it; -1 for none.
        thread: 0 for the thread of the step, others by number.
        kind: one of `KINDS`.
        label: what ran.
        path: the file of the source line that it ran for, as in the evidence; "" where none is known.
        line: of that file.
    """

    start: int
    length: int
    parent: int
    thread: int
    kind: str
    label: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Instant:
    """A device event, a wait and the like.

    Attributes:
        at: nanoseconds since the step began.
        metric: what was counted.
        parent: number of the span in which it happened; -1 for none.
    """

    at: int
    metric: str
    parent: int


@dataclass(frozen=True, slots=True)
class Trace:
    """A step.

    Attributes:
        step: its number after the warm-up, from 1.
        length: how long it took, in nanoseconds, with what the recording added.
        spans: each after the one that it is a part of.
        instants: in the order of time.
        left_out: spans that are left out: the shortest, whose time is their parents', and what there was
            no room for.
        recorded: the lengths of all steps that were recorded, this one among them, from the shortest on;
            none in files of before.
    """

    step: int
    length: int
    spans: tuple[Span, ...]
    instants: tuple[Instant, ...] = ()
    left_out: int = 0
    recorded: tuple[int, ...] = ()

    def with_paths(self, shown: Callable[[str], str]) -> Trace:
        """The same with other paths."""
        paths = {span.path: shown(span.path) for span in self.spans}
        spans = tuple(dataclasses.replace(span, path=paths[span.path]) for span in self.spans)
        return dataclasses.replace(self, spans=spans)


def as_json(trace: Trace | None) -> str:
    """A trace as JSON: texts once, spans as lists of numbers, a line each."""
    if trace is None:
        return "null"
    import json  # costs start-up

    lines = []
    for key, value in _packed(trace).items():
        rows = ",\n   ".join(map(json.dumps, value)) if isinstance(value, list) else ""
        lines.append(f'  "{key}": ' + (f"[\n   {rows}\n  ]" if rows else json.dumps(value)))
    return "{\n" + ",\n".join(lines) + "\n }"


def _packed(trace: Trace) -> dict[str, Any]:
    labels = _Numbers(span.label for span in trace.spans)
    paths = _Numbers(span.path for span in trace.spans)
    kinds = list(KINDS)
    return {
        "step": trace.step,
        "length_ns": trace.length,
        "left_out": trace.left_out,
        "recorded_ns": list(trace.recorded),
        "kinds": kinds,
        "labels": labels.texts,
        "paths": paths.texts,
        "spans": [
            [
                one.start,
                one.length,
                one.parent,
                one.thread,
                kinds.index(one.kind),
                labels.of[one.label],
                paths.of[one.path],
                one.line,
            ]
            for one in trace.spans
        ],
        "instants": [[one.at, one.metric, one.parent] for one in trace.instants],
    }


def unpacked(content: Mapping[str, Any]) -> Trace:
    """A trace out of JSON.

    Raises:
        KeyError, TypeError, ValueError, IndexError: the content is damaged.
    """
    spans: list[Span] = []
    for row in content["spans"]:
        start, length, parent, thread, kind, label, path, line = map(_whole, row)
        if not -1 <= parent < len(spans) or length < 0 or min(thread, kind, label, path) < 0:
            raise ValueError(f"span {len(spans)} of the trace makes no sense")
        kind_name = content["kinds"][kind]
        if kind_name not in KINDS:
            raise ValueError(f"{kind_name!r} is no kind of time")
        texts = str(content["labels"][label]), str(content["paths"][path])
        spans.append(Span(start, length, parent, thread, kind_name, *texts, line))
    instants = [Instant(_whole(at), str(metric), _whole(of)) for at, metric, of in content["instants"]]
    if any(not -1 <= one.parent < len(spans) for one in instants):
        raise ValueError("an instant of the trace belongs to no span")
    numbers = [_whole(content[name]) for name in ("step", "length_ns", "left_out")]
    if numbers[1] < 1:
        raise ValueError("the trace takes no time")
    recorded = tuple(map(_whole, content.get("recorded_ns", ())))
    return Trace(numbers[0], numbers[1], tuple(spans), tuple(instants), numbers[2], recorded)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


class _Numbers:
    """Numbers for texts, in the order in which they come."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = list(dict.fromkeys(texts))
        self.of = {text: number for number, text in enumerate(self.texts)}
