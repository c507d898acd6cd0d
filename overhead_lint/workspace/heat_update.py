"""Brings the heat of functions up to date, with no more work than what changed makes necessary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.cache.records import compressed
from overhead_lint.project.packed_warmths import packed_warmth
from overhead_lint.workspace.reuse import difference, packed_without_graph, same_heat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.project.graph.asked_options import AskedOptions
    from overhead_lint.project.graph.graph import Graph
    from overhead_lint.project.graph.member import Override
    from overhead_lint.workspace.project_files import ProjectFiles
    from overhead_lint.workspace.reuse import Difference, Packing

__all__ = ["HeatUpdate"]


class HeatUpdate:
    """Notes the heat that functions have now, in the records of their files.

    It is what a new graph of all files would give. From the cheapest on, these ways lead there, and each is
    taken where those before it do not hold:

    1. Nothing that heat comes from has changed: what was known is kept (`keep`).
    2. What the files define and pass has not, and by their records their calls lead where they did.
    3. The same, by the tables of the graph in the cache, with the calls of the changed files followed.
    4. Heat flows through the graph in the cache, with other calls in it.
    5. A new graph is made, with what earlier ones found out of the files that stayed as they are. Where what
       is passed has not changed it is left half made if the calls turn out to lead where they did.
    6. A new graph is made of all files.

    Args:
        project: the files, which have been looked into.
        override: the heat that settings give to functions.
    """

    def __init__(self, project: ProjectFiles, override: Override | None) -> None:
        self._project = project
        self._learned = project.learned
        self._override = override

    def keep(self) -> bool:
        """Give files whose text has changed the heat that they had; false if that is not known of all.

        For where nothing that heat comes from has changed.
        """
        learned = self._learned
        for name in tuple(learned.places):
            record = learned.record(name) if learned.entries[name].in_graph else None
            if record is not None:
                old = learned.record_before(name)
                if old is None or old.warmths is None:
                    return False
                learned.keep(name, record._replace(warmths=old.warmths, told=old.told, edges=old.edges))
        return True

    def flow(self, *, reuse: bool = False) -> None:
        """Let heat flow; where it is another than before, findings are to be settled anew.

        Args:
            reuse: take from the cache what earlier graphs found out, if files define the same things as then.
        """
        project = self._project
        changes = self._difference() if reuse else None
        if changes is not None and not project.has_lost and self._follow_changes(changes):
            return
        project.recover_lost()
        if project.has_lost or changes is None or not changes.hands_the_same:
            changes = None
        alike = changes is not None and changes.passes_the_same and not changes.has_new_options
        names = () if project.alone else self._learned.in_order()
        graph = self.graph(names, reuse=changes is not None, alike=alike)
        if graph.is_whole:
            self._learned.keep_graph(graph.stored().parts())
            self._note(graph, reuse=changes is not None)

    def graph(self, names: Iterable[str], *, reuse: bool = False, alike: bool = False) -> Graph:
        """A new graph.

        Args:
            names: the files in it.
            reuse: tell it what earlier graphs found out of them.
            alike: whether all is passed as before, so that nothing is another if calls lead where they did:
                then it is not whole.
        """
        from overhead_lint.project.graph.graph import Graph

        def until(graph: Graph) -> bool:
            return self._take_same(lambda name, *_: graph.packed(f"{name}:"))

        members = self._project.members(names, reuse=reuse)
        keep = self._learned.keep_beside if self._learned.keeps_graphs else None
        return Graph(
            members, self._override, until if alike else None, shipped=self._project.shipped, keep=keep
        )

    def _difference(self) -> Difference | None:
        """What changed since the cache was saved; None unless the project defines what it did.

        What then led to a function still does, and only the calls of the files that changed are followed.
        """
        learned, cache = self._learned, self._learned.cache
        if self._project.alone or cache is None or cache.entries.keys() != learned.entries.keys():
            return None
        if not learned.is_of_same_settings():
            return None

        def that_may_mention(names: frozenset[str]) -> list[str]:
            found = list(cache.mentioned.that_may(names, learned.entries))
            self._project.recover_lost(found)
            return found

        before = {name: cache.record(cache.entries[name]) for name in learned.places}
        return difference(before, learned.kept, that_may_mention, cache.graphs.read_options)

    def _follow_changes(self, changes: Difference) -> bool:
        """Bring heat up to date without a new graph; false if that cannot be done."""
        asked = changes.asked
        if asked is None:
            return False
        same = changes.passes_the_same and changes.hands_the_same
        if not (same and self._take_same(packed_without_graph)) and not self._refresh(asked, alike=same):
            return False
        if asked.is_new:
            self._learned.keep_beside("options", asked.plain())
        return True

    def _refresh(self, asked: AskedOptions, *, alike: bool) -> bool:
        """Bring heat up to date by the graph that the cache holds; false if that cannot be done.

        Args:
            asked: what is known of options now.
            alike: whether calls pass what they did: where they lead where they did, nothing is another.
        """
        from overhead_lint.workspace.refresh import Refresh

        refresh = Refresh.of(self._learned, self._override, asked)
        followed = refresh.followed if refresh is not None else None
        if refresh is None or followed is None:
            return False
        return (alike and self._take_same(lambda name, *_: followed[name])) or refresh.flow()

    def _take_same(self, packed: Packing) -> bool:
        """Take the heat of before for files that changed, if their calls lead where they did."""
        learned = self._learned
        if self._override is not None:
            return False
        of = ((name, learned.record(name), learned.record_before(name)) for name in learned.places)
        found = same_heat(of, packed)
        for name, record in (found or {}).items():
            learned.keep(name, record)
        return found is not None

    def _note(self, graph: Graph, *, reuse: bool) -> None:
        """Keep the heat that a graph gives to functions; where it is another, findings are judged anew.

        Args:
            graph: the graph of all files; for files that are judged alone others are made.
            reuse: whether it was told what earlier graphs found out of files, so that this is kept already.
        """
        learned, alone = self._learned, self._project.alone
        for name, entry in tuple(learned.entries.items()):
            record = learned.record(name) if entry.in_graph else None
            if record is None:
                continue
            if alone:
                graph = self.graph([name])
            key = f"{name}:"
            warmths = {key: packed_warmth(*warmth) for key, warmth in graph.warmths(key).items()}
            told = tuple(graph.told(key))
            if (warmths, told) != (record.warmths, record.told):
                learned.entries[name] = entry._replace(final=None)
            edges = record.edges
            if not (alone or (reuse and edges)):
                edges = compressed(graph.packed(key))
            if (warmths, told, edges) != (record.warmths, record.told, record.edges):
                learned.keep(name, record._replace(warmths=warmths, told=told, edges=edges))
