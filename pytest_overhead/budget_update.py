"""What a session writes into the budget file: the counts and times of tests that passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_overhead.budget_file import BudgetFile
from pytest_overhead.budgets import Exactly
from pytest_overhead.fingerprints import devices_of, differing, fingerprint_of
from pytest_overhead.limit_keys import keys_on, metric_of, of_machine
from pytest_overhead.session import counts_in, recorded, times

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_overhead.session import Session

__all__ = ["confirms", "superseded", "updated"]

_TIME_MARGIN: Final = 1.25
"""Limits of times that are written, over what was measured: times are noisy."""


def updated(session: Session, old: BudgetFile) -> BudgetFile:
    """A file's content with the counts of the tests that passed in a session.

    What another session has written since this one began is not made smaller: both are to pass.
    """
    tests = {test: dict(limits) for test, limits in old.tests.items()}
    for test, result in session.results.items():
        counts = _counts_of(session, test, old)
        timed = {name: v for name, v in result.values.items() if name in times() and session.options.times}
        if not result.passed or not (counts or timed):
            continue
        if session.options.update:
            before = tests.get(test, {})
            shared, keys = keys_on(old.shared_limits(test), result.device), keys_on(before, result.device)
            own = {
                key: Exactly(value) if isinstance(before.get(key), Exactly) else value
                for key, value in ((keys.get(name, name), v) for name, v in counts.items())
                if metric_of(key) not in shared
            }
            own |= {of_machine(session.machine, name): _with_margin(v) for name, v in timed.items()}
            own |= _larger_meanwhile(own, before, session.file.tests.get(test, {}) if session.file else {})
            if own or before:
                tests[test] = {**before, **own}
        elif test in tests:
            for name, key in keys_on(tests[test], result.device).items():
                limit = tests[test][key]
                if name in counts and session.decided(name, counts[name], limit) is None:
                    tests[test][key] = min(limit, counts[name])
    devices = session.devices | devices_of(old.fingerprint)
    return BudgetFile(tests, fingerprint_of(devices, session.others))


def _larger_meanwhile(
    own: Mapping[str, float], before: Mapping[str, float], began: Mapping[str, float]
) -> dict[str, float]:
    """Of a test's limits those that another session, such as a rank, has written since this one began."""
    return {
        key: before[key]
        for key, value in own.items()
        if key in before and before[key] != began.get(key) and before[key] > value
    }


def superseded(session: Session, old: BudgetFile) -> dict[str, str]:
    """What the file was recorded with, by what it is, where an update from here says something else."""
    new = updated(session, old).fingerprint
    return {key: before for key, (before, _) in differing(old.fingerprint, new, new).items()}


def confirms(session: Session, old: BudgetFile) -> bool:
    """Whether ``--overhead-update`` measured counts of a file that was recorded with something else."""
    return (
        session.options.update
        and bool(superseded(session, old))
        and any(
            result.passed and _counts_of(session, test, old) and old.entries_of(test)
            for test, result in session.results.items()
        )
    )


def _counts_of(session: Session, test: str, file: BudgetFile) -> dict[str, float]:
    """What was counted of what belongs into the file: what is recorded, and what it limits already."""
    values = session.results[test].values if test in session.results else {}
    wanted = recorded() | counts_in(file.limits_of(test))
    return {name: value for name, value in values.items() if name in wanted}


def _with_margin(seconds: float) -> float:
    """A time as a limit: a quarter more, in two digits."""
    return float(f"{seconds * _TIME_MARGIN:.1e}")
