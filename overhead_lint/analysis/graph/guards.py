"""The guards of program points: what control went by to come there, and where it comes by an error alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.builder import EXIT_BLOCK
from overhead_lint.analysis.ir.opcodes import COMPARE, RAISE
from overhead_lint.analysis.ir.records import GUARD_BRANCH, NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.queries import Flow

__all__ = ["GuardTree", "failing", "guards_within", "leads_to_error", "runs_as_program"]


class GuardTree:
    """The guards of a function, from the outermost.

    Args:
        flow: the function.
    """

    def __init__(self, flow: Flow) -> None:
        self._own: dict[int, list[int]] = {}
        self._inner: dict[int, list[int]] = {}
        for block, number in enumerate(flow.record.block_guard):
            self._own.setdefault(number, []).append(block)
        guards = flow.record.guards
        for number, guard in enumerate(guards):
            self._inner.setdefault(guard.parent, []).append(number)
        self._first = [self._own[number][0] if number in self._own else NONE for number in range(len(guards))]
        for number in range(len(guards) - 1, -1, -1):  # those within others come later
            around, first = guards[number].parent, self._first[number]
            if around >= 0 and first >= 0 and not 0 <= self._first[around] <= first:
                self._first[around] = first

    def first(self, guard: int) -> int:
        """Return the block of the lowest number that runs under a guard."""
        return self._first[guard]

    def own(self, guard: int) -> list[int]:
        """Return the blocks that run under a guard and no other within it, in order."""
        return self._own.get(guard, [])

    def blocks(self, guard: int) -> list[int]:
        """Return the blocks that run under a guard, in order."""
        found: list[int] = []
        waiting = [guard]
        while waiting:
            one = waiting.pop()
            found += self._own.get(one, ())
            waiting += self._inner.get(one, ())
        return sorted(found)


def guards_within(flow: Flow, block: int, around: int) -> list[int]:
    """Return the guards that a block runs under, outermost first, up to one around it and without that.

    Args:
        flow: the function.
        block: the block.
        around: the number of the guard; all are meant where the block does not run under it.
    """
    guards, at = flow.record.guards, flow.record.block_guard[block]
    found = []
    while at >= 0 and at != around:
        found.append(at)
        at = guards[at].parent
    return found[::-1]


def failing(flow: Flow, exiting: frozenset[int]) -> frozenset[int]:
    """Return the blocks from which control comes to the end of a function by exceptions alone.

    Args:
        flow: the function.
        exiting: blocks that end the program, which counts as an exception.
    """
    ends = flow.record.predecessors[EXIT_BLOCK]
    raising = {*exiting, *(block for block in ends if leads_to_error(flow, block))}
    others = {block for block in ends if block not in raising}
    return frozenset(_leading_to(flow, raising)) - _leading_to(flow, others, exiting)


def _leading_to(flow: Flow, blocks: set[int], but: frozenset[int] = frozenset()) -> set[int]:
    """Return some blocks and all from which control may come to them, but for some."""
    found, waiting = set(blocks), list(blocks)
    while waiting:
        for block in flow.record.predecessors[waiting.pop()]:
            if block not in found and block not in but:
                found.add(block)
                waiting.append(block)
    return found


def leads_to_error(flow: Flow, block: int) -> bool:
    """Whether a block ends by raising an exception."""
    record = flow.record
    end = record.block_end[block]
    return end > record.block_start[block] and record.code[end - 1] == RAISE


def runs_as_program(names: Names, block: int) -> bool:
    """Whether a block of a file's top level runs where that is the program: ``__name__ == "__main__"``."""
    flow = names.flow(0)
    record = flow.record
    return any(
        guard.kind == GUARD_BRANCH
        and record.code[guard.condition] == COMPARE
        and names.name(0, record.operand[guard.condition]) == "__name__"
        for guard in flow.guards_of(block)
    )
