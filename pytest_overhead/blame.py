"""Which source line is to blame for a count that is over its limit: one that came since it was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from overhead_lint.probes.counted_lines import CountedLine, changes, counted
from overhead_lint.support.shown_path import shown_path
from pytest_overhead.bad_file import BadFile
from pytest_overhead.effective_limits import device_kind
from pytest_overhead.limit_keys import keys_on
from pytest_overhead.line_profile import LineProfile, path_beside, read
from pytest_overhead.session_keys import SESSION_KEY

if TYPE_CHECKING:
    from pytest_overhead.budgets import Excess

__all__ = ["Blame", "Recorded", "blamed", "recorded_lines", "with_changes"]


class Recorded(NamedTuple):
    """The lines that made a count when the budget was recorded.

    Attributes:
        lines: None where they are not known.
        note: why they are not, where that has to be said.
    """

    lines: tuple[CountedLine, ...] | None = None
    note: str = ""


_PROFILE_KEY: pytest.StashKey[LineProfile] = pytest.StashKey()


class Blame(NamedTuple):
    """A line of the project, its path relative to pytest's root folder."""

    path: str
    line: int


def recorded_lines(item: pytest.Item, metric: str) -> Recorded:
    """Return the lines that made a count of a test when the budget file was written."""
    session = item.config.stash.get(SESSION_KEY, None)
    if session is None or session.file is None:
        return Recorded()
    limits = session.file.tests.get(item.nodeid, {})
    key = keys_on(limits, device_kind()).get(metric)
    if key is None:
        return Recorded()
    if limits[key] == 0:  # nothing made it
        return Recorded(())
    try:
        profile = _read(item.config, path_beside(session.path))
    except BadFile as error:
        return Recorded(note=str(error))
    return Recorded(profile.lines_of(item.nodeid, key) or None)


def _read(config: pytest.Config, path: Path) -> LineProfile:
    """The profile, read once a session and only where a test fails: it may be large."""
    if _PROFILE_KEY not in config.stash:
        config.stash[_PROFILE_KEY] = read(path)
    return config.stash[_PROFILE_KEY]


def with_changes(excess: Excess, recorded: Recorded, root: Path) -> Excess:
    """Return an excess with what came and what went since its budget was recorded."""
    notes = (*excess.notes, recorded.note) if recorded.note else excess.notes
    if recorded.lines is None or not excess.causes:
        return excess._replace(notes=notes)
    now = counted(excess.causes, lambda path: shown_path(path, root))
    return excess._replace(notes=notes, changes=changes(recorded.lines, now))


def blamed(excess: Excess, root: Path) -> Blame | None:
    """Return the line of the project that is to blame: one that came, else the one that accounts for most."""
    for change in excess.changes:
        if change.delta > 0 and change.line.numbers and (root / change.line.path).is_file():
            return Blame(change.line.path, change.line.numbers[0])
    for cause in excess.causes:
        path = shown_path(cause.path, root)
        if cause.path and path != cause.path and (root / path).is_file():
            return Blame(path, cause.line)
    return None
