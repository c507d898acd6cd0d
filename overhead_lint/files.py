"""Which files are checked: walks folders, leaves out caches, keeps the order stable."""

from __future__ import annotations

import os
import re
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.ignored import Ignored
from overhead_lint.there import exists, is_file
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "COLD_FOLDERS",
    "PathError",
    "Target",
    "collect",
    "dotted_names",
    "forget",
    "module_name",
    "neighbours",
    "project_root",
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
COLD_FOLDERS: Final = frozenset({"benchmarks", "docs", "test", "testing", "tests"})
_COLD_PREFIXES: Final = ("test_", "convert_", "export_", "conftest")
_MAY_BE_COLD: Final = re.compile("setup[.]|test_|_test[.]|convert_|export_|conftest", re.IGNORECASE)
"""What names of files must have in them to make one cold, so that folders without need not ask for each."""
_SETUP: Final = "setup."
"""What the name of a script that installs begins with; in a package it is a module as others are."""
_PYTHON: Final = (".py", ".ipynb")
_NAME: Final = attrgetter("name")
_ROOT_MARKS: Final = ("pyproject.toml", "setup.cfg", ".git")


class PathError(Exception):
    """A path that cannot be checked; the message names it, in one line."""

    def __str__(self) -> str:
        """The message, whatever the path is called."""
        return on_one_line(super().__str__())


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


class _Tree:
    """What a path stands for: the Python files below a folder that was named, or a file.

    Args:
        folder: that, as it was named.

    Attributes:
        found: the files, and errors where folders cannot be read.
        links: those of the files that are links, with the paths that they lead to.
    """

    def __init__(self, folder: str) -> None:
        self.found: list[Target | PathError] = []
        self.links: dict[str, str] = {}
        self._folder = folder
        self._real = ""
        self._cut = 0 if folder == os.curdir else len(_joined(folder, ""))

    def real(self, text: str) -> str:
        """The path, with all links followed, of what was found."""
        return self.links.get(text) or self._real + text[self._cut :]

    def walk(self) -> None:
        """Find the files: what git ignores all of does not count, since it was asked for."""
        path = Path(self._folder)
        self._real = _joined(os.path.realpath(path), "")
        ignored = Ignored.above(path)
        self._walk(self._folder, "", Ignored() if ignored.folder(path) else ignored)
        if not self.found:
            self._walk(self._folder, "", Ignored(), heed_own=False)

    def _walk(self, folder: str, cold: str, ignored: Ignored, *, heed_own: bool = True) -> None:
        """Add the Python files below a folder that git does not ignore; links to folders are not followed.

        `heed_own` says whether the ``.gitignore`` file in the folder itself counts.
        """
        found, new = self.found, tuple.__new__
        try:
            with os.scandir(folder) as inside:
                entries = sorted(inside, key=_NAME)
        except OSError as error:
            found.append(PathError(f"{folder}: cannot be read: {error.strerror or error}"))
            return
        names = [entry.name for entry in entries]
        in_package = "__init__.py" in names
        if heed_own and ".gitignore" in names:
            ignored = ignored.inside(Path(folder))
        heeds = bool(ignored)
        may_be_cold = not cold and _MAY_BE_COLD.search("\n".join(names)) is not None
        shown = "" if folder == os.curdir else _joined(folder, "")
        for name, entry in zip(names, entries, strict=True):
            if entry.is_dir(follow_symlinks=False):
                if name in _SKIPPED or name.endswith(".egg-info"):
                    continue
                text = shown + name
                if not (heeds and ignored.folder(Path(text))):
                    self._walk(text, cold or _cold_folder((name,)), ignored)
            elif name.endswith(_PYTHON):
                text = shown + name
                if heeds and ignored.file(Path(text)):
                    continue
                if entry.is_file(follow_symlinks=False) or self._leads_to_a_file(entry, text, shown):
                    why = _cold_name(name, in_package) if may_be_cold else cold
                    found.append(new(Target, (text, why, False)))

    def _leads_to_a_file(self, entry: os.DirEntry[str], text: str, shown: str) -> bool:
        """Whether what is no file leads to one below its folder: others are found, or kept out, elsewhere."""
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


def _joined(folder: str, name: str) -> str:
    return f"{folder}{name}" if folder.endswith(os.sep) else f"{folder}{os.sep}{name}"


def collect(paths: Iterable[Path]) -> list[Target | PathError]:
    """The files that paths stand for, folders walked, each file once, in sorted order per path.

    A file that is named is checked whatever it is called. A path that does not exist, a folder
    that cannot be read, or one without a Python file to check gives an error in its place.
    """
    trees = [_expand(path) for path in paths]
    if len(trees) == 1 and not trees[0].links:
        return trees[0].found
    found: list[Target | PathError] = []
    seen: set[str] = set()
    for tree in trees:
        for one in tree.found:
            if isinstance(one, Target):
                real = tree.real(one.text)
                if real in seen:
                    continue
                seen.add(real)
            found.append(one)
    return found


