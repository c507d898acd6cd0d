"""Guards that hardly ever let control pass: every so many steps, first calls, caches that miss, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.conditions import Conditions
from overhead_lint.analysis.gates.region import Region
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.guards import GuardTree, failing, guards_within
from overhead_lint.analysis.graph.passed_arguments import Role
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.queries import constant, is_constant
from overhead_lint.analysis.ir.records import FUNCTION_BODY, GUARD_BRANCH, NONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Gates"]

_EXITS: Final = frozenset({"sys.exit", "exit", "quit", "os._exit", "os.abort"})


class Gates:
    """Judges the guards of one file.

    Args:
        stored: what methods of the file store in attributes.
        is_hot: whether the rounds of a loop, by its function and number, are steps.
    """

    def __init__(self, stored: StoredAttributes, is_hot: Callable[[int, int], bool]) -> None:
        self._names = stored.names
        self._conditions = Conditions(stored, is_hot, self.of_block)
        self._known: dict[tuple[int, int], Gate | None] = {}
        self._regions: dict[tuple[int, int], Region] = {}
        self._trees: dict[int, GuardTree] = {}
        self._joins: dict[tuple[int, int], Gate | None] = {}
        self._left: dict[tuple[int, int], int] = {}  # the operation from which on a block is left behind
        self._failing: dict[int, frozenset[int]] = {}

    def of_guard(self, place: int, number: int) -> Gate | None:
        """Return the gate that a guard of a function is; None if it may let control pass often."""
        key = (place, number)
        if key not in self._known:
            guard = self._names.functions[place].guards[number]
            self._known[key] = None  # a flag may well be asked for where it is set
            if guard.kind == GUARD_BRANCH:
                self._known[key] = self._conditions.gate(
                    place, guard.condition, guard.outcome, self.region(place, number), 0
                )
        return self._known[key]

    def is_interval(self, place: int, number: int, modulo: int) -> bool:
        """Whether what a guard lets run runs once in as many steps as a ``%`` in its condition says."""
        return self._conditions.is_interval(place, modulo, self.region(place, number))

    def answer(self, place: int) -> Gate | None:
        """Return the gate that what a function gives is where that is true; None if it may often be."""
        return self._conditions.answer(place, True, Region(place, self._names.flow(place), 0, 0, None))

    def answers(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Return the plain names of functions that hardly ever say yes, and those of others that may say it.

        Both come with the number of their `Role`. ``return step % every == 0`` hardly ever says yes.
        """
        found: dict[Role, dict[str, None]] = {Role.SELDOM: {}, Role.ANSWERING: {}}
        for place, record in enumerate(self._names.functions):
            if record.kind == FUNCTION_BODY and _may_say_yes(record):
                found[Role.ANSWERING if self.answer(place) is None else Role.SELDOM][record.name] = None
        return tuple((int(role), tuple(sorted(said))) for role, said in found.items() if said)

    def begin(self, place: int, number: int) -> int:
        """Return the block that a guard lets control come to first."""
        return self._guards(place).own(number)[0]

    def is_left(self, place: int, number: int, block: int) -> bool:
        """Whether a block under a guard is what is left behind the branch that asks.

        The block where the ways of a branch meet is made before theirs, and one of them leads to it.
        """
        record = self._names.functions[place]
        start = self._left.get((place, number))
        if start is None:
            end = self._guards(place).first(number)
            ways = (record.block_guard[one] for one in record.predecessors[end])
            meets = any(_is_under(record, guard, number) for guard in ways)
            start = self._left[place, number] = record.block_start[end] if meets else len(record.code) + 1
        return record.block_start[block] >= start

    def region(self, place: int, number: int) -> Region:
        """Return what runs under a guard."""
        known = self._regions.get((place, number))
        if known is None:
            flow, guards = self._names.flow(place), self._guards(place)
            begin = guards.own(number)[0]
            before = flow.record.predecessors[begin]
            known = Region(place, flow, begin, before[0] if before else begin, guards, number)
            self._regions[place, number] = known
        return known

    def _guards(self, place: int) -> GuardTree:
        known = self._trees.get(place)
        if known is None:
            known = self._trees[place] = GuardTree(self._names.flow(place))
        return known

    def of_join(self, place: int, block: int) -> Gate | None:
        """Return the gate of a block where ways meet, if all of them hardly ever lead there.

        ``if self.kept is not None: if self.kept.size >= n: return`` goes on where what follows makes it anew.
        """
        key = (place, block)
        if key not in self._joins:  # all blocks that it dominates ask
            self._joins[key] = self._of_join(place, block)
        return self._joins[key]

    def _of_join(self, place: int, block: int) -> Gate | None:
        flow = self._names.flow(place)
        record = flow.record
        around, before = record.block_guard[block], record.predecessors[block]
        if len(before) < 2:
            return None
        ways = []
        for one in before:
            numbers = guards_within(flow, one, around)
            if not numbers or any(record.guards[number].kind != GUARD_BRANCH for number in numbers):
                return None
            ways.append([(record.guards[n].condition, record.guards[n].outcome) for n in numbers])
        return self._conditions.of_ways(
            place, ways, lambda: Region(place, flow, block, before[0], self._guards(place))
        )

    def fails(self, place: int, block: int) -> bool:
        """Whether all ways from a block end by an exception that its function does not catch, or an exit."""
        known = self._failing.get(place)
        if known is None:
            flow = self._names.flow(place)
            known = self._failing[place] = failing(flow, self._exiting(place))
        return block in known

    def _exiting(self, place: int) -> frozenset[int]:
        """Return the blocks of a function that end the program."""
        record, flow = self._names.functions[place], self._names.flow(place)
        return frozenset(
            flow.block_of(at)
            for at, code in enumerate(record.code)
            if code == CALL and self._names.dotted(place, record.operand[at]) in _EXITS
        )

    def of_block(self, place: int, block: int) -> Gate | None:
        """Return the innermost gate that a block is behind, within the loop around it."""
        record, flow = self._names.functions[place], self._names.flow(place)
        loop = record.block_loop[block]
        outside = record.block_guard[record.loops[loop].header] if loop >= 0 else NONE
        for number in reversed(guards_within(flow, block, outside)):
            is_error = record.guards[number].kind != GUARD_BRANCH
            gate = Gate(GateKind.ERROR) if is_error else self.of_guard(place, number)
            if gate is not None:
                return gate
        return None


def _may_say_yes(record: FunctionIR) -> bool:
    """Whether a function gives something else than constants that are false."""
    given = [record.operand[at] for at in record.returned]
    return any(one != NONE and not (is_constant(record, one) and not constant(record, one)) for one in given)


def _is_under(record: FunctionIR, guard: int, around: int) -> bool:
    """Whether a guard is another, or stands within it."""
    while guard > around:
        guard = record.guards[guard].parent
    return guard == around
