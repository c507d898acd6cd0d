"""Numbers that count up from round to round, or from call to call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.questions import is_counter, said_in
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BINARY, BIND, CALL, SET_ATTRIBUTE
from overhead_lint.analysis.ir.queries import bound, constant, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.vocabulary import EPOCHS, NO_INTERVAL, PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.analysis.gates.rounds import Rounds
    from overhead_lint.analysis.ir.names import Names, Site
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Counters"]

_FEW: Final = 10
_NO_ROUNDS: Final = EPOCHS | NO_INTERVAL | PARTS
"""What is named after one of these goes from zero to a small number again and again, or is itself small."""


class Counters:
    """Tells which numbers of one file count.

    Args:
        names: the names of the file.
        rounds: what names are in hot loops.
        stored: what methods store in attributes, and functions give.
    """

    def __init__(self, names: Names, rounds: Rounds, stored: StoredAttributes) -> None:
        self._names = names
        self._rounds = rounds
        self._stored = stored

    def counts(self, place: int, value: int) -> bool:
        """Whether a value is the number of a hot loop's round."""
        return self._rounds.counts(place, value)

    def counts_on(self, place: int, value: int) -> bool:
        """Whether a value is the number of a hot loop's round, or that with a number added: ``i + 1``."""
        record = self._names.functions[place]
        made = bound(record, value)
        is_sum = record.code[made] == BINARY and record.extra[made][1] == "+"
        return self.counts(place, record.operand[made] if is_sum else value)

    def counts_rounds(self, place: int, value: int) -> bool:
        """Whether a value is the number of a hot loop's round, which is not written to have but a few."""
        return self._rounds.counts_many(place, value, _FEW)

    def is_one_round(self, place: int, counter: int, number: int) -> bool:
        """Whether a value counts the rounds of a hot loop, and is asked for one of them: ``i == n // 2``."""
        record = self._names.functions[place]
        if said_in(record, number) & _NO_ROUNDS:
            return False
        return self._rounds.is_fixed(place, counter, number) and self.counts_rounds(place, counter)

    def is_in_few_rounds(self, place: int, counter: int, end: int, block: int) -> bool:
        """Whether ``counter < end`` holds in the first rounds alone: ``i < 3``, ``i + done < 3``.

        Args:
            place: the function that asks.
            counter: what is below the end.
            end: what is above it.
            block: where it is asked.
        """
        record = self._names.functions[place]
        few = constant(record, end)
        if not isinstance(few, int) or not 0 < few <= _FEW:
            return False
        value = bound(record, counter)
        is_sum = record.code[value] == BINARY and record.extra[value][1] == "+"
        return any(
            self._rounds.counts_many(place, one, _FEW * few)
            or (not self.counts(place, one) and self.is_number_of_steps(place, one, block))
            for one in ((record.operand[value], record.extra[value][0]) if is_sum else (counter,))
            if not said_in(record, one) & _NO_ROUNDS
        )

    def is_number_of_steps(self, place: int, value: int, block: int) -> bool:
        """Whether an expression is a number of steps, by what is done to it or by its name.

        So is what a function gives that is given nothing itself: ``get_num_updates()``.
        """
        record = self._names.functions[place]
        value = uncopied(record, value)
        if record.code[value] == CALL:
            if record.extra[value][0]:
                return False
            given = self._stored.given(place, value)
            if len(given) != 1:
                return is_counter(record, record.operand[value])
            place, value = given[0]
            record, block = self._names.functions[place], 0
        if self._counts_up(place, value, block) or is_counter(record, value):
            return True
        read = bound(record, value)
        return record.code[read] == ATTRIBUTE and self._counts_up(place, read, block)

    def _counts_up(self, place: int, value: int, block: int) -> bool:
        """Whether one is added to what begins with a number, again and again, and nothing else is done to it.

        It begins outside of all loops, an attribute of ``self`` in ``__init__``.
        """
        sites = self._lasting(place, value, block)
        others = [site for site in sites if self._added(*site) != 1]
        return len(others) < len(sites) and all(self._begins(*site) for site in others)

    def _begins(self, place: int, store: int) -> bool:
        """Whether a number is what a name or attribute begins with."""
        record = self._names.functions[place]
        value = _given(record, store)
        if value < 0 or not isinstance(constant(record, value), int):
            return False
        if record.block_loop[self._names.flow(place).block_of(store)] >= 0:
            return False
        return record.code[store] != SET_ATTRIBUTE or record.name == "__init__"

    def _added(self, place: int, store: int) -> int:
        """Return what number is added where something is stored; 0 if no constant is, `NONE` for nothing."""
        record = self._names.functions[place]
        value = _given(record, store)
        if value < 0 or record.code[value] != BINARY or record.extra[value][1] != "+=":
            return NONE
        number = constant(record, record.extra[value][0])
        return number if isinstance(number, int) and number > 0 else 0

    def _lasting(self, place: int, value: int, block: int) -> Sequence[Site]:
        """Return what binds a name, or an attribute of ``self``, that lasts over rounds, if it does."""
        record = self._names.functions[place]
        value = uncopied(record, value)
        if record.code[value] == ATTRIBUTE:
            return [
                (where, store)
                for where, store in self._stored.of(place, value)
                if self._names.functions[where].code[store] == SET_ATTRIBUTE
            ]
        if not self._rounds.outlives(place, value, block):
            return ()
        return [(place, store) for store in record.stores.get(self._names.name(place, value), ())]


def _given(record: FunctionIR, store: int) -> int:
    """Return what an operation stores; `NONE` for a parameter."""
    if record.code[store] == SET_ATTRIBUTE:
        return int(record.extra[store][1])
    return record.operand[store] if record.code[store] == BIND else NONE