def forget() -> None:
    """Look at folders again, which may have changed since."""
    for function in (project_root, _package_name, _names_in, _names_around):
        function.cache_clear()


def named(path: Path) -> Target:
    """A file to check, whether it is on disk or not."""
    parts = _below_root(path)
    in_package = path.name.lower().startswith(_SETUP) and is_file(path.parent / "__init__.py")
    return Target(str(path), _cold_folder(parts[:-1]) or _cold_name(parts[-1], in_package), named=True)


def _expand(path: Path) -> _Tree:
    """What a path stands for."""
    tree = _Tree(str(path))
    found = tree.found
    try:
        if path.is_dir():
            tree.walk()
            if not found:
                found.append(PathError(f"{path}: no Python files to check in this folder"))
        elif not path.exists():
            found.append(PathError(f"{path}: no such file or folder"))
        elif path.is_fifo() and not path.is_relative_to("/dev"):  # what shells make for `<(...)` is there
            found.append(PathError(f"{path}: is a pipe: write - to check standard input"))
        else:
            target = named(path)
            tree.links[target.text] = os.path.realpath(path)
            found.append(target)
    except OSError as error:  # a name too long, a folder above that may not be entered
        found.append(PathError(f"{path}: cannot be read: {error.strerror or error}"))
    return tree


def _below_root(path: Path) -> tuple[str, ...]:
    """Parts of a path below the root of its project; only its name if no root is found."""
    real = path.absolute()
    root = project_root(real.parent)
    return real.relative_to(root).parts if root is not None else (real.name,)


@cache
def project_root(folder: Path) -> Path | None:
    """The nearest folder, upward, that holds a project by what lies in it."""
    for candidate in (folder, *folder.parents):
        if any(exists(candidate / mark) for mark in _ROOT_MARKS):
            return candidate
        if exists(candidate / "setup.py") and not is_file(candidate / "__init__.py"):
            return candidate
    return None


def _cold_folder(parts: Sequence[str]) -> str:
    for part in parts:
        if part.lower() in COLD_FOLDERS:
            return f"{part}/ is no production code"
    return ""


def _cold_name(name: str, in_package: bool) -> str:
    lower = name.lower()
    installs = lower.startswith(_SETUP) and not in_package
    if installs or lower.startswith(_COLD_PREFIXES) or lower.endswith("_test.py"):
        return f"{name} is no production code"
    return ""


def module_name(path: Path) -> tuple[str, bool]:
    """Dotted module of a file by the ``__init__.py`` files above it, and whether it is a package."""
    return _module_name(path, path.absolute().parent)


def _module_name(path: Path, folder: Path) -> tuple[str, bool]:
    package = _package_name(folder)
    if path.name == "__init__.py":
        return package, True
    return (f"{package}.{path.stem}" if package else path.stem), False


def dotted_names(path: Path, root: Path | None) -> tuple[str, str]:
    """Dotted names of a file's module, as others import it, and of the folder where it lies.

    Outside of packages both are counted from the root of the project; without one the folder has no name.
    """
    folder = path.absolute().parent
    name, _ = _module_name(path, folder)
    below = _dotted_below(folder, root) if root is not None else ""
    return (name if not below or _package_name(folder) else f"{below}.{name}"), below


@cache
def _dotted_below(folder: Path, root: Path) -> str:
    """Dotted name of a folder from the root of the project; "" for the root, and for one outside of it."""
    return ".".join(folder.relative_to(root).parts) if folder.is_relative_to(root) else ""


def neighbours(path: Path, root: Path | None) -> frozenset[str]:
    """First parts of the names of modules that a file may import from its project.

    Those are what lies beside it, beside its package, and in the folders above that, up to the project's: of
    these any may be one that Python looks for modules in, as ``src`` is.
    """
    return _names_around(path.absolute().parent, root)


@cache
def _names_around(folder: Path, root: Path | None) -> frozenset[str]:
    package = _package_name(folder)
    beside = folder.parents[package.count(".")] if package else folder
    around = {folder, beside, root or beside}
    if root is not None and beside.is_relative_to(root):
        around.update(above for above in beside.parents if above.is_relative_to(root))
    return frozenset().union(*map(_names_in, around))


@cache
def _names_in(folder: Path) -> frozenset[str]:
    try:
        return frozenset(name.partition(".")[0] for name in os.listdir(folder))  # noqa: PTH208 - names only
    except OSError:
        return frozenset()


@cache
def _package_name(folder: Path) -> str:
    if not is_file(folder / "__init__.py"):
        return ""
    above = _package_name(folder.parent) if folder.parent != folder else ""
    return f"{above}.{folder.name}" if above else folder.name
