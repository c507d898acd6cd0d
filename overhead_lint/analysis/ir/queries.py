"""What can be asked of one function's record: definitions, uses, dominance, reachability, loops, guards."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.builder import ENTRY
from overhead_lint.analysis.ir.opcodes import (
    BINARY,
    BIND,
    BOOLEAN,
    BUILD,
    CALL,
    CLASS,
    COMPARE,
    CONSTANT,
    COPY,
    DELETE_ITEM,
    FORMAT,
    FUNCTION,
    IMPORT,
    ITEM,
    OUTER,
    PARAMETER,
    PHI,
    SET_ATTRIBUTE,
    SET_ITEM,
    SLICE,
    UNBOUND,
    UNKNOWN,
)
from overhead_lint.analysis.ir.records import NONE, FunctionIR, Guard

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = [
    "NAMED",
    "Flow",
    "ImportIR",
    "bound",
    "by_place",
    "constant",
    "imports_of",
    "is_constant",
    "is_getattr",
    "is_none",
    "is_of_parameter",
    "made_of",
    "operands",
    "uncopied",
]

WITHOUT_OPERAND: Final = frozenset(
    {
        PARAMETER,
        OUTER,
        CONSTANT,
        PHI,
        BOOLEAN,
        BUILD,
        FORMAT,
        SLICE,
        FUNCTION,
        CLASS,
        IMPORT,
        UNBOUND,
        UNKNOWN,
    }
)
"""Operations whose `operand` is no value."""


WITH_MORE: Final = frozenset(
    {BINARY, BOOLEAN, BUILD, CALL, COMPARE, DELETE_ITEM, FORMAT, ITEM, PHI, SET_ATTRIBUTE, SET_ITEM, SLICE}
)
"""Operations that take values by their `extra`, too."""


NAMED: Final = frozenset({BIND, COPY, OUTER, PARAMETER, PHI})
"""What a name that is read may stand for."""


ImportIR = tuple[int, str, str]
"""What an import says: the dots before the module, the module, and the name that is taken of it or ""."""


def bound(record: FunctionIR, value: int) -> int:
    """Return what a name was bound to where that is one value, through names in turn; else the value."""
    while record.code[value] in (BIND, COPY):
        value = record.operand[value]
    return value


def imports_of(functions: Iterable[FunctionIR]) -> Iterator[ImportIR]:
    """Yield what functions import, one after the other."""
    for record in functions:
        for at, code in enumerate(record.code):
            if code == IMPORT:
                path, name = record.extra[at]
                yield record.operand[at], path, name


def uncopied(record: FunctionIR, value: int) -> int:
    """Return the value that a copy is of, or the value itself."""
    while record.code[value] == COPY:
        value = record.operand[value]
    return value


def by_place(record: FunctionIR, call: int) -> tuple[int, ...]:
    """Return the arguments of a call that have no names, those with a star among them."""
    arguments: tuple[int, ...]
    arguments, names = record.extra[call]
    return arguments[: len(arguments) - len(names)]


def by_name(record: FunctionIR, call: int) -> list[tuple[str, int]]:
    """Return the arguments of a call that have names, each with its own; "" for those with two stars."""
    arguments: tuple[int, ...]
    names: tuple[str, ...]
    arguments, names = record.extra[call]
    return list(zip(names, arguments[len(arguments) - len(names) :], strict=True)) if names else []


def constant(record: FunctionIR, value: int) -> object:
    """Return the constant that is written in a place; None for None and for anything else."""
    value = uncopied(record, value)
    return record.extra[value] if record.code[value] == CONSTANT else None


def is_constant(record: FunctionIR, value: int) -> bool:
    """Whether a constant is written in a place."""
    return record.code[uncopied(record, value)] == CONSTANT


def is_getattr(record: FunctionIR, call: int) -> bool:
    """Whether a call reads an attribute by its name: ``getattr(self, "mask", None)``."""
    called = uncopied(record, record.operand[call])
    return record.code[called] == OUTER and record.extra[called] == "getattr"


def is_none(record: FunctionIR, value: int) -> bool:
    """Return whether None is written in a place."""
    value = uncopied(record, value)
    return record.code[value] == CONSTANT and record.extra[value] is None


def operands(record: FunctionIR, value: int) -> tuple[int, ...]:
    """Return the values that an operation takes, in order; what is not given is left out."""
    code = record.code[value]
    if code not in WITH_MORE:
        one = record.operand[value]
        return (one,) if one >= 0 and code not in WITHOUT_OPERAND else ()
    extra = record.extra[value]
    found: tuple[int, ...]
    if code in (CALL, COMPARE):
        found = (record.operand[value], *extra[0])
    elif code in (BOOLEAN, BUILD):
        found = extra[1:]
    elif code in (PHI, SLICE):
        found = tuple(extra)
    elif code == SET_ITEM:
        found = (record.operand[value], *extra)
    elif code == FORMAT:
        found = extra[0]
    elif code == BINARY:
        found = (record.operand[value], extra[0])
    elif code in (ITEM, DELETE_ITEM):
        found = (record.operand[value], extra)
    else:
        found = (record.operand[value], extra[1])
    # Few operations take less than they may.
    return found if not found or min(found) >= 0 else tuple([one for one in found if one >= 0])


def made_of(record: FunctionIR, value: int, until: Collection[int] = ()) -> set[int]:
    """Return a value and all that it is computed from.

    Args:
        record: the function.
        value: the value; nothing is found for `NONE`.
        until: codes of operations behind which nothing is looked for: `NAMED` stops at names.
    """
    found: set[int] = set()
    waiting = [value] if value >= 0 else []
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            if record.code[one] not in until:
                waiting += operands(record, one)
    return found


def is_of_parameter(record: FunctionIR, value: int) -> bool:
    """Whether a parameter is among what a value is computed from."""
    return any(record.code[one] == PARAMETER for one in made_of(record, value))


class Flow:
    """Answers questions about one function; each table is made when it is first asked for.

    Args:
        record: the function.
    """

    def __init__(self, record: FunctionIR) -> None:
        self.record = record
        self._successors: list[list[int]] | None = None
        self._dominators: list[int] | None = None
        self._order: list[int] | None = None
        self._uses: dict[int, list[int]] | None = None
        self._by_start: tuple[list[int], list[int]] | None = None
        self._reachable: dict[int, frozenset[int]] = {}

    # Blocks

    @property
    def successors(self) -> list[list[int]]:
        """The blocks that each block leads to."""
        found = self._successors
        if found is None:
            found = self._successors = [[] for _ in self.record.predecessors]
            for block, predecessors in enumerate(self.record.predecessors):
                for one in predecessors:
                    if block not in found[one]:
                        found[one].append(block)
        return found

    def block_of(self, value: int) -> int:
        """Return the block that an operation belongs to."""
        record = self.record
        code = record.code[value]
        if code == PHI:
            return record.operand[value]
        if code == COPY:
            return int(record.extra[value])
        if code == OUTER:
            return ENTRY
        if self._by_start is None:
            pairs = sorted(
                (start, block)
                for block, start in enumerate(record.block_start)
                if record.block_end[block] > start
            )
            self._by_start = [start for start, _ in pairs], [block for _, block in pairs]
        starts, blocks = self._by_start
        at = bisect_right(starts, value) - 1
        return blocks[at] if at >= 0 else ENTRY

    def reachable_from(self, block: int) -> frozenset[int]:
        """Return the blocks that may run after a block has, itself only if a loop leads back to it."""
        found = self._reachable.get(block)
        if found is None:
            successors = self.successors
            seen: set[int] = set()
            waiting = list(successors[block])
            while waiting:
                one = waiting.pop()
                if one not in seen:
                    seen.add(one)
                    waiting += successors[one]
            found = self._reachable[block] = frozenset(seen)
        return found

    def is_reachable(self, block: int) -> bool:
        """Whether control comes to a block at all."""
        return block == ENTRY or block in self.reachable_from(ENTRY)

    @property
    def order(self) -> list[int]:
        """The blocks that control comes to, each before those that it dominates (reverse postorder)."""
        if self._order is None:
            successors = self.successors
            seen = {ENTRY}
            finished: list[int] = []
            stack: list[tuple[int, Iterator[int]]] = [(ENTRY, iter(successors[ENTRY]))]
            while stack:
                block, left = stack[-1]
                for one in left:
                    if one not in seen:
                        seen.add(one)
                        stack.append((one, iter(successors[one])))
                        break
                else:
                    finished.append(block)
                    stack.pop()
            finished.reverse()
            self._order = finished
        return self._order

    @property
    def dominators(self) -> list[int]:
        """The immediate dominator of each block; `NONE` for the entry and for what nothing leads to.

        After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
        """
        if self._dominators is None:
            order = self.order
            rank = {block: at for at, block in enumerate(order)}
            found = [NONE] * len(self.record.predecessors)
            found[ENTRY] = ENTRY
            changed = True
            while changed:
                changed = False
                for block in order[1:]:
                    best = NONE
                    for one in self.record.predecessors[block]:
                        if one in rank and found[one] >= 0:
                            best = one if best < 0 else _nearest(best, one, found, rank)
                    if found[block] != best:
                        found[block] = best
                        changed = True
            found[ENTRY] = NONE
            self._dominators = found
        return self._dominators

    def dominates(self, first: int, second: int) -> bool:
        """Whether each way to a block leads through another, or is it."""
        dominators = self.dominators
        while second >= 0 and second != first:
            second = dominators[second]
        return second == first

    # Guards and loops

    def guards_of(self, block: int) -> Iterator[Guard]:
        """Yield the guards that a block runs under, innermost first."""
        at = self.record.block_guard[block]
        while at >= 0:
            guard = self.record.guards[at]
            yield guard
            at = guard.parent

    # Values

    def definitions(self, value: int) -> list[int]:
        """Return the operations that may have made a value: what phis join, copies followed.

        They are what binds a name (`BIND`, `PARAMETER`), what it is outside (`OUTER`), or that it is not
        bound
        (`UNBOUND`); an operation of its own for a value that no name has.
        """
        record = self.record
        found: dict[int, None] = {}
        seen = {value}
        waiting = [value]
        while waiting:
            one = waiting.pop()
            code = record.code[one]
            if code in (PHI, COPY):
                joined: Iterable[int] = record.extra[one] if code == PHI else (record.operand[one],)
                for part in joined:
                    if part not in seen:
                        seen.add(part)
                        waiting.append(part)
            else:
                found[one] = None
        return sorted(found)

    def reaching(self, at: int, writes: Collection[int]) -> tuple[list[int], bool]:
        """Return which of some operations may be the last of them that ran before another.

        It is for what has no name: writes to one attribute, or to items of one container.

        Args:
            at: the operation.
            writes: the operations.

        Returns:
            Those that may be it, in order, and whether there is a way from the entry past all of them.
        """
        by_block: dict[int, list[int]] = {}
        for write in sorted(writes):
            by_block.setdefault(self.block_of(write), []).append(write)
        here = self.block_of(at)
        before = [write for write in by_block.get(here, ()) if write < at]
        if before:
            return [before[-1]], False
        found: set[int] = set()
        seen: set[int] = set()
        waiting = list(self.record.predecessors[here])
        past = here == ENTRY
        while waiting:
            block = waiting.pop()
            if block in seen:
                continue
            seen.add(block)
            inside = by_block.get(block)
            if inside:
                found.add(inside[-1])
            else:
                past = past or block == ENTRY
                waiting += self.record.predecessors[block]
        return sorted(found), past

    @property
    def uses(self) -> dict[int, list[int]]:
        """The operations that take each value, in order."""
        if self._uses is None:
            self._uses = {}
            for user in range(len(self.record.code)):
                for value in operands(self.record, user):
                    self._uses.setdefault(value, []).append(user)
        return self._uses


def _nearest(one: int, other: int, dominators: list[int], rank: dict[int, int]) -> int:
    """Return the nearest block that dominates two others."""
    while one != other:
        while rank[one] > rank[other]:
            one = dominators[one]
        while rank[other] > rank[one]:
            other = dominators[other]
    return one
