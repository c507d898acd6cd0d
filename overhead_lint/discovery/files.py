"""Which files are checked, and what their modules are called."""

from __future__ import annotations

import os
import re
import stat
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.discovery.metadata import data_of, is_distribution
from overhead_lint.discovery.walking import (
    COLD_FOLDERS,
    PathError,
    Target,
    Tree,
    cold_folder,
    cold_name,
)
from overhead_lint.support.existence import exists, is_file, is_pipe
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhead_lint.discovery.folder_listings import Listings

__all__ = [
    "COLD_FOLDERS",
    "Collected",
    "PathError",
    "Target",
    "collect",
    "collected",
    "dotted_names",
    "forget",
    "forget_neighbours",
    "is_importable",
    "module_name",
    "named",
    "neighbours",
    "project_root",
]

_METADATA: Final = ("pyproject.toml", "setup.cfg")
_PROGRAM: Final = re.compile(rb"^if\s+__name__\s*==", re.MULTILINE)


class Collected(NamedTuple):
    """What lies below some paths.

    Attributes:
        found: the files to check, and errors in the place of others.
        settings: files that may hold settings, found in or below folders.
        options: files that may hold options of the project, likewise.
        requirements: files that may say which torch a folder requires, likewise.
    """

    found: list[Target | PathError]
    settings: list[str]
    options: list[str]
    requirements: list[str]


def collect(paths: Iterable[Path], listings: Listings | None = None) -> list[Target | PathError]:
    """The files that paths stand for, folders walked, each file once, in sorted order per path.

    A file that is named is checked whatever it is called. A path that does not exist, a folder
    that cannot be read, or one without a Python file to check gives an error in its place.

    Args:
        paths: files and folders.
        listings: what earlier runs found below folders.
    """
    return collected(paths, listings).found


def collected(paths: Iterable[Path], listings: Listings | None = None) -> Collected:
    """The files that paths stand for, as `collect` gives them, and what may hold settings beside them.

    Args:
        paths: files and folders.
        listings: what earlier runs found below folders.
    """
    trees = [_expand(path, listings) for path in paths]
    settings = [file for tree in trees for file in tree.settings]
    options = [file for tree in trees for file in tree.options]
    requirements = [file for tree in trees for file in tree.requirements]
    return Collected(_once(trees), settings, options, requirements)


def _once(trees: Sequence[Tree]) -> list[Target | PathError]:
    """What trees found, each file once."""
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
    for function in (project_root, _package_name):
        function.cache_clear()
    forget_neighbours()


def forget_neighbours() -> None:
    """Forget what lies around files, which was remembered to look into many."""
    for function in (_lies_among_programs, _names_in, _names_around):
        function.cache_clear()


def named(path: Path) -> Target:
    """A file to check, whether it is on disk or not."""
    real, below = path.absolute(), len(_below_root(path))
    around = (cold_folder(str(folder)) for folder in real.parents[: below - 1][::-1])
    in_package = is_file(path.parent / "__init__.py")
    cold = next(filter(None, around), "") or cold_name(real.name, in_package)
    return Target(str(path), cold, named=True)


def _expand(path: Path, listings: Listings | None) -> Tree:
    """What a path stands for."""
    tree = Tree(str(path))
    found = tree.found
    try:
        # Not `Path.exists`: from Python 3.14 on, what cannot be asked for does not exist to it.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            tree.walk(listings)
            if not tree.found:
                found.append(PathError(f"{path}: no Python files to check in this folder"))
        elif is_pipe(path):
            found.append(PathError(f"{path}: is a pipe: write - to check standard input"))
        else:
            target = named(path)
            tree.links[target.text] = os.path.realpath(path)
            found.append(target)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # no file has a name with a null byte
        found.append(PathError(f"{path}: no such file or folder"))
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
    """The checkout that a folder lies in; without one the nearest folder, upward, with packaging metadata.

    A checkout of several packages is one project, so that a file is judged alike whether it is given alone
    or with all others. The home folder is none.
    """
    home = Path.home()
    upward = [one for one in (folder, *folder.parents) if one != home]
    checkout = next((one for one in upward if exists(one / ".git")), None)
    return checkout or next((one for one in upward if _is_packaged(one)), None)


