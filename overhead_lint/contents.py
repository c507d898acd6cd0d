"""What records hold, given when it is asked for: the records of all files at once would be much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhead_lint.records import kept, sought_of, unsqueezed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from overhead_lint.project.summary import CallSite, FileSummary, Passing
    from overhead_lint.records import Plain
    from overhead_lint.shelf import Place, Shelf

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
        from overhead_lint.project.summary import read

        squeezed = kept(self._get(self._name)).summary
        assert squeezed is not None, "the others take no part"
        return read(unsqueezed(squeezed))

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """The calls of each of its functions, by name in paths."""
        from overhead_lint.project.summary import read_calls

        return read_calls(unsqueezed(kept(self._get(self._name)).calls))

    def passing(self) -> Passing:
        """What it says of options."""
        from overhead_lint.project.summary import read_passing

        return read_passing(unsqueezed(kept(self._get(self._name)).passing))

    def sought(self) -> Mapping[str, str]:
        """Paths into other files that what rules saw in it depends on, with the kinds that change it."""
        return {} if self._alone else sought_of(kept(self._get(self._name)).sought)

    def is_resolved(self) -> bool:
        """Whether what an earlier graph gave as `packed` still holds."""
        return self._reuse and bool(kept(self._get(self._name)).edges)

    def resolved(self) -> Plain:
        """What an earlier graph gave as `packed`."""
        return unsqueezed(kept(self._get(self._name)).edges)


class Records(Mapping[str, bytes]):
    """The records of a run that are new, by the names of their files: read when they are asked for.

    Args:
        places: where they lie, by these names.
        shelf: where that is.
    """

    def __init__(self, places: Mapping[str, Place], shelf: Shelf) -> None:
        self._places = places
        self._shelf = shelf

    def __getitem__(self, name: str) -> bytes:
        return self._shelf.get(self._places[name])

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
