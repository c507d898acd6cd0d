"""What the cache says of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.file_questions import PlainQuestion

__all__ = ["Entry"]


class Entry(NamedTuple):
    """What the index knows of one file.

    Attributes:
        changed_ns: when it was last changed; 0 if its stat is not to be trusted.
        size: in bytes.
        digest: hash of its content.
        cold: why all of it was cold, by where it lies.
        in_graph: hash of its summary; empty if it takes no part in the project's graph.
        looked: 0 where the rules did not look at it, 1 where they had no need to parse it, else 2.
        seen: whether some rule has something to say of it, that is to be settled.
        final: the findings that it ended up with, as `PackedFindings` has them; None if that is not settled.
        elsewhere: what rules asked of places that several files make together, as `RuleDependencies` has it.
        tells: what it may tell others that ask so: a `Question` each.
        names_compile: whether its text names anything that may compile code.
        segment: number of the segment that its record lies in.
        offset: where the record begins there.
        length: of the record, in bytes.
    """

    changed_ns: int
    size: int
    digest: bytes
    cold: str
    in_graph: bytes
    looked: int
    seen: bool
    final: bytes | None
    elsewhere: tuple[PlainQuestion, ...] = ()
    tells: tuple[PlainQuestion, ...] = ()
    names_compile: bool = False
    segment: int = 0
    offset: int = 0
    length: int = 0
