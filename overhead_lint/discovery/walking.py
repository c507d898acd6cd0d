"""Walks folders for Python files: leaves out caches and what git ignores, keeps the order stable."""

from __future__ import annotations

import os
import zlib
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.config.setting_keys import SETTINGS_FILES
from overhead_lint.discovery.folder_listings import Listing, stamp
from overhead_lint.discovery.ignored import Ignored
from overhead_lint.discovery.option_files import option_files
from overhead_lint.discovery.torch_pin import REQUIREMENT_FILES
from overhead_lint.errors import Complaint
from overhead_lint.support.existence import exists
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.discovery.folder_listings import Listings, Stamp

__all__ = [
    "COLD_FOLDERS",
    "PathError",
    "Target",
    "Tree",
    "cold_folder",
    "cold_name",
    "is_skipped",
]

_SKIPPED: Final = frozenset(
    {
        ".eggs",
        ".git",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".overhead-lint-cache",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "node_modules",
        "site-packages",
        "venv",
    }
)
# Where setuptools puts copies of what it builds: `build/lib`, `build/lib.linux-x86_64-cpython-311`.
_BUILT: Final = "build"
_COPIES: Final = "lib"
COLD_FOLDERS: Final = frozenset(
    {"archive", "archived", "backup", "backups", "bak", "benchmarks", "docs", "test", "testing", "tests"}
)
_OF_RUNS: Final = frozenset({"log", "logs", "wandb"})
"""Where runs leave copies of the code that ran; a package of such a name is code itself."""
_COLD_PREFIXES: Final = ("benchmark", "test_", "convert_", "export_", "conftest")
_MAY_BE_COLD: Final = (*_COLD_PREFIXES, "_test.", "setup.", "testing.", " ")
"""What names of files must have in them to make one cold, so that folders without need not ask for each."""
_SETUP: Final = "setup."
"""What the name of a script that installs begins with; in a package it is a module as others are."""
_TESTING: Final = "testing."
"""What that of a module begins with which a package has for tests; alone it may be a program."""
_PYTHON: Final = (".py", ".ipynb")
_PATTERNS: Final = ".gitignore"
_TOLD_BY_NAME: Final = frozenset({_PATTERNS, *SETTINGS_FILES, *REQUIREMENT_FILES})
_NAME: Final = attrgetter("name")


class PathError(Complaint):
    """A path that cannot be checked; the message names it."""


class Target(NamedTuple):
    """A file to check.

    Attributes:
        text: its path, as it was named or found below what was named.
        cold: why all of it is cold, by where it lies; "" if it is not.
        named: whether it was named itself, so that it is to be parsed whatever it holds.
    """

    text: str
    cold: str
    named: bool = False

    @property
    def path(self) -> Path:
        """Its path; thousands of files that no one asks for theirs need none."""
        return Path(self.text)


