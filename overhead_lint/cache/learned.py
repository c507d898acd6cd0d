"""What is known of the files of a run: what the cache holds of them, and what is found out."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, Final

from overhead_lint.cache import stamps
from overhead_lint.cache.packed_findings import PackedFindings
from overhead_lint.cache.record_views import Records
from overhead_lint.cache.records import Record, from_bytes, to_bytes
from overhead_lint.cache.spill import Spill

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.cache.entry import Entry
    from overhead_lint.cache.spill import Place
    from overhead_lint.cache.store import Cache
    from overhead_lint.discovery import files
    from overhead_lint.discovery.project_file import File
    from overhead_lint.support.blobs import Part, Plain

__all__ = ["Learned"]

_HASH: Final = 8
"""Bytes of the hash of all files, behind what they are judged by."""


class Learned:
    """Holds the entries and records of files, by their names.

    Args:
        cache: what earlier runs learned; None to learn all anew.
        alone: whether each file is judged by itself.
        shipped: hash of what else heat comes from, the settings files that ship with the project.

    Attributes:
        cache: see there.
        entries: what the cache had of files, or what was found out.
        places: where the spill has the records that are new.
        packed: holds findings that are final.
        generation: hash of all that the heat of functions comes from, as it was found last.
        keeps_graphs: whether graphs that are made are of use to later runs.
    """

    def __init__(self, cache: Cache | None, *, alone: bool, shipped: bytes = b"") -> None:
        self.cache = cache
        self.entries: dict[str, Entry] = {}
        self.places: dict[str, Place] = {}
        self.packed = cache.packed if cache is not None else PackedFindings()
        self.generation = b""
        self.keeps_graphs = cache is not None and not alone
        self._spill = Spill()
        self._kind = b"alone" if alone else b"whole" + shipped

    def unknown(self, known_files: Iterable[File]) -> list[File]:
        """The files that the cache does not hold as they are now; notes what it holds of the others."""
        if self.cache is None:
            return list(known_files)
        # Asked of every file in every run: no calls and attributes that can be had once.
        get, stat, entries = self.cache.entries.get, os.stat, self.entries
        unknown = []
        for file in known_files:
            name, target, checked = file
            text, cold, named = target
            old = get(name)
            # Of a file that is named it must be known that it is Python.
            if old is None or old.cold != cold or (checked and old.looked <= named):
                unknown.append(file)
                continue
            try:
                now = stat(text)
                changed, put = now.st_mtime_ns, now.st_ctime_ns
                if put > changed:  # as `stamps.changed_ns` has it
                    changed = put
                if old.size == now.st_size and (
                    old.changed_ns == changed or (old := _if_same(old, target, changed))
                ):
                    entries[name] = old
                    continue
            except OSError:
                pass
            unknown.append(file)
        return unknown

    def take(self, name: str, entry: Entry, record: Record | None) -> None:
        """Take what looking into a file gave."""
        self.entries[name] = entry
        self.places.pop(name, None)
        if record is not None:
            self.keep(name, record)

    def keep(self, name: str, record: Record) -> None:
        """Take a new record of a file."""
        self.places[name] = self._spill.put(to_bytes(record))

    def kept(self, name: str) -> bytes:
        """The record of a file as bytes; none if nothing is known of it, or the cache has lost it."""
        place = self.places.get(name)
        if place is not None:
            return self._spill.get(place)
        entry = self.entries.get(name)
        return self.cache.record(entry) if self.cache is not None and entry is not None else b""

    def record(self, name: str) -> Record | None:
        """The record of a file; None if there is none."""
        return _restored(self.kept(name))

    def record_before(self, name: str) -> Record | None:
        """The record that the cache has of a file; None if it has lost it."""
        assert self.cache is not None
        return _restored(self.cache.record(self.cache.entries[name]))

    def in_order(self) -> list[str]:
        """The files in an order that does not depend on what is kept: of equal chains one is told."""
        return sorted(self.entries)

    def has_other_files(self) -> bool:
        """Whether there are other files than when the cache was saved."""
        return self.cache is None or self.cache.entries.keys() != self.entries.keys()

    def is_of_same_settings(self) -> bool:
        """Whether the cache was saved when files were judged as now, by the same settings that ship."""
        return self.cache is not None and self.cache.generation[:-_HASH] == self._kind

    def find_generation(self) -> bool:
        """Find out the generation; gives whether it is the one that the cache was saved with."""
        self.generation = self._generation_now()
        return self.cache is not None and self.generation == self.cache.generation

    def _generation_now(self) -> bytes:
        """Hash of all that the heat of functions comes from."""
        kind = self._kind
        if self.cache is not None and self.is_of_same_settings():
            old, now = self.cache.entries, self.entries
            if len(old) == len(now) and all(
                name in old and old[name].in_graph == now[name].in_graph for name in self.places
            ):
                return self.cache.generation  # each of them is in the cache, and the graph has not changed
        pieces = []
        for name in self.in_order():
            entry = self.entries[name]
            if entry.in_graph:
                pieces.append(name.encode(errors="surrogateescape") + b"\0" + entry.in_graph)
        data = b"".join(pieces)
        # A hash of hashes that only has to differ from the last one; hashlib would cost start-up.
        return kind + zlib.crc32(data).to_bytes(4, "big") + zlib.crc32(data[::-1]).to_bytes(4, "big")

    def keep_beside(self, kind: str, held: Plain) -> None:
        """Have the cache keep what belongs to a graph, if it is of use; see `GraphStore.keep`."""
        if self.keeps_graphs and self.cache is not None:
            self.cache.keep(kind, held)

    def keep_graph(self, graph: tuple[Plain, Iterable[Part]], tables: bytes = b"") -> None:
        """Have the cache keep the graph of the files as they are, if it is of use; see `GraphStore.put`."""
        if self.keeps_graphs and self.cache is not None:
            states = [entry.in_graph for _, entry in sorted(self.entries.items()) if entry.in_graph]
            self.cache.keep_graph(graph, states, tables)
        elif self.cache is not None:
            self.cache.graphs.forget()

    def save(self) -> None:
        """Keep what was learned for later runs."""
        if self.cache is None:
            return
        records = Records(self.places, self._spill)
        if records or self.entries != self.cache.entries or self.generation != self.cache.generation:
            self.cache.save(self.entries, records, self.generation)
            if not self.cache.unwritable:
                self.entries.update(self.cache.entries)  # records may lie elsewhere now
        self.cache.save_listings()


def _if_same(old: Entry, target: files.Target, changed: int) -> Entry | None:
    """An entry with a new time of change, if the content is that of before.

    Raises:
        OSError: the file cannot be read.
    """
    if stamps.content_hash(target.path.read_bytes()) != old.digest:
        return None
    return old._replace(changed_ns=stamps.trusted(changed))


def _restored(data: bytes) -> Record | None:
    """A record from what `keep` made of it."""
    return from_bytes(data) if data else None
