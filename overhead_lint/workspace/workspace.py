"""What the project says of the files that are checked: their findings, heat, and the reasons for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.discovery import files
from overhead_lint.discovery.project_file import File
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.packed_warmths import unpacked_warmth
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.heat_update import HeatUpdate
from overhead_lint.workspace.project_files import ProjectFiles
from overhead_lint.workspace.share import Share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.cache.records import Record
    from overhead_lint.cache.store import Cache
    from overhead_lint.project.graph.member import Override
    from overhead_lint.rule import Finding, Warmth
    from overhead_lint.support.progress import Tell
    from overhead_lint.syntax.source import Source
    from overhead_lint.workspace.examiner import Examiner

__all__ = ["Unprepared", "Workspace"]

# Looking into fewer files takes a second or two, and following the calls between them less.
_MANY: Final = 100
# Rules that look into a file again take half of what the first look does, or less.
_WORTH_PROCESSES: Final = 24
_BATCH: Final = 4


def _tell_nobody(doing: str, done: int, of: int) -> None:
    """Where nobody looks on."""


class Unprepared(Exception):
    """What is asked for takes long, and whoever asks does not want to wait: see `Workspace`."""


class Workspace:
    """Finds out what the whole project says about the files that are checked.

    All is done when it is made: files that are new or have changed are looked into, and if that changes
    anything for others, heat flows anew.

    Args:
        root: the project's folder; None if there is none but the files that are checked.
        targets: the files that are checked.
        others: gives the other files of the project; called when there is a root.
        examiner: makes what looks into files that no earlier run knows; called when there is one.
        elsewhere: files that were named and that another run checks: only heat takes them into account.
        cache: what earlier runs learned; None to learn all anew.
        override: the heat that settings give to functions.
        jobs: processes that look into files at once.
        alone: judge each file by itself.
        saves: whether `save` will be called; otherwise nothing is written.
        patient: take the time that it takes. Otherwise not many files are looked into that no earlier run
            knows, and in a project of many files no heat flows anew.
        shipped: what settings files that ship with the project have for options.
        tell: told what is being done.

    Attributes:
        patient: see there; may be set.

    Raises:
        Unprepared: it would take long.
    """

    def __init__(
        self,
        root: Path | None,
        targets: Sequence[files.Target],
        others: Callable[[Path], Iterable[files.Target]],
        examiner: Callable[[], Examiner],
        *,
        elsewhere: Sequence[files.Target] = (),
        cache: Cache | None = None,
        override: Override | None = None,
        jobs: int = 1,
        alone: bool = False,
        saves: bool = True,
        patient: bool = True,
        shipped: Sequence[Shipped] = (),
        tell: Tell | None = None,
    ) -> None:
        self.patient = patient
        self._tell = tell or _tell_nobody
        self._jobs = jobs
        self._project = ProjectFiles(root, examiner, cache, alone=alone, shipped=shipped)
        self._learned = self._project.learned
        if not saves:
            self._learned.keeps_graphs = False
        self._entries = self._learned.entries
        self._names = self._project.names
        self._names.take(targets, checked=True)
        if not alone:
            self._names.take(elsewhere, checked=False, as_given=True)
        if root is not None and not alone:
            self._names.take(others(root), checked=False)
        self._heat = HeatUpdate(self._project, override)
        self._find_out()

    def findings(self, target: files.Target) -> list[Finding]:
        """The findings of a checked file; their fixes say what they do, but have no edits.

        Raises:
            SourceError: the file cannot be checked.
        """
        name = self._names.checked[target.text]
        if self._project.errors and name in self._project.errors:
            raise self._project.errors[name]
        final = self._entries[name].final
        return self._learned.packed.unpack(final, target.path, self._names.unmarked) if final else []

    def clean(self) -> set[str]:
        """The checked files, by their paths as text, in which there is nothing to find."""
        entries, errors = self._entries, self._project.errors
        return {
            text
            for text, name in self._names.checked.items()
            if name not in errors and not entries[name].final
        }

    def warmths(self, path: Path) -> dict[str, Warmth] | None:
        """Heat of the functions of a file, by name in paths; None for a file that stands alone."""
        record = self._learned.record(self._names.name(str(path)))
        if record is None or record.warmths is None:
            return None
        return {
            name: unpacked_warmth(*packed, shown=self._names.unmarked)
            for name, packed in record.warmths.items()
        }

    def told(self, path: Path) -> Told:
        """Return what else the project tells a file."""
        record = self._learned.record(self._names.name(str(path)))
        if record is None or record.warmths is None:
            return NOTHING_TOLD
        told = Told(*record.told)
        return told._replace(
            settings=tuple(
                (name, value, self._names.unmarked(place)) for name, value, place in told.settings
            ),
            trace_evidence=self._names.unmarked(told.trace_evidence),
            compiled_places=tuple(map(self._unmarked, told.compiled_places)),
            formatted=tuple(map(self._unmarked, told.formatted)),
        )

    def _unmarked(self, told: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(self._names.unmarked(one) if isinstance(one, str) else one for one in told)

    def explain(self, path: Path, line: int) -> list[str]:
        """Why the statement on a line of a file of the project is as hot as it is, line by line.

        Raises:
            SourceError: the file cannot be read or parsed, or no statement stands on the line.
        """
        from overhead_lint.workspace.explain import explained

        name = self._names.name(str(path))
        self._project.recover_lost()
        names = [name] if self._project.alone else self._learned.in_order()
        file = self._project.files.get(name) or File(name, files.Target(str(path), ""), checked=True)
        return [
            self._names.unmarked(text)
            for text in explained(file, line, self._heat.graph(names), self._project.root)
        ]

    def put(self, source: Source) -> None:
        """Take the text of a file from an editor, in place of what is on disk.

        A text that does not parse leaves the last one that did. Where heat is not to flow anew, what is on
        disk stays.
        """
        if len(self._project.files) > _MANY and not self.patient:
            return
        name = self._names.name(str(source.path))
        file = self._project.files.setdefault(
            name, File(name, files.Target(str(source.path), ""), checked=False)
        )
        try:
            # The rules look at it to find out which kinds of values in other files matter to them.
            examined = self._project.examiner.of(source, file._replace(checked=True), self._project.root)
        except SourceError:
            return
        entry, before = examined.entry, self._entries.get(name)
        if entry is None or not entry.in_graph or (before and before.in_graph == entry.in_graph):
            return
        self._learned.take(name, entry, examined.record)
        self._learned.keeps_graphs = False
        self._let_heat_flow()

    def shown(self, name: str) -> str:
        """A file as reasons for heat name it: as it was given, else from here, else in full."""
        return self._names.shown(name)

    def save(self) -> None:
        """Keep what was learned for later runs."""
        self._learned.save()

    def _find_out(self) -> None:
        unknown = self._project.unknown()
        if len(unknown) > _MANY and not self.patient:
            raise Unprepared
        if unknown:
            self._project.examine(unknown, self._jobs, self._tell)
        self._tell("following calls", 0, 0)
        if not self._learned.find_generation():
            self._let_heat_flow(reuse=True)
        elif not self._heat.keep():
            self._let_heat_flow()
        root = self._project.root
        if root is not None and not self._project.alone and (unknown or self._learned.has_other_files()):
            self._tell_of_places(root, frozenset(file.name for file in unknown))
        self._settle([name for name, entry in self._entries.items() if entry.final is None])

    def _tell_of_places(self, root: Path, changed: frozenset[str]) -> None:
        """Tell files that compile something what that is, where other files define it."""
        files, entries = self._project.files, self._entries
        asking = [name for name, entry in entries.items() if entry.elsewhere and files[name].checked]
        if not asking:
            return
        from overhead_lint.workspace.places_update import PlacesUpdate

        self._tell("following what is compiled", 0, 0)
        PlacesUpdate(self._project, root, changed, self._jobs).tell(asking)

    def _let_heat_flow(self, *, reuse: bool = False) -> None:
        """Bring the heat of functions up to date; see `HeatUpdate.flow`.

        Raises:
            Unprepared: it would take long.
        """
        if len(self._entries) > _MANY and not self.patient:
            raise Unprepared
        self._heat.flow(reuse=reuse)

    def _settle(self, names: Iterable[str]) -> None:
        """Decide which findings of files are hot enough, by the names of the files."""
        project, again = self._project, []
        for file in [project.files[name] for name in names]:
            record = self._learned.record(file.name) if file.checked else None
            if file.checked and (record is None or project.examiner.must_look(file, record)):
                project.examine([file])
                record = self._learned.record(file.name)
            if record is None:
                continue
            if record.warmths is not None and project.examiner.looks_again(record, record.warmths):
                again.append(file)
            else:
                self._keep_final(file, record)
        share = Share(self._jobs, least=_WORTH_PROCESSES, batch=_BATCH)
        for number, (name, record) in enumerate(share.results(self._again, again), 1):
            self._learned.keep(name, record)
            self._tell("looking again into files", number, len(again))
        for file in again:
            record = self._learned.record(file.name)
            assert record is not None
            self._keep_final(file, record)

    def _again(self, file: File) -> tuple[str, Record]:
        """Return the name of a file with its record, brought up to date by rules that look again."""
        record = self._learned.record(file.name)
        assert record is not None and record.warmths is not None
        return file.name, self._project.examiner.again(file, self._project.root, record, record.warmths)

    def _keep_final(self, file: File, record: Record) -> None:
        """Keep the findings of a file that are hot enough."""
        found = self._project.examiner.settled(file, record) if record.found else []
        self._entries[file.name] = self._entries[file.name]._replace(
            seen=bool(record.found or record.failed), final=self._learned.packed.pack(found)
        )
