"""Runs a command in two copies of a project, one of them fixed: how it ends, and how long it takes."""

from __future__ import annotations

import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from overhead_lint.errors import Complaint
from overhead_lint.fixing.project_copy import copy_project, is_environment, size_of
from overhead_lint.support.interleaved import told_apart

__all__ = ["Outcome", "Trial", "TrialError", "check_command", "tried"]

_LAST_LINES: Final = 20
_TESTS: Final = "tests.xml"


class TrialError(Complaint):
    """Why a command can verify nothing; the message is one line."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended.

    Attributes:
        status: its exit status; negative for a signal.
        tests: by test what became of it, where the command ran pytest: passed, failed, error or skipped.
        last_lines: of its output; no part of what is compared, since times stand there.
    """

    status: int
    tests: Mapping[str, str]
    last_lines: tuple[str, ...] = ()

    def is_as(self, other: Outcome) -> bool:
        """Whether both ended alike."""
        return (self.status, self.tests) == (other.status, other.tests)

    def number_of(self, result: str) -> int:
        """How many tests had a result."""
        return sum(1 for one in self.tests.values() if one == result)


@dataclass(frozen=True, slots=True)
class Trial:
    """A command in a project as it is, and in one with fixes.

    Attributes:
        command: what was run.
        before: how it ended in the project as it is.
        after: how it ended with the fixes; where runs differ, the first that was another than before.
        ran: the changed files that it ran, relative to the project.
        not_ran: the other changed files.
        seconds_before: wall-clock time of each timed run as it is.
        seconds_after: of each with the fixes.
    """

    command: str
    before: Outcome
    after: Outcome
    ran: tuple[Path, ...]
    not_ran: tuple[Path, ...]
    seconds_before: tuple[float, ...] = ()
    seconds_after: tuple[float, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether the fixes change nothing of how the command ends."""
        return self.before.is_as(self.after)

    @property
    def saving(self) -> float:
        """Seconds that the command takes less with the fixes: the difference of the medians."""
        return statistics.median(self.seconds_before) - statistics.median(self.seconds_after)

    @property
    def told_apart(self) -> bool:
        """Whether the saving, or loss, is more than noise."""
        return told_apart(self.seconds_before, self.seconds_after)


def check_command(command: str, folder: Path) -> list[str]:
    """The words of a command, which is run without a shell.

    Args:
        command: as a shell takes it.
        folder: where it is to be run.

    Raises:
        TrialError: it cannot be taken apart, or there is no such program.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TrialError(f"--verify {command}: {str(error).lower()}") from error
    if not words:
        raise TrialError("--verify takes a command, as in --verify 'pytest -q'")
    program = words[0] if os.sep not in words[0] else str(folder / words[0])
    if shutil.which(program) is None:
        raise TrialError(f"--verify {command}: there is no program {words[0]}")
    return words


def tried(command: str, changes: Mapping[Path, bytes], root: Path, *, runs: int) -> Trial:
    """Run a command in a copy of a project and in one with other contents of some files.

    Both are run once to compare how they end, and, where they end alike, some times more in turn.

    Args:
        command: as a shell takes it, from the current folder.
        changes: the files, absolute and without links, with what they are to hold.
        root: the folder of the project, absolute and without links.
        runs: how many times each is timed; 0 for not at all.

    Raises:
        TrialError: the command can verify nothing: it fails as things are, it ends now so and now so, or it
            runs none of the changed files; or the project cannot be copied.
    """
    here = Path(os.path.realpath(Path.cwd()))
    words = check_command(command, here)
    with tempfile.TemporaryDirectory(prefix="overhead-lint-", ignore_cleanup_errors=True) as name:
        folder = Path(os.path.realpath(name))
        sides = [_Side(folder / side, root, here, words, changes) for side in ("before", "after")]
        _copy_both(root, sides, folder)
        for path, data in changes.items():
            (sides[1].project / path.relative_to(root)).write_bytes(data)
        return _compared(command, sides, changes, root, runs)


def _copy_both(root: Path, sides: Sequence[_Side], folder: Path) -> None:
    try:
        free = shutil.disk_usage(folder).free
        if (needed := len(sides) * size_of(root)) > free:
            raise TrialError(
                f"{root}: two copies take {needed:,} bytes, of which {folder.parent} has {free:,}"
            )
        for side in sides:
            side.folder.mkdir()
            copy_project(root, side.project)
    except OSError as error:
        raise TrialError(f"{error.filename or root}: cannot be copied: {error.strerror or error}") from error


def _compared(
    command: str, sides: Sequence[_Side], changes: Mapping[Path, bytes], root: Path, runs: int
) -> Trial:
    before, _ = sides[0].run()
    if before.status != 0 and not before.number_of("passed"):
        raise TrialError(
            f"{command} ends with status {before.status} before any fix, so it can verify nothing"
        )
    after, _ = sides[1].run()
    ran = tuple(path.relative_to(root) for path in changes if sides[1].has_run(path))
    not_ran = tuple(path.relative_to(root) for path in changes if path.relative_to(root) not in ran)
    if not before.is_as(after):
        return Trial(command, before, after, ran, not_ran)
    if not ran:
        raise TrialError(f"{command} runs none of the changed files from a copy, so it can verify nothing")
    seconds: tuple[list[float], list[float]] = ([], [])
    for turn in range(runs):
        for form in (0, 1) if turn % 2 == 0 else (1, 0):
            outcome, taken = sides[form].run()
            if not form and not outcome.is_as(before):
                raise TrialError(
                    f"{command} ends now so and now so without any fix, so it can verify nothing"
                )
            if form and not outcome.is_as(before):
                return Trial(command, before, outcome, ran, not_ran)
            seconds[form].append(taken)
    return Trial(command, before, after, ran, not_ran, tuple(seconds[0]), tuple(seconds[1]))


class _Side:
    """One of the copies, and how the command is run there.

    Args:
        folder: what holds the copy and what runs leave.
        root: the project.
        here: where the command would be run.
        words: the command.
        changes: the files that differ.
    """

    def __init__(
        self, folder: Path, root: Path, here: Path, words: Sequence[str], changes: Mapping[Path, bytes]
    ) -> None:
        self.folder = folder
        self.project = folder / root.name
        self._root = root
        self._words = [self._mapped(word) for word in words]
        self._here = self._of(here) if here.is_relative_to(root) else self.project
        # The same for both: what neither has of its own, torch among it, is compiled once.
        self._compiled = folder.parent / "compiled"
        self._environment = self._prepared(changes)

    def run(self) -> tuple[Outcome, float]:
        """Run the command; how it ended, and the seconds that it took."""
        tests, output = self.folder / _TESTS, self.folder / "output.txt"
        tests.unlink(missing_ok=True)
        with output.open("wb") as file:
            start = time.perf_counter()
            try:
                done = subprocess.run(
                    self._words,
                    cwd=self._here,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    check=False,
                )
            except OSError as error:
                raise TrialError(f"{self._words[0]}: cannot be run: {error.strerror or error}") from error
            taken = time.perf_counter() - start
        lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
        return Outcome(done.returncode, _results(tests), tuple(lines[-_LAST_LINES:])), taken

    def has_run(self, path: Path) -> bool:
        """Whether a run took code of a changed file from here: it left its compiled form, or was named."""
        file = self._of(path)
        if any((self._here / word).resolve() == file for word in self._words):
            return True
        folder = self._compiled.joinpath(*file.parent.parts[1:])
        return any(folder.glob(f"{path.stem}.*.pyc"))

    def _of(self, path: Path) -> Path:
        """Where a path of the project lies here."""
        return self.project / path.relative_to(self._root)

    def _mapped(self, word: str) -> str:
        """A word of the command; here's for an absolute path into the project, if not to an environment."""
        path = Path(word)
        if not path.is_absolute() or not path.is_relative_to(self._root):
            return word
        above = [path, *path.parents]
        within = above[: above.index(self._root)]
        return word if any(map(is_environment, within)) else str(self._of(path))

    def _prepared(self, changes: Mapping[Path, bytes]) -> dict[str, str]:
        """The environment: modules come from here, also those that are installed in place."""
        environment = dict(os.environ)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(self._compiled)
        environment["PWD"] = str(self._here)
        roots = sorted(set(map(_import_root, changes)))
        # The project may be a package itself.
        folders = [str(self._of(one) if one.is_relative_to(self._root) else self.folder) for one in roots]
        given = [self._mapped(one) for one in environment.get("PYTHONPATH", "").split(os.pathsep) if one]
        environment["PYTHONPATH"] = os.pathsep.join([*folders, *given])
        own = f"--junitxml={shlex.quote(str(self.folder / _TESTS))}"
        environment["PYTEST_ADDOPTS"] = f"{environment.get('PYTEST_ADDOPTS', '')} {own}".strip()
        return environment


def _import_root(path: Path) -> Path:
    """The folder that a module is imported from."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _results(file: Path) -> dict[str, str]:
    """What became of each test, by a JUnit file of pytest; none where there is no such file."""
    try:
        cases = ElementTree.parse(file).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return {}
    results = {}
    for case in cases:
        names = {child.tag for child in case} & {"failure", "error", "skipped"}
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        results[name] = {"failure": "failed", "error": "error", "skipped": "skipped"}.get(
            min(names, default=""), "passed"
        )
    return results
