"""Lints files one at a time, each as the settings file near it says: for editors and for flake8."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import files, packs
from overhead_lint.engine import Linter
from overhead_lint.examine import Examiner
from overhead_lint.roots import overrides, project_files, root_of
from overhead_lint.settings import SettingsFile, effective, find, merged
from overhead_lint.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.rule import Finding, Warmth
    from overhead_lint.source import Source

__all__ = ["FileLinter"]


class FileLinter:
    """Keeps settings, rules and the heat of projects between files.

    Args:
        project: take heat from all files of a file's project, the others as they are on disk.
    """

    def __init__(self, *, project: bool) -> None:
        self._project = project
        self._files: dict[Path, SettingsFile | None] = {}
        self._linters: dict[Path | None, Linter] = {}
        self._workspaces: dict[Path, Workspace] = {}

    def forget(self) -> None:
        """Read settings and projects again when they are needed next."""
        self._files.clear()
        self._linters.clear()
        self._workspaces.clear()

    def lint(self, source: Source, *, parse_anyway: bool = False) -> list[Finding]:
        """The findings in a file; none in one that the settings leave out.

        Args:
            source: the file.
            parse_anyway: parse it even if no rule could find anything in it, to see that it is Python.

        Raises:
            SettingsError: its settings file cannot be used.
            PackError: a rule pack cannot be used.
            UnknownCode: the settings select a rule that there is not.
            SourceError: it cannot be checked.
        """
        path = source.path
        file = self._settings_file(path.absolute().parent)
        if file is not None and file.excludes(path):
            return []
        ignored = file.ignored(path) if file else ()
        cold = files.named(path).cold
        warmths = self._warmths(source, file) if not cold else None
        found = self._linter(file).lint(source, cold=cold, parse_anyway=parse_anyway, warmths=warmths)
        return [item for item in found if not ("ALL" in ignored or item.code.startswith(ignored))]

    def _settings_file(self, folder: Path) -> SettingsFile | None:
        if folder not in self._files:
            self._files[folder] = find([folder])
        return self._files[folder]

    def _linter(self, file: SettingsFile | None) -> Linter:
        path = file.path if file else None
        if path not in self._linters:
            values, _ = merged(file)
            settings = effective(values)
            loaded = packs.load(values["rule-packs"])
            rules = packs.select(loaded, settings.select, settings.ignore, preview=settings.preview)
            known = [one.rule for one in loaded if not one.rule.preview]
            self._linters[path] = Linter(rules, settings, known)
        return self._linters[path]

    def _warmths(self, source: Source, file: SettingsFile | None) -> dict[str, Warmth] | None:
        path = source.path
        root = root_of([path], file.path if file else None) if self._project else None
        if root is None:
            return None
        if root not in self._workspaces:
            examiner = Examiner(lambda target: self._linter(file))
            self._workspaces[root] = Workspace(
                root,
                [],
                partial(project_files, file),
                lambda: examiner,
                override=overrides(effective(merged(file)[0]), file, root),
            )
        self._workspaces[root].put(source)
        return self._workspaces[root].warmths(path)
