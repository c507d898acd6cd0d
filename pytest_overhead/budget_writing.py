"""Writes the budget file, and the lines beside it, from what a session or a run measured."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.support.folder_lock import locked
from overhead_lint.support.plurals import count
from overhead_lint.support.versioned_json import UnusableFile
from pytest_overhead import line_profile
from pytest_overhead.bad_file import BadFile
from pytest_overhead.budget_changes import changes
from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.budget_update import confirms, updated
from pytest_overhead.left_counts import left, unwritten
from pytest_overhead.profile_update import profiled

if TYPE_CHECKING:
    from pytest_overhead.session import Session

__all__ = ["take", "write_budgets"]


def take(session: Session, source: Path, collected: Container[str]) -> None:
    """Take counts from what a run measured, in place of running tests.

    Args:
        session: the session.
        source: the run's file.
        collected: ids of the tests that there are.

    Raises:
        pytest.UsageError: it cannot be used, or holds no tests.
    """
    from overhead_lint.measure.evidence import read as read_evidence

    try:
        evidence = read_evidence(source)
    except UnusableFile as error:
        raise pytest.UsageError(f"--overhead-from: {error}") from None
    if not evidence.tests:
        why = "holds no tests: they come from `overhead-lint run --pytest`"
        raise pytest.UsageError(f"--overhead-from: {source}: {why}")
    session.take(evidence, collected)


def write_budgets(session: Session, root: Path) -> list[str]:
    """Write the budget file.

    Args:
        session: the session.
        root: pytest's root folder.

    Returns:
        What to say of it.

    Raises:
        pytest.UsageError: it cannot be read or written.
    """
    beside = line_profile.path_beside(session.path)
    try:
        with locked(session.path.resolve().parent):
            # Read again: another session may have written since this one began.
            old, recorded = read(session.path) or BudgetFile(), line_profile.read(beside)
            new = updated(session, old)
            lines = profiled(session, recorded, old, new, root)
            if lines != recorded:
                line_profile.write(beside, lines)
            confirmed = new.tests == old.tests and confirms(session, old)
            if new.tests == old.tests and not confirmed:
                moved = [f"{beside.name}: written, other lines make the counts"] * (lines != recorded)
                return [*unwritten(session, old), *moved]
            write(session.path, new)
    except BadFile as error:
        raise pytest.UsageError(str(error)) from None
    except OSError as error:
        raise pytest.UsageError(f"{session.path}: cannot be written: {error.strerror or error}") from None
    kept = left(session, old)
    if confirmed:
        told = "every count is as it was" if not kept else "every count that was measured is as it was"
        return [*kept, f"{session.path.name}: {told}; written that they hold here, too"]
    return [
        *changes(old, new, recorded, lines),
        *kept,
        f"{session.path.name}: written, {count(len(new.tests), 'test')}",
    ]
