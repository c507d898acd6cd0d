"""The fixture ``overhead_guards``: guards of compiled frames against a snapshot in the repository."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

from overhead_lint.probes.api import ProbeUnavailable
from overhead_lint.probes.guards_drift import drift
from overhead_lint.probes.guards_reading import GuardProbe
from overhead_lint.probes.guards_snapshot import BadSnapshot, Snapshot, torch_minor
from overhead_lint.support import atomic
from pytest_overhead.expectations import is_expected
from pytest_overhead.rank_store import lost

if TYPE_CHECKING:
    from pytest_overhead.snapshot_holders import Holders

__all__ = ["FOLDER", "Guards"]

FOLDER: Final = "guard_snapshots"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Guards:
    """Reads the guards of the frames that a test runs, from its set-up on.

    Args:
        item: the running test.
        holders: the tests of this session that hold snapshots.
        update: write what differs.
        refused: why nothing is written after all; "" if it is.
    """

    def __init__(self, item: pytest.Item, holders: Holders, *, update: bool, refused: str) -> None:
        self._item = item
        self._holders = holders
        self._updates = update and not refused
        self._refused = refused
        self._probe: GuardProbe | None = None
        self._run = object()
        self._raised: list[str] = []

    def start(self) -> None:
        """Begin to read guards.

        Raises:
            pytest.fail.Exception: this torch lacks what that needs.
        """
        __tracebackhide__ = True
        probe = GuardProbe(attribute=False)
        try:
            probe.start(frozenset({"guards"}))
        except ProbeUnavailable as error:
            self._fail(error.why)
        self._probe = probe

    def stop(self) -> None:
        """Stop reading; nothing is judged."""
        if self._probe is not None:
            self._probe.stop()
            self._probe = None

    def settle(self) -> None:
        """Repeat a failure that was caught by something that catches all; the test's body has passed.

        Raises:
            pytest.fail.Exception: there was one.
        """
        __tracebackhide__ = True
        if self._raised:
            pytest.fail(f"{self._raised.pop(0)}\nthe test has gone on: something caught this", pytrace=False)

    def assert_matches(self, name: str) -> None:
        """Compare the guards of the frames that were used since the last comparison with a snapshot.

        Args:
            name: of the snapshot: letters, digits, ``_``, ``.`` and ``-``. The file is
                ``guard_snapshots/NAME.torch-X.Y.txt`` beside the test.

        Raises:
            pytest.fail.Exception: the guards differ, no compiled frame was used, there is no snapshot, or
                it cannot be read or written.
        """
        __tracebackhide__ = True
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self._fail(f"a name has letters, digits, _, . and -, not {name!r}")
        assert self._probe is not None, "the fixture started it"
        reading = self._probe.stop()
        entries = self._probe.entries()
        self.start()
        if why := reading.unavailable.get("guards"):
            self._fail(f"{name}: not measured: {why}")
        found = Snapshot.of(entries)
        path = self._item.path.parent / FOLDER / f"{name}.torch-{torch_minor()}.txt"
        if not self._updates:
            self._compare(name, path, found)
            return
        with self._holders.alone(path):
            self._compare(name, path, found)

    def _compare(self, name: str, path: Path, found: Snapshot) -> None:
        __tracebackhide__ = True
        updates = self._updates
        old = self._read(path)
        changed = drift(old, found) if old is not None else None
        if updates and self._is_kept_by_another_rank(name, path, found):
            return
        mine = (self._item.nodeid, self._run)
        if updates and changed and (test := self._holders.another(path, *mine)):
            told = f"{name}: guards differ from those that {test} has written under this name"
            self._fail(told, changed.as_text(), "name each snapshot by itself, by the parameters for one")
        if updates and changed and self._holders.is_of_another_process(path):
            told = f"{name}: guards differ from those that another process has written since this one began"
            self._fail(told, changed.as_text(), "name each snapshot by itself, that of a rank by its rank")
        if updates and (old is None or changed):
            self._write(path, found)
            old, changed = found, None
        if old is not None and not changed:
            if updates:
                self._holders.take(path, *mine)
            return
        hint = f"accept it with: pytest --overhead-update {self._item.nodeid}"
        if changed is None:
            others = sorted(other.name for other in path.parent.glob(f"{name}.torch-*.txt"))
            known = f" (there is {', '.join(others)})" if others else ""
            self._fail(f"{name}: no snapshot {path.name}{known}", self._refused or hint)
        self._fail(f"{name}: guards differ from {path.name}", changed.as_text(), self._refused or hint)

    def _is_kept_by_another_rank(self, name: str, path: Path, found: Snapshot) -> bool:
        """Whether another rank writes this snapshot; it has to be the same."""
        __tracebackhide__ = True
        try:
            first = self._holders.of_another_rank(path, found.as_text())
        except RuntimeError as error:
            self._fail(f"{name}: the store of the ranks {lost(error)}")
        if first is None:
            return False
        rank, text = first
        if changed := drift(Snapshot.parse(text, f"rank {rank}"), found):
            told = f"{name}: guards differ from those that rank {rank} has under this name"
            self._fail(told, changed.as_text(), "name each snapshot by its rank")
        return True

    def _read(self, path: Path) -> Snapshot | None:
        __tracebackhide__ = True
        try:
            return Snapshot.parse(path.read_bytes().decode(), str(path))
        except FileNotFoundError:
            return None
        except (BadSnapshot, UnicodeDecodeError) as error:
            why = str(error) if isinstance(error, BadSnapshot) else f"{path}: is not UTF-8"
            self._fail(why)
        except OSError as error:
            self._fail(f"{path}: cannot be read: {error.strerror or error}")

    def _write(self, path: Path, found: Snapshot) -> None:
        __tracebackhide__ = True
        try:
            path.parent.mkdir(exist_ok=True)
            atomic.write(path, found.as_text().encode())
        except OSError as error:
            self._fail(f"{path}: cannot be written: {error.strerror or error}")

    def _fail(self, *lines: str) -> NoReturn:
        __tracebackhide__ = True
        text = "overhead_guards: " + "\n".join(line.rstrip("\n") for line in lines)
        if not is_expected(inspect.currentframe()):
            self._raised.append(text)
        raise pytest.fail.Exception(text, pytrace=False) from None  # the text says what an error said
