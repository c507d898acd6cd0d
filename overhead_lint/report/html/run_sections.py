"""What is shown of a run: one function a section."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.measure.evidence import BASES
from overhead_lint.measure.host_time import by_kind, by_line, children, segments
from overhead_lint.measure.trace import KINDS
from overhead_lint.report.expected_cost import tier_of
from overhead_lint.report.html.bars import Bar, bars
from overhead_lint.report.html.flame import calls, flame
from overhead_lint.report.html.history import history
from overhead_lint.report.html.page import Section
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import escaped, quantity
from overhead_lint.report.html.timeline import place, timeline
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence, Observed
    from overhead_lint.measure.host_time import Segment
    from overhead_lint.measure.trace import Trace
    from overhead_lint.report.html.run_report import Run

__all__ = ["compiled", "findings", "is_time", "missing", "progress", "sources", "step", "tests", "verified"]

_MOST_LINES: Final = 200
_GUARDS: Final = ("guards", "guard_time_hot", "guard_time_cold", "recompiles", "graph_breaks")


def is_time(metric: str) -> bool:
    """Whether a metric of a run is in seconds."""
    return metric.startswith("guard_time")


def findings(evidence: Evidence) -> Section:
    """Findings of the linter by what they cost."""
    executed = [one for one in evidence.findings if one.executions or one.elsewhere]
    steps = evidence.steps.count if evidence.steps is not None else 1
    unit = "a step" if evidence.steps is not None else "in the run"
    parts = []
    rows = [
        Bar(f"{one.path}:{one.line} {one.code} {one.name}", cost / steps, note=_share(evidence, one))
        for one in executed
        if (cost := one.cost_seconds)
    ]
    if rows:
        parts.append(bars(f"What fixes would save {unit}", "finding", rows, is_time=True, most=15))
    elif executed:
        parts.append("<p>No finding that was executed has a known cost: the table has their counts.</p>\n")
    if executed:
        header = ["place", "code", "finding", "tier", unit, "each", f"saved {unit}"]
        header += ["share", "by", "static", "fix"]
        cells = [_row(evidence, one, steps) for one in executed]
        caption = f"Findings that were executed ({len(cells)}); savings are estimates: {BASES}"
        parts.append(table(caption, header, cells, numbers=[4, 5, 6, 7]))
    else:
        parts.append("<p>No finding of the linter was executed.</p>\n")
    others = [one for one in evidence.findings if not (one.executions or one.elsewhere)]
    if others:
        cells = [[f"{one.path}:{one.line}", one.code, one.name, _why_not(one)] for one in others]
        rest = table("Findings that cost nothing", ["place", "code", "finding", "why"], cells)
        parts.append(folded(f"Findings that were not executed in a step ({len(others)})", rest))
    return Section("findings", "Findings by cost", "".join(parts))


def _share(evidence: Evidence, one: Observed) -> str:
    share = evidence.share(one)
    return f"{share:.2%}" if share is not None else ""


def _row(evidence: Evidence, one: Observed, steps: int) -> list[str]:
    cost = one.cost_seconds
    executions = f"{one.executions / steps:.3g}" if one.executions else f"{one.elsewhere} in workers"
    return [
        f"{one.path}:{one.line}",
        one.code,
        one.name,
        _tier(one, steps),
        executions,
        seconds(one.place_seconds) if one.place_seconds is not None else "",
        seconds(cost / steps) if cost is not None and one.executions else "",
        _share(evidence, one) if one.executions else "",
        one.basis if cost is not None and one.executions else "",
        one.heat,
        one.fix or "none",
    ]


def _tier(one: Observed, steps: int) -> str:
    """The tier of a finding that was executed; "" where no cost decides it."""
    if one.tier or one.cost_seconds is None:
        return one.tier
    return str(tier_of(one.cost_seconds / steps).value)


def _why_not(one: Observed) -> str:
    if one.total:
        return "executed, but not in a step that was measured"
    return "in code that torch.compile replaced" if one.compiled else "never executed"


def _among(trace: Trace) -> str:
    """Of which steps the recorded one is."""
    if len(trace.recorded) < 2:
        return ""
    least, most = seconds(trace.recorded[0] * 1e-9), seconds(trace.recorded[-1] * 1e-9)
    return f", the median of {len(trace.recorded)} such steps ({least} to {most})"


def step(evidence: Evidence) -> list[Section]:
    """The timeline of one step, and its flame view."""
    trace = evidence.trace
    if trace is None:
        why = evidence.unavailable.get("trace") or (
            "the fifth step after the warm-up is the first that is recorded" if evidence.steps is not None
            else "no steps were found"
        )  # fmt: skip
        return [Section("step", "One step", f"<p>No step was recorded: {escaped(why)}.</p>\n")]
    found = segments(trace)
    typical = ""
    if evidence.steps is not None:
        typical = f"; half of the steps took at most {seconds(evidence.steps.median_seconds)}"
    left = f" {trace.left_out} short spans are part of what is around them." if trace.left_out else ""
    lead = (
        f"<p>Step {trace.step} after the warm-up took {seconds(trace.length * 1e-9)} while it was recorded"
        f"{_among(trace)}{typical}. "
        f"Each moment counts once, for the innermost thing that went on.{left}</p>\n"
    )
    parts = [lead, timeline("Host time by source line and kind", trace, found, 0, trace.length)]
    parts += _closer(trace, found)
    parts += _numbers(found)
    root = calls(trace, found)
    return [
        Section("step", "One step", "".join(parts)),
        Section("flame", "Flame view of the step", flame("Calls of one step", root)),
    ]


def _closer(trace: Trace, found: Sequence[Segment]) -> list[str]:
    """Timelines of the longest parts of the step, shown on demand."""
    parts = children(trace)
    fork = -1
    while parts[fork]:
        longest = max(parts[fork], key=lambda number: trace.spans[number].length)
        if trace.spans[longest].length < 0.9 * trace.length:
            break
        fork = longest
    longest_first = sorted(parts[fork], key=lambda number: -trace.spans[number].length)[:4]
    shown = []
    for number in sorted(longest_first):
        span = trace.spans[number]
        if span.length > 0.02 * trace.length:
            title = f"{span.label} at {place(span.path, span.line)}, {seconds(span.length * 1e-9)}"
            picture = timeline(title, trace, found, span.start, min(trace.length, span.start + span.length))
            shown.append(folded(f"Closer: {title}", picture))
    return shown


def _numbers(found: Sequence[Segment]) -> list[str]:
    kinds = by_kind(found)
    total = kinds.total() or 1
    rows = [
        [kind, KINDS[kind], seconds(taken * 1e-9), f"{taken / total:.1%}"]
        for kind, taken in kinds.most_common()
    ]
    lines = by_line(found)
    cells = [
        [place(*key), kind, seconds(taken * 1e-9), f"{taken / total:.1%}"]
        for key, of_line in list(lines.items())[:_MOST_LINES]
        for kind, taken in of_line.most_common()
    ]
    by = table("Host time by source line and kind", ["line", "kind", "time", "share"], cells, numbers=[2, 3])
    return [
        table("Host time by kind", ["kind", "what it is", "time", "share"], rows, numbers=[2, 3]),
        folded(f"Numbers: host time by source line and kind ({len(lines)} lines)", by),
    ]


def compiled(evidence: Evidence) -> Section:
    """Compiled functions, their guards by line, what was compiled again."""
    parts = []
    if evidence.compiled:
        header = ["function", "calls a step", "guards", "hot", "cold"]
        cells = [_entry(entry) for entry in evidence.compiled]
        parts.append(table("Compiled functions", header, cells, numbers=[1, 2, 3, 4]))
    parts += _pictures(evidence, of_guards=True)
    none = "<p>No compiled function ran in the steps that were looked at.</p>\n"
    return Section("guards", "Guards of compiled functions", "".join(parts) or none)


def _entry(entry: Any) -> list[str]:
    return [
        f"{entry.get('file', '')}:{entry.get('line', 0)} {entry.get('function', '')}",
        quantity(float(entry.get("calls_per_step", 0)), is_time=False),
        quantity(float(entry.get("guards", 0)), is_time=False),
        seconds(float(entry.get("hot_seconds") or 0)),
        seconds(float(entry.get("cold_seconds") or 0)),
    ]


def sources(evidence: Evidence) -> Section:
    """Events, waits, operators and the like by source line."""
    rows = [
        [metric, quantity(value, is_time=is_time(metric))]
        for metric, value in sorted(evidence.metrics.items())
        if value and metric not in _GUARDS
    ]
    parts = [table("Counts a step", ["metric", "a step"], rows, numbers=[1])] if rows else []
    parts += _pictures(evidence, of_guards=False)
    none = "<p>Nothing was counted by source line.</p>\n"
    return Section("events", "Events and calls by source line", "".join(parts) or none)


def _pictures(evidence: Evidence, *, of_guards: bool) -> list[str]:
    found = []
    ordered = sorted(evidence.causes, key=lambda one: one.metric)
    for metric, causes in groupby(ordered, key=lambda one: one.metric):
        rows = [
            Bar(
                f"{place(c.path, c.line)} {c.label}" if c.path else c.label,
                c.per_step,
                note=" ".join(filter(None, (c.code, c.operators))),
            )
            for c in sorted(causes, key=lambda c: (-c.per_step, c.path, c.line, c.label))
            if c.per_step > 0
        ]
        if rows and (metric in _GUARDS) is of_guards:
            unit = "in the run" if metric in ("recompiles", "graph_breaks") else "a step"
            caption = f"{metric} by source line, {unit}"
            found.append(bars(caption, "source line", rows, is_time=is_time(metric), most=15))
    return found


def progress(runs: Sequence[Run]) -> Section:
    """The time of a step and each metric over several runs, the oldest first."""
    parts = []
    timed = [(run.name, run.evidence.steps.median_seconds) for run in runs if run.evidence.steps is not None]
    if len(timed) > 1:
        parts.append(history("median time of a step", timed, is_time=True))
    for metric in sorted({metric for run in runs for metric in run.evidence.metrics}):
        points = [(r.name, r.evidence.metrics[metric]) for r in runs if metric in r.evidence.metrics]
        if len(points) > 1 and any(value for _, value in points):
            parts.append(history(f"{metric} a step", points, is_time=is_time(metric)))
    none = "<p>The runs have no number in common.</p>\n"
    return Section("history", "History", "".join(parts) or none)


def verified(evidence: Evidence) -> Section:
    """What ``--fix --verify`` found."""
    found = evidence.verified
    told = "told apart from noise" if found.get("told_apart") else "not told apart from noise"
    rows = [
        ["predicted", seconds(float(found.get("predicted_seconds", 0)))],
        ["measured", seconds(float(found.get("measured_seconds", 0)))],
    ]
    fixed = "".join(f"<li>{escaped(str(one))}</li>\n" for one in found.get("fixed", ()))
    body = table("Saving of the fixes, a step", ["saving", "time"], rows, numbers=[1])
    lead = f"<p>The measured saving was {told}.</p>\n"
    return Section("verified", "Fixes that were tried", f"{lead}{body}<ul>\n{fixed}</ul>\n")


def tests(evidence: Evidence) -> Section:
    """Numbers of the tests of a run of pytest."""
    metrics = sorted({metric for values in evidence.tests.values() for metric in values})
    parts = []
    for metric in metrics:
        rows = [Bar(name, values[metric]) for name, values in evidence.tests.items() if values.get(metric)]
        rows.sort(key=lambda row: (-row.value, row.label))
        if rows:
            parts.append(bars(f"Tests by {metric}", "test", rows, is_time=is_time(metric)))
    cells = [
        [name, *(quantity(values[m], is_time=is_time(m)) if m in values else "" for m in metrics)]
        for name, values in sorted(evidence.tests.items())
    ]
    numbers = table("All tests and metrics", ["test", *metrics], cells, numbers=range(1, len(metrics) + 1))
    parts.append(folded(f"All tests and metrics ({len(cells)})", numbers))
    return Section("tests", "Tests by cost", "".join(parts))


def missing(evidence: Evidence) -> Section:
    """What has no number, and why."""
    cells = [[metric, why] for metric, why in sorted(evidence.unavailable.items())]
    return Section("missing", "Not measured", table("What has no number", ["metric", "why"], cells))
