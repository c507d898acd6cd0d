"""Lints files one at a time, each as the settings file near it says: for editors and for flake8."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.config import settings
from overhead_lint.config.selection import coded
from overhead_lint.discovery import files
from overhead_lint.discovery.requirements import with_packages
from overhead_lint.discovery.runtime_access import RuntimeAccess
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.project.cross_file import NOTHING_TOLD
from overhead_lint.workspace.roots import project_files, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.project.cross_file import Told
    from overhead_lint.rule import Finding, Warmth
    from overhead_lint.syntax.source import Source

    LinterOf = Callable[[SettingsFile | None, Path | None], Linter]
    """The linter with the rules that a settings file selects, for files below the root of a project."""
    HeatOf = Callable[[Source, SettingsFile | None, LinterOf], tuple[Mapping[str, Warmth] | None, Told]]
    """Heat of the functions of a file, by name in paths, and what else its project tells it; None and nothing
    for a file that stands alone."""

__all__ = ["FileLinter"]


class FileLinter:
    """Keeps settings and rules between files.

    Args:
        heat_of: what a file's project says to it; None to judge each file by itself.
    """

    def __init__(self, heat_of: HeatOf | None = None) -> None:
        self._heat_of = heat_of
        self._files: dict[Path, tuple[SettingsFile, ...]] = {}
        self._linters: dict[tuple[Path | None, Path | None, str], Linter] = {}
        self._runtimes: dict[tuple[Path | None, Path | None], RuntimeAccess] = {}

    def forget(self) -> None:
        """Read settings again when they are needed next."""
        self._files.clear()
        self._linters.clear()
        self._runtimes.clear()

    def lint(self, source: Source, *, parse_anyway: bool = False) -> list[Finding]:
        """The findings in a file; none in one that the settings leave out.

        Args:
            source: the file.
            parse_anyway: parse it even if no rule could find anything in it, to see that it is Python.

        Raises:
            SettingsError: its settings file, or one further up, cannot be used.
            PackError: a rule pack cannot be used.
            UnknownCode: the settings select a rule that there is not.
            SourceError: it cannot be checked.
        """
        path = source.path
        upward = self._settings_files(path.absolute().parent)
        if any(file.excludes(path) for file in upward):
            return []
        file = upward[0] if upward else None
        ignored = file.ignored(path) if file else ()
        cold = files.named(path).cold
        heat_of = self._heat_of if not cold else None
        warmths, told = heat_of(source, file, self._linter) if heat_of is not None else (None, NOTHING_TOLD)

        def with_fixes(module: str) -> list[Finding]:
            root = root_of([path], file.path if file else None)
            linter = self._linter(file, root, module)
            return linter.lint(source, cold=cold, parse_anyway=parse_anyway, warmths=warmths, told=told)

        found = self._runtime(path, file).fitted(path, with_fixes)
        if ignored:
            loaded = packs.load(settings.merged(file)[0]["rule-packs"])
            ignored = coded(ignored, lambda: packs.codes_by_name(loaded))
        return [item for item in found if not ("ALL" in ignored or item.code.startswith(ignored))]

    def _settings_files(self, folder: Path) -> tuple[SettingsFile, ...]:
        if folder not in self._files:
            self._files[folder] = tuple(settings.upward(folder))
        return self._files[folder]

    def _runtime(self, path: Path, file: SettingsFile | None) -> RuntimeAccess:
        """How a file comes to the runtime that fixes import."""
        root = root_of([path], file.path if file else None)
        key = file.path if file else None, root
        if key not in self._runtimes:
            chosen = settings.effective(settings.merged(file)[0])
            listed = partial(project_files, file, root) if root is not None else tuple
            self._runtimes[key] = RuntimeAccess(chosen, root, listed)
        return self._runtimes[key]

    def _linter(self, file: SettingsFile | None, root: Path | None, runtime_module: str = "") -> Linter:
        key = file.path if file else None, root, runtime_module
        if key not in self._linters:
            values, _ = settings.merged(file)
            chosen = with_packages(settings.effective(values), root)
            if runtime_module:
                chosen = chosen._replace(runtime_module=runtime_module)
            loaded = packs.load(values["rule-packs"])
            rules = packs.select(loaded, chosen.select, chosen.ignore, preview=chosen.preview)
            chosen = chosen._replace(
                fixable=coded(chosen.fixable, lambda: packs.codes_by_name(loaded)),
                unfixable=coded(chosen.unfixable, lambda: packs.codes_by_name(loaded)),
            )
            self._linters[key] = Linter(rules, chosen, packs.audited(loaded, rules))
        return self._linters[key]
