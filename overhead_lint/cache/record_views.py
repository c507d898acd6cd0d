"""Views of records that read them when they are asked: all records at once would take too much memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhead_lint.cache.records import decompressed, dependencies_of, parts_of
from overhead_lint.project.cross_file import NO_DEPENDENCIES, Dependencies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from overhead_lint.cache.spill import Place, Spill
    from overhead_lint.project.file_summary import CallSite, FileSummary, Passing
    from overhead_lint.support.blobs import Plain

__all__ = ["Content", "Records"]


class Content:
    """What the project graph is told of a file: thousands of these wait while it is made.

    Args:
        get: gives the record, as bytes, of a file that takes part in the graph, by its name.
        name: that of the file.
        alone: whether it is judged by itself.
        reuse: whether what an earlier graph found out still holds.
    """

    __slots__ = ("_alone", "_get", "_name", "_reuse")

    def __init__(self, get: Callable[[str], bytes], name: str, alone: bool, reuse: bool) -> None:
        self._get = get
        self._name = name
        self._alone = alone
        self._reuse = reuse

    def summary(self) -> FileSummary:
        """What it holds, the calls of its functions and what it says of options left out."""
        from overhead_lint.project.file_summary import read

        compressed = parts_of(self._get(self._name)).summary
        assert compressed is not None, "the others take no part"
        return read(decompressed(compressed))

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """The calls of each of its functions, by name in paths."""
        from overhead_lint.project.file_summary import read_calls

        return read_calls(decompressed(parts_of(self._get(self._name)).calls))

    def passing(self) -> Passing:
        """What it says of options."""
        from overhead_lint.project.file_summary import read_passing

        return read_passing(decompressed(parts_of(self._get(self._name)).passing))

    def dependencies(self) -> Dependencies:
        """What it seeks of other files, since what rules saw in it depends on that."""
        return (
            NO_DEPENDENCIES if self._alone else dependencies_of(parts_of(self._get(self._name)).dependencies)
        )

    def is_resolved(self) -> bool:
        """Whether what an earlier graph gave as `packed` still holds."""
        return self._reuse and bool(parts_of(self._get(self._name)).edges)

    def resolved(self) -> Plain:
        """What an earlier graph gave as `packed`."""
        return decompressed(parts_of(self._get(self._name)).edges)


class Records(Mapping[str, bytes]):
    """The records of a run that are new, by the names of their files: read when they are asked for.

    Args:
        places: where they lie, by these names.
        spill: where that is.
    """

    def __init__(self, places: Mapping[str, Place], spill: Spill) -> None:
        self._places = places
        self._spill = spill

    def __getitem__(self, name: str) -> bytes:
        return self._spill.get(self._places[name])

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
