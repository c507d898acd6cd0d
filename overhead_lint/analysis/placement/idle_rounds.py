"""Loops whose rounds give the device nothing to do: what waits in each of them waits for work once."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    AWAIT,
    BINARY,
    BIND,
    CALL,
    COMPARE,
    OUTER,
    SET_ITEM,
    UNARY,
    YIELD,
)
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import made_of, operands
from overhead_lint.analysis.ir.records import NONE, WHILE_LOOP
from overhead_lint.analysis.placement.asked_operations import AskedOperations
from overhead_lint.analysis.values.lattice import KINDS, LOADER, MODULE

__all__ = ["IdleRounds"]

_COMPUTING: Final = (BINARY, COMPARE, UNARY)
_VIEWS: Final = frozenset({"get", "items", "keys", "pop", "values"})
"""Methods that go over what is there: of mappings and lists."""
_READS: Final = frozenset({"cpu", "detach", "item", "numpy", "tolist"})


class IdleRounds(AskedOperations):
    """Tells which loops of one file leave the device's queue empty."""

    def surround(self, place: int, block: int, span: tuple[int, int]) -> bool:
        """Whether a point stands in loops, and all up to its hot loop, or function, are idle beside it.

        Args:
            place: the function of the point.
            block: its block.
            span: where the point begins and ends, as positions: what it computes itself does not count.
        """
        record = self._names.functions[place]
        hot = self._frequencies.of(place, block, record.block_start[block]).loop
        loop = record.block_loop[block]
        if loop in (NONE, hot):
            return False
        while loop not in (NONE, hot):
            if self._is_busy(place, loop, span):
                return False
            loop = record.loops[loop].parent
        return True

    def _is_busy(self, place: int, loop: int, span: tuple[int, int]) -> bool:
        """Whether rounds of a loop may queue work for the device."""
        record, flow = self._names.functions[place], self._names.flow(place)
        iterated = record.loops[loop].value
        if record.loops[loop].kind != WHILE_LOOP and self._is_made_on_the_way(place, iterated):
            return True
        within: list[int] = []
        others: list[int] = []
        for at in range(len(record.code)):
            if in_loop(record, flow.block_of(at), loop):
                (within if self._is_within(record, at, span) else others).append(at)
        read = set().union(*[made_of(record, at) for at in within])
        return any(self._queues(place, at, is_read=at in read) for at in others)

    def _is_made_on_the_way(self, place: int, iterated: int) -> bool:
        """Whether going over something may make it, as generators and loaders do."""
        record = self._names.functions[place]
        if self._value(place, iterated).bits & (LOADER | MODULE):
            return True
        return any(
            record.code[at] == CALL and not self._is_plain(place, at)
            for at in made_of(record, iterated, (BIND,))
        )

    def _queues(self, place: int, at: int, *, is_read: bool) -> bool:
        """Whether an operation may queue work.

        Args:
            place: the function.
            at: the operation.
            is_read: whether what waits is made of it.
        """
        record = self._names.functions[place]
        code = record.code[at]
        if code in (AWAIT, YIELD):
            return True
        if code in _COMPUTING:
            return self._is_on_device(place, at)
        if code == SET_ITEM:
            return self._is_on_device(place, record.operand[at])
        if code != CALL or self._is_plain(place, at):
            return False
        called = record.operand[at]
        if record.code[called] == ATTRIBUTE and record.extra[called] in _READS:
            return False
        return (
            is_read
            or self._is_on_device(place, at)
            or any(
                self._is_on_device(place, one) or self._value(place, one).bits & KINDS == MODULE
                for one in operands(record, at)
            )
        )

    def _is_plain(self, place: int, at: int) -> bool:
        """Whether a call is one of a builtin that computes no tensor, or goes over what a mapping has."""
        record = self._names.functions[place]
        called = record.operand[at]
        if record.code[called] == ATTRIBUTE:
            return record.extra[called] in _VIEWS and not self._is_on_device(place, record.operand[called])
        is_builtin = record.code[called] == OUTER and not self._names.bindings(place, record.extra[called])
        return is_builtin and not self._is_on_device(place, at)
