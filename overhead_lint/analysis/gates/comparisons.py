"""Comparisons that are hardly ever true: of steps with intervals, of ranks, of the best so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.access import path_of
from overhead_lint.analysis.gates.questions import (
    above_zero,
    asks_finite,
    interval,
    is_counter,
    is_length,
    length_of,
    said_in,
    without_keys,
)
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.ir.naming import last_name, written
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BINARY, BUILD, CALL, CONSTANT, OUTER, UNARY
from overhead_lint.analysis.ir.queries import bound, constant, is_constant, is_none, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.ir.remainders import is_modulo
from overhead_lint.analysis.vocabulary import (
    CLOCKS,
    ELAPSED,
    MAIN_RANK,
    NO_INTERVAL,
    PARTS,
    STEP_WORDS,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.gates.counters import Counters
    from overhead_lint.analysis.gates.kept import Kept
    from overhead_lint.analysis.gates.region import Region
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["Comparisons", "switch"]

_CLOCKS: Final = frozenset(name.rpartition(".")[2] for name in CLOCKS)
_ENVIRONMENT: Final = frozenset({"os.environ.get", "os.getenv"})
_NO_NUMBERS: Final = frozenset({"batch", "batches"})
_CONVERSIONS: Final = frozenset({"bool", "int", "str"})
_OFF: Final = (None, "", "0", "false", "False", "FALSE", "off", "no", 0)
_MANY: Final = 10
_INFINITE: Final = ("inf", "-inf", "+inf", "infinity")
_INFINITIES: Final = frozenset({"torch.inf", "torch._six.inf", "math.inf", "numpy.inf"})
_OPPOSITE: Final = {
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


class Comparisons:
    """Judges the comparisons that branches ask for.

    Args:
        names: the names of the file.
        counters: what counts up.
        kept: judges tests of what is kept.
    """

    def __init__(self, names: Names, counters: Counters, kept: Kept) -> None:
        self._names = names
        self._counters = counters
        self._kept = kept

    def gate(self, place: int, test: int, outcome: bool, then: Region) -> Gate | None:
        """Return the gate that a comparison is where it has an outcome; None if it is none."""
        record = then.record
        others, asked = record.extra[test]
        if len(asked) != 1:
            return None
        left, right = record.operand[test], others[0]
        word = asked[0] if outcome else _OPPOSITE[asked[0]]
        if word in ("is", "is not"):
            is_missing = word == "is" and is_none(record, right)
            if is_missing and last_name(record, left) == "momentum" and "num_batches_tracked" in record.extra:
                # A batch norm, which counts its batches, has one unless somebody takes it away.
                return Gate(GateKind.WHEN, f"{written(record, left)} is None")
            return self._kept.lacks(left, then) if is_missing else None
        if word == "in":
            return self._among(place, left, right)
        if word == "not in":
            return self._kept.misses(without_keys(record, right), then)
        is_positive = above_zero(word, constant(record, right) if is_constant(record, right) else None)
        if is_positive is not None and asks_finite(record, left) is (not is_positive):
            return Gate(GateKind.NOT_FINITE)
        if word == "==":
            return self._equal(place, left, right, then)
        if word == "!=":
            return self._different(place, left, right, then)
        if is_positive is False:
            return self._zero(place, left, right, then)
        if word == "<" and (constant(record, right) == 0 or _is_negative(record, right)):
            found = self._kept.is_unset(left, then)
            if found is not None:
                return found
        less, more = (left, right) if word in ("<", "<=") else (right, left)
        return self._exceeded(place, less, more, then)

    # Equal or not

    def _different(self, place: int, left: int, right: int, then: Region) -> Gate | None:
        """Return the gate that ``left != right`` is; what is none is no number as itself."""
        if path_of(then.record, left) == path_of(then.record, right):
            return Gate(GateKind.NOT_FINITE)
        moved = then.moves() if self._device(place, right) == "cpu" else NONE
        if moved != NONE:
            return Gate(GateKind.MOVED, written(then.record, moved))
        return self._kept.changes(left, right, then) or self._kept.changes(right, left, then)

    def _device(self, place: int, value: int) -> str:
        """Return the device that is written out: ``"cpu"``, ``torch.device("cpu")``; "" for others."""
        record = self._names.functions[place]
        value = bound(record, value)
        if record.code[value] == CALL and record.extra[value][0]:
            if self._names.qualified(place, record.operand[value]) != "torch.device":
                return ""
            value = record.extra[value][0][0]
        text = constant(record, value)
        return text if isinstance(text, str) else ""

    def _equal(self, place: int, left: int, right: int, then: Region) -> Gate | None:
        """Return the gate that ``left == right`` is."""
        record = then.record
        if self._is_infinite(place, left) or self._is_infinite(place, right):
            return Gate(GateKind.NOT_FINITE)
        if _is_negative(record, right):
            found = self._kept.is_unset(left, then)
            if found is not None:
                return found
        if is_constant(record, right):
            other = constant(record, right)
            variable = switch(self._names, place, left, compared=True)
            if variable and other not in _OFF:
                return Gate(GateKind.ENVIRONMENT, variable)
            is_zero = other == 0  # alone: type checkers take what equals 0 for an int, and 0.0 is none
            if is_zero and other is not False and length_of(record, left) is not None:
                return self._zero(place, left, right, then)
        return self._numbers(place, left, right, then)

    def _zero(self, place: int, left: int, right: int, then: Region) -> Gate | None:
        """Return the gate that a number is no more than zero: a length, a counter."""
        record = then.record
        counted = length_of(record, left)
        if counted is None:
            gate = self._numbers(place, left, right, then)
            return gate._replace(value="0") if gate is not None and gate.kind is GateKind.COUNT else gate
        is_asked_by_zero = is_constant(record, right) and constant(record, right) == 0
        begun = self._kept.begins(counted[0], then) if is_asked_by_zero else None
        return begun or self.while_empty(*counted, then)

    def while_empty(self, counted: int, is_tensor: bool, then: Region) -> Gate | None:
        """Return the gate of what is counted and empty: a batch of nothing, which a block leaves at once.

        Attributes may be lists of what was registered, and ``*args`` is what a caller left out: both are
        empty for good.
        """
        record = then.record
        name = self._names.name(then.place, counted)
        parameter = next((one for one in record.parameters if one.name == name), None)
        is_given = bool(name) and "shape" not in words(name) and (parameter is None or parameter.kind != "*")
        if is_tensor or (is_given and then.leaves) or self._kept.collects_nothing(counted, then):
            return Gate(GateKind.EMPTY, written(record, counted))
        return None

    def _numbers(self, place: int, left: int, right: int, then: Region) -> Gate | None:
        """Return the gate that two numbers are equal: of an interval, a rank, a counter, a last round."""
        record = self._names.functions[place]
        left, right = uncopied(record, left), uncopied(record, right)
        if is_modulo(record, bound(record, right)):
            left, right = right, left
        if is_modulo(record, bound(record, left)):
            return self.interval(place, bound(record, left), then)
        if is_constant(record, left) or is_length(record, left):
            left, right = right, left
        ends = is_length(record, right) or _ends_rounds(record, right)
        if ends and self._is_last(place, left, right):
            return Gate(GateKind.LAST_ROUND)
        said = words(last_name(record, left))
        if said and said[-1] in MAIN_RANK and is_constant(record, right):
            return Gate(GateKind.RANK, written(record, left), repr(constant(record, right)))
        is_number = not is_constant(record, right) or isinstance(constant(record, right), int)
        is_next = _is_next(record, left) and not said_in(record, right) & (PARTS | NO_INTERVAL)
        is_round = self._counters.is_one_round(place, left, right)
        if is_number and (is_next or is_round or self._counters.is_number_of_steps(place, left, then.asked)):
            return Gate(
                GateKind.COUNT, last_name(record, left) or written(record, left), written(record, right)
            )
        return None

    def _is_infinite(self, place: int, value: int) -> bool:
        """Whether an expression is infinity: ``torch.inf``, ``-math.inf``, ``float("inf")``."""
        record = self._names.functions[place]
        value = bound(record, value)
        if record.code[value] == UNARY and record.extra[value] == "-":
            value = bound(record, record.operand[value])
        if record.code[value] == CALL and len(record.extra[value][0]) == 1:
            is_float = last_name(record, record.operand[value]) == "float"
            return is_float and constant(record, record.extra[value][0][0]) in _INFINITE
        sites = [(place, value)]
        if record.code[value] == OUTER:  # imported from one place or, where that fails, from another
            sites = self._names.bindings(place, record.extra[value])
        return bool(sites) and all(self._names.qualified(*site) in _INFINITIES for site in sites)

    def _is_last(self, place: int, counter: int, end: int) -> bool:
        """Whether a test asks for the last round: ``i == len(loader) - 1``, ``i + 1 == len(loader)``."""
        record = self._names.functions[place]
        off = record.extra[end][1] if record.code[end] == BINARY else ""
        if record.code[counter] == BINARY and record.extra[counter][1] == "+" and not off:
            return self._counters.counts(place, record.operand[counter])
        return off == "-" and self._counters.counts(place, counter)

    def _among(self, place: int, left: int, right: int) -> Gate | None:
        """Return the gate that ``step in self.logged`` is.

        Ranges and calls may hold many, and a batch is no number.
        """
        record = self._names.functions[place]
        listed = uncopied(record, right)
        is_listed = record.code[listed] not in (CALL, BINARY, CONSTANT)
        if record.code[listed] == BUILD:
            is_listed = record.extra[listed][0] in ("list", "set", "tuple")
        said = words(last_name(record, left))
        is_number = bool(said) and said[-1] not in _NO_NUMBERS and is_counter(record, left)
        if is_listed and (is_number or self._counters.counts_rounds(place, left)):
            return Gate(GateKind.LISTED, last_name(record, left), written(record, right))
        return None

    # More or less

    def _exceeded(self, place: int, limit: int, counter: int, then: Region) -> Gate | None:
        """Return the gate that ``limit < counter`` is."""
        record, kept = then.record, self._kept
        if self._is_elapsed(place, counter):
            return Gate(GateKind.TIME, written(record, counter))
        begins = self._begins_interval(place, limit, counter, then)
        if begins is not None:
            return begins
        is_few = self._counters.is_in_few_rounds(place, limit, counter, then.asked)
        if is_few and not then.is_loop_condition():
            return Gate(GateKind.FEW, written(record, limit), written(record, counter))
        if self._comes_later(counter, limit, then) or self._waits(place, counter, then):
            return Gate(GateKind.EVERY, written(record, counter))
        return kept.grows(limit, counter, then) or kept.is_best(limit, counter, then)

    def _begins_interval(self, place: int, modulo: int, end: int, then: Region) -> Gate | None:
        """Return the gate that ``seen % every < len(batch)`` is: an interval began with this step."""
        record = self._names.functions[place]
        modulo = bound(record, modulo)
        if not is_modulo(record, modulo):
            return None
        every, first = (constant(record, one) for one in (record.extra[modulo][0], end))
        if isinstance(every, int) and isinstance(first, int) and every < _MANY * first:
            return None
        return self.interval(place, modulo, then)

    def interval(self, place: int, modulo: int, then: Region) -> Gate | None:
        """Return the gate of a counter modulo something."""
        record = then.record
        counts = self._counters.counts_on(place, record.operand[modulo])
        return interval(record, modulo, counts=counts, shows=then.shows())

    def _comes_later(self, counter: int, end: int, then: Region) -> bool:
        """Whether a counter has come some way since: to ``last + every``, where ``last = counter``."""
        record = then.record
        end = bound(record, end)
        if record.code[end] != BINARY or record.extra[end][1] != "+":
            return False
        return any(
            self._kept.keeps(one, counter, then) for one in (record.operand[end], record.extra[end][0])
        )

    def _waits(self, place: int, value: int, then: Region) -> bool:
        """Whether something is how far a counter has come since: ``step - last``, ``last = step``.

        It may be told in intervals, ``(step - last) / every``, and noted by ``last += every``. What counts
        the rounds of a hot loop is a counter by any name.
        """
        record = then.record
        value = bound(record, value)
        if record.code[value] == BINARY and record.extra[value][1] in ("/", "//"):
            value = bound(record, record.operand[value])
        if record.code[value] != BINARY or record.extra[value][1] != "-":
            return False
        if said_in(record, value) & NO_INTERVAL:
            return False
        counter, last = record.operand[value], record.extra[value][0]
        if not (
            record.code[uncopied(record, last)] == ATTRIBUTE
            or self._counters.counts(place, counter)
            or said_in(record, counter) & STEP_WORDS
        ):
            return False
        return self._kept.keeps(last, counter, then) or any(
            record.code[one] == BINARY and record.extra[one][1] == "+="
            for one in self._kept.stored(last, then)
        )

    def _is_elapsed(self, place: int, value: int) -> bool:
        record = self._names.functions[place]
        made = bound(record, value)
        if record.code[made] == BINARY and record.extra[made][1] == "-":
            sides = [bound(record, one) for one in (record.operand[made], record.extra[made][0])]
            return any(
                record.code[one] == CALL and last_name(record, record.operand[one]) in _CLOCKS
                for one in sides
            )
        return not ELAPSED.isdisjoint(words(last_name(record, value)))


def _ends_rounds(record: FunctionIR, end: int) -> bool:
    """Whether something may be the last round's number, ``total - 1``, and not that of a step's parts."""
    if record.code[end] != BINARY or constant(record, record.extra[end][0]) != 1:
        return False
    return not said_in(record, end) & (PARTS | NO_INTERVAL)


def _is_negative(record: FunctionIR, value: int) -> bool:
    """Whether a number is written that tells that there is none: -1."""
    number = constant(record, value)
    return isinstance(number, (int, float)) and number < 0


def _is_next(record: FunctionIR, value: int) -> bool:
    """Whether an expression is the number of the next round, counted from one: ``batch_idx + 1``."""
    value = bound(record, value)
    is_sum = record.code[value] == BINARY and record.extra[value][1] == "+"
    is_next = is_sum and constant(record, record.extra[value][0]) == 1
    return is_next and is_counter(record, record.operand[value])


def switch(names: Names, place: int, value: int, *, compared: bool = False) -> str:
    """Return the environment variable that an expression reads, if it is off unless somebody sets it.

    Any text but "" counts as true, unless it is `compared` with something, or made a number.
    """
    place, value = names.source(place, value)
    record = names.functions[place]
    while record.code[value] == CALL and record.extra[value][0]:
        name = last_name(record, record.operand[value])
        if name not in _CONVERSIONS:
            break
        compared = compared or name == "int"
        place, value = names.source(place, record.extra[value][0][0])
        record = names.functions[place]
    if record.code[value] != CALL or names.qualified(place, record.operand[value]) not in _ENVIRONMENT:
        return ""
    key, *default = record.extra[value][0]
    off = all(
        is_constant(record, one)
        and (constant(record, one) in _OFF if compared else not constant(record, one))
        for one in default
    )
    variable = constant(record, key)
    return variable if off and isinstance(variable, str) else ""
