"""Which counts of tests differ between two reports, and the lines that made the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from overhead_lint.probes.api import Cause, most_first
from overhead_lint.probes.counted_lines import CountedLine, LineChange, changes, counted
from overhead_lint.probes.metrics import METRICS
from overhead_lint.support.shown_path import shown_path

if TYPE_CHECKING:
    from overhead_lint.report.html.tests_report import Line, Saved

__all__ = ["CountChange", "changed_counts", "unit_of"]


class CountChange(NamedTuple):
    """A count of a test that differs.

    Attributes:
        test: node id.
        metric: what is counted.
        before: the count in the older report.
        after: and in the newer one.
        lines: what came and what went; none where a report has no texts of lines.
        limit: what the count may be, where it is over that.
    """

    test: str
    metric: str
    before: float
    after: float
    lines: tuple[LineChange, ...] = ()
    limit: float | None = None

    @property
    def delta(self) -> float:
        """How much more than before."""
        return self.after - self.before


def changed_counts(old: Saved, new: Saved) -> list[CountChange]:
    """Return the counts that differ, of tests that both reports have: those that rose first, by the most.

    Times and ratios differ in any run, and are left out. Counts in bytes stand behind those of things.
    """
    found = []
    for test in sorted(old.tests.keys() & new.tests.keys()):
        was, now = old.tests[test], new.tests[test]
        for metric in sorted(was.values.keys() & now.values.keys()):
            if was.values[metric] == now.values[metric] or metric in new.noisy:
                continue
            fault = next((one for one in now.faults if one.metric == metric), None)
            lines = _line_changes(old, was.causes.get(metric, ()), new, now.causes.get(metric, ()))
            limit = fault.limit if fault is not None else None
            found.append(CountChange(test, metric, was.values[metric], now.values[metric], lines, limit))
    return sorted(found, key=_most_first)


def _most_first(change: CountChange) -> tuple[bool, bool, float]:
    return change.delta < 0, unit_of(change.metric) != "", -abs(change.delta)


def unit_of(metric: str) -> str:
    """Return the unit of a count whose numbers are no things, "" for all others."""
    return METRICS[metric].unit if metric in METRICS else ""


def _line_changes(
    old: Saved, before: Sequence[Line], new: Saved, after: Sequence[Line]
) -> tuple[LineChange, ...]:
    if any(line.path and not line.text for line in (*before, *after)):  # a report of before has none
        return ()
    return changes(_counted(old, before), _counted(new, after))


def _counted(report: Saved, lines: Sequence[Line]) -> tuple[CountedLine, ...]:
    texts = {(line.path, line.line): line.text for line in lines}
    causes = [Cause(one.amount, one.path, one.line, one.label, most_first(one.operators)) for one in lines]
    root = report.root or "/"
    return counted(causes, lambda path: shown_path(path, root), lambda path, line: texts[path, line])
