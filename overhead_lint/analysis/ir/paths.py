"""What can be asked of the ways that control takes through a function: what runs always, and before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.builder import ENTRY, EXIT_BLOCK
from overhead_lint.analysis.ir.opcodes import RAISE
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = [
    "always_runs",
    "goes_round",
    "in_loop",
    "runs_before",
    "runs_each_round",
]


def always_runs(flow: Flow, block: int) -> bool:
    """Whether a block runs in each call of the function that ends without an exception."""
    return block == ENTRY or EXIT_BLOCK not in _reached(flow, (ENTRY,), block)


def runs_each_round(flow: Flow, block: int, loop: int) -> bool:
    """Whether a block of a loop runs in each of its rounds that no exception ends.

    The header runs once more than there are rounds; what asks for the next item, or tests, is in it.
    """
    record = flow.record
    header = record.loops[loop].header
    if block == header:
        return True
    begun = [one for one in flow.successors[header] if in_loop(record, one, loop)]
    if block in begun:
        return True
    return all(
        one != header and in_loop(record, one, loop) for one in (*begun, *_reached(flow, begun, block))
    )


def runs_before(flow: Flow, first: tuple[int, int], then: tuple[int, int]) -> bool:
    """Whether each way to an operation leads through another, which has run by then.

    Args:
        flow: the function.
        first: block and number of the operation that may run before.
        then: those of the other.
    """
    return first[1] < then[1] if first[0] == then[0] else flow.dominates(first[0], then[0])


def goes_round(flow: Flow, loop: int) -> frozenset[int]:
    """Return the blocks of a loop from which another round may follow: control comes to its header again."""
    record = flow.record
    header = record.loops[loop].header
    found: set[int] = set()
    waiting = [header]
    while waiting:
        for block in record.predecessors[waiting.pop()]:
            if block not in found and in_loop(record, block, loop):
                found.add(block)
                waiting.append(block)
    return frozenset(found)


def in_loop(record: FunctionIR, block: int, loop: int) -> bool:
    """Whether a block runs in the rounds of a loop, or of one in it."""
    at = record.block_loop[block]
    while at not in (loop, NONE):
        at = record.loops[at].parent
    return at == loop


def _reached(flow: Flow, starts: Iterable[int], without: int) -> set[int]:
    """Return the blocks that control comes to from others before it comes to one, which may be among them.

    Ways that end by an exception are left out.
    """
    record, successors = flow.record, flow.successors
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        block = waiting.pop()
        for one in successors[block]:
            if one in found or (one == EXIT_BLOCK and _raises(record, block)):
                continue
            found.add(one)
            if one != without:
                waiting.append(one)
    return found


def _raises(record: FunctionIR, block: int) -> bool:
    """Whether a block ends by raising an exception."""
    end = record.block_end[block]
    return end > record.block_start[block] and record.code[end - 1] == RAISE
