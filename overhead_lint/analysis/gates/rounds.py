"""Names in hot loops: those that count rounds, that outlive them, and that tell the end of an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.loops import outlives_rounds, range_end, range_of
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import BIND, CALL, NEXT, PHI, UNPACK
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import NAMED, constant, made_of, uncopied
from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP, NONE
from overhead_lint.analysis.loops.sources import is_of_parts
from overhead_lint.analysis.step_names import steps_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from overhead_lint.analysis.ir.names import Names

__all__ = ["Rounds"]

# Where the result of an environment's step tells that an episode is over, by how much it holds.
_ENDS: Final = {4: (2,), 5: (2, 3)}
_NUMBERING: Final = frozenset({"count", "enumerate", "range", "trange"})
_PAIRING: Final = frozenset({"enumerate", "zip"})


class Rounds:
    """Tells what names are in the hot loops of one file.

    Args:
        names: the names of the file.
        is_hot: whether the rounds of a loop, by its function and number, are steps.
    """

    def __init__(self, names: Names, is_hot: Callable[[int, int], bool]) -> None:
        self._names = names
        self._is_hot = is_hot

    def hot_loops(self, place: int, block: int) -> Iterator[int]:
        """Yield the hot loops around a block, innermost first."""
        record = self._names.functions[place]
        loop = record.block_loop[block]
        while loop >= 0:
            if self._is_hot(place, loop):
                yield loop
            loop = record.loops[loop].parent

    def counts(self, place: int, value: int) -> bool:
        """Whether a value is the number of a hot loop's round: ``for i, batch in enumerate(loader)``."""
        return self._counted(place, value) >= 0

    def counts_many(self, place: int, value: int, few: int) -> bool:
        """Whether a value is the number of a hot loop's round, which has more of them than a few as written.

        Loops over the micro-batches of one step begin again in each step, and what others than ``range`` and
        ``enumerate`` give need not be a number.
        """
        record = self._names.functions[place]
        loop = self._counted(place, value)
        if loop < 0 or is_of_parts(record, loop):
            return False
        parts = made_of(record, record.loops[loop].value)
        if not any(record.code[one] == CALL and last_name(record, one) in _NUMBERING for one in parts):
            return False
        call = range_of(record, record.loops[loop].value)
        rounds = constant(record, range_end(record, call)) if call >= 0 else None
        return not isinstance(rounds, int) or rounds > few

    def is_fixed(self, place: int, counter: int, value: int) -> bool:
        """Whether a value is the same in all rounds of the loop that a number counts: it is made before that.

        It may be an attribute, but for those of what a round binds, or the length of something.
        """
        record, flow = self._names.functions[place], self._names.flow(place)
        loop = self._counted(place, counter)
        parts = made_of(record, value, NAMED)
        return loop >= 0 and not any(
            (record.code[one] == CALL and last_name(record, one) != "len")
            or (record.code[one] in (BIND, PHI) and in_loop(record, flow.block_of(one), loop))
            for one in parts
        )

    def _counted(self, place: int, value: int) -> int:
        """Return the hot loop whose rounds a value counts; `NONE` if it counts none."""
        loop, at = self._item(place, value)
        return loop if at in (NONE, 0) else NONE

    def _item(self, place: int, value: int) -> tuple[int, int]:
        """Return the hot loop that gives a value, with its place in a pair; `NONE` for the whole item."""
        record, at = self._names.functions[place], NONE
        value = uncopied(record, value)
        if record.code[value] != BIND:
            return NONE, NONE
        item = record.operand[value]
        if record.code[item] == UNPACK and record.extra[item] is not None:
            item, at = record.operand[item], record.extra[item]
        if record.code[item] != NEXT:
            return NONE, NONE
        loop = record.block_loop[self._names.flow(place).block_of(item)]
        is_for = loop >= 0 and record.loops[loop].kind != COMPREHENSION_LOOP
        is_of_loop = is_for and record.loops[loop].value == record.operand[item]
        return (loop, at) if is_of_loop and self._is_hot(place, loop) else (NONE, NONE)

    def outlives(self, place: int, value: int, block: int) -> bool:
        """Whether a name keeps over the rounds of a hot loop what a test of it decides about.

        Args:
            place: the function.
            value: what the name stands for where it is asked about.
            block: where that is.
        """
        name = self._names.name(place, value)
        loops = list(self.hot_loops(place, block)) if name else []
        return bool(loops) and outlives_rounds(self._names.flow(place), value, name, loops[-1])

    def ends_episode(self, place: int, value: int, block: int) -> bool:
        """Whether a name tells a hot loop that an episode is over: ``obs, reward, done, _ = env.step(a)``.

        An environment that holds several gives a tensor or an array, of which no branch can ask as a whole.
        """
        record, flow = self._names.functions[place], self._names.flow(place)
        loop = next(self.hot_loops(place, block), NONE)
        if loop == NONE:
            return False
        for name in record.stores.get(self._names.name(place, value), ()):
            is_within = in_loop(record, flow.block_of(name), loop)
            if (
                is_within
                and record.code[name] == BIND
                and self._tells_end(place, record.operand[name], block)
            ):
                return True
        return False

    def _tells_end(self, place: int, value: int, block: int) -> bool:
        """Whether a value is what a step of an environment tells of the end, or one of several of these."""
        record, flow = self._names.functions[place], self._names.flow(place)
        if record.code[value] == NEXT:
            return self._is_of_ends(place, record.operand[value], NONE, block)
        if record.code[value] != UNPACK:
            return False
        given, at = uncopied(record, record.operand[value]), record.extra[value]
        if record.code[given] == NEXT:
            return at is not None and self._is_of_ends(place, record.operand[given], at, block)
        parts = sum(record.code[one] == UNPACK for one in flow.uses.get(given, ()))
        if record.code[given] != CALL or at not in _ENDS.get(parts, ()):
            return False
        called = uncopied(record, record.operand[given])
        return steps_environment(record, called)

    def _is_of_ends(self, place: int, over: int, at: int, block: int) -> bool:
        """Whether a loop goes over what tells of several environments: ``for done in dones``."""
        record = self._names.functions[place]
        over = uncopied(record, over)
        if at != NONE:
            called = last_name(record, record.operand[over]) if record.code[over] == CALL else ""
            given = record.extra[over][0] if called in _PAIRING else ()
            at -= called == "enumerate"
            if not 0 <= at < len(given):
                return False
            over = given[at]
        return bool(self._names.name(place, over)) and self.ends_episode(place, over, block)
