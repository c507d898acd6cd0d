"""What the compiled frames of a whole run cost, as plain data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from overhead_lint.probes.code_names import qualified_name
from overhead_lint.probes.guards_causes import failed_guard, family, guard_causes, recompile_causes
from overhead_lint.probes.guards_tree import locate
from overhead_lint.probes.guards_wrapper import wrapper_seconds
from overhead_lint.support.shown_path import shown_path

if TYPE_CHECKING:
    from overhead_lint.probes.guards_advice import Advised
    from overhead_lint.probes.guards_listener import Break, Compilation, EagerCall, GivenUp
    from overhead_lint.probes.guards_reading import Entry
    from overhead_lint.probes.guards_tree import Leaf

__all__ = ["EntryReport", "as_text", "entry_reports"]

MOST_LINES = 8
MOST_FAMILIES = 6
MOST_ADVICE = 6
# Guards that run as Python code at each evaluation; all others are C++.
_PYTHON_KINDS = frozenset({"LAMBDA_GUARD"})
_TENSOR_KINDS = frozenset({"TENSOR_MATCH", "DIMENSION_DYNAMIC_MARKING_GUARD"})


class EntryReport(NamedTuple):
    """One cache entry that was used."""

    function: str
    file: str
    line: int
    """Where the function begins."""
    guards: int
    by_type: dict[str, int]
    by_source: dict[str, int]
    """Guards by what they look at, indices collapsed."""
    by_line: dict[str, int]
    """Guards by the user line that needs them, as ``path:line``."""
    family_seconds: dict[str, float]
    """Where the time of one warm evaluation goes, by what guards look at; empty where it cannot be told."""
    by_subject: dict[str, int]
    """Guards on the global state, on tensors, on modules and what they hold, and on anything else."""
    python_guards: int
    """Guards that run as Python code at each evaluation."""
    hot_seconds: float | None
    """One evaluation with warm caches; None where it could not be timed."""
    cold_seconds: float | None
    """One evaluation with flushed caches: the median of some."""
    cold_quartiles_seconds: tuple[float, float] | None
    """Lower and upper quartile of these."""
    compiled_by: str
    """``torch.compile``, or `overhead_lint.runtime.compile` with its mode; "" where it served no call."""
    wrapper_seconds: float | None
    """What the wrapper of that adds to a call, apart from the guards; None where the code was called from
    other compiled code or from the rest of a broken frame, or served no call."""
    code_seconds: float | None
    """The least that the compiled code itself ran on the host in one of its first calls; None where it was
    not timed, or called other compiled code."""
    calls: int
    """Calls served; the call that compiled it is none."""
    recompiles: list[str]
    """``path:line guard`` of the guards that failed and led to this function being compiled again."""
    graph_breaks: list[str]
    """``path:line reason`` of each."""


def entry_reports(entries: Iterable[Entry], recompiled: Sequence[Compilation]) -> list[EntryReport]:
    """Reports of the entries of a run, most expensive first.

    Args:
        entries: cache entries that were used.
        recompiled: compilations that followed a failed guard.
    """
    # A recompilation belongs to the entry that it made.
    reasons = {id(compilation.new): _reason(compilation) for compilation in recompiled}
    reports = [_report(entry, reasons.get(id(entry.new))) for entry in entries]
    return sorted(reports, key=lambda r: (-r.guards * max(r.calls, 1), r.file, r.line, r.function))


def _report(entry: Entry, recompiled_for: str | None) -> EntryReport:
    guards = entry.guards or ()
    return EntryReport(
        function=qualified_name(entry.code),
        file=entry.code.co_filename,
        line=entry.code.co_firstlineno,
        guards=len(guards),
        by_type=_most(Counter(leaf.kind for leaf in guards)),
        by_source=_most(Counter(family(leaf) for leaf in guards)),
        by_line=_most(Counter(f"{leaf.path}:{leaf.line}" for leaf in guards if leaf.path)),
        family_seconds={family.source: family.seconds for family in entry.families},
        by_subject=_most(Counter(_subject(leaf) for leaf in guards)),
        python_guards=sum(leaf.kind in _PYTHON_KINDS for leaf in guards),
        hot_seconds=entry.times.get("guard_time_hot"),
        cold_seconds=entry.times.get("guard_time_cold"),
        cold_quartiles_seconds=entry.cold_quartiles,
        compiled_by=str(entry.wrapper) if entry.hits else "",
        wrapper_seconds=wrapper_seconds(entry.wrapper) if entry.wrapper.kind else None,
        code_seconds=entry.code_seconds,
        calls=entry.hits,
        recompiles=[recompiled_for] if recompiled_for is not None else [],
        graph_breaks=[_place(found) for found in entry.breaks],
    )


def _subject(leaf: Leaf) -> str:
    if leaf.source == "L":
        return "global state"
    # Before there was a kind for them, marks of dynamic dimensions were asked for by name.
    if leaf.kind in _TENSOR_KINDS or (leaf.kind == "NO_HASATTR" and "'_dynamo_" in leaf.text):
        return "tensors"
    is_module = leaf.source.startswith("L['self']") or "._modules" in leaf.source or "_hooks" in leaf.source
    return "modules" if is_module else "other"


def _most(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _reason(compilation: Compilation) -> str:
    path, line = locate(compilation.reason.split("\n")[0])
    if not path:
        path, line = compilation.code.co_filename, compilation.code.co_firstlineno
    return f"{path}:{line} {failed_guard(compilation)}"


def _place(found: Break) -> str:
    return f"{found.path}:{found.line} {found.reason}"


def as_text(
    reports: Sequence[EntryReport],
    entries: Sequence[Entry],
    given_up: Sequence[GivenUp],
    eager: Sequence[EagerCall],
    advised: Advised | None,
) -> str:
    """The report that people read.

    Args:
        reports: what `entry_reports` gave.
        entries: the entries, for the lines of all of them together.
        given_up: functions that could not be compiled.
        eager: calls that were not compiled again, though their guards failed.
        advised: what would save time; None where nobody asked.
    """
    total = sum(report.guards for report in reports)
    frames = "1 compiled frame" if len(reports) == 1 else f"{len(reports)} compiled frames"
    lines = [f"{frames}, {total} guards", ""]
    for report in reports:
        lines += _frame(report)
    if advised is not None:
        lines += _advised(advised)
    lines.append("guards by line")
    causes = guard_causes(entry.guards or () for entry in entries)
    for cause in causes[:MOST_LINES]:
        place = f"{_shown(cause.path)}:{cause.line}" if cause.path else "(no user line)"
        lines.append(f"  {cause.amount:>6.0f}  {place}  {cause.label}")
    if len(causes) > MOST_LINES:
        lines.append(f"          and {len(causes) - MOST_LINES} more lines (--output-format json has all)")
    for cause in recompile_causes((), eager):
        lines.append(f"{_shown(cause.path)}:{cause.line}  {cause.amount:.0f} x {cause.label}")
    for frame in given_up:
        lines.append(f"not compiled: {frame.function} ({_shown(frame.path)}:{frame.line}): {frame.reason}")
    return "\n".join(lines) + "\n"


def _shown(path: str) -> str:
    """A path as people read it: from here, or from where packages are installed."""
    return shown_path(path, Path.cwd())


def _shown_first(text: str) -> str:
    """The same of a text that begins with a path and its line."""
    path, colon, rest = text.partition(":")
    return f"{_shown(path)}{colon}{rest}"


def _frame(report: EntryReport) -> list[str]:
    lower, upper = (seconds * 1e6 for seconds in report.cold_quartiles_seconds or (0.0, 0.0))
    timed = [
        f"{name} {seconds * 1e6:.3g} us" + (f" ({lower:.3g} to {upper:.3g})" if name == "cold" else "")
        for name, seconds in (
            ("hot", report.hot_seconds),
            ("cold", report.cold_seconds),
            ("wrapper", report.wrapper_seconds),
            ("code", report.code_seconds),
        )
        if seconds is not None
    ]
    counts = [
        f"{report.guards} guards",
        f"{report.python_guards} of them Python",
        *timed,
        f"{report.calls} calls",
    ]
    lines = [f"{report.function}  {_shown(report.file)}:{report.line}", f"  {', '.join(counts)}"]
    if report.compiled_by not in ("", "torch.compile"):
        lines.append(f"  compiled by {report.compiled_by}")
    lines += [f"  {line}" for line in _shares(report)]
    lines += _family_lines(report)
    lines += [f"  recompile: {_shown_first(reason)}" for reason in report.recompiles]
    lines += [f"  graph break: {_shown_first(place)}" for place in report.graph_breaks]
    return [*lines, ""]


def _shares(report: EntryReport) -> list[str]:
    """What part of a warm call the guards are."""
    if report.hot_seconds is None or report.wrapper_seconds is None:
        return []
    if "token" in report.compiled_by:
        return ["guards are evaluated only where the state of the last call is not recognised"]
    around = report.hot_seconds + report.wrapper_seconds
    shares = []
    if report.wrapper_seconds:
        shares.append(f"{report.hot_seconds / around:.0%} of what a warm call pays around the compiled code")
    if report.code_seconds is not None:
        shares.append(f"{report.hot_seconds / (around + report.code_seconds):.0%} of the whole call")
    return [f"guards are {', '.join(shares)}"] if shares else []


def _family_lines(report: EntryReport) -> list[str]:
    """Where the time of the guards goes."""
    total = sum(report.family_seconds.values())
    if not total:
        return []
    ranked = list(report.family_seconds.items())
    lines = [f"  where {total * 1e6:.3g} us of an evaluation go"]
    for source, seconds in ranked[:MOST_FAMILIES]:
        count = f"{report.by_source.get(source, 0)} guards"
        lines.append(f"    {seconds * 1e6:>8.2f} us  {seconds / total:>4.0%}  {count:>12}  {source}")
    rest = sum(seconds for _, seconds in ranked[MOST_FAMILIES:])
    if len(ranked) > MOST_FAMILIES:
        lines.append(
            f"    {rest * 1e6:>8.2f} us  {rest / total:>4.0%}  {len(ranked) - MOST_FAMILIES} other families"
        )
    return lines


def _advised(advised: Advised) -> list[str]:
    lines = ["what would save time, tried here"]
    for advice in advised.advice[:MOST_ADVICE]:
        whole = f", {advice.saves_seconds * advice.calls * 1e3:.3g} ms in {advice.calls} calls"
        lines.append(f"  {advice.function}: {advice.change}" + (f" ({advice.rule})" if advice.rule else ""))
        saved = f"{advice.saves_seconds * 1e6:.3g} of {advice.of_seconds * 1e6:.3g} us a call"
        lines.append(f"    saves {saved}{whole}; {advice.measured}")
        if advice.note:
            lines.append(f"    {advice.note}")
    if len(advised.advice) > MOST_ADVICE:
        lines.append(f"  and {len(advised.advice) - MOST_ADVICE} more (--output-format json has all)")
    if not advised.advice:
        lines.append("  nothing")
    lines += [f"  saves nothing: {one.function}: {one.change}" for one in advised.without_effect]
    lines += [f"  not tried: {why}" for why in advised.not_tried]
    return [*lines, ""]
