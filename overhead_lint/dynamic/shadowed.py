"""Modules of a program that are called as the library's: the program gets its own, this tool the library's.

``python train.py`` finds the ``random.py`` beside the script before the library's. Here the library's was
imported by then, for the tool, and would be what the program gets; and what the tool imports while the
program runs would be the program's. So what has such a name changes sides, in ``sys.modules`` and with it
``sys.path``: `ours` is for the work of the tool. Where the program has no such file, nothing changes.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import types
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import FrozenImporter, all_suffixes
from pathlib import Path
from typing import Final

from overhead_lint.support.dependencies import REQUIRED

__all__ = ["hand_over", "ours", "prepare", "theirs"]

_DEPENDENCIES: Final = REQUIRED | {"yaml"}
"""What the tool imports that is no part of Python. torch is one for both: the program's."""


class _Sides:
    """What the two sides do not share, and which of them is in force."""

    def __init__(self) -> None:
        self.names: frozenset[str] = frozenset()
        self.program_runs = False
        self._aside: dict[str, types.ModuleType] = {}
        self._path_aside: list[str] = []
        self._inside = 0
        self._counting = threading.RLock()  # a signal that ends the program is reported in its midst

    def part(self, names: frozenset[str], path: Sequence[str]) -> None:
        self.names, self._aside, self._path_aside = names, {}, list(path)

    def change(self) -> None:
        # Of a list: another thread may import something meanwhile.
        held = [name for name in list(sys.modules) if name.partition(".")[0] in self.names]
        taken = {name: sys.modules.pop(name) for name in held}
        sys.modules.update(self._aside)
        self._aside = taken
        path = sys.path[:]
        sys.path[:], self._path_aside = self._path_aside, path

    def enter(self) -> None:
        # Threads do not wait for each other here: what one imports another may be waiting for.
        with self._counting:
            self._inside += 1
            if self._inside == 1:
                self.change()

    def leave(self) -> None:
        with self._counting:
            self._inside -= 1
            if self._inside == 0:
                self.change()


_sides = _Sides()


def prepare(folders: Iterable[str], search: Sequence[str], *, by_runpy: bool = False) -> None:
    """Find out which names of the library's modules files of a program have, before it begins.

    Args:
        folders: where it finds modules before the library's, and the tool does not.
        search: what it finds in ``sys.path`` when it begins.
        by_runpy: the interpreter imports `runpy` before it runs the program.
    """
    taken = {name for folder in folders for name in _found_in(folder)}
    if taken:
        taken -= _loaded_at_start(by_runpy=by_runpy)
    _sides.part(frozenset(taken), search)


def hand_over() -> None:
    """The program begins, and has its own modules from now on."""
    if _sides.names:
        _sides.change()
    _sides.program_runs = True


class ours:  # noqa: N801
    """The tool works in the midst of the program: what it imports in the block is the library's.

    It is none of `contextlib`'s contexts: steps that are looked at have those counted as the program's.
    """

    __slots__ = ("_changes",)

    def __enter__(self) -> None:
        self._changes = bool(_sides.names) and _sides.program_runs
        if self._changes:
            _sides.enter()

    def __exit__(self, *_: object) -> None:
        if self._changes:
            _sides.leave()


@contextlib.contextmanager
def theirs() -> Iterator[None]:
    """Import something of the program, as it would, before it begins."""
    if not _sides.names:
        yield
        return
    _sides.change()
    try:
        yield
    finally:
        _sides.change()


def _found_in(folder: str) -> Iterator[str]:
    """The modules and packages in a folder that are found there and not in the library."""
    suffixes = all_suffixes()
    with contextlib.suppress(OSError):
        for entry in Path(folder).iterdir():
            name, dot, suffix = entry.name.partition(".")
            if not _is_found_before(name):
                continue
            is_package = not dot and any((entry / f"__init__{one}").is_file() for one in suffixes)
            if is_package or f"{dot}{suffix}" in suffixes:
                yield name


def _is_found_before(name: str) -> bool:
    """Whether a file of this name takes the place of what the tool may import.

    Some modules are found before any file is looked for.
    """
    if name not in sys.stdlib_module_names and name not in _DEPENDENCIES:
        return False
    return name not in sys.builtin_module_names and FrozenImporter.find_spec(name) is None


def _loaded_at_start(*, by_runpy: bool) -> set[str]:
    """The modules that an interpreter has imported before it comes to a program."""
    options: list[str] = getattr(subprocess, "_args_from_interpreter_flags", list)()
    also = "import runpy; " if by_runpy else ""
    code = f"import sys; sys.path[:1] = []; {also}print(*sys.modules)"
    command = [sys.executable, *options, "-c", code]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        return {"os", "re", "types"}
    return set(done.stdout.split())
