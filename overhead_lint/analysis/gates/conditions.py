"""Conditions that hardly ever have an outcome: every so many steps, first calls, caches that miss, modes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.access import Path, path_of, reads
from overhead_lint.analysis.gates.comparisons import Comparisons, switch
from overhead_lint.analysis.gates.counters import Counters
from overhead_lint.analysis.gates.kept import Kept
from overhead_lint.analysis.gates.questions import asks_finite, asks_for_expired, is_of_steps, length_of
from overhead_lint.analysis.gates.rounds import Rounds
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.ir.naming import last_name, written
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BOOLEAN,
    CALL,
    COMPARE,
    CONSTANT,
    OUTER,
    PARAMETER,
    PHI,
    UNARY,
)
from overhead_lint.analysis.ir.queries import bound, constant, is_constant, is_none, made_of, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.ir.remainders import is_modulo
from overhead_lint.analysis.vocabulary import (
    BAD_FOUND,
    BAD_NUMBERS,
    CAPTURE_CALLS,
    CAPTURE_FLAGS,
    CHECKING_CALLS,
    EXPORT_CALLS,
    EXPORT_FLAGS,
    FIRST,
    FIRST_FLAGS,
    MAIN_FLAGS,
    NO_INTERVAL,
    OFF_FLAGS,
    RARE_ACTS,
    RARE_FLAG_PAIRS,
    RARE_FLAGS,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.analysis.gates.region import Region
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Condition", "Conditions"]

_FOLLOWED: Final = 3
_MAKING: Final = frozenset({GateKind.CHANGE, GateKind.GROWTH, GateKind.MISS, GateKind.MISSING, GateKind.SET})
_OF_RANKS: Final = frozenset({GateKind.MAIN_RANK, GateKind.RANK})
_NAMES: Final = frozenset({BIND, OUTER, PARAMETER, PHI})
_TO_TENSORS: Final = frozenset({"torch.as_tensor", "torch.from_numpy", "torch.tensor"})
_THERE: Final = frozenset({"exists", "is_file", "isfile"})
_LOCAL: Final = _NAMES - {OUTER}
_ORDER: Final = frozenset({"<", "<=", ">", ">="})

Condition = tuple[int, bool]
"""A value that is tested, and the outcome asked about."""


class Conditions:
    """Judges the conditions that guards ask for.

    Args:
        stored: what methods of the file store in attributes.
        is_hot: whether the rounds of a loop, by its function and number, are steps.
        of_block: gives the innermost gate that a block of a function is behind.
    """

    def __init__(
        self,
        stored: StoredAttributes,
        is_hot: Callable[[int, int], bool],
        of_block: Callable[[int, int], Gate | None],
    ) -> None:
        names = self._names = stored.names
        self._of_block = of_block
        self._rounds = Rounds(names, is_hot)
        self._stored = stored
        self._kept = Kept(names, self._rounds, stored)
        self._counters = Counters(names, self._rounds, stored)
        self._comparisons = Comparisons(names, self._counters, self._kept)
        self._waiting: set[tuple[int, int]] = set()

    def gate(self, place: int, test: int, outcome: bool, then: Region, depth: int = 0) -> Gate | None:
        """Return the gate that a condition is where it has an outcome.

        Args:
            place: the function that works the condition out.
            test: the value that is tested.
            outcome: the outcome asked about.
            then: what is done where it has it: a test for something missing is only rare if that provides it.
            depth: how many names and functions were followed already.
        """
        record = self._names.functions[place]
        test = uncopied(record, test)
        code, extra = record.code[test], record.extra[test]
        if code == UNARY and extra == "not":
            return self.gate(place, record.operand[test], not outcome, then, depth)
        if code == BOOLEAN and extra[0] != "if":
            return self._joined(place, test, outcome, then, depth)
        if code == COMPARE:
            found = self._comparisons.gate(place, test, outcome, then)
            return None if found is not None and then.steps() else found
        if is_modulo(record, test):
            return None if outcome or then.steps() else self._comparisons.interval(place, test, then)
        if code == CONSTANT:
            return Gate(GateKind.NEVER) if bool(extra) is not outcome else None
        if code == CALL:
            return self._asked(place, test, outcome, then) or self._flag(place, test, outcome, then, depth)
        return self._flag(place, test, outcome, then, depth)

    def is_interval(self, place: int, modulo: int, then: Region) -> bool:
        """Whether what is done where a number modulo something has one value is done once in so many steps.

        Args:
            place: the function that works the number out.
            modulo: the operation ``%``.
            then: what is done.
        """
        record = self._names.functions[place]
        counts = self._counters.counts_on(place, record.operand[modulo])
        return is_of_steps(record, modulo, counts=counts) and not then.steps()

    def _joined(self, place: int, test: int, outcome: bool, then: Region, depth: int) -> Gate | None:
        """Judge what ``and`` or ``or`` joins."""
        word, *values = self._names.functions[place].extra[test]
        gates = [self.gate(place, value, outcome, then, depth) for value in values]
        one_is_enough = (word == "and") == outcome
        if one_is_enough or None not in gates:
            return next(filter(None, gates), None)
        # Nobody asks for each tenth step as well where the others asked for are many.
        every = next((gate for gate in gates if _is_every(gate)), None)
        every = every or _of_bad_numbers(self._names.functions[place], dict(zip(values, gates, strict=True)))
        return every or self._made_anew(place, [(value, outcome) for value in values], then, depth)

    def of_ways(
        self, place: int, ways: Sequence[Sequence[Condition]], region: Callable[[], Region]
    ) -> Gate | None:
        """Return the gate of what several ways lead to, if all of them hardly ever do.

        Args:
            place: the function.
            ways: the conditions of each way, all of which have to hold.
            region: gives what is done there.
        """
        # What is asked for where another way asks for the opposite says nothing.
        asked = {condition for way in ways for condition in way}
        own = [[(test, outcome) for test, outcome in way if (test, not outcome) not in asked] for way in ways]
        if sum(not conditions for conditions in own) > 1:
            return None  # all branches of one test
        then = region()
        gates = [
            next(filter(None, (self.gate(place, test, outcome, then) for test, outcome in way)), None)
            for way in ways
        ]
        if None not in gates:
            return next(filter(_is_every, gates), gates[0])
        if any(gate is None and not conditions for gate, conditions in zip(gates, own, strict=True)):
            return None
        gated = [way for way, gate in zip(ways, gates, strict=True) if gate]
        return self._made_anew(place, [one for way in (*gated, *own) for one in way], then, 0)

    def _made_anew(
        self, place: int, conditions: Sequence[Condition], then: Region, depth: int
    ) -> Gate | None:
        """Return the gate that ``kept is None or kept.size < size`` is: what is kept is made.

        All that is asked has to be about what is kept, and it has to be provided.
        """
        record = self._names.functions[place]
        made = then.made()
        for test, outcome in conditions:
            gate = self.gate(place, test, outcome, then, depth)
            if gate is None or gate.kind not in _MAKING:
                continue
            others = [one for one, _ in conditions if one != test]
            kept = [*made, *_missing(record, test)]
            if all(any(reads(record, one, path) for path in kept) for one in others):
                return gate
        return None

    # Calls

    def _asked(self, place: int, call: int, outcome: bool, then: Region) -> Gate | None:
        """Judge a call by the function that is asked; None if that says nothing."""
        record = self._names.functions[place]
        called, given = uncopied(record, record.operand[call]), record.extra[call][0]
        builtin = record.extra[called] if record.code[called] == OUTER else ""
        if builtin == "hasattr" and not outcome and len(given) == 2:
            found = self._kept.provides_attribute(call, then)
            if found is not None:
                return found
        if not outcome and last_name(record, called) in _THERE:
            return Gate(GateKind.MISSING, written(record, given[0] if given else record.operand[called]))
        variable = switch(self._names, place, call) if outcome else ""
        if variable:
            return Gate(GateKind.ENVIRONMENT, variable)
        if asks_finite(record, call) == (not outcome):
            return Gate(GateKind.NOT_FINITE)
        if outcome and asks_for_expired(record, call):
            return Gate(GateKind.WHEN, written(record, call))
        converted = "" if outcome else self._converted(place, call, then)
        if converted:
            return Gate(GateKind.CONVERTED, converted)
        counted = length_of(record, call) if not outcome else None
        if counted is not None:
            return self._kept.begins(counted[0], then) or self._comparisons.while_empty(*counted, then)
        return None

    def _converted(self, place: int, call: int, then: Region) -> str:
        """Return the parameter that a call asks of whether it is a tensor, if it is made one where it is not.

        That is for who has a number at hand; whoever calls a function in each step has a tensor. A default
        that is no tensor is what most give.
        """
        record, names = self._names.functions[place], self._names
        given = record.extra[call][0]
        asks_tensor = names.qualified(place, record.operand[call]) == "torch.is_tensor" or (
            len(given) == 2
            and names.is_builtin(place, record.operand[call], "isinstance")
            and names.qualified(place, given[1]) == "torch.Tensor"
        )
        parameter = bound(record, given[0]) if asks_tensor and given else NONE
        if parameter == NONE or record.code[parameter] != PARAMETER:
            return ""
        default, around = record.parameters[record.operand[parameter]].default, names.functions[record.parent]
        if default != NONE and not is_none(around, default):
            return ""
        name = names.name(place, given[0])
        made = (part for store in then.stores if store.name == name for part in made_of(record, store.value))
        makes = any(
            record.code[one] == CALL and names.qualified(place, record.operand[one]) in _TO_TENSORS
            for one in made
        )
        return name if makes else ""

    # Names, attributes and calls as flags

    def _flag(self, place: int, test: int, outcome: bool, then: Region, depth: int) -> Gate | None:
        """Judge a plain name, attribute or call used as a test."""
        record = self._names.functions[place]
        name = last_name(record, test)
        if not name:
            return None
        is_call = record.code[test] == CALL
        asked = self._names.qualified(place, record.operand[test] if is_call else test)
        if asked in EXPORT_CALLS:
            return Gate(GateKind.EXPORT) if outcome else None
        if asked in CAPTURE_CALLS:
            return Gate(GateKind.CAPTURE) if outcome else None
        if asked in CHECKING_CALLS:
            return Gate(GateKind.MODE, asked) if outcome else None
        said = words(name)
        found = _named(name, said, is_call=is_call) if outcome else self._kept.until_set(test, said, then)
        if found is None and (record.code[test] == ATTRIBUTE or record.code[test] in _NAMES):
            found = self._state(place, test, name, outcome, then)
        found = found or self._values(place, test, outcome, then, depth)
        by_name = outcome and is_call and said[:1] == ("every",)
        if found or not by_name or not NO_INTERVAL.isdisjoint(said) or then.steps():
            return found
        return Gate(GateKind.EVERY, written(record, test))

    def _state(self, place: int, flag: int, name: str, outcome: bool, then: Region) -> Gate | None:
        """Return the gate that a flag is by what is done to it, or what the function has it for."""
        record = self._names.functions[place]
        if not outcome:
            if self._counters.counts_rounds(place, flag):
                return Gate(GateKind.COUNT, name, "0")
            found = self._kept.begins(flag, then)
            nothing = found is None and self._kept.collects_nothing(flag, then)
            return Gate(GateKind.EMPTY, name) if nothing else found
        if not OFF_FLAGS.isdisjoint(words(name)[:1]) and self._is_off(place, flag):
            return Gate(GateKind.FLAG, name)
        if self._kept.is_cleared(flag, then):
            return Gate(GateKind.CLEARED, name)
        if record.code[flag] != ATTRIBUTE and self._rounds.ends_episode(place, flag, then.asked):
            return Gate(GateKind.EPISODE, name)
        return None

    def _is_off(self, place: int, flag: int) -> bool:
        """Whether a name is a parameter of the function that is false unless it is passed."""
        record = self._names.functions[place]
        if record.code[flag] != PARAMETER:
            return False
        default = record.parameters[record.operand[flag]].default
        around = self._names.functions[record.parent]
        return default >= 0 and is_constant(around, default) and around.extra[default] is False

    def _values(self, place: int, test: int, outcome: bool, then: Region, depth: int) -> Gate | None:
        """Return the gate that what a name may hold, or a function may give, is.

        A value that is made of itself, as that of ``flag = flag and other``, is none by that.
        """
        if depth >= _FOLLOWED or (place, test) in self._waiting:
            return None
        self._waiting.add((place, test))
        try:
            return self._followed(place, test, outcome, then, depth)
        finally:
            self._waiting.discard((place, test))

    def _followed(self, place: int, test: int, outcome: bool, then: Region, depth: int) -> Gate | None:
        record = self._names.functions[place]
        if record.code[test] == CALL:
            called = self._stored.called(place, test)
            return self.answer(called, outcome, self._there(called, then), depth) if called != NONE else None
        if record.code[test] == PHI:
            return self._of_phi(place, test, outcome, then, depth)
        home, value = self._names.source(place, test)
        if (home, value) == (place, test):
            return None
        return self.gate(home, value, outcome, self._there(home, then), depth + (home != place))

    def _there(self, place: int, then: Region) -> Region:
        """Return what is done, for a condition of another function."""
        return then if place == then.place else then.seen_from(place, self._names.flow(place))

    def _of_phi(self, place: int, phi: int, outcome: bool, then: Region, depth: int) -> Gate | None:
        """Return the gate of a name that may hold several values."""
        record = self._names.functions[place]
        held = self._names.flow(place).definitions(phi)
        is_plain = [record.code[one] == BIND and is_constant(record, record.operand[one]) for one in held]
        choices = [
            (record.operand[one] if plain else one, one) for one, plain in zip(held, is_plain, strict=True)
        ]
        return self._of_choices(place, choices, outcome, then, depth)

    def answer(self, place: int, outcome: bool, then: Region, depth: int = 0) -> Gate | None:
        """Return the gate that what a function gives is where it has an outcome.

        Args:
            place: the function.
            outcome: the outcome asked about.
            then: what is done where it has it, as seen from there.
            depth: how many names and functions were followed already.
        """
        record = self._names.functions[place]
        choices = [(record.operand[at], at) for at in record.returned]
        return self._of_choices(place, choices, outcome, then, depth)

    def _of_choices(
        self, place: int, choices: Sequence[tuple[int, int]], outcome: bool, then: Region, depth: int
    ) -> Gate | None:
        """Return the gate of one of several values, each with the operation that gives it.

        Of constants those count that have the outcome: they are behind the gate of what gives them.
        """
        record, flow = self._names.functions[place], self._names.flow(place)
        gates: list[Gate | None] = []
        for value, at in choices:
            if value == NONE or is_constant(record, value):
                if (value != NONE and bool(constant(record, value))) is outcome:
                    gates.append(self._of_block(place, flow.block_of(at)))
                continue
            gates.append(_of_value(self.gate(place, value, outcome, then, depth + 1)))
        return gates[0] if gates and None not in gates else None


def _missing(record: FunctionIR, test: int) -> list[Path]:
    """Return the attribute that a test asks for: ``self.kept is None``, ``not self.kept``."""
    while record.code[test] == UNARY and record.extra[test] == "not":
        test = record.operand[test]
    if record.code[test] == COMPARE and is_none(record, record.extra[test][0][0]):
        test = record.operand[test]
    test = uncopied(record, test)
    return [path_of(record, test)] if record.code[test] == ATTRIBUTE else []


def _named(name: str, said: tuple[str, ...], *, is_call: bool) -> Gate | None:
    """Return the gate that something of this name is where it is true."""
    if name == "TYPE_CHECKING":
        return Gate(GateKind.NEVER)
    if not RARE_FLAGS.isdisjoint(said) or name == "isEnabledFor":
        return Gate(GateKind.FLAG, name)
    if not EXPORT_FLAGS.isdisjoint(said):
        return Gate(GateKind.EXPORT)
    if not CAPTURE_FLAGS.isdisjoint(said) or said[-2:] == ("capture", "mode"):
        return Gate(GateKind.CAPTURE)
    if name in MAIN_FLAGS:
        return Gate(GateKind.MAIN_RANK)
    if said[:1] and said[0] in RARE_FLAG_PAIRS and not RARE_ACTS.isdisjoint(said):
        return Gate(GateKind.WHEN, name)
    if said[-1:] == ("warmup",) or said[-2:] == ("warm", "up"):
        return Gate(GateKind.WARM_UP, name)
    is_found = not BAD_FOUND.isdisjoint(said) or (said[-1:] == ("overflow",) and (is_call or len(said) == 1))
    if is_found and not BAD_NUMBERS.isdisjoint(said[-1:]):
        return Gate(GateKind.NOT_FINITE)
    if not FIRST.isdisjoint(said) and (len(said) == 1 or not FIRST_FLAGS.isdisjoint(said)):
        return None if is_call else Gate(GateKind.FIRST, name)
    return None


def _of_value(gate: Gate | None) -> Gate | None:
    """Return the gate of one of several values, or of one that a function gives.

    Which rank it asks for says less than where a branch does: on one machine it is always true.
    """
    return gate if gate is not None and gate.kind not in _OF_RANKS else None


def _is_every(gate: Gate | None) -> bool:
    return gate is not None and gate.kind is GateKind.EVERY


def _of_bad_numbers(record: FunctionIR, gates: Mapping[int, Gate | None]) -> Gate | None:
    """Return the gate of numbers that are not finite, or too large: ``isnan(x).any() or x.max() > 9.0``.

    Args:
        record: the function.
        gates: what is asked, each with its gate; None where one that has none asks something else.
    """
    bad = [one for one, gate in gates.items() if gate is not None and gate.kind is GateKind.NOT_FINITE]
    numbers = {part for one in bad for part in _numbers_in(record, one)}
    others = [uncopied(record, one) for one, gate in gates.items() if gate is None]
    is_alike = all(
        record.code[one] == COMPARE
        and not _ORDER.isdisjoint(record.extra[one][1])
        and not numbers.isdisjoint(_numbers_in(record, one))
        for one in others
    )
    return gates[bad[0]] if bad and is_alike else None


def _numbers_in(record: FunctionIR, value: int) -> set[int]:
    """Return what names in an expression stand for."""
    return {bound(record, one) for one in made_of(record, value, _NAMES) if record.code[one] in _LOCAL}
