"""The projects of the documents: as they are on disk, but for the texts that are open in the editor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cache.shared import cache_of
from overhead_lint.config.settings import effective, merged
from overhead_lint.discovery.requirements import with_packages
from overhead_lint.engine import packs
from overhead_lint.project.cross_file import NOTHING_TOLD
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.roots import is_project, overrides, project_files, root_of, shipped_options
from overhead_lint.workspace.workspace import Unprepared, Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.project.cross_file import Told
    from overhead_lint.rule import Warmth
    from overhead_lint.syntax.source import Source
    from overhead_lint.workspace.single_file import LinterOf

__all__ = ["Projects"]


class Projects:
    """Heat of functions, with the cache that runs of the command keep.

    What would take long is not done here: until another process has done it, the documents of a project are
    judged by what was known before, or each by itself.

    Attributes:
        wanted: the roots of projects that another process has to look into; see `prepared`.
    """

    def __init__(self) -> None:
        self.wanted: set[Path] = set()
        self._workspaces: dict[Path, Workspace] = {}
        self._current: set[Path] = set()
        self._prepared: set[Path] = set()

    def forget(self) -> None:
        """See what is on disk when a project is needed next."""
        self._current.clear()
        self._prepared.clear()

    def prepared(self, root: Path) -> None:
        """Read what another process has kept of a project when it is needed next.

        What it has not kept, such as many files that cannot be parsed, is then looked into here.
        """
        self.wanted.discard(root)
        self._current.discard(root)
        self._prepared.add(root)

    def heat_of(
        self, source: Source, file: SettingsFile | None, linter_of: LinterOf
    ) -> tuple[Mapping[str, Warmth] | None, Told]:
        """Return the heat of the functions of a file, by name in paths, and what else its project tells it.

        Of one that stands alone that is None, and nothing.

        Args:
            source: its text, which takes the place of what is on disk, but in large projects.
            file: the settings file that counts for it.
            linter_of: gives the linter with the rules that a settings file selects.

        Raises:
            SettingsError: the settings cannot be used.
            PackError: a rule pack cannot be used.
        """
        root = root_of([source.path], file.path if file else None)
        if root is None:
            return None, NOTHING_TOLD
        if root not in self._current and root not in self.wanted:
            self._read(root, file, linter_of)
        workspace = self._workspaces.get(root)
        if workspace is None:
            return None, NOTHING_TOLD
        workspace.put(source)
        return workspace.warmths(source.path), workspace.told(source.path)

    def _read(self, root: Path, file: SettingsFile | None, linter_of: LinterOf) -> None:
        values, _ = merged(file)
        settings, wanted = with_packages(effective(values), root), values["rule-packs"]
        stamp = packs.stamp(wanted, lambda: packs.load(wanted))
        cache, override = cache_of(root / FOLDER, settings, file, stamp), overrides(settings, file, root)
        settings_path = file.path if file else None
        try:
            workspace = Workspace(
                root,
                [],
                partial(project_files, file),
                lambda: Examiner(lambda target: linter_of(file, root)),
                cache=cache,
                override=override,
                patient=root in self._prepared,
                shipped=shipped_options(root, cache) if is_project(root, settings_path) else (),
            )
        except Unprepared:
            self.wanted.add(root)
            return
        if override is not None and (unused := override.unused()) is not None:
            cache.unused = unused  # which runs of the command tell
        workspace.save()
        workspace.patient = False
        self._workspaces[root] = workspace
        self._current.add(root)
