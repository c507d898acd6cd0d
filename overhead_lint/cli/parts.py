"""The parts of a run: what is checked, each file with the settings file that is nearest to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.config.settings import common_folder, in_folder
from overhead_lint.support.existence import is_folder
from overhead_lint.workspace.roots import root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from overhead_lint.cli.part import Part
    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.discovery.files import Target

__all__ = ["split"]

_Below = dict[str, "tuple[SettingsFile | None, Path]"]


def split(
    main: Part,
    targets: Sequence[Target],
    settings: Iterable[str],
    new: Callable[[SettingsFile | None, Path], Part],
) -> list[Part]:
    """Give each file to the part of the nearest settings file above it, or of the project that holds it.

    Most runs have one part. There are more where settings files lie below the folder that holds all paths,
    and where paths are given of several projects.

    Args:
        main: the part of the settings file that counts for all paths.
        targets: the files to check.
        settings: files below the paths that may hold settings.
        new: makes a part, given the settings file that counts there and the root of its project.

    Returns:
        The main part, and others that have files.

    Raises:
        SettingsError: a settings file cannot be used.
        PackError: a rule pack cannot be used.
    """
    main.targets = targets
    below = _below(main, targets, settings)
    if not below:
        return [main]
    made = {folder: new(*below[folder]) for folder in sorted(below)}
    of_part: dict[str, list[Target]] = {folder: [] for folder in made}
    of_main = []
    for target in targets:
        above = [folder for folder in _from(_holding(target)) if folder in made]
        if not above:
            of_main.append(target)
        elif not any(_leaves_out(made[folder], target) for folder in above):
            of_part[above[0]].append(target)
    main.targets, main.is_whole = of_main, False
    for folder, part in made.items():
        part.targets, part.is_whole = of_part[folder], False
    return [main, *(part for part in made.values() if part.targets)]


def _leaves_out(part: Part, target: Target) -> bool:
    """Whether the settings of a part leave a file out that lies in its folder."""
    file = part.options.file
    if file is None or not file.may_exclude() or (target.named and not part.options.force_exclude):
        return False
    return file.excludes(target.path)


def _below(main: Part, targets: Sequence[Target], settings: Iterable[str]) -> _Below:
    """Folders below what holds all paths with settings, or projects, of their own.

    Returns:
        By folder the settings file that counts in it, and the root of the project.
    """
    options, found = main.options, _Below()
    common = common_folder(options.paths)
    if not options.finds_settings or common is None:
        return found
    for folder in _with_settings(common, options.paths, targets, settings):
        file = in_folder(Path(folder))
        if file is not None:
            found[folder] = (file, Path(folder))
    if not main.is_one_project:
        found |= _projects(main, found)
    return found


def _with_settings(
    common: Path, paths: Sequence[Path], targets: Sequence[Target], settings: Iterable[str]
) -> list[str]:
    """Folders below one that holds all paths which a settings file may lie in."""
    top = str(common)
    folders = {os.path.dirname(os.path.abspath(file)) for file in settings}  # noqa: PTH100, PTH120 - of many
    seen = {top}
    starts = {_holding(target) for target in targets if target.named}
    for start in (*starts, *(os.path.abspath(path) for path in paths if is_folder(path))):  # noqa: PTH100
        for folder in _from(start):
            if folder in seen:
                break
            seen.add(folder)
    return sorted((folders | seen) - {top})


def _projects(main: Part, below: Mapping[str, object]) -> _Below:
    """The projects that the paths are of, where nothing marks what holds them all as one."""
    found = _Below()
    for path in main.options.paths:
        root = root_of([path], None)
        if root is None or root == main.root or not root.is_relative_to(main.root or root):
            continue
        if not any(folder in below for folder in _from(str(root))):
            found[str(root)] = (main.options.file, root)
    return found


def _from(folder: str) -> Iterator[str]:
    """A folder, and those that hold it, the nearest first."""
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120 - of many
        if above == folder:
            return
        folder = above


def _holding(target: Target) -> str:
    """The folder that holds a file."""
    return os.path.dirname(os.path.abspath(target.text))  # noqa: PTH100, PTH120 - of thousands
