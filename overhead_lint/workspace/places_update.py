"""Tells files that compile something what that is, where other files define it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.file_questions import CLASSES, LAYERS
from overhead_lint.cache.stamps import content_hash
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.tuples import NamedTuple
from overhead_lint.workspace.compiled_elsewhere import NOTHING, CompiledElsewhere, Elsewhere
from overhead_lint.workspace.share import Share
from overhead_lint.workspace.solving_groups import assigned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from overhead_lint.analysis.ir.queries import ImportIR
    from overhead_lint.workspace.compiled_elsewhere import Near
    from overhead_lint.workspace.project_files import ProjectFiles

__all__ = ["PlacesUpdate"]

_WORTH_PROCESSES: Final = 24
"""Files that are solved for others, which takes less time than starting processes if they are fewer."""


class _Waiting(NamedTuple):
    """A group of files that is solved for some of them.

    Attributes:
        files: the names of all, by those of their modules.
        names: the names of those that it is solved for.
        key: tells whether they are solved already.
    """

    files: Mapping[str, str]
    names: list[str]
    key: bytes


class PlacesUpdate:
    """Brings up to date what files are told of places that compile something.

    Args:
        project: the files, with what is known of them.
        root: the project's folder.
        changed: the names of the files that have changed.
        jobs: processes that solve groups of files at once.
    """

    def __init__(self, project: ProjectFiles, root: Path, changed: frozenset[str], jobs: int) -> None:
        self._learned = project.learned
        self._changed = changed
        self._jobs = jobs
        self._files = project.files
        paths = {str(file.target.path.absolute()): name for name, file in self._files.items()}
        self._elsewhere = CompiledElsewhere(root, paths, self._imports_of)

    def tell(self, asking: list[str]) -> None:
        """Tell files, by their names; findings of those that are told something else are judged anew."""
        entries = self._learned.entries
        unanswered = self._unanswered(asking, entries)
        compiling = [name for name, entry in entries.items() if entry.names_compile]
        imports = self._imports({*compiling, *asking} - unanswered)
        alone = {name for name, files in imports.items() if len(files) == 1}  # what they show is known
        groups = []
        for group in assigned(
            {name: imports[name] for name in compiling if name in imports and name not in alone},
            {name: imports[name] for name in asking if name in imports and name not in alone},
        ):
            key = content_hash(repr(self._with_digests(group.files)).encode())
            silent = self._unanswered(group.asking, group.files.values())
            unanswered |= silent
            waiting = [
                name for name in group.asking if name not in silent and self._told(name).places_solved != key
            ]
            if waiting:
                groups.append(_Waiting(group.files, waiting, key))
        files = sum(len(group.files) for group in groups)
        share = Share(self._jobs if files >= _WORTH_PROCESSES else 1, least=2, batch=1)
        for keyed in share.results(self._shown, groups):
            for name, shown, key in keyed:
                self._keep(name, shown, key)
        for name in unanswered | alone.intersection(asking):
            self._keep(name, NOTHING, b"")

    def _shown(self, group: _Waiting) -> list[tuple[str, Elsewhere, bytes]]:
        """Return what each file that waits shows together with those of its group, and by what it is kept."""
        found = self._elsewhere.shown(group.files, group.names)
        return [(name, shown, group.key) for name, shown in found.items()]

    def _unanswered(self, asking: Iterable[str], among: Iterable[str]) -> set[str]:
        """Return those of some files to which none of others can tell what they ask."""
        entries = self._learned.entries
        told = {one for name in among if name in entries for one in entries[name].tells}
        if CLASSES.plain() not in told:
            told &= {LAYERS.plain()}  # what helpers show has no fields that its text is made of
        return {name for name in asking if told.isdisjoint(entries[name].elsewhere)}

    def _imports_of(self, name: str) -> tuple[ImportIR, ...] | None:
        record = self._learned.record(name)
        return record.imports if record is not None else None

    def _told(self, name: str) -> Told:
        record = self._learned.record(name)
        return Told(*record.told) if record is not None else NOTHING_TOLD

    def _imports(self, names: Iterable[str]) -> dict[str, Mapping[str, str]]:
        """Return for files these and what they import, and for what compiles what it is given who may."""
        before = {name: self._as_before(name) for name in names}
        found = {name: files for name, files in before.items() if files is not None}
        others = [name for name in before if name not in found]
        users = self._elsewhere.users(filter(self._is_given, others), self._with_layers)
        for name in others:
            sought = self._with_layers if self._learned.entries[name].names_compile else frozenset[str]()
            near = dict.fromkeys([*self._elsewhere.imports(name, sought), *users.get(name, ())])
            self._keep_near(name, near)
            found[name] = {one.module: one.name for one in near if one.is_taken}
        return found

    def _as_before(self, name: str) -> Mapping[str, str] | None:
        """Return the files that one was solved with before; None if those that count now are others."""
        entries = self._learned.entries
        before = self._told(name).places_from if not self._learned.has_other_files() else ()
        if not before or any(
            one not in entries or entries[one].digest != digest for _, one, digest, _ in before
        ):
            return None
        others = self._changed - {one for _, one, _, _ in before} if self._is_given(name) else ()
        if any(self._elsewhere.imports_directly(one, name) for one in others):
            return None
        return {module: one for module, one, _, is_taken in before if is_taken}

    def _is_given(self, name: str) -> bool:
        """Whether a file may compile what others give it."""
        entry = self._learned.entries[name]
        return bool(self._with_layers) and entry.names_compile and LAYERS.plain() in entry.elsewhere

    def _keep_near(self, name: str, near: Iterable[Near]) -> None:
        """Keep which files one is solved with."""
        told, entries = self._told(name), self._learned.entries
        places_from = tuple(
            (one.module, one.name, entries[one.name].digest, one.is_taken)
            for one in near
            if one.name in entries
        )
        self._take(name, told, told._replace(places_from=places_from))

    @cached_property
    def _with_layers(self) -> frozenset[str]:
        """Return the names of files that may make layers whose guards grow."""
        layers = LAYERS.plain()
        return frozenset(name for name, entry in self._learned.entries.items() if layers in entry.tells)

    def _with_digests(self, files: Mapping[str, str]) -> tuple[tuple[str, str, bytes], ...]:
        entries = self._learned.entries
        return tuple(
            (module, name, entries[name].digest) for module, name in sorted(files.items()) if name in entries
        )

    def _keep(self, name: str, shown: Elsewhere, key: bytes) -> None:
        """Keep what a file is told."""
        told = self._told(name)
        places, formatted = tuple(map(tuple, shown.places)), tuple(map(tuple, shown.formatted))
        now = told._replace(compiled_places=places, formatted=formatted, places_solved=key)
        self._take(name, told, now)
        if now.to_rules() != told.to_rules():
            self._learned.entries[name] = self._learned.entries[name]._replace(final=None)

    def _take(self, name: str, told: Told, now: Told) -> None:
        record = self._learned.record(name)
        if record is not None and now != told:
            self._learned.keep(name, record._replace(told=tuple(now)))