class Tree:
    """What a path stands for: the Python files below a folder that was named, or a file.

    Args:
        folder: that, as it was named.

    Attributes:
        found: the files, and errors where folders cannot be read.
        links: those of the files that are links, with the paths that they lead to.
        settings: files that may hold settings, found below the folder or in it.
        options: files that may hold options of the project, likewise.
        requirements: files that may say which torch a folder requires, likewise.
    """

    def __init__(self, folder: str) -> None:
        self.found: list[Target | PathError] = []
        self.links: dict[str, str] = {}
        self.settings: list[str] = []
        self.options: list[str] = []
        self.requirements: list[str] = []
        self._seen: list[tuple[str, Stamp, int]] | None = None
        self._patterns: list[tuple[str, Stamp]] = []
        self._folder = folder
        self._real = ""
        self._prefix = "" if folder == os.curdir else _joined(folder, "")
        self._cut = len(self._prefix)

    def real(self, text: str) -> str:
        """The path, with all links followed, of what was found."""
        return self.links.get(text) or self._real + text[self._cut :]

    def walk(self, listings: Listings | None) -> None:
        """Find the files: what git ignores all of does not count, since it was asked for."""
        path = Path(self._folder)
        self._real = _joined(os.path.realpath(path), "")
        if listings is not None:
            above = Ignored.files_above(path)
            known = listings.find(self._real, above, _names_that_matter)
            if known is not None:
                prefix, new = self._prefix, tuple.__new__  # a run may have thousands
                found = zip(known.files, known.cold, strict=True)
                self.found = [new(Target, (prefix + below, cold, False)) for below, cold in found]
                self.settings = [prefix + below for below in known.settings]
                self.options = [prefix + below for below in known.options]
                self.requirements = [prefix + below for below in known.requirements]
                return
            self._seen, self._patterns = [], [(file, stamp(file)) for file in above]
        ignored = Ignored.above(path)
        try:
            self._walk(self._folder, "", Ignored() if ignored.folder(path) else ignored)
            if not self.found:
                self._seen, self.settings, self.options, self.requirements = None, [], [], []
                self._walk(self._folder, "", Ignored(), heed_own=False)
        except RecursionError:
            self.found.append(PathError(f"{self._folder}: holds folders nested too deeply to be walked"))
        if listings is not None:
            self._keep(listings)

    def _keep(self, listings: Listings) -> None:
        """Keep what was found for later runs, if the stamps of folders and files will tell of all changes."""
        found = [one for one in self.found if isinstance(one, Target)]
        if self._seen is None or len(found) < len(self.found):
            return
        names, cold = [one.text[self._cut :] for one in found], [one.cold for one in found]
        kinds = (self.settings, self.options, self.requirements)
        beside = ([text[self._cut :] for text in texts] for texts in kinds)
        listings.keep(self._real, Listing(self._seen, self._patterns, names, cold, *beside))

    def _walk(self, folder: str, cold: str, ignored: Ignored, *, heed_own: bool = True) -> None:
        """Add the Python files below a folder that git does not ignore; links to folders are not followed.

        `heed_own` says whether the ``.gitignore`` file in the folder itself counts.
        """
        found, new = self.found, tuple.__new__
        before = stamp(folder) if self._seen is not None else None  # ahead of what comes while it is listed
        try:
            with os.scandir(folder) as inside:
                entries = sorted(inside, key=_NAME)
        except OSError as error:
            found.append(PathError(f"{folder}: cannot be read: {error.strerror or error}"))
            return
        names = [entry.name for entry in entries]
        in_package = "__init__.py" in names
        if before is not None and self._seen is not None:
            below = "" if folder == self._folder else folder[self._cut :]
            self._seen.append((below, before, _hash_of_names(entries)))
        if heed_own and _PATTERNS in names:
            file = self._real + _joined(folder, _PATTERNS)[self._cut :]
            self._patterns.append((file, stamp(file)))
            ignored = ignored.inside(Path(folder))
        heeds = bool(ignored)
        all_names = "" if cold else "\n".join(names).lower()
        may_be_cold = any(part in all_names for part in _MAY_BE_COLD)
        shown = self._prefix if folder == self._folder else _joined(folder, "")
        self.settings += [shown + name for name in SETTINGS_FILES if name in names]
        self.requirements += [shown + name for name in names if name in REQUIREMENT_FILES]
        options = option_files(names) if not cold else []
        self.options += [shown + name for name in options if not (heeds and ignored.file(Path(shown + name)))]
        copies = not in_package and folder != self._folder and folder.rpartition(os.sep)[2] == _BUILT
        for name, entry in zip(names, entries, strict=True):
            if entry.is_dir(follow_symlinks=False):
                if is_skipped(name) or (copies and name.partition(".")[0] == _COPIES):
                    continue
                text = shown + name
                if not (heeds and ignored.folder(Path(text))):
                    self._walk(text, cold or cold_folder(text), ignored)
            elif name.endswith(_PYTHON):
                text = shown + name
                if heeds and ignored.file(Path(text)):
                    continue
                if entry.is_file(follow_symlinks=False) or self._leads_to_a_file(entry, text, shown):
                    why = cold_name(name, in_package) if may_be_cold else cold
                    found.append(new(Target, (text, why, False)))

    def _leads_to_a_file(self, entry: os.DirEntry[str], text: str, shown: str) -> bool:
        """Whether what is no file leads to one below its folder: others are found, or kept out, elsewhere."""
        self._seen = None  # where it leads to may change without any sign of it here
        try:
            if not entry.is_file():
                return False
        except OSError as error:  # a link that leads to itself
            self.found.append(PathError(f"{text}: cannot be read: {error.strerror or error}"))
            return False
        target = os.path.realpath(text)
        if not target.startswith(self.real(shown)):
            return False
        self.links[text] = target
        return True


def is_skipped(name: str) -> bool:
    """Whether a folder of this name holds nothing that the owner of the folder around it wrote."""
    return name in _SKIPPED or name.endswith(".egg-info")


def _names_that_matter(folder: str) -> int | None:
    """Hash of what a walk would find in a folder; None if links are among that.

    Raises:
        OSError: it cannot be read.
    """
    with os.scandir(folder) as inside:
        entries = sorted(inside, key=_NAME)
    if not all(entry.is_dir(follow_symlinks=False) or _is_plain(entry) for entry in entries):
        return None
    return _hash_of_names(entries)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    return not entry.name.endswith(_PYTHON) or entry.is_file(follow_symlinks=False)


def _hash_of_names(entries: Iterable[os.DirEntry[str]]) -> int:
    found = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if not is_skipped(name):
                found.append(f"{name}/")
        elif name.endswith(_PYTHON) or name in _TOLD_BY_NAME:
            found.append(name)
    found += option_files([entry.name for entry in entries])
    return zlib.crc32("\0".join(found).encode(errors="surrogateescape"))


def _joined(folder: str, name: str) -> str:
    return f"{folder}{name}" if folder.endswith(os.sep) else f"{folder}{os.sep}{name}"


def cold_folder(folder: str) -> str:
    """Why all that lies below a folder is cold, by its name; "" if it is not."""
    name = folder.rpartition(os.sep)[2]
    plain = name.lower().strip("_")
    is_left = plain in _OF_RUNS and not exists(Path(folder, "__init__.py"))
    return f"{name}/ is no production code" if plain in COLD_FOLDERS or is_left else ""


def cold_name(name: str, in_package: bool) -> str:
    """Why all of a file is cold, by its name; "" if it is not."""
    lower = name.lower()
    installs = lower.startswith(_SETUP) and not in_package
    is_for_tests = lower.endswith("_test.py") or (in_package and lower.startswith(_TESTING))
    is_copy = in_package and " " in name and lower.endswith(".py")  # that no import can name
    if installs or is_for_tests or is_copy or lower.startswith(_COLD_PREFIXES):
        return f"{name} is no production code"
    return ""
