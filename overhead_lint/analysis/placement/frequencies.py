"""How often program points run within their functions, by the guards and loops around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import LOOP, REPEATED, SAME, STEP, Frequency, repeated
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.guards import guards_within, leads_to_error
from overhead_lint.analysis.graph.option import ANSWER
from overhead_lint.analysis.ir.builder import ENTRY
from overhead_lint.analysis.ir.opcodes import CALL, ENTER, EXIT
from overhead_lint.analysis.ir.paths import goes_round
from overhead_lint.analysis.ir.records import FUNCTION_BODY, GUARD_BRANCH, NONE, WHILE_LOOP, line_of
from overhead_lint.analysis.loops.rounds import LoopKind
from overhead_lint.analysis.placement.items import ItemLoops
from overhead_lint.analysis.placement.trainings import is_training
from overhead_lint.analysis.vocabulary import CAPTURING
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.analysis.gates.judge import Gates
    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import Guard
    from overhead_lint.analysis.loops.rounds import Rounds
    from overhead_lint.analysis.options.asked import AskedOptions

__all__ = ["Frequencies", "Placed"]


class Placed(NamedTuple):
    """How often a program point runs in its function, with what makes it so.

    Attributes:
        frequency: how often.
        loop: the number of the hot loop that it is in; -1 for none.
        gate: what it is behind; None if it is behind none.
        options: those that keep it from running while nobody passes them.
    """

    frequency: Frequency
    loop: int = NONE
    gate: Gate | None = None
    options: tuple[Option, ...] = ()


_FLOW: Final = Placed(SAME)


class Frequencies:
    """Tells how often the program points of one file run.

    Args:
        names: the names of the file.
        gates: judges its guards.
        options: tells which defaults keep a condition from an outcome.
        rounds: tells what the rounds of a loop are, by its function and number.
    """

    def __init__(
        self, names: Names, gates: Gates, options: AskedOptions, rounds: Callable[[int, int], Rounds]
    ) -> None:
        self._names = names
        self._gates = gates
        self._options = options
        self._rounds = rounds
        self.items = ItemLoops(names, self._is_hot)
        self._known: dict[tuple[int, int], Placed] = {}
        self._tops: dict[int, Placed] = {}
        self._joins: dict[tuple[int, int], tuple[int, Gate | None]] = {}
        self._scopes: dict[tuple[int, int, bool, int], Placed] = {}
        self._asked: dict[int, dict[tuple[int, int], list[int]]] = {}
        self._captures: dict[int, list[tuple[int, int]]] = {}
        self._going_round: dict[tuple[int, int], frozenset[int]] = {}

    def _is_hot(self, place: int, loop: int) -> bool:
        return self._rounds(place, loop).kind is LoopKind.HOT

    def of(self, place: int, block: int, at: int) -> Placed:
        """Return how often a program point runs.

        Args:
            place: its function.
            block: its block there.
            at: its operation, or one that follows it in the block.
        """
        known = self._known.get((place, block))
        if known is None:
            known = self._known[place, block] = self._found(place, block)
        for begin, end in self._capturing(place):
            if begin < at < end:
                line = line_of(self._names.functions[place].places[begin])
                return _gated(Gate(GateKind.CAPTURE, line=line))
        return known

    def _found(self, place: int, block: int) -> Placed:
        flow = self._names.flow(place)
        record = flow.record
        if not flow.is_reachable(block):
            before = range(record.block_start[block] - 1, -1, -1)
            return _gated(Gate(GateKind.NEVER, line=self._line(place, before)))
        found, guard = self._at_top(place), NONE
        ended = NONE
        for loop in reversed(self._loops_around(place, block)):
            header = record.loops[loop].header
            guards = guards_within(flow, header, guard)
            found = self._behind(found, place, header, guards, ended)
            guard = record.block_guard[header]
            if self.items.gives(place, loop) or block in self._going(place, loop):
                found = self._inside(found, place, loop)
            elif ended < 0:
                ended = loop
        found = self._behind(found, place, block, guards_within(flow, block, guard), ended)
        if found.frequency >= SAME and block != ENTRY and leads_to_error(flow, block):
            inside = range(record.block_start[block], record.block_end[block])
            return _gated(Gate(GateKind.ERROR, line=self._line(place, inside)))
        return found

    def _loops_around(self, place: int, block: int) -> list[int]:
        """Return the loops around a block, innermost first."""
        record, found = self._names.functions[place], []
        loop = record.block_loop[block]
        while loop >= 0:
            found.append(loop)
            loop = record.loops[loop].parent
        return found

    def _line(self, place: int, operations: range) -> int:
        """Return the line of the first of some operations that stands in the text; 0 for none."""
        places = self._names.functions[place].places
        return next((line_of(places[at]) for at in operations if places[at]), 0)

    # Functions

    def _at_top(self, place: int) -> Placed:
        """Return how often what stands first in a function runs when that is called."""
        if self._names.functions[place].kind != FUNCTION_BODY:
            return _FLOW
        known = self._tops.get(place)
        if known is None:
            gate = Gate(GateKind.TRAINING) if is_training(self._names, place) else None
            known = self._tops[place] = _gated(gate) if gate is not None else _FLOW
        return known

    # Guards

    def _behind(self, found: Placed, place: int, block: int, guards: list[int], ended: int) -> Placed:
        """Return how often a block runs behind guards, and behind what control went by where ways meet.

        Args:
            found: how often what is around them does.
            place: the function.
            block: the block.
            guards: the guards, outermost first.
            ended: the outermost loop that ends there; -1 for none.
        """
        number, known, keys = len(guards), None, []
        at = block
        while number and known is None:  # what is outside of a guard is the same for all behind it
            number -= 1
            is_left = self._gates.is_left(place, guards[number], at)
            keys.append((place, guards[number], is_left, ended))
            known, at = self._scopes.get(keys[-1]), self._gates.begin(place, guards[number])
        if known is not None:
            found = known
            keys.pop()
        for key in reversed(keys):
            found = self._scopes[key] = self._under(found, place, key[1], is_left=key[2])
        return self._joined(found, place, block) if found.frequency >= SAME else found

    def _under(self, found: Placed, place: int, number: int, *, is_left: bool) -> Placed:
        """Return how often what runs under a guard does, by what is around that."""
        record = self._names.functions[place]
        guard = record.guards[number]
        begin = self._gates.begin(place, number)
        loop = record.block_loop[begin]
        tested = record.loops[loop].value if loop >= 0 and record.loops[loop].kind == WHILE_LOOP else NONE
        if tested == guard.condition != NONE:
            return found  # what a loop goes on for
        if is_left and self._is_usual(place, number):
            return found
        gate = self._gate(place, number, guard, begin, is_left=is_left)
        if gate is not None:
            return _gated(gate._replace(line=line_of(guard.place)))
        if found.frequency >= SAME and guard.kind == GUARD_BRANCH:
            if self._options.is_never(place, guard.condition, guard.outcome):
                return _gated(Gate(GateKind.NEVER, line=line_of(guard.place)))
            options = self._options.shut(place, guard.condition, guard.outcome)
            if self._gates.region(place, number).steps():
                options = tuple([one for one in options if one.kind != ANSWER])
            modulo, seldom = self._options.seldom(place, guard.condition, guard.outcome)
            if seldom and self._gates.is_interval(place, number, modulo):
                options += seldom
            return _with(found, options)
        return found

    def _gate(self, place: int, number: int, guard: Guard, begin: int, *, is_left: bool) -> Gate | None:
        """Return the gate that a guard is; None if it lets control pass often.

        Args:
            place: the function.
            number: the guard.
            guard: its record.
            begin: the block that it lets control come to first.
            is_left: whether what it lets run is what is left behind a branch.
        """
        if guard.kind != GUARD_BRANCH:
            return Gate(GateKind.ERROR)
        if self._gates.fails(place, begin) and not self._gates.fails(place, ENTRY):
            return Gate(GateKind.ERROR)
        region = self._gates.region(place, number)
        if not is_left and region.warns():
            return Gate(GateKind.WARNING)
        if not is_left and region.deprecates():
            return Gate(GateKind.DEPRECATED)
        return self._gates.of_guard(place, number)

    def _is_usual(self, place: int, number: int) -> bool:
        """Whether the other outcome of a guard's condition only raises."""
        guards = self._names.functions[place].guards
        known = self._asked.get(place)
        if known is None:
            known = self._asked[place] = {}
            for one, guard in enumerate(guards):
                known.setdefault((guard.parent, guard.condition), []).append(one)
        others = known[guards[number].parent, guards[number].condition]
        return any(
            guards[one].outcome is not guards[number].outcome
            and self._gates.fails(place, self._gates.begin(place, one))
            for one in others
        )

    def _joined(self, found: Placed, place: int, block: int) -> Placed:
        """Return how often a block runs behind places where ways meet that all hardly ever lead there."""
        flow = self._names.flow(place)
        record, dominators = flow.record, flow.dominators
        passed, one = [], block
        while one >= 0 and (place, one) not in self._joins:
            passed.append(one)
            one = dominators[one]
        nearest = self._joins[place, one] if one >= 0 else (NONE, None)
        for one in reversed(passed):
            gate = self._gates.of_join(place, one) if len(record.predecessors[one]) > 1 else None
            if gate is not None:
                numbers = guards_within(flow, record.predecessors[one][0], record.block_guard[one])
                at = record.guards[numbers[0]].place if numbers else 0
                nearest = (one, gate._replace(line=line_of(at)))
            self._joins[place, one] = nearest
        at, gate = nearest
        if gate is None or not self._is_within(place, block, at):
            return found
        return _gated(gate)

    def _is_within(self, place: int, block: int, around: int) -> bool:
        """Whether a block stands in the loop and under the guard that another stands in and under."""
        record = self._names.functions[place]
        loop, guard = record.block_loop[block], record.block_guard[block]
        while loop > record.block_loop[around]:
            loop = record.loops[loop].parent
        while guard > record.block_guard[around]:
            guard = record.guards[guard].parent
        return loop == record.block_loop[around] and guard == record.block_guard[around]

    # Loops

    def _going(self, place: int, loop: int) -> frozenset[int]:
        """Return the blocks of a loop from which another round may follow."""
        known = self._going_round.get((place, loop))
        if known is None:
            known = self._going_round[place, loop] = goes_round(self._names.flow(place), loop)
        return known

    def _inside(self, found: Placed, place: int, loop: int) -> Placed:
        """Return how often what a loop repeats runs, by how often the loop does."""
        rounds = self._rounds(place, loop)
        if rounds.kind is LoopKind.HOT:
            return Placed(STEP, loop, options=found.options)
        if found.frequency < SAME:
            return found
        if self.items.gives(place, loop):
            return Placed(SAME, options=found.options)
        if rounds.kind is LoopKind.AROUND:
            return found
        options = tuple([one for one in found.options if not one.bounds_rounds])
        if found.frequency in (REPEATED, LOOP):
            return found._replace(options=options)  # one of two loops is enough
        options += self._options.of_one_round(place, loop)
        return found._replace(frequency=repeated(found.frequency), options=options)

    def _capturing(self, place: int) -> list[tuple[int, int]]:
        """Return where CUDA graphs are captured, by operations: steps replay them, and do not capture."""
        known = self._captures.get(place)
        if known is None:
            record = self._names.functions[place]
            begun = {
                at: at
                for at, code in enumerate(record.code)
                if code == ENTER and self._captures_graph(place, record.operand[at])
            }
            if begun:
                for at, code in enumerate(record.code):
                    if code == EXIT and record.operand[at] in begun:
                        begun[record.operand[at]] = at
            known = self._captures[place] = list(begun.items())
        return known

    def _captures_graph(self, place: int, context: int) -> bool:
        record = self._names.functions[place]
        if record.code[context] != CALL:
            return False
        return self._names.qualified(place, record.operand[context]) in CAPTURING


def _gated(gate: Gate) -> Placed:
    """Return how often what is behind a gate runs."""
    return Placed(gate.frequency, gate=gate)


def _with(found: Placed, options: tuple[Option, ...]) -> Placed:
    """Return how often a point runs that options may keep from running as well."""
    more = tuple([one for one in options if one not in found.options])
    return found._replace(options=found.options + more) if more else found
