"""Where the project of the checked files lies, which files belong to it, what its settings say of heat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.cache.shipped_files import ShippedFiles
from overhead_lint.config.settings import common_folder
from overhead_lint.discovery import files
from overhead_lint.project.marked_names import unmarked
from overhead_lint.support.existence import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.cache.store import Cache
    from overhead_lint.config.run_settings import Settings
    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.discovery.folder_listings import Listings
    from overhead_lint.project.graph.overrides import Overrides

__all__ = ["is_one_project", "is_project", "overrides", "project_files", "root_of", "shipped_options"]


def root_of(paths: Sequence[Path], settings: Path | None) -> Path | None:
    """The folder that holds the project of some paths.

    Args:
        paths: files and folders that are checked.
        settings: the settings file that counts for them.

    Returns:
        The settings file's folder; without one the checkout that holds them, or the nearest folder upward
        with packaging metadata; else the folder that holds all paths, if they are folders, or the working
        directory if it holds them and may be one project: all folders from there to the paths hold modules,
        no folder in it is a checkout of its own, and it is neither above the home folder nor that of
        temporary files.
        None where there are only files of which nothing says what they belong to.
    """
    folder = common_folder(paths)
    if folder is None:
        return None
    if settings is not None and folder.is_relative_to(settings.absolute().parent):
        return settings.absolute().parent
    if (marked := files.project_root(folder)) is not None:
        return marked
    return folder if all(is_folder(path) for path in paths) else _run_from(folder)


def is_project(root: Path, settings: Path | None) -> bool:
    """Whether a folder that `root_of` gave is a project, and not just what holds several folders.

    A folder without modules of its own may hold anything, such as a hundred downloaded packages: what was
    named in it is judged together if it is the working directory, and the rest of it is not read.

    Args:
        root: the folder.
        settings: as it was given.
    """
    return _is_marked(root, settings) or (_may_be_one(root) and _holds_modules(root))


def is_one_project(root: Path, settings: Path | None) -> bool:
    """Whether what is given below a folder that `root_of` gave is judged together.

    Args:
        root: the folder.
        settings: as it was given.
    """
    return is_project(root, settings) or _run_from(root) is not None


def _is_marked(root: Path, settings: Path | None) -> bool:
    is_set = settings is not None and settings.absolute().parent == root
    return is_set or files.project_root(root) is not None


def _may_be_one(folder: Path) -> bool:
    """Whether a folder that nothing marks may be one project: it holds no checkouts, nor the home folder."""
    import tempfile  # costs start-up

    if Path.home().is_relative_to(folder) or folder == Path(tempfile.gettempdir()):
        return False
    return not any(folder.glob("*/.git"))


def _run_from(folder: Path) -> Path | None:
    """The working directory, if it is one project and holds modules on the way to a folder."""
    start = Path.cwd()
    if not folder.is_relative_to(start) or not _may_be_one(start):
        return None
    between = [folder, *folder.parents]
    above = between[1 : between.index(start) + 1]
    return start if all(map(_holds_modules, above)) else None


def _holds_modules(folder: Path) -> bool:
    """Whether a Python file or a notebook lies in a folder, not further below."""
    return any(any(folder.glob(pattern)) for pattern in ("*.py", "*.ipynb"))


def project_files(
    file: SettingsFile | None, root: Path, listings: Listings | None = None
) -> Iterator[files.Target]:
    """The files below the folder of a project that its settings do not leave out.

    Args:
        file: the settings file.
        root: the folder.
        listings: what earlier runs found below folders.
    """
    excludes = file.excludes if file is not None and file.may_exclude() else None
    for found in files.collect([root], listings):
        if isinstance(found, files.Target) and not (excludes is not None and excludes(found.path)):
            yield found


def shipped_options(root: Path, cache: Cache | None) -> Sequence[Shipped]:
    """Return what the settings files below the folder of a project have for options.

    What a cache holds for other requirements of torch there is let go of.

    Args:
        root: the folder.
        cache: what earlier runs learned; None to read all anew.
    """
    found = files.collected([root], cache.listings if cache is not None else None)
    if cache is None:
        return ShippedFiles().of(found.options)
    cache.hold_for(root, found.requirements)
    return cache.shipped.of(found.options)


def overrides(settings: Settings, file: SettingsFile | None, root: Path | None) -> Overrides | None:
    """The heat that settings give to functions; None if they give none.

    Args:
        settings: of the run.
        file: the settings file, whose folder paths are counted from.
        root: the project's folder, which names of files are counted from.
    """
    if not (settings.hot or settings.cold):
        return None
    from overhead_lint.project.graph.overrides import Overrides

    def fits(name: str, pattern: str) -> bool:
        path = (root or Path()) / unmarked(name, str)
        return file is not None and any(
            pattern in entries and file.fits(key, path, pattern)
            for key, entries in (("hot", settings.hot), ("cold", settings.cold))
        )

    return Overrides(settings.hot, settings.cold, fits)
