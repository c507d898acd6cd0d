"""What is shown of reports of tests: one function a section."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.probes.api import most_first
from overhead_lint.report.html.bars import Bar, bars
from overhead_lint.report.html.history import history
from overhead_lint.report.html.moments import moments
from overhead_lint.report.html.page import Section
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import escaped, quantity
from overhead_lint.support.plurals import count
from overhead_lint.support.shown_path import shown_path

if TYPE_CHECKING:
    from overhead_lint.report.html.tests_report import Saved

__all__ = ["bystanders", "changes", "costs", "excesses", "progress", "sources", "timelines"]

_MOST_TIMELINES: Final = 20
_MOST_OPEN: Final = 2
_MOST_LISTED: Final = 50
_GUARDS: Final = frozenset({"guards", "recompiles", "graph_breaks", "guard_time_hot", "guard_time_cold"})


def excesses(report: Saved) -> Section:
    """Tests whose budget was not kept."""
    rows = []
    for name, test in sorted(report.tests.items()):
        for fault in test.faults if test.verdict else ():
            numbers = (fault.limit, fault.value)
            shown = ["" if v is None else _quantity(report, fault.metric, v) for v in numbers]
            rows.append([name, fault.verdict, fault.metric, *shown])
        if test.verdict and not test.faults:
            rows.append([name, test.verdict, "", "", ""])
    if not rows:
        return Section("budgets", "Budgets", "<p>Every budget was kept.</p>\n")
    header = ["test", "verdict", "metric", "limit", "value"]
    body = table("Tests that did not keep their budget", header, rows, numbers=[3, 4])
    return Section("budgets", "Budgets", body)


def costs(report: Saved) -> Section:
    """Tests by cost, a picture for each metric, and all numbers in a table."""
    parts = []
    for metric in report.metrics:
        rows = [
            Bar(name, test.values[metric], test.limits.get(metric), test.verdict_on(metric))
            for name, test in report.tests.items()
            if test.values.get(metric)
        ]
        rows.sort(key=lambda row: (-row.value, row.label))
        if rows:
            parts.append(bars(f"Tests by {metric}", "test", rows, is_time=metric in report.times))
    if not parts:
        parts.append(f"<p>{_without_numbers(report)}</p>\n")
    metrics = report.metrics
    cells = [
        [name, *(_quantity(report, m, test.values[m]) if m in test.values else "" for m in metrics)]
        for name, test in sorted(report.tests.items())
    ]
    numbers = table("All tests and metrics", ["test", *metrics], cells, numbers=range(1, len(metrics) + 1))
    parts.append(folded(f"All tests and metrics ({count(len(cells), 'test')})", numbers))
    return Section("costs", "Tests by cost", "".join(parts))


def _without_numbers(report: Saved) -> str:
    if any(test.values for test in report.tests.values()):
        return "No test had any of the costs that were measured."
    if not report.tests:
        return "No test was measured."
    more = 'overhead_budget(metrics=["dispatches"]) counts operators, too'
    return (
        "No test ran compiled code, and without a device there are no events and waits: "
        f"--overhead-device=simulated gives one, and {escaped(more)}."
    )


def bystanders(report: Saved) -> list[Section]:
    """What garbage collection and other threads added to counts; no section where they added nothing."""
    rows = [
        [name, metric, who, _quantity(report, metric, amount)]
        for name, test in sorted(report.tests.items())
        for metric, amounts in sorted(test.others.items())
        for who, amount in amounts.items()
    ]
    if not rows:
        return []
    header = ["test", "metric", "counted in", "amount"]
    body = table("Counted while a test ran, and not by its own thread", header, rows, numbers=[3])
    return [Section("others", "Counted by others", body)]


def sources(report: Saved, root: str) -> list[Section]:
    """Guard families and events by source line, summed over all tests."""
    amounts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    operators: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for test in report.tests.values():
        for metric, causes in test.causes.items():
            for cause in causes:
                place = f"{shown_path(cause.path, root)}:{cause.line} " if cause.path else ""
                label = f"{place}{cause.label}"
                amounts[metric][label] += cause.amount
                operators[metric, label].update(cause.operators)
    parts: dict[bool, list[str]] = {True: [], False: []}
    for metric, by_line in sorted(amounts.items()):
        rows = [
            Bar(label, amount, note=", ".join(name for name, _ in most_first(operators[metric, label])))
            for label, amount in by_line.items()
            if amount
        ]
        rows.sort(key=lambda row: (-row.value, row.label))
        if rows:
            caption = f"{metric} by source line"
            picture = bars(caption, "source line", rows, is_time=metric in report.times, most=15)
            parts[metric in _GUARDS].append(picture)
    found = []
    for guards, name, title in (
        (True, "guards", "Guard families"),
        (False, "events", "Events by source line"),
    ):
        none = "<p>None were measured with their source lines.</p>\n"
        found.append(Section(name, title, "".join(parts[guards]) or none))
    return found


def timelines(report: Saved, root: str) -> Section:
    """Device events, waits and copies of the tests that have the most of them, by source line and time."""
    busy = sorted(
        (name for name, test in report.tests.items() if test.moments),
        key=lambda name: (-len(report.tests[name].moments), name),
    )
    parts = []
    for number, name in enumerate(busy[:_MOST_TIMELINES]):
        rows: dict[str, list[float]] = {}
        for one in report.tests[name].moments:
            place = f"{shown_path(one.path, root)}:{one.line} " if one.path else ""
            rows.setdefault(f"{one.metric} {place}{one.label}", []).append(one.at)
        picture = moments(f"Events of {name}", list(rows.items()))
        parts.append(picture if number < _MOST_OPEN else folded(f"Events of {name}", picture))
    if len(busy) > _MOST_TIMELINES:
        parts.append(f"<p>{len(busy) - _MOST_TIMELINES} more tests have events.</p>\n")
    none = "<p>No test had events, waits or copies whose time was noted.</p>\n"
    return Section("timeline", "Event timeline by source line", "".join(parts) or none)


def progress(reports: Sequence[Saved]) -> Section:
    """Each metric over several reports, the oldest first, of the tests that all of them have."""
    shared = set.intersection(*(set(report.tests) for report in reports))
    newest = reports[-1]
    parts = [f"<p>Sums over {count(len(shared), 'test')} that all {len(reports)} reports have.</p>\n"]
    for metric in newest.metrics:
        both = [name for name in shared if all(metric in r.tests[name].values for r in reports)]
        points = [(r.name, sum(r.tests[name].values[metric] for name in both)) for r in reports]
        if any(value for _, value in points):
            caption = f"{metric} of {count(len(both), 'test')}"
            parts.append(history(caption, points, is_time=metric in newest.times))
    return Section("history", "History", "".join(parts))


def changes(old: Saved, new: Saved) -> Section:
    """What differs from another report."""
    rows = []
    for name in sorted(old.tests.keys() & new.tests.keys()):
        before, after = old.tests[name].values, new.tests[name].values
        for metric in sorted(before.keys() & after.keys()):
            if before[metric] != after[metric]:
                rows.append([name, metric, *_change(new, metric, before[metric], after[metric])])
    parts = [f"<p>Compared with {escaped(old.name)}.</p>\n", _versions(old.fingerprint, new.fingerprint)]
    if rows:
        header = ["test", "metric", "before", "after", "change"]
        changed = table(f"Numbers that changed ({len(rows)})", header, rows, numbers=[2, 3, 4])
        many = len(rows) > _MOST_LISTED
        parts.append(folded(f"Numbers that changed ({len(rows)})", changed) if many else changed)
    else:
        parts.append("<p>No number changed.</p>\n")
    for title, names in (
        ("Tests that are new", new.tests.keys() - old.tests.keys()),
        ("Tests that are gone", old.tests.keys() - new.tests.keys()),
    ):
        if names:
            entries = "".join(f"<li>{escaped(name)}</li>\n" for name in sorted(names))
            listed = f"<ul>\n{entries}</ul>\n"
            if len(names) > _MOST_LISTED:
                listed = folded(f"All {len(names)}", listed)
            parts.append(f"<h3>{title} ({len(names)})</h3>\n{listed}")
    return Section("changes", "Changes", "".join(parts))


def _versions(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    other = [
        f"{key} {old.get(key, 'none')} before, {new.get(key, 'none')} now"
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]
    return f"<p>Measured with something else: {escaped('; '.join(other))}.</p>\n" if other else ""


def _change(report: Saved, metric: str, before: float, after: float) -> list[str]:
    word = "more" if after > before else "less"
    difference = _quantity(report, metric, abs(after - before))
    return [_quantity(report, metric, before), _quantity(report, metric, after), f"{difference} {word}"]


def _quantity(report: Saved, metric: str, value: float) -> str:
    return quantity(value, is_time=metric in report.times)
