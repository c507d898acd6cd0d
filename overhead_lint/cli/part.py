"""A part of a run: the files that one settings file is for, with their rules and their project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from overhead_lint.cli.changes import Changes
from overhead_lint.cli.complaints import complain
from overhead_lint.cli.selected_rules import Linters, SelectedRules, open_cache
from overhead_lint.discovery.requirements import with_packages
from overhead_lint.discovery.runtime_access import RuntimeAccess
from overhead_lint.rule import Heat
from overhead_lint.support.progress import Progress, is_watched
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.roots import (
    is_one_project,
    is_project,
    overrides,
    project_files,
    shipped_options,
)
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.cli.evidence import Measured
    from overhead_lint.cli.options import Options
    from overhead_lint.discovery import files
    from overhead_lint.discovery.folder_listings import Listings
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = ["Part"]


class Part:
    """Files that one settings file is for: the rules for them, and what their project says of them.

    Args:
        options: of the run, with the settings that count here.
        root: the project's folder; None if there is none but the files that are checked.
        fail: reports what could not be checked or written.

    Attributes:
        options: see there.
        root: see there.
        rules: those that the settings select.
        changes: what is changed in the files.
        cache: what earlier runs learned of the project; None if nothing is to be kept.
        measured: what a run of the program measured; None unless that is asked for.
        targets: the files to check.
        elsewhere: those that other shards of the run check.
        checked: those of them that were checked.
        is_whole: whether the files to check are all that the project has, if its root was named.
    """

    def __init__(self, options: Options, root: Path | None, fail: Callable[[str], None]) -> None:
        options = options._replace(settings=with_packages(options.settings, root))
        self.options = options
        self.root = root
        self.rules = SelectedRules(options)
        self.cache = open_cache(options, root, self.rules)
        self.changes = Changes(options, self.lint, fail, root)
        self.measured: Measured | None = None
        self.targets: Sequence[files.Target] = ()
        self.elsewhere: Sequence[files.Target] = ()
        self.checked: list[files.Target] = []
        self.is_whole = True
        self._runtime = RuntimeAccess(options.settings, root, self._all_files)
        self._linters = Linters(options, self.rules)
        self._overrides = overrides(options.settings, options.file, root)
        self._workspace: Workspace | None = None

    @property
    def has_project(self) -> bool:
        """Whether the root is that of a project, and not just what holds several folders."""
        return self.root is not None and is_project(self.root, self._settings_path)

    @property
    def is_one_project(self) -> bool:
        """Whether all that is checked is judged together, though nothing may mark it as a project."""
        return self.root is not None and is_one_project(self.root, self._settings_path)

    @property
    def _settings_path(self) -> Path | None:
        return self.options.file.path if self.options.file else None

    @property
    def listings(self) -> Listings | None:
        """What earlier runs found below folders; None to list all anew."""
        return self.cache.listings if self.cache is not None else None

    def check_codes(self) -> None:
        """See that the rules that are named are there, unless an earlier run with the same names did.

        Raises:
            Complaint: they are not, as `SelectedRules.check_codes` tells it.
        """
        if self.cache is None or not self.cache.same_selection or self.options.show_settings:
            self.rules.check_codes()

    def workspace(self) -> Workspace:
        """What the project says of the files; all is looked into that must be."""
        if self._workspace is None:
            options = self.options
            progress = Progress() if is_watched() and not options.report.quiet else None
            try:
                self._workspace = Workspace(
                    self.root,
                    self.targets,
                    self._others,
                    lambda: Examiner(self._linters.of),
                    elsewhere=self.elsewhere,
                    cache=self.cache,
                    jobs=options.jobs,
                    alone=not options.project,
                    saves=options.explain is None and options.stdin is None,
                    override=self._overrides,
                    shipped=self._shipped(),
                    tell=progress.tell if progress is not None else None,
                )
            finally:
                if progress is not None:
                    progress.clear()
        return self._workspace

    def _shipped(self) -> Sequence[Shipped]:
        """What settings files that ship with the project have for options."""
        if self.root is None or not (self.has_project and self.options.project):
            return ()
        return shipped_options(self.root, self.cache)

    def _all_files(self) -> Iterator[files.Target]:
        yield from (*self.targets, *self.elsewhere)
        if self.root is not None:
            yield from self._others(self.root)

    def take_share(self) -> None:
        """Leave to other shards what is theirs to check: the project is judged by all files nonetheless."""
        if self.options.shard is not None:
            self.targets, self.elsewhere = self.options.shard.split(self.targets, self.root)

    def _others(self, root: Path) -> Iterator[files.Target]:
        """The files of the project that were not named."""
        paths = self.options.paths
        if self.is_whole and any(os.path.normpath(path.absolute()) == str(root) for path in paths):
            return  # all of them were
        if self.has_project:
            yield from project_files(self.options.file, root, self.listings)

    def tell_unused_entries(self) -> None:
        """Say which entries of ``hot`` and ``cold`` fit nothing, once heat has flowed."""
        if self._overrides is None:
            return
        from overhead_lint.cli.unused_heat_entries import unused_names  # costs start-up

        for unused in unused_names(self.options, self._overrides, self.root, self.cache):
            complain(unused)

    def findings(self, target: files.Target) -> list[Finding]:
        """The findings of a checked file; their fixes say what they do, but have no edits.

        Raises:
            SourceError: the file cannot be checked.
        """
        return self._runtime.judged(self.workspace().findings(target))

    def lint(self, source: Source, target: files.Target) -> list[Finding]:
        """The findings of a file with their fixes, at the heat that the project gives its functions."""
        workspace = self.workspace()
        warmths, told = workspace.warmths(target.path), workspace.told(target.path)

        def with_fixes(module: str) -> list[Finding]:
            linter = self._linters.of(target, runtime_module=module)
            found = linter.lint(
                source, cold=target.cold, parse_anyway=target.named, warmths=warmths, told=told
            )
            if self.measured is not None:
                anywhere = self._linters.of(target, Heat.COLD, module).lint(source)
                found = self.measured.judged(found, anywhere, source, linter)
            return found

        return self._runtime.fitted(target.path, with_fixes)

    def save(self) -> None:
        """Keep what was learned for later runs."""
        self.workspace().save()
        if self.cache is not None and self.cache.unwritable and not self.options.report.quiet:
            complain(f"overhead-lint: {self.cache.unwritable}; the next run looks at all files anew")
