"""What differs between two budget files, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.probes import find_metric
from overhead_lint.probes.counted_lines import changes as line_changes
from overhead_lint.report.line_changes import change_in_short
from overhead_lint.support.plurals import count
from pytest_overhead.limit_keys import metric_of
from pytest_overhead.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.probes.counted_lines import CountedLine
    from pytest_overhead.budget_file import BudgetFile
    from pytest_overhead.line_profile import LineProfile

__all__ = ["changes"]

MOST_CHANGES = 20


def changes(old: BudgetFile, new: BudgetFile, before: LineProfile, now: LineProfile) -> list[str]:
    """What differs between two budget files: limits that rose, then lowered ones, then new ones.

    A limit that changed stands with the line to blame where it is known. New ones of 0, and those that there
    is no room for, are only counted.

    Args:
        old: a budget file.
        new: the same later.
        before: the lines of its counts.
        now: and those of the newer one's.
    """
    lines: dict[str, list[str]] = {word: [] for word in ("RAISED", "lowered", "new")}
    zeros = 0
    for test, limits in sorted(new.tests.items()):
        was = old.tests.get(test, {})
        for key, limit in sorted(limits.items()):
            metric = metric_of(key)
            if key not in was and not limit:
                zeros += 1
            elif key not in was:
                lines["new"].append(f"new      {test} {key} {quantity(metric, limit)}")
            elif was[key] != limit:
                word = "lowered" if limit < was[key] else "RAISED"
                change = f"{quantity(metric, was[key])} -> {quantity(metric, limit)}"
                why = _why(metric, before.lines_of(test, key), now.lines_of(test, key))
                lines[word].append(f"{word:<8} {test} {key} {change}{why}")
    shown = [line for some in lines.values() for line in _first(some)]
    return [*shown, f"new      {count(zeros, 'limit')} of 0"] if zeros else shown


def _first(lines: list[str]) -> list[str]:
    """The lines that there is room for, and how many there are more."""
    word = lines[0].split(maxsplit=1)[0] if lines else ""
    more = len(lines) - MOST_CHANGES
    return lines if more <= 1 else [*lines[:MOST_CHANGES], f"{word:<8} and {count(more, 'more limit')}"]


def _why(metric: str, before: Sequence[CountedLine], now: Sequence[CountedLine]) -> str:
    """The line that changed a count most."""
    found = line_changes(before, now) if before and now else ()
    if not found:
        return ""
    most = max(found, key=lambda one: abs(one.delta))
    return f": {change_in_short(most, find_metric(metric).unit)}"
