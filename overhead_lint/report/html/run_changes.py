"""Two runs beside each other: what the newer one does otherwise."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.measure.host_time import by_kind, segments
from overhead_lint.report.html.page import Section
from overhead_lint.report.html.pairs import Pair, change, pairs
from overhead_lint.report.html.run_sections import is_time
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import escaped, quantity
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence, Observed
    from overhead_lint.measure.trace import Trace
    from overhead_lint.report.html.run_report import Run

__all__ = ["changes"]

_MOST_CALLS: Final = 200

_Named = tuple[str, str, str, str, int]


def changes(old: Run, new: Run) -> Section:
    """Times of a step, host time by kind and by call, numbers and findings, before and after."""
    before, after = old.evidence, new.evidence
    parts = [f"<p>{escaped(old.name)} before, {escaped(new.name)} after.</p>\n", _otherwise(before, after)]
    parts.append(_steps(before, after))
    if before.trace is not None and after.trace is not None:
        parts += _traces(before.trace, after.trace)
    else:
        parts.append("<p>Host time is not compared: not both runs recorded a step.</p>\n")
    parts.append(_metrics(before, after))
    parts.append(_findings(before, after))
    return Section("changes", "Before and after", "".join(parts))


def _otherwise(before: Evidence, after: Evidence) -> str:
    """Versions and machine, where they differ: then times say little."""
    keys = sorted(before.machine.keys() | after.machine.keys())
    other = [
        f"{key} {before.machine.get(key, 'none')} before, {after.machine.get(key, 'none')} after"
        for key in keys
        if before.machine.get(key) != after.machine.get(key)
    ]
    if before.program != after.program:
        other.append(f"program {' '.join(before.program)} before, {' '.join(after.program)} after")
    return f"<p>Measured with something else: {escaped('; '.join(other))}.</p>\n" if other else ""


def _steps(before: Evidence, after: Evidence) -> str:
    if before.steps is None or after.steps is None:
        return "<p>Times of steps are not compared: not both runs had steps.</p>\n"
    rows = [
        Pair("median step", before.steps.median_seconds, after.steps.median_seconds),
        Pair("mean step", before.steps.mean_seconds, after.steps.mean_seconds),
        Pair("fastest step", before.steps.minimum_seconds, after.steps.minimum_seconds),
    ]
    note = (
        "<p>Each side is one run: times differ between two runs of the same program, too. "
        "<code>overhead-lint run --fix --verify</code> tells a saving from noise; counts are exact.</p>\n"
    )
    return pairs("Time of a step", "step", rows) + note


def _traces(before: Trace, after: Trace) -> list[str]:
    kinds = [by_kind(segments(trace)) for trace in (before, after)]
    names = sorted(kinds[0].keys() | kinds[1].keys(), key=lambda kind: -max(k[kind] for k in kinds))
    rows = [Pair(kind, kinds[0][kind] * 1e-9, kinds[1][kind] * 1e-9) for kind in names]
    calls = [_by_call(trace) for trace in (before, after)]
    difference = {key: abs(calls[1][key] - calls[0][key]) for key in calls[0].keys() | calls[1].keys()}
    keys = sorted(difference, key=lambda key: (-difference[key], key))
    cells = [
        [
            f"{label} in {path}" if path else label,
            seconds(calls[0][path, label] * 1e-9),
            seconds(calls[1][path, label] * 1e-9),
            change(calls[0][path, label] * 1e-9, calls[1][path, label] * 1e-9, is_time=True),
        ]
        for path, label in keys[:_MOST_CALLS]
        if calls[0][path, label] != calls[1][path, label]
    ]
    header = ["call", "before", "after", "change"]
    own = table("Own time of calls in the recorded steps", header, cells, numbers=[1, 2, 3])
    kinds_shown = pairs("Host time of the recorded steps by kind", "kind", rows)
    if not cells:
        return [kinds_shown]
    return [
        kinds_shown,
        folded(f"Numbers: own time of calls, the largest change first ({len(cells)})", own),
    ]


def _by_call(trace: Trace) -> Counter[tuple[str, str]]:
    """Own time by file and what ran, without lines: these move when the file is changed."""
    found: Counter[tuple[str, str]] = Counter()
    for one in segments(trace):
        found[one.path, trace.spans[one.span].label if one.span >= 0 else "between calls"] += one.length
    return found


def _metrics(before: Evidence, after: Evidence) -> str:
    rows = []
    for metric in sorted(before.metrics.keys() | after.metrics.keys()):
        old, new = before.metrics.get(metric), after.metrics.get(metric)
        if old != new:
            shown = [
                "not measured" if v is None else quantity(v, is_time=is_time(metric)) for v in (old, new)
            ]
            known = old is not None and new is not None
            rows.append(
                [metric, *shown, change(old or 0, new or 0, is_time=is_time(metric)) if known else ""]
            )
    if not rows:
        return "<p>No count changed.</p>\n"
    header = ["metric, a step", "before", "after", "change"]
    return table(f"Numbers that changed ({len(rows)})", header, rows, numbers=[1, 2, 3])


def _findings(before: Evidence, after: Evidence) -> str:
    sides = [{_name(one): one for one in side.findings} for side in (before, after)]
    rows = []
    for key in sorted(sides[0].keys() | sides[1].keys()):
        old, new = sides[0].get(key), sides[1].get(key)
        shown = _costs(before, old), _costs(after, new)
        if _rate(before, old) != _rate(after, new):
            one = new or old
            assert one is not None, "one of the two has it"
            word = "gone" if new is None else "new" if old is None else "changed"
            rows.append([f"{one.path}:{one.line}", one.code, one.name, word, *shown])
    if not rows:
        return "<p>The same findings were executed as often a step.</p>\n"
    order = {"new": 0, "changed": 1, "gone": 2}
    rows.sort(key=lambda row: order[row[3]])
    header = ["place", "code", "finding", "change", "before", "after"]
    return table(f"Findings that are new, gone or executed otherwise ({len(rows)})", header, rows)


def _name(one: Observed) -> _Named:
    return one.code, one.path, one.function, one.text, one.number


def _rate(evidence: Evidence, one: Observed | None) -> float:
    """Executions a step, or in a run without steps; 0 of what is not there."""
    return round(evidence.per_step(one) or one.executions, 3) if one is not None else 0.0


def _costs(evidence: Evidence, one: Observed | None) -> str:
    if one is None:
        return "not there"
    rate = evidence.per_step(one)
    shown = f"{rate:.3g} a step" if rate is not None else f"{one.executions} times"
    share = evidence.share(one)
    return f"{shown}, {share:.2%} of host time" if share else shown
