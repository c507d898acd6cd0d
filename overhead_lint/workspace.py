"""The project around the files that are checked: what is known of all its files, and their heat."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint import files
from overhead_lint.cache.learned import Learned
from overhead_lint.cache.record_views import Content
from overhead_lint.cache.records import compressed
from overhead_lint.examine import File
from overhead_lint.file_names import FileNames
from overhead_lint.project.cross_file import TOLD
from overhead_lint.project.marked_names import mark
from overhead_lint.reuse import (
    asked_now,
    defines_the_same,
    hands_the_same,
    packed_without_graph,
    same_heat,
)
from overhead_lint.rule import Heat, Warmth
from overhead_lint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from overhead_lint.cache.store import Cache
    from overhead_lint.examine import Examiner
    from overhead_lint.project.graph.asked_options import AskedOptions
    from overhead_lint.project.graph.graph import Graph
    from overhead_lint.project.graph.member import Override
    from overhead_lint.reuse import Packing
    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["Unprepared", "Workspace"]

# Looking into fewer files takes a second or two, and following the calls between them less.
_MANY: Final = 100


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
        cache: what earlier runs learned; None to learn all anew.
        override: the heat that settings give to functions.
        jobs: processes that look into files at once.
        alone: judge each file by itself.
        saves: whether `save` will be called; otherwise nothing is written.
        patient: take the time that it takes. Otherwise not many files are looked into that no earlier run
            knows, and in a project of many files no heat flows anew.

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
        cache: Cache | None = None,
        override: Override | None = None,
        jobs: int = 1,
        alone: bool = False,
        saves: bool = True,
        patient: bool = True,
    ) -> None:
        self._root = root
        self._make_examiner = examiner
        self._override = override
        self._jobs = jobs
        self._alone = alone
        self.patient = patient
        self._learned = Learned(cache, alone=alone)
        if not saves:
            self._learned.keeps_graphs = False
        self._entries = self._learned.entries
        self._has_lost = False
        self._errors: dict[str, SourceError] = {}
        self._file_names = FileNames(root)
        self._file_names.take(targets, checked=True)
        if root is not None and not alone:
            self._file_names.take(others(root), checked=False)
        self._files = self._file_names.files
        self._find_out()

    def findings(self, target: files.Target) -> list[Finding]:
        """The findings of a checked file; their fixes say what they do, but have no edits.

        Raises:
            SourceError: the file cannot be checked.
        """
        name = self._file_names.checked[target.text]
        if self._errors and name in self._errors:
            raise self._errors[name]
        final = self._entries[name].final
        return self._learned.packed.unpack(final, target.path, self._file_names.unmarked) if final else []

    def clean(self) -> set[str]:
        """The checked files, by their paths as text, in which there is nothing to find."""
        entries, errors = self._entries, self._errors
        return {
            text
            for text, name in self._file_names.checked.items()
            if name not in errors and not entries[name].final
        }

    def warmths(self, path: Path) -> dict[str, Warmth] | None:
        """Heat of the functions of a file, by name in paths; None for a file that stands alone."""
        record = self._learned.record(self._file_names.name(str(path)))
        if record is None or record.warmths is None:
            return None
        return {
            name: Warmth(Heat(heat), self._file_names.unmarked(why))
            for name, (heat, why) in record.warmths.items()
        }

    def explain(self, path: Path, line: int) -> list[str]:
        """Why the statement on a line of a file of the project is as hot as it is, line by line.

        Raises:
            SourceError: the file cannot be read or parsed, or no statement stands on the line.
        """
        from overhead_lint.explain import explained

        name = self._file_names.name(str(path))
        self._recover_lost()
        names = [name] if self._alone else self._learned.in_order()
        file = self._files.get(name) or File(name, files.Target(str(path), ""), checked=True)
        return [
            self._file_names.unmarked(text) for text in explained(file, line, self._graph(names), self._root)
        ]

    def put(self, source: Source) -> None:
        """Take the text of a file from an editor, in place of what is on disk.

        A text that does not parse leaves the last one that did. Where heat is not to flow anew, what is on
        disk stays.
        """
        if len(self._files) > _MANY and not self.patient:
            return
        name = self._file_names.name(str(source.path))
        file = self._files.setdefault(name, File(name, files.Target(str(source.path), ""), checked=False))
        try:
            # The rules look at it to find out which kinds of values in other files matter to them.
            examined = self._examiner.of(source, file._replace(checked=True), self._root)
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
        return self._file_names.shown(name)

    def save(self) -> None:
        """Keep what was learned for later runs."""
        self._learned.save()

    def _find_out(self) -> None:
        unknown = self._learned.unknown(self._files.values())
        if len(unknown) > _MANY and not self.patient:
            raise Unprepared
        if unknown:
            self._examine(unknown)
        if self._learned.find_generation():
            self._take_old_warmths()
        else:
            self._let_heat_flow(reuse=True)
        for name in [name for name, entry in self._entries.items() if entry.final is None]:
            if self._files[name].checked:
                self._settle(self._files[name])

    @cached_property
    def _examiner(self) -> Examiner:
        return self._make_examiner()

    def _examine(self, unknown: Sequence[File]) -> None:
        """Look into files that no earlier run knows."""
        for name, examined in self._examiner.all(unknown, self._root, self._jobs):
            if examined.error is not None:
                if self._files[name].checked:
                    self._errors[name] = examined.error
                continue
            assert examined.entry is not None
            self._learned.take(name, examined.entry, examined.record)
        self._examiner.forget()

    def _take_old_warmths(self) -> None:
        """Nothing that heat comes from has changed: a file whose text has is as hot as it was."""
        assert self._learned.cache is not None
        for name in tuple(self._learned.places):
            record = self._learned.record(name) if self._entries[name].in_graph else None
            if record is not None:
                old = self._learned.record_before(name)
                if old is None or old.warmths is None:
                    self._let_heat_flow()
                    return
                self._learned.keep(name, record._replace(warmths=old.warmths, edges=old.edges))

    def _let_heat_flow(self, *, reuse: bool = False) -> None:
        """Build the graph, and note where the heat of functions is another than before.

        Args:
            reuse: take from the cache what earlier graphs found out, if files define the same things as then.

        Raises:
            Unprepared: it would take long.
        """
        if len(self._entries) > _MANY and not self.patient:
            raise Unprepared
        reuse = reuse and self._defines_the_same()
        asked, otherwise = (reuse and self._asked_now()) or (None, True)
        hands = reuse and hands_the_same(self._before(), self._learned.kept)
        if asked is not None and not self._has_lost:
            same = hands and not otherwise
            if (same and self._take_same(packed_without_graph)) or self._refresh(asked, alike=same):
                if asked.is_new:
                    self._learned.keep_beside("options", asked.plain())
                return
        self._recover_lost()
        if self._has_lost or not hands:
            reuse = False
        alike = reuse and asked is not None and not (otherwise or asked.is_new)
        graph = self._graph(() if self._alone else self._learned.in_order(), reuse=reuse, alike=alike)
        if graph.is_whole:
            self._learned.keep_graph(graph.stored().parts())
            self._note_heat(graph, reuse=reuse)

    def _note_heat(self, graph: Graph, *, reuse: bool) -> None:
        """Keep the heat that a graph gives to functions; where it is another, findings are judged anew.

        Args:
            graph: the graph of all files; for files that are judged alone others are made.
            reuse: whether it was told what earlier graphs found out of files, so that this is kept already.
        """
        for name, entry in tuple(self._entries.items()):
            record = self._learned.record(name) if entry.in_graph else None
            if record is None:
                continue
            if self._alone:
                graph = self._graph([name])
            key = f"{name}:"
            warmths = {key: (int(heat), why) for key, (heat, why) in graph.warmths(key).items()}
            if warmths != record.warmths:
                self._entries[name] = entry._replace(final=None)
            edges = record.edges
            if not (self._alone or (reuse and edges)):
                edges = compressed(graph.packed(key))
            if warmths != record.warmths or edges != record.edges:
                self._learned.keep(name, record._replace(warmths=warmths, edges=edges))

    def _refresh(self, asked: AskedOptions, *, alike: bool) -> bool:
        """Bring heat up to date by the graph that the cache holds; false if that cannot be done.

        Args:
            asked: what is known of options now.
            alike: whether calls pass what they did: where they lead where they did, nothing is another.
        """
        from overhead_lint.refresh import Refresh

        refresh = Refresh.of(self._learned, self._override, asked)
        followed = refresh.followed if refresh is not None else None
        if refresh is None or followed is None:
            return False
        return (alike and self._take_same(lambda name, *_: followed[name])) or refresh.flow()

    def _take_same(self, packed: Packing) -> bool:
        """Take the heat of before for files that changed, if their calls lead where they did."""
        assert self._learned.cache is not None
        if self._override is not None:
            return False
        of = (
            (name, self._learned.record(name), self._learned.record_before(name))
            for name in self._learned.places
        )
        found = same_heat(of, packed)
        for name, record in (found or {}).items():
            self._learned.keep(name, record)
        return found is not None

    def _defines_the_same(self) -> bool:
        """Whether the project defines what it did when the cache was saved, as far as files ask each other.

        What then led to a function still does, and only the calls of the files that changed are followed.
        """
        cache = self._learned.cache
        if self._alone or cache is None or cache.entries.keys() != self._entries.keys():
            return False
        if not cache.generation.startswith(b"whole"):
            return False

        def that_may_mention(names: frozenset[str]) -> list[str]:
            found = list(cache.mentioned.that_may(names, self._entries))
            self._recover_lost(found)
            return found

        return defines_the_same(self._before(), that_may_mention, self._learned.kept)

    def _asked_now(self) -> tuple[AskedOptions, bool] | None:
        """What is known of options, and whether calls pass something else than when the cache was saved."""
        assert self._learned.cache is not None
        known = self._learned.cache.graphs.read_options()
        return asked_now(self._before(), self._learned.kept, known) if known is not None else None

    def _before(self) -> dict[str, bytes]:
        """The records that the cache has of the files that changed."""
        cache = self._learned.cache
        assert cache is not None
        return {name: cache.record(cache.entries[name]) for name in self._learned.places}

    def _recover_lost(self, names: Iterable[str] | None = None) -> None:
        """Look again into files, all by default, whose records the cache has lost."""
        asked = self._entries if names is None else names
        lost = [self._files[name] for name in asked if not self._learned.kept(name)]
        if lost:
            self._has_lost = True
            self._examine(lost)
        for name, *_ in lost:
            if not self._learned.kept(name):  # it cannot be looked into any more, and takes no part
                self._entries[name] = self._entries[name]._replace(in_graph=b"")

    def _graph(self, names: Iterable[str], *, reuse: bool = False, alike: bool = False) -> Graph:
        from overhead_lint.project.graph.graph import Graph
        from overhead_lint.project.graph.member import Member

        members, get = {}, self._learned.kept
        for name in names:
            if self._entries[name].in_graph:
                module, folder = files.dotted_names(self._files[name].target.path, self._root)
                content = Content(get, name, self._alone, reuse)
                members[f"{name}:"] = Member(mark(name), module, folder, content)

        def until(graph: Graph) -> bool:
            return self._take_same(lambda name, *_: graph.packed(f"{name}:"))

        keep = self._learned.keep_beside if self._learned.keeps_graphs else None
        return Graph(members, self._override, until if alike else None, keep=keep)

    def _settle(self, file: File) -> None:
        """Decide which findings of a file are hot enough."""
        record = self._learned.record(file.name)
        if record is None:
            self._examine([file])
            record = self._learned.record(file.name)
            if record is None:
                return
        warmths = record.warmths
        if warmths is not None and (record.asked or not warmths.keys().isdisjoint(TOLD)):
            again = self._examiner.again(file, self._root, record, warmths)
            if again is not record:
                record = again
                self._learned.keep(file.name, again)
        found = self._examiner.settled(file, record) if record.found else []
        self._entries[file.name] = self._entries[file.name]._replace(final=self._learned.packed.pack(found))
