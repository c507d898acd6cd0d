"""The project around the files that are checked: its root, its other files, the heat of all functions."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import files
from overhead_lint.engine import parse
from overhead_lint.project.facts import FileFacts
from overhead_lint.project.graph import Graph, Member
from overhead_lint.project.summary import FileSummary, summarize
from overhead_lint.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from overhead_lint.rule import Warmth

__all__ = ["Workspace", "root_of"]


def root_of(paths: Sequence[Path], settings: Path | None) -> Path | None:
    """The folder that holds the project of some paths.

    Args:
        paths: files and folders that are checked.
        settings: the settings file that counts for them.

    Returns:
        The settings file's folder; without one the nearest folder upward that a ``.git`` or packaging
        metadata marks; else the folder that holds all paths, if they are folders. None where there are
        only files of which nothing says what they belong to.
    """
    try:
        common = Path(os.path.normpath(os.path.commonpath([path.absolute() for path in paths])))
    except ValueError:  # no paths, or paths on several drives
        return None
    if settings is not None and common.is_relative_to(settings.absolute().parent):
        return settings.absolute().parent
    folder = common if common.is_dir() else common.parent
    marked = files.project_root(folder)
    if marked is not None:
        return marked
    return folder if all(path.is_dir() for path in paths) else None


class Workspace:
    """Gives each file that is checked what the whole project knows about it.

    Args:
        root: the project's folder; None if there is none but the files that are checked.
        targets: the files that are checked.
        excluded: whether a file of the project is left out.
    """

    def __init__(
        self, root: Path | None, targets: Iterable[files.Target], excluded: Callable[[Path], bool]
    ) -> None:
        self._root = root
        self._targets = {_real(target.path): target for target in targets}
        self._excluded = excluded

    def warmths(self, path: Path) -> dict[str, Warmth] | None:
        """Heat of the functions of a file, by name in paths; None for a file that is not in the graph."""
        key = _real(path)
        return self._graph.warmths(key + ":") if key in self._members else None

    def put(self, source: Source) -> None:
        """Take the text of a file from an editor, in place of what is on disk.

        A text that does not parse leaves the last one that did.
        """
        key = _real(source.path)
        target = self._targets.get(key, files.Target(source.path, ""))
        member = self._member(target, source)
        if member is not None and self._members.get(key) != member:
            self._members[key] = member
            self.__dict__.pop("_graph", None)

    @cached_property
    def _members(self) -> dict[str, Member]:
        found = {}
        for target in self._files():
            if not target.cold:
                member = self._member(target)
                if member is not None:
                    found[_real(target.path)] = member
        return found

    @cached_property
    def _graph(self) -> Graph:
        return Graph({f"{key}:": member for key, member in self._members.items()})

    def _files(self) -> Iterator[files.Target]:
        """The files that are checked, then the others of the project."""
        yield from self._targets.values()
        if self._root is None:
            return
        for found in files.collect([self._root]):
            if isinstance(found, files.PathError) or self._excluded(found.path):
                continue
            if _real(found.path) not in self._targets:
                yield found

    def _member(self, target: files.Target, source: Source | None = None) -> Member | None:
        summary = _summary(target.path, self.shown(target), source)
        if summary is None:
            return None
        name, folder = self._names(target.path)
        return Member(self.shown(target), name, folder, summary)

    def shown(self, target: files.Target) -> str:
        """A file as reasons for heat name it: as it was given, else from here, else in full."""
        if _real(target.path) in self._targets:
            return str(target.path)
        try:
            return str(target.path.absolute().relative_to(Path.cwd()))
        except ValueError:
            return str(target.path)

    def _names(self, path: Path) -> tuple[str, str]:
        """Dotted names of a file's module and of the folder where it lies."""
        name, _ = files.module_name(path)
        folder = path.absolute().parent
        if self._root is None or not folder.is_relative_to(self._root):
            return name, ""
        below = ".".join(folder.relative_to(self._root).parts)
        in_package = (folder / "__init__.py").is_file()
        return (name if in_package or not below else f"{below}.{name}"), below


def _summary(path: Path, shown: str, source: Source | None) -> FileSummary | None:
    """The summary of a file, or of a text of it; None if it is no Python that this Python parses."""
    try:
        tree = parse(source or Source.read(path))
        module, is_package = files.module_name(path)
        return summarize(FileFacts(tree, shown, module=module, is_package=is_package))
    except (SourceError, RecursionError):
        return None


def _real(path: Path) -> str:
    return os.path.realpath(path)
