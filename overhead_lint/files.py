"""Which files are checked: walks folders, leaves out caches, keeps the order stable."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.ignored import Ignored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["COLD_FOLDERS", "PathError", "Target", "collect", "dotted_names", "module_name", "project_root"]

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
COLD_FOLDERS: Final = frozenset({"benchmarks", "docs", "examples", "test", "testing", "tests"})
_COLD_PREFIXES: Final = ("test_", "convert_", "export_", "conftest", "setup.")
_ROOT_MARKS: Final = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


class PathError(Exception):
    """A path that cannot be checked; the message names it, in one line."""


class Target(NamedTuple):
    """A file to check.

    Attributes:
        path: the file, as it was named or found below what was named.
        cold: why all of it is cold, by where it lies; "" if it is not.
        named: whether it was named itself, so that it is to be parsed whatever it holds.
    """

    path: Path
    cold: str
    named: bool = False


def collect(paths: Iterable[Path]) -> Iterator[Target | PathError]:
    """The files that paths stand for, folders walked, each file once, in sorted order per path.

    A file that is named is checked whatever it is called. A path that does not exist, a folder
    that cannot be read, or one without a Python file to check gives an error in its place.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _expand(path):
            if isinstance(found, Target):
                real = _real(found.path)
                if real in seen:
                    continue
                seen.add(real)
            yield found


def _real(path: Path) -> str:
    """The path with all links followed; folders are asked once."""
    folder, name = os.path.split(path)
    return os.path.realpath(path) if path.is_symlink() else f"{_real_folder(folder)}{os.sep}{name}"


@cache
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


def named(path: Path) -> Target:
    """A file to check, whether it is on disk or not."""
    return Target(path, _cold(_below_root(path)), named=True)


def _expand(path: Path) -> Iterator[Target | PathError]:
    try:
        if not path.is_dir():
            if path.exists():
                yield named(path)
            else:
                yield PathError(f"{path}: no such file or folder")
            return
    except OSError as error:  # a name too long, a folder above that may not be entered
        yield PathError(f"{path}: cannot be read: {error.strerror or error}")
        return
    empty = True
    folder, cold_folder = None, ""
    for found in _walk_named(path):
        empty = False
        if isinstance(found, PathError):
            yield found
            continue
        if found.parent != folder:
            folder = found.parent
            cold_folder = _cold_folder(folder.relative_to(path).parts)
        yield Target(found, cold_folder or _cold_name(found.name))
    if empty:
        yield PathError(f"{path}: no Python files to check in this folder")


def _walk_named(folder: Path) -> Iterator[Path | PathError]:
    """Walk a folder that was named: what git ignores all of does not count, since it was asked for."""
    ignored = Ignored.above(folder)
    walk = _walk(folder, Ignored() if ignored.folder(folder) else ignored)
    first = next(walk, None)
    if first is not None:
        yield first
        yield from walk
        return
    yield from _walk(folder, Ignored(), heed_own=False)


def _walk(folder: Path, ignored: Ignored, *, heed_own: bool = True) -> Iterator[Path | PathError]:
    """Python files below a folder that git does not ignore; links to folders are not followed.

    `heed_own` says whether the ``.gitignore`` file in the folder itself counts.
    """
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield PathError(f"{folder}: cannot be read: {error.strerror or error}")
        return
    ignored = ignored.inside(folder, heed_own and any(entry.name == ".gitignore" for entry in found))
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            skipped = entry.name in _SKIPPED or entry.name.endswith(".egg-info")
            if not skipped and not ignored.folder(Path(entry.path)):
                yield from _walk(Path(entry.path), ignored)
            continue
        if not entry.name.endswith((".py", ".ipynb")):
            continue
        path = Path(entry.path)
        if not ignored.file(path):
            try:
                is_file = entry.is_file()
            except OSError as error:  # a link that leads to itself
                yield PathError(f"{path}: cannot be read: {error.strerror or error}")
                continue
            if is_file:
                yield from _inside(path, entry.is_symlink())


def _inside(path: Path, is_link: bool) -> Iterator[Path]:
    """The file, unless it is a link out of its folder: its target is found, or kept out, elsewhere."""
    if not is_link or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parent)):
        yield path


def _below_root(path: Path) -> tuple[str, ...]:
    """Parts of a path below the root of its project; only its name if no root is found."""
    real = path.absolute()
    root = project_root(real.parent)
    return real.relative_to(root).parts if root is not None else (real.name,)


@cache
def project_root(folder: Path) -> Path | None:
    """The nearest folder, upward, that holds a project by what lies in it."""
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).exists() for mark in _ROOT_MARKS):
            return candidate
    return None


def _cold(parts: tuple[str, ...]) -> str:
    """Why a file at these parts below its root is cold; "" if it is not."""
    return _cold_folder(parts[:-1]) or _cold_name(parts[-1])


def _cold_folder(parts: Sequence[str]) -> str:
    for part in parts:
        if part.lower() in COLD_FOLDERS:
            return f"{part}/ is no production code"
    return ""


def _cold_name(name: str) -> str:
    lower = name.lower()
    if lower.startswith(_COLD_PREFIXES) or lower.endswith("_test.py"):
        return f"{name} is no production code"
    return ""


def module_name(path: Path) -> tuple[str, bool]:
    """Dotted module of a file by the ``__init__.py`` files above it, and whether it is a package."""
    folder = path.absolute().parent
    package = _package_name(folder)
    if path.name == "__init__.py":
        return package, True
    return (f"{package}.{path.stem}" if package else path.stem), False


def dotted_names(path: Path, root: Path | None) -> tuple[str, str]:
    """Dotted names of a file's module, as others import it, and of the folder where it lies.

    Outside of packages both are counted from the root of the project; without one the folder has no name.
    """
    name, _ = module_name(path)
    folder = path.absolute().parent
    if root is None or not folder.is_relative_to(root):
        return name, ""
    below = ".".join(folder.relative_to(root).parts)
    in_package = bool(_package_name(folder))
    return (name if in_package or not below else f"{below}.{name}"), below


@cache
def _package_name(folder: Path) -> str:
    if not (folder / "__init__.py").is_file():
        return ""
    above = _package_name(folder.parent) if folder.parent != folder else ""
    return f"{above}.{folder.name}" if above else folder.name