def _is_packaged(folder: Path) -> bool:
    """Whether packaging metadata lies in a folder."""
    if any(exists(folder / name) for name in _METADATA):
        return True
    return exists(folder / "setup.py") and not is_file(folder / "__init__.py")


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
    A folder of a package needs no ``__init__.py`` of its own.
    """
    folder = path.absolute().parent
    name, _ = _module_name(path, folder)
    below = _dotted_below(folder, root) if root is not None else ""
    if not below or _package_name(folder):
        return name, below
    return f"{_package_around(folder) or below}.{name}", below


@cache
def _dotted_below(folder: Path, root: Path) -> str:
    """Dotted name of a folder from the root of the project; "" for the root, and for one outside of it."""
    return ".".join(folder.relative_to(root).parts) if folder.is_relative_to(root) else ""


def is_importable(path: Path, root: Path | None) -> bool:
    """Whether others than a project may import one of its files.

    That is what a distribution installs that has no programs beside its metadata, and what lies in a package,
    or another folder below the project's, that no program lies beside or above: who has a folder of programs
    runs these, and installs nothing, or no more than what they import.

    Args:
        path: the file.
        root: the project's folder; without one only what lies beside the package counts.
    """
    folder = path.absolute().parent
    package = _package_name(folder)
    beside = folder.parents[package.count(".")] if package else folder
    return not _lies_among_programs(beside, root, counts=bool(package) or root in (None, folder))


@cache
def _lies_among_programs(folder: Path, root: Path | None, *, counts: bool) -> bool:
    """Whether programs, and no metadata of a library, lie in a folder or above, up to the project's.

    Args:
        folder: the folder.
        root: the project's; without one nothing above counts.
        counts: whether files in the folder itself are such programs.
    """
    found = False
    for above in (folder, *folder.parents):
        if is_distribution(above):
            return _has_programs(above)
        is_one = counts or above != folder
        found = found or (is_one and any(name.endswith(".py") for name in _listed(above)))
        if above == root or root is None:
            break
    return found


@cache
def _has_programs(folder: Path) -> bool:
    """Whether a file in a folder is a program by what it says, and not what installs a distribution."""
    sources = (name for name in _listed(folder) if name.endswith(".py") and name != "setup.py")
    return any(_PROGRAM.search(data_of(folder / name)) for name in sources)


def neighbours(path: Path, root: Path | None) -> frozenset[str]:
    """First parts of the names of modules that a file may import from its project.

    Those are what lies beside it, beside its package, and in the folders above that, up to the project's: of
    these any may be one that Python looks for modules in. So may ``src`` below the project's.
    """
    return _names_around(path.absolute().parent, root)


@cache
def _names_around(folder: Path, root: Path | None) -> frozenset[str]:
    package = _package_name(folder)
    beside = folder.parents[package.count(".")] if package else folder
    around = {folder, beside, root or beside}
    if root is not None:
        around.add(root / "src")
    if root is not None and beside.is_relative_to(root):
        around.update(above for above in beside.parents if above.is_relative_to(root))
    return frozenset().union(*map(_names_in, around))


@cache
def _names_in(folder: Path) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in _listed(folder))


def _listed(folder: Path) -> Sequence[str]:
    """The names in a folder; none if it cannot be read."""
    try:
        return os.listdir(folder)  # noqa: PTH208 - names only
    except OSError:
        return ()


@cache
def _package_name(folder: Path) -> str:
    if not is_file(folder / "__init__.py"):
        return ""
    above = _package_around(folder.parent) if folder.parent != folder else ""
    return f"{above}.{folder.name}" if above else folder.name


@cache
def _package_around(folder: Path) -> str:
    """Dotted name of a folder in a package, also of one that has no ``__init__.py`` itself; "" for others."""
    package = _package_name(folder)
    if package or folder.parent == folder or _is_packaged(folder) or exists(folder / ".git"):
        return package
    above = _package_around(folder.parent)
    return f"{above}.{folder.name}" if above else ""
