"""What earlier runs learned: an index that every run reads, and records in segments, read one by one.

The index is one file of plain data: for each file its stat, the hash of its content, the
findings it ended up with, and in which segment its record lies, and where. A run that looked into a few files
adds a segment with their records; when there are many, all but the first, which holds most, go into one; when
half of what they hold is of no use any more, all do. The index, too, is only written whole when much of it is
new: what a few files changed since stands in a file beside it. Files are written under new names and moved
into place, the index last: a reader sees an old state or a new one, and whatever does not fit together counts
as no cache.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from operator import itemgetter
from typing import TYPE_CHECKING, BinaryIO, Final

from overhead_lint.cache.entry import Entry
from overhead_lint.cache.folder import drop_old, make
from overhead_lint.cache.graph_store import GraphStore
from overhead_lint.cache.packed_findings import PackedFindings
from overhead_lint.cache.requirement_files import RequirementFiles
from overhead_lint.cache.shipped_files import ShippedFiles
from overhead_lint.cache.word_index import WordIndex
from overhead_lint.discovery.folder_listings import Listings
from overhead_lint.support import blobs
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from overhead_lint.support.blobs import Part, Plain

__all__ = ["Cache"]

_FEW: Final = 32  # times as many files as have changed since make it worth to leave the index as it is
_MOST_SEGMENTS: Final = 16


_LENGTH: Final = itemgetter(Entry._fields.index("length"))


class Segment(NamedTuple):
    """A file with records.

    Attributes:
        name: of the file, in the cache's folder.
        size: in bytes.
    """

    name: str
    size: int


class Cache:
    """The cache of one project.

    Args:
        folder: where it lies; made when something is saved.
        key: what a look into a file depends on besides the file: versions, rules, some settings.
        selection: what it depends on besides which findings end up as final.

    Attributes:
        entries: by the file's path below the project's root.
        same_selection: whether they are of a run with the same selection.
        generation: hash of all that the heat of the final findings came from.
        packed: the texts of the final findings.
        listings: what runs found below folders.
        shipped: what settings files have for options.
        mentioned: the words of all records.
        graphs: the graph that they make.
        rules: what is to be known of rules before a file needs them, as plain data.
        unused: names in the settings that fit no function, as `Overrides.unused` gives them.
        unwritable: in one line, why what was to be saved could not be; empty if it could.
    """

    def __init__(self, folder: Path, key: str, selection: str = "") -> None:
        self._folder = folder
        self._key = key
        self._selection = selection
        self._name = f"{zlib.crc32(key.encode()):08x}"
        self.entries: dict[str, Entry] = {}
        self.same_selection = False
        self.generation = b""
        self.packed = PackedFindings()
        self.listings = Listings(folder / f"{self._name}.folders")
        self.shipped = ShippedFiles(folder / f"{self._name}.shipped")
        self._requirements = RequirementFiles(folder / f"{self._name}.torch")
        self.mentioned = WordIndex(folder / f"{self._name}.words")
        self.graphs = GraphStore(folder / self._name)
        self.rules: Plain = ()
        self.unused: Plain = ()
        self.unwritable = ""
        self._segments: list[Segment] = []
        self._base = b""  # checksum of the index on disk
        self._base_texts = 0
        self._since: set[str] = set()
        self._open: dict[int, BinaryIO] = {}
        self._load()

    def _load(self) -> None:
        try:
            sum_, made_for, selection, segments, generation, graph, unused, texts, rules, entries = blobs.get(
                self._folder / f"{self._name}.index"
            )
            if made_for == self._key:
                self._base, self._base_texts = sum_, len(texts)
                said = (segments, generation, graph, unused)
                segments, generation, graph, self.unused = self._take_since(entries, texts, said)
                new, kind = tuple.__new__, Entry  # thousands: `_make` is no C function
                self.entries = {name: new(kind, entry) for name, entry in entries.items()}
                self.generation, self._segments = generation, list(map(Segment._make, segments))
                self.graphs.stamps = graph
                self.packed, self.rules = PackedFindings(texts), rules
                self.same_selection = selection == self._selection
                if not self.same_selection:
                    self._unsettle()
        except blobs.UNUSABLE:
            self.entries, self.same_selection = {}, False
            self._base, self._since = b"", set()  # none, or broken: all is looked at anew

    def hold_for(self, root: Path, requirements: Sequence[str]) -> None:
        """Let go of all files if what folders of the project require is not what it was.

        That is rare, and which files lie in these folders would have to be kept with each of them.

        Args:
            root: the project's folder.
            requirements: the files that may say it.
        """
        if self._requirements.differ(root, requirements):
            self.entries, self.generation, self._base = {}, b"", b""

    def _unsettle(self) -> None:
        """Let go of what was final by another selection, so that all of the index is written anew."""
        self.entries = {
            name: entry._replace(final=None) if entry.final is not None and entry.seen else entry
            for name, entry in self.entries.items()
        }
        self.packed, self._base = PackedFindings(), b""

    def _take_since(self, entries: dict[str, object], texts: list[str], said: Plain) -> Plain:
        """Bring what the index holds up to date; gives what was said as it is now."""
        try:
            of = blobs.get(self._folder / f"{self._name}.since")
            _, base, *now, more, changed, gone = of
        except blobs.UNUSABLE:
            return said
        if base != self._base:  # it belongs to an index that another run has replaced
            return said
        entries.update(changed)
        for name in gone:
            entries.pop(name, None)
        texts.extend(more)
        self._since = {*changed, *gone}
        return tuple(now)

    def record(self, entry: Entry) -> bytes:
        """The record of a file, as it was given to `save`; empty if it cannot be had."""
        part = self._part(entry)
        return part[4:] if int.from_bytes(part[:4], "big") == zlib.crc32(part[4:]) else b""

    def _part(self, entry: Entry) -> bytes:
        """A record as it was written, with its checksum; empty if it cannot be had."""
        if not entry.length:
            return b""
        try:
            file = self._open.get(entry.segment)
            if file is None:
                path = self._folder / self._segments[entry.segment].name
                file = self._open[entry.segment] = path.open("rb")
            file.seek(entry.offset)
            return file.read(entry.length)
        except (OSError, IndexError):  # another run has replaced it
            return b""

    def close(self) -> None:
        """Close the segments that were read from."""
        while self._open:
            self._open.popitem()[1].close()

    def __del__(self) -> None:
        """A run that saves nothing closes nothing itself."""
        self.close()

    def save(self, entries: Mapping[str, Entry], records: Mapping[str, bytes], generation: bytes) -> None:
        """Keep what a run learned; of a folder that cannot be written to, `unwritable` tells.

        Args:
            entries: all files of the project; where a record lies counts only for those without a new one.
            records: the records that are new.
            generation: hash of all that the heat of the final findings came from.
        """
        before = {segment.name for segment in self._segments}
        try:
            make(self._folder)
            self._save(entries, records, generation)
            own = {segment.name for segment in self._segments}
            drop_old(self._folder, self._name, before - own, own)
        except OSError as error:
            self.unwritable = f"{self._folder}: the cache cannot be written: {error.strerror or error}"

    def keep(self, kind: str, held: Plain) -> None:
        """Keep what belongs to a graph, as `GraphStore.keep` does it; where it cannot be, `save` tells."""
        with contextlib.suppress(OSError):
            make(self._folder)
            self.graphs.keep(kind, held)

    def keep_graph(
        self, graph: tuple[Plain, Iterable[Part]], states: Iterable[bytes], tables: bytes = b""
    ) -> None:
        """Keep a graph, as `GraphStore.put` does it; where it cannot be, `save` tells."""
        with contextlib.suppress(OSError):
            make(self._folder)
            self.graphs.put(graph, states, tables)

    def save_listings(self) -> None:
        """Keep what was found below folders and in settings files: where it cannot be, it is found again."""
        with contextlib.suppress(OSError):
            self.listings.save()
            self.shipped.save()
            self._requirements.save()

    def _save(self, entries: Mapping[str, Entry], records: Mapping[str, bytes], generation: bytes) -> None:
        stay = self._that_stay(entries, records) if records else len(self._segments)
        anew = not stay and bool(records and self._segments)
        if anew:
            entries = self._without_old_texts(entries)
        if records:
            entries = {**entries, **self._write_records(entries, records, stay)}
        old = self.entries
        self._since |= {name for name, entry in entries.items() if old.get(name) is not entry}
        self._since |= old.keys() - entries.keys()
        self.entries, self.generation = dict(entries), generation
        if anew or not self._base or len(self._since) * _FEW > len(entries):
            self._write_index()
            self.mentioned.renew(self.entries, self.record)
        else:
            self._write_since()

    def _write_index(self) -> None:
        """Write all of the index."""
        entries = {name: tuple(entry) for name, entry in self.entries.items()}
        segments = list(map(tuple, self._segments))
        graph, texts = self.graphs.stamps, self.packed.texts
        said = (self._key, self._selection, segments, self.generation, graph, self.unused)
        held = (*said, texts, self.rules, entries)
        self._base = blobs.put(self._folder / f"{self._name}.index", held)
        self._base_texts, self._since = len(texts), set()
        (self._folder / f"{self._name}.since").unlink(missing_ok=True)

    def _write_since(self) -> None:
        """Write what is another than in the index."""
        entries = self.entries
        changed = {name: tuple(entries[name]) for name in self._since if name in entries}
        gone = [name for name in self._since if name not in entries]
        segments, texts = list(map(tuple, self._segments)), self.packed.texts[self._base_texts :]
        now = (segments, self.generation, self.graphs.stamps, self.unused)
        held = (self._base, *now, texts, changed, gone)
        blobs.put(self._folder / f"{self._name}.since", held)
        os.utime(self._folder / f"{self._name}.index")  # by its age it is seen whether it is in use

    def _that_stay(self, entries: Mapping[str, Entry], records: Mapping[str, bytes]) -> int:
        """How many of the segments, from the first, stay as they are when new records are written."""
        kept = sum(map(_LENGTH, entries.values())) - sum(entries[name].length for name in records)
        held = sum(segment.size for segment in self._segments)
        if held > 2 * kept:
            return 0
        if len(self._segments) < _MOST_SEGMENTS:
            return len(self._segments)
        return 1 if 2 * self._segments[0].size > held else 0

    def _write_records(
        self, entries: Mapping[str, Entry], records: Mapping[str, bytes], stay: int
    ) -> dict[str, Entry]:
        """Write new records, in a segment with all that lie in segments which do not `stay`; gives where."""
        written: dict[str, Entry] = {}
        names: Iterable[str] = records
        if stay < len(self._segments):
            names = [name for name, entry in entries.items() if name in records or entry.segment >= stay]
        at = 0

        def pieces() -> Iterator[bytes]:
            nonlocal at
            for name in names:
                record, entry = records.get(name), entries[name]
                if record is not None:
                    part = zlib.crc32(record).to_bytes(4, "big") + record
                else:
                    part = self._part(entry)
                written[name] = entry._replace(segment=stay, offset=at, length=len(part))
                at += len(part)
                yield part

        name = f"{self._name}-{os.urandom(6).hex()}.data"
        blobs.put_pieces(self._folder / name, pieces())
        self.close()
        self._segments = [*self._segments[:stay], Segment(name, at)]
        return written

    def _without_old_texts(self, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """The entries with a table of texts that holds only theirs."""
        old, self.packed = self.packed, PackedFindings()
        return {
            name: entry._replace(final=old.moved(entry.final, self.packed)) if entry.final else entry
            for name, entry in entries.items()
        }
