"""Which counts of the budget file an update left as they were, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.support.plurals import count
from pytest_overhead.budget_update import superseded, updated
from pytest_overhead.limit_keys import keys_on, metric_of
from pytest_overhead.session import counts_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_overhead.budget_file import BudgetFile
    from pytest_overhead.session import Session

__all__ = ["left", "unwritten"]

MOST_LINES: Final = 10
_NOT_MEASURED: Final = "it could not be measured"


def left(session: Session, old: BudgetFile) -> list[str]:
    """What to say of counts that an update did not record anew.

    Where the file then says that it was recorded with something else than before, those are all counts that
    were not measured with it. Else those that the tests which passed have no number for.

    Args:
        session: the session that updates the file.
        old: the file as it was.
    """
    if not session.options.update:
        return []
    moved = sorted(superseded(session, old))
    found = [f"  {key}: {why}" for key, why in _reasons(session, old) if moved or why == _NOT_MEASURED]
    if not found:
        return []
    here = ", ".join(f"{key} {updated(session, old).fingerprint[key]}" for key in moved)
    told = f"left as they were, though the file now says {here}:" if moved else "left as they were:"
    more = [f"  and {count(len(found) - MOST_LINES, 'more count')}"] if len(found) > MOST_LINES else []
    return [told, *found[:MOST_LINES], *more]


def unwritten(session: Session, old: BudgetFile) -> list[str]:
    """What to say where there is nothing to write.

    Args:
        session: the session that updates or tightens the file.
        old: the file as it is.
    """
    name, moved = session.path.name, superseded(session, old)
    if session.options.update and moved:
        before = ", ".join(f"{key} {value}" for key, value in sorted(moved.items()))
        return [f"{name}: nothing to write, none of its counts was measured; they stay those of {before}"]
    if not old.tests:
        return [f"{name}: nothing to write, no test that ran has a count to record"]
    kept = left(session, old)
    told = "every count that was measured is as it was" if kept else "every count is as it was"
    return [*kept, f"{name}: nothing to write, {told}"]


def _reasons(session: Session, old: BudgetFile) -> Iterator[tuple[str, str]]:
    """Each count that is not recorded anew, and why."""
    for entry, limits in sorted(old.tests.items()):
        for key in sorted(limits):
            why = _reason(session, old, entry, key) if counts_in({key}) else ""
            if why:
                yield f"{entry} {key}", why


def _reason(session: Session, old: BudgetFile, entry: str, key: str) -> str:
    """Why a count is not recorded anew; "" where it is."""
    result = session.results.get(entry)
    if result is None:
        is_shared = any(entry in old.entries_of(test) for test in session.results)
        return "its entry is for several tests" if is_shared else "its test was not run"
    if not result.passed:
        return "its test did not pass"
    if keys_on(old.tests[entry], result.device).get(metric_of(key)) != key:
        return f"its test ran on {result.device or 'no device'}"
    if metric_of(key) in map(metric_of, old.shared_limits(entry)):
        return "an entry for several tests limits it, too"
    return "" if metric_of(key) in result.values else _NOT_MEASURED
