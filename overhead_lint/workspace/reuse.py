"""What of an earlier run's heat still holds after an edit, without following the calls of all files anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.cache.records import Record, compressed, decompressed, parts_of
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from overhead_lint.project.graph.asked_options import AskedOptions
    from overhead_lint.support.blobs import Plain

    Packing = Callable[[str, Record, Record], Plain | None]
    """Gives what the graph has of a file now, from its name and its records before and now; None if that is
    not known."""

__all__ = ["Difference", "difference", "packed_without_graph", "same_heat"]


class Difference(NamedTuple):
    """What files that define the same as before do otherwise.

    Attributes:
        hands_the_same: whether they pass the same kinds of values, and hand the same to calls.
        asked: what is known of options now; None if that is not known.
        passes_the_same: whether calls pass the options that they did, as far as that is known.
    """

    hands_the_same: bool
    asked: AskedOptions | None
    passes_the_same: bool

    @property
    def has_new_options(self) -> bool:
        """Whether what is known of options is not what it was."""
        return self.asked is None or self.asked.is_new


def difference(
    changed: Mapping[str, bytes],
    record_of: Callable[[str], bytes],
    that_may_mention: Callable[[frozenset[str]], Iterable[str]],
    known_options: Callable[[], Plain | None],
) -> Difference | None:
    """What files do otherwise than before; None if they define something else.

    Args:
        changed: the record of each file that changed as it was before, as bytes; none if it is lost.
        record_of: gives the record of a file as it is now, as bytes.
        that_may_mention: gives the names of the files that may mention one of some plain names.
        known_options: gives what was known of options before, as `AskedOptions.plain` has it.
    """
    if not _defines_the_same(changed, that_may_mention, record_of):
        return None
    known = known_options()
    asked, otherwise = (_asked_now(changed, record_of, known) if known is not None else None) or (None, True)
    return Difference(_hands_the_same(changed, record_of), asked, not otherwise)


def same_heat(
    changed: Iterable[tuple[str, Record | None, Record | None]], packed: Packing
) -> dict[str, Record] | None:
    """New records of files that changed, with the heat of before; None unless all calls lead where they did.

    Args:
        changed: the files, each with its record now and before.
        packed: gives what the graph has of them.
    """
    from overhead_lint.project.graph.local_changes import unmoved_heat

    found: dict[str, Record] = {}
    for name, record, old in changed:
        if record is None or old is None or bool(record.summary) != bool(old.summary):
            return None
        if record.summary is None:
            continue
        edges = packed(name, old, record) if old.warmths is not None and old.edges else None
        if edges is None or old.warmths is None:
            return None
        warmths = unmoved_heat(
            decompressed(old.edges), edges, decompressed(record.summary), old.warmths, f"{name}:"
        )
        if warmths is None:
            return None
        found[name] = record._replace(edges=compressed(edges), warmths=dict(warmths), told=old.told)
    return found


def packed_without_graph(name: str, before: Record, now: Record) -> Plain | None:
    """What the graph would have of a file that takes part in it; None if that cannot be said without it."""
    from overhead_lint.project.graph.local_changes import KeptFile, updated_edges

    def said(record: Record) -> KeptFile:
        assert record.summary is not None
        return KeptFile(decompressed(record.summary), decompressed(record.calls), record.dependencies)

    return updated_edges(said(before), said(now), decompressed(before.edges), f"{name}:")


def _defines_the_same(
    changed: Mapping[str, bytes],
    that_may_mention: Callable[[frozenset[str]], Iterable[str]],
    record_of: Callable[[str], bytes],
) -> bool:
    """Whether files define what they did before, as far as the files of the project ask each other.

    What they pass to each other is another question: see `_hands_the_same`.

    Args:
        changed: the record of each file that changed as it was before, as bytes; none if it is lost.
        that_may_mention: gives the names of the files that may mention one of some plain names.
        record_of: gives the record of a file as it is now, as bytes.
    """
    from overhead_lint.project.graph.resolved import fresh_names, kept_mentions

    fresh: dict[str, frozenset[str]] = {}
    for name, record in changed.items():
        before, now = parts_of(record) if record else None, parts_of(record_of(name))
        if before is None or (before.summary is None) != (now.summary is None):
            return False
        if before.summary is None or now.summary is None:
            continue
        names = fresh_names(decompressed(before.summary), decompressed(now.summary))
        if names is None:
            return False
        fresh[name] = names
    everywhere = frozenset[str]().union(*fresh.values())
    for name in that_may_mention(everywhere) if everywhere else ():
        asked = everywhere
        if name in fresh:  # itself it says what it defines
            asked = frozenset().union(*(names for other, names in fresh.items() if other != name))
        if asked and kept_mentions(asked, parts_of(record_of(name)).texts()):
            return False
    return True


def _hands_the_same(changed: Mapping[str, bytes], record_of: Callable[[str], bytes]) -> bool:
    """Whether files that define the same pass the same kinds of values as before, and hand the same to calls.

    Args:
        changed: the record of each file that changed as it was before, as bytes.
        record_of: gives the record of a file as it is now, as bytes.
    """
    from overhead_lint.project.graph.resolved import handed_in, passed_in

    for name, record in changed.items():
        before, now = parts_of(record).summary, parts_of(record_of(name)).summary
        if not (before and now):
            continue
        old, new = decompressed(before), decompressed(now)
        if (passed_in(old), handed_in(old)) != (passed_in(new), handed_in(new)):
            return False
    return True


def _asked_now(
    changed: Mapping[str, bytes], record_of: Callable[[str], bytes], known: Plain
) -> tuple[AskedOptions, bool] | None:
    """What is known of options now, and whether something else is passed; None if that is not known.

    Args:
        changed: the record of each file that changed as it was before, as bytes.
        record_of: gives the record of a file as it is now, as bytes.
        known: what was known of options before, as `AskedOptions.plain` gives it.
    """
    from overhead_lint.project.file_summary import read_passing
    from overhead_lint.project.graph.asked_options import AskedOptions
    from overhead_lint.project.graph.resolved import fresh_names

    asked, otherwise = AskedOptions.of(known), False
    for name, record in changed.items():
        before, now = parts_of(record), parts_of(record_of(name))
        if before.summary is None or now.summary is None:
            continue
        said, says = (read_passing(decompressed(one.passing)) for one in (before, now))
        fresh: frozenset[str] | None = frozenset()
        if said.options != says.options:
            fresh = fresh_names(decompressed(before.summary), decompressed(now.summary))
        taken = asked.take(f"{name}:", said, says, fresh or ())
        if taken is None:
            return None
        otherwise = otherwise or taken
    return asked, otherwise
