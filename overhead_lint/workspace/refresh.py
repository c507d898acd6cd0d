"""Heat after an edit that changes calls: by the graph in the cache, with the calls of few files followed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.cache.record_views import Content
from overhead_lint.cache.records import compressed, decompressed, parts_of
from overhead_lint.project.cross_file import Told
from overhead_lint.project.graph.graph import traits_of
from overhead_lint.project.graph.incremental import Changed, Update, UpdatedHeat
from overhead_lint.project.graph.left_options import off, told_of_options
from overhead_lint.project.graph.linker import Linker
from overhead_lint.project.graph.member import Member
from overhead_lint.project.graph.resolved import Resolved, handed_in, packed, passed_in
from overhead_lint.project.graph.stored_graph import restored
from overhead_lint.project.graph.stored_modules import StoredModule
from overhead_lint.project.marked_names import mark
from overhead_lint.project.module_index import module_of
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.cache.graph_store import GraphFile
    from overhead_lint.cache.learned import Learned
    from overhead_lint.project.graph.asked_options import AskedOptions
    from overhead_lint.project.graph.left_options import Left
    from overhead_lint.project.graph.member import Override
    from overhead_lint.support.blobs import Plain

__all__ = ["Refresh"]

_NOTHING: Final = ((), (), ((), ()))


class _Given(NamedTuple):
    """What files give to functions of others, where that is not what it was.

    Attributes:
        is_new: whether anything else is passed or handed over than before.
        told: files whose functions are passed other kinds.
        led: files whose functions are handed other things, so that their calls lead elsewhere.
    """

    is_new: bool
    told: frozenset[str]
    led: frozenset[str]


class Refresh:
    """Brings the heat of a project up to date whose files define what they did, and pass what they did.

    Args:
        learned: what is known of its files.
        file: the graph of the project as the cache has it.
        override: the heat that settings give to functions.
        asked: what is known of options now.
    """

    def __init__(
        self, learned: Learned, file: GraphFile, override: Override | None, asked: AskedOptions
    ) -> None:
        self._learned = learned
        self._file = file
        self._override = override
        self._stored = restored(file.held, file.parts)
        self._asked = asked
        self._short = {name: f"{number:x}:" for number, name in enumerate(self._stored.module_table.files)}
        self._long = {short: name for name, short in self._short.items()}

    @classmethod
    def of(cls, learned: Learned, override: Override | None, asked: AskedOptions) -> Refresh | None:
        """With the graph that the cache holds, if that is of use."""
        file = learned.cache.graphs.read() if learned.cache is not None else None
        if file is None:
            return None
        found = cls(learned, file, override, asked)
        entries = learned.entries
        files = [f"{name}:" for name in learned.in_order() if entries[name].in_graph]
        return found if files == found._stored.module_table.files else None

    @cached_property
    def followed(self) -> dict[str, Plain] | None:
        """For each file that changed what a graph would give of it as `packed`; None if that is not known."""
        assert self._learned.cache is not None
        tables = self._learned.cache.graphs.read_tables(self._file.tables)
        if tables is None:
            return None
        module_table = self._stored.module_table
        modules = {
            short: StoredModule(name, folder, self._content(file).summary)
            for (file, short), name, folder in zip(
                self._short.items(), module_table.names, module_table.folders, strict=True
            )
        }
        linker = Linker.of(modules, tables, self._override)
        files = [f"{name}:" for name in self._learned.places if f"{name}:" in self._short]
        given = self._given_otherwise(linker, files)
        if given is None:
            return None
        if given.is_new:
            self._learned.keep_beside("tables", linker.with_given(tables))
        files = [*files, *sorted(given.led.difference(files))]
        found = {
            file.removesuffix(":"): self._packed(linker, file, modules[self._short[file]]) for file in files
        }
        for file in given.told.difference(files):
            name = file.removesuffix(":")
            functions, homes, _ = decompressed(parts_of(self._learned.kept(name)).edges)
            content = self._content(file)
            now = linker.told(self._short[file], content.dependencies(), content.calls())
            found[name] = functions, homes, (now.kinds, now.settings, now.aliases)
        linker.release()
        return found

    def _given_otherwise(self, linker: Linker, files: Iterable[str]) -> _Given | None:
        """The files to whose functions others pass or hand something else; None if more may hear of it.

        Args:
            linker: is told what files pass and hand over now.
            files: those that changed.
        """
        is_new = False
        functions: set[str] = set()
        led: set[str] = set()
        for file in files:
            short = self._short[file]
            before, now = (
                decompressed(parts_of(record).summary or b"")
                for record in (self._record_before(file), self._learned.kept(file.removesuffix(":")))
            )
            if handed_in(before) != handed_in(now):
                handed = linker.hand_otherwise(short, handed_in(now))
                is_new = True
                led.update(self._long[module_of(function)] for function in handed)
            if passed_in(before) != passed_in(now):
                found = linker.pass_otherwise(short, passed_in(before), passed_in(now))
                if found is None:
                    return None
                is_new = True
                functions |= found
        asked = set()
        for function in functions:
            home = module_of(function)
            file, path = self._long[home], f"{PARAMETER_OF}{function[len(home) :]}:"
            content = self._content(file)
            if any(path in text for _, text in content.summary().gives):
                return None
            if any(one.startswith(path) for one in content.dependencies().kinds):
                asked.add(file)
        return _Given(is_new, frozenset(asked), frozenset(led))

    def _record_before(self, file: str) -> bytes:
        cache = self._learned.cache
        assert cache is not None
        return cache.record(cache.entries[file.removesuffix(":")])

    def _content(self, file: str) -> Content:
        return Content(self._learned.kept, file.removesuffix(":"), alone=False, reuse=False)

    def _packed(self, linker: Linker, file: str, module: StoredModule) -> Plain:
        """What a graph would give of a file."""
        short, content = self._short[file], self._content(file)
        member = Member(mark(file.removesuffix(":")), module.name, module.folder, content)
        traits = {short + function.name: traits_of(function) for function in content.summary().functions}
        judged = dict(linker.judged(member, short, traits))
        calls = tuple(content.calls())
        sites = dict(linker.sites(short, calls))
        told = linker.told(short, content.dependencies(), calls)
        return packed(judged, Resolved(judged, sites, told), self._long.__getitem__)

    def flow(self) -> bool:
        """Let heat flow, and note where it is another than before; false if it cannot be told so."""
        learned, cache = self._learned, self._learned.cache
        assert cache is not None
        changed: dict[int, Changed] = {}
        left, before = self._asked.left(), self._asked.before
        for number, (file, state) in enumerate(
            zip(self._stored.module_table.files, self._file.states, strict=True)
        ):
            name = file.removesuffix(":")
            is_known = cache.entries[name].in_graph == state
            its = left.get(file, {})
            if name in (self.followed or ()) or not is_known or its != before.get(file, {}):
                one = self._changed(name, its, is_known=is_known)
                if one is None:
                    return False
                changed[number] = one
        files = self._stored.module_table.files
        updated = UpdatedHeat(
            self._stored, changed, self._unchanged, lambda module: off(left.get(files[module], {}))
        )
        if updated.stored is None:
            return False
        for module, update in updated.updates():
            name = self._stored.module_table.files[module].removesuffix(":")
            self._take(name, update, changed.get(module))
        learned.keep_graph(updated.stored.parts(), self._file.tables)
        return True

    def _changed(self, name: str, left: Left, *, is_known: bool) -> Changed | None:
        """A file whose calls are others than in the graph, or may be; None if it is not known what they were.

        Args:
            name: the file.
            left: those of its options that are left as they are.
            is_known: whether what the cache has of it is what the graph has.
        """
        before = self._learned.record_before(name)
        if before is None or before.warmths is None or not before.edges:
            return None
        follows, old = (self.followed or {}).get(name), decompressed(before.edges)
        return Changed(old if is_known else _NOTHING, old if follows is None else follows, left)

    def _unchanged(self, module: int) -> Plain:
        """What the graph has of a file that did not change, by the number of its module."""
        name = self._stored.module_table.files[module].removesuffix(":")
        return decompressed(parts_of(self._learned.kept(name)).edges)

    def _take(self, name: str, update: Update, changed: Changed | None) -> None:
        """Note what heat the functions of a file have now, and what it is told, where that is new.

        Args:
            name: the file.
            update: what is another.
            changed: the file, if its calls are others than before, or may be.
        """
        record, entry = self._learned.record(name), self._learned.entries[name]
        assert record is not None
        warmths = {**(record.warmths or {}), **update.warmths}
        told = Told(*record.told)
        if changed is not None:
            record = record._replace(edges=compressed(changed.now))
            warmths = update.warmths
            told = Told(*changed.now[2])._replace(options=told_of_options(changed.left))
        told = told._replace(
            compiled=update.compiled, traced=update.traced, trace_evidence=update.trace_evidence
        )
        if changed is not None or (warmths, told) != (record.warmths, record.told):
            self._learned.entries[name] = entry._replace(final=None)
            self._learned.keep(name, record._replace(warmths=warmths, told=tuple(told)))
