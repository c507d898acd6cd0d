"""What a session writes into the profile: the lines of the counts that it wrote into the budget file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhead_lint.probes.api import Cause
from overhead_lint.probes.counted_lines import CountedLine, counted
from overhead_lint.support.shown_path import shown_path
from pytest_overhead.limit_keys import keys_on, metric_of
from pytest_overhead.line_profile import LineProfile
from pytest_overhead.session import counts_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_overhead.budget_file import BudgetFile
    from pytest_overhead.session import Session

__all__ = ["measured_lines", "profiled"]


def profiled(
    session: Session, old: LineProfile, before: BudgetFile, now: BudgetFile, root: Path
) -> LineProfile:
    """Return the lines of a budget file's counts.

    Those that this session measured, and of before those of counts that stay as they were: a count that
    changed without lines has none any more, since others made it.

    Args:
        session: the session that writes the budget file.
        old: the lines that were recorded before.
        before: the budget file as it was.
        now: the budget file as it is to be.
        root: the folder that paths are told relative to.
    """
    tests: dict[str, dict[str, tuple[CountedLine, ...]]] = {}
    for test, limits in now.tests.items():
        for key, limit in limits.items():
            lines = _lines_of(session, test, key, limits, root) if counts_in({key}) else None
            if lines is None and before.tests.get(test, {}).get(key) == limit:
                lines = old.lines_of(test, key)
            if lines:
                tests.setdefault(test, {})[key] = lines
    return LineProfile(tests)


def _lines_of(
    session: Session, test: str, key: str, limits: Mapping[str, float], root: Path
) -> tuple[CountedLine, ...] | None:
    """The lines of a count that this session measured; None where there are none that make up the count."""
    result = session.results.get(test)
    metric = metric_of(key)
    if result is None or not result.passed or keys_on(limits, result.device).get(metric) != key:
        return None
    lines = measured_lines(result.detail, metric, root)
    return lines if sum(line.amount for line in lines) == result.values.get(metric) == limits[key] else None


def measured_lines(detail: Mapping[str, Any], metric: str, root: Path) -> tuple[CountedLine, ...]:
    """Return the lines of a metric as a test's report has them.

    Args:
        detail: of a result, see `pytest_overhead.session.Result`.
        metric: its name.
        root: the folder that paths are told relative to.
    """
    found = detail.get("causes", {}).get(metric, ())
    texts = {(cause["path"], cause["line"]): cause["text"] for cause in found}
    causes = [
        Cause(c["amount"], c["path"], c["line"], c["label"], tuple(map(tuple, c["operators"]))) for c in found
    ]
    return counted(causes, lambda path: shown_path(path, root), lambda path, line: texts[path, line])
