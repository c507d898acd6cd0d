"""Waits for the device that stay, whatever is mended beside them: the program needs what it waits for."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME, STEP
from overhead_lint.analysis.graph.function_flags import Staying
from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BUILD,
    CALL,
    COMPARE,
    COPY,
    FUNCTION,
    ITEM,
    PARAMETER,
    RAISE,
    SET_ITEM,
    UNARY,
)
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import bound, constant, is_none, made_of
from overhead_lint.analysis.ir.records import NONE, line_of
from overhead_lint.analysis.placement.asked_operations import AskedOperations
from overhead_lint.analysis.step_names import steps_environment
from overhead_lint.analysis.values.lattice import (
    DEVICES,
    HOST,
    KINDS,
    NUMBER_TYPES,
    TENSOR,
    TRUTHS,
    UNKNOWN,
    is_on_device,
)
from overhead_lint.analysis.vocabulary import HOST_LIBRARIES, REDUCTIONS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.analysis.graph.frequency import Frequency
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.placement.frequencies import Frequencies, Placed
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values

__all__ = ["Need", "NeededWait", "NeededWaits"]


class Need(enum.Enum):
    """What a wait is needed for."""

    SIZE = "how many elements are selected"
    HOST = "a library of the host, or an environment, works on what is copied"
    DECISION = "control goes by the value"
    CHECK = "a decomposition asks whether it has worked, and has no form that does not"


class NeededWait(NamedTuple):
    """A wait that stays.

    Attributes:
        at: the operation that waits.
        block: its block.
        need: what it is needed for.
    """

    at: int
    block: int
    need: Need


_READS: Final = frozenset({"cpu", "item", "numpy", "tolist"})
_OF_TENSORS: Final = frozenset({"cpu", "item"})
"""Those of them that hardly anything but a tensor has."""
_ASKING: Final = frozenset({"all", "any"})
_DECOMPOSING: Final = frozenset({"eig", "eigh", "eigvals", "eigvalsh", "lstsq", "svd", "svdvals"})
"""Of `torch.linalg`."""
_NUMBERS: Final = frozenset({"bool", "float", "int"})
_SELECTING: Final = frozenset({"argwhere", "masked_select", "nonzero", "unique", "unique_consecutive"})
_ONCE_A_PASS: Final = (SAME, STEP)
_SUPPRESSING: Final = frozenset({"batched_nms", "nms"})
"""Of torchvision: they give the boxes that are left."""
_NAMED: Final = _SELECTING | _SUPPRESSING | _DECOMPOSING | {"where"}


class NeededWaits(AskedOperations):
    """Tells which waits of one file stay."""

    def __init__(self, module: str, names: Names, values: Values, frequencies: Frequencies) -> None:
        super().__init__(module, names, values, frequencies)
        self._known: dict[int, tuple[NeededWait, ...]] = {}
        self._lines: dict[int, int] = {}

    def of(self, place: int) -> tuple[NeededWait, ...]:
        """Return the waits of a function that stay, in the order of its operations."""
        known = self._known.get(place)
        if known is None:
            found = dict(self._found(place))
            flow = self._names.flow(place)
            known = tuple([NeededWait(at, flow.block_of(at), found[at]) for at in sorted(found)])
            self._known[place] = known
        return known

    # Where they are

    def staying(self, place: int) -> Staying:
        """Return where a function waits itself."""
        found = Staying.NOWHERE
        for one in self.of(place):
            if self._is_usual(place, one.block, one.at, SAME):
                found |= Staying.EACH_CALL
            elif self._is_usual(place, one.block, one.at, STEP):
                found |= Staying.EACH_ROUND
        return found

    def beside(self, place: int, block: int, span: tuple[int, int]) -> tuple[int, bool]:
        """Return the line of a wait that stays in the same pass as a point: in the same rounds of its loop.

        That is the wait of the point itself where a library of the host works on what it copies, where the
        rounds of the hot loop end by it, or where the size of what it selects is needed, once a pass: many a
        pass may become one. What decides otherwise may go with others that do: they are looked at together.
        What a round waits for before it differentiates leaves all that the backward pass queues to what waits
        behind.

        Args:
            place: the function of the point.
            block: its block.
            span: where the point begins and ends, as positions: other waits in it go with its own.

        Returns:
            It, 0 where nothing is known to wait, and whether control goes by what the point waits for.
        """
        record = self._names.functions[place]
        own = [one for one in self.of(place) if self._is_within(record, one.at, span)]
        around = self._frequencies.of(place, block, record.block_start[block])
        decides = any(one.need is Need.DECISION for one in own)
        is_once = around.frequency in _ONCE_A_PASS
        if any(
            one.need is Need.HOST
            or (is_once and one.need is Need.SIZE)
            or (one.need is Need.DECISION and self._ends_rounds(place, one.at, around.loop))
            for one in own
        ):
            return line_of(span[0]), decides
        guards, passed = self._guards(place, block), self._backward_before(record, span[0])
        for one in self.of(place):
            counts = one not in own and not (decides and one.need is Need.DECISION)
            if not counts or record.places[one.at] < passed:
                continue
            if self._is_beside(place, one.block, one.at, record.block_loop[block], guards, around):
                return line_of(record.places[one.at]), decides
        return self._line_in_rounds(place, block, span, guards, around), decides

    def _ends_rounds(self, place: int, at: int, loop: int) -> bool:
        """Whether a loop is left by what a wait gives: the host has to know before the next round."""
        record, flow = self._names.functions[place], self._names.flow(place)
        ends = {
            record.block_guard[block]
            for block, after in enumerate(flow.successors if loop != NONE else ())
            if in_loop(record, block, loop)
            and any(not in_loop(record, one, loop) for one in after)
            and RAISE not in record.code[record.block_start[block] : record.block_end[block]]
        }
        return any(at in made_of(record, record.guards[one].condition) for one in ends if one != NONE)

    @staticmethod
    def _backward_before(record: FunctionIR, begin: int) -> int:
        """Return where the last backward pass before a point is called for, as a position; 0 for none."""
        names = [
            at for at, code in enumerate(record.code) if code == ATTRIBUTE and record.extra[at] == "backward"
        ]
        return max([record.places[at] for at in names if record.places[at] < begin], default=0)

    def _line_in_rounds(
        self, place: int, block: int, span: tuple[int, int], guards: frozenset[int], around: Placed
    ) -> int:
        """Return the line of a wait that calls in the same rounds of a loop lead to; 0 for none.

        What calls outside of loops lead to is known of whole functions.
        """
        record, loop = self._names.functions[place], self._names.functions[place].block_loop[block]
        for at, code in enumerate(record.code) if loop != NONE else ():
            line = self._line_behind(place, at) if code == CALL else 0
            if line and not self._is_within(record, at, span):
                its_block = self._names.flow(place).block_of(at)
                if self._is_beside(place, its_block, at, loop, guards, around):
                    return line
        return 0

    def _is_beside(
        self, place: int, block: int, at: int, loop: int, guards: frozenset[int], around: Placed
    ) -> bool:
        """Whether an operation runs in each round of a loop in which a point with some guards is reached."""
        record = self._names.functions[place]
        if loop != NONE and not in_loop(record, block, loop):
            return False
        placed = self._frequencies.of(place, block, at)
        if placed.frequency < SAME or not set(placed.options) <= set(around.options):
            return False
        return not self._is_apart(place, self._guards(place, block) - guards, guards)

    def _is_usual(self, place: int, block: int, at: int, least: Frequency) -> bool:
        """Whether an operation runs each time that its function does, or in rounds of a hot loop of that."""
        placed = self._frequencies.of(place, block, at)
        if placed.frequency < least or (placed.frequency >= STEP) != (least == STEP) or placed.options:
            return False
        return not self._is_apart(place, self._guards(place, block), frozenset())

    def _guards(self, place: int, block: int) -> frozenset[int]:
        return frozenset(guards_within(self._names.flow(place), block, NONE))

    def _is_apart(self, place: int, more: Iterable[int], guards: frozenset[int]) -> bool:
        """Whether guards keep control from a place that comes by others, or may: by what users choose.

        Args:
            place: the function.
            more: the guards.
            guards: the others.
        """
        record = self._names.functions[place]
        conditions = {record.guards[one].condition for one in guards}
        return any(
            record.guards[one].condition in conditions or self._is_choice(place, record.guards[one].condition)
            for one in more
        )

    def _is_choice(self, place: int, condition: int) -> bool:
        """Whether a condition asks for the mode of a module, or what an argument is."""
        record = self._names.functions[place]
        if condition == NONE:
            return True
        for at in made_of(record, condition, (CALL,)):
            code = record.code[at]
            if code == ATTRIBUTE and record.extra[at] == "training":
                return True
            if code == COMPARE and any(is_none(record, one) for one in record.extra[at][0]):
                return True
            if code == PARAMETER and at == bound(record, condition):
                return True
        return False

    def _line_behind(self, place: int, at: int) -> int:
        """Return the line of a wait that each call of the function stays for which a call certainly runs."""
        runs = self._values.certain_callee(self._module, place, at)
        if runs is None:
            return 0
        known = self._lines.get(runs)
        if known is None:
            self._lines[runs] = 0  # for what calls itself
            known = self._lines[runs] = self._line_within(runs)
        return known

    def _line_within(self, place: int) -> int:
        record = self._names.functions[place]
        for one in self.of(place):
            if self._is_usual(place, one.block, one.at, SAME):
                return line_of(record.places[one.at])
        for at, code in enumerate(record.code):
            line = self._line_behind(place, at) if code == CALL else 0
            if line and self._is_usual(place, self._names.flow(place).block_of(at), at, SAME):
                return line
        return 0

    # What they are

    def _found(self, place: int) -> Iterator[tuple[int, Need]]:
        record = self._names.functions[place]
        calls = [at for at, code in enumerate(record.code) if code == CALL]
        reads = [at for at in calls if self._is_read(place, at) or self._is_given_read(place, at)]
        if reads:
            for value in self._deciding(record):
                yield from dict.fromkeys(made_of(record, value).intersection(reads), Need.DECISION).items()
        for guard in record.guards:
            if guard.condition != NONE and self._is_on_device(place, guard.condition):
                yield guard.condition, Need.DECISION
        for at, code in enumerate(record.code):
            if code == CALL:
                yield from self._of_call(place, at, reads)
            elif code == ITEM:
                if self._is_masked(place, at) and not self._is_dense(place, at):
                    yield at, Need.SIZE
            elif code == COMPARE and self._is_asserted(place, at):
                yield at, Need.DECISION

    def _of_call(self, place: int, at: int, reads: list[int]) -> Iterator[tuple[int, Need]]:
        record = self._names.functions[place]
        called, name = record.operand[at], last_name(record, record.operand[at])
        if name in _ASKING and record.code[called] == ATTRIBUTE and self._is_asserted(place, at):
            yield at, Need.DECISION
        if at in reads and name == "item" and self._is_left(place, at):
            asked = bound(record, record.operand[called])
            if record.code[asked] == CALL and last_name(record, record.operand[asked]) in _ASKING:
                yield at, Need.DECISION
        if not reads and name not in _NAMED:
            return
        scope = self._names.qualified(place, called).rpartition(".")[0]
        if reads and self._is_of_host(place, called):
            given = [made_of(record, one) for one in record.extra[at][0]]
            yield from dict.fromkeys(set().union(*given).intersection(reads), Need.HOST).items()
        if scope == "torch.linalg" and name in _DECOMPOSING:
            yield at, Need.CHECK
        if self._selects(place, at, scope, name) and not self._is_dense(place, at):
            yield at, Need.SIZE

    def _is_of_host(self, place: int, called: int) -> bool:
        """Whether it is a library of the host, a method of what one has made, or a step of an environment."""
        record = self._names.functions[place]
        if steps_environment(record, called):
            return True
        if record.code[called] == ATTRIBUTE:
            home, made = self._names.source(place, record.operand[called])
            if self._names.functions[home].code[made] == CALL:
                place, called = home, self._names.functions[home].operand[made]
        return self._names.qualified(place, called).partition(".")[0] in HOST_LIBRARIES

    @staticmethod
    def _deciding(record: FunctionIR) -> Iterator[int]:
        """Yield the values that control goes by."""
        yield from {guard.condition for guard in record.guards}
        yield from {loop.value for loop in record.loops}

    def _is_asserted(self, place: int, at: int) -> bool:
        """Whether what a tensor is asked is for an ``assert`` without a message alone.

        Of that nothing is left in the record but what it asks, which nothing else takes.
        """
        return self._is_on_device(place, at) and self._is_left(place, at)

    def _is_left(self, place: int, at: int) -> bool:
        return at not in self._names.flow(place).uses

    def _is_given_read(self, place: int, at: int) -> bool:
        """Whether a call is given a function of the file that copies tensors to the host."""
        record = self._names.functions[place]
        given = [bound(record, one) for one in record.extra[at][0]]
        return any(
            record.code[one] == FUNCTION and self._reads(record.operand[one]) for one in given if one >= 0
        )

    def _reads(self, place: int) -> bool:
        codes = enumerate(self._names.functions[place].code)
        return any(code == CALL and self._is_read(place, at) for at, code in codes)

    def _is_read(self, place: int, at: int) -> bool:
        """Whether a call copies a tensor to the host: ``x.item()``, ``float(x)``."""
        record = self._names.functions[place]
        called, (given, _) = record.operand[at], record.extra[at]
        name = last_name(record, called)
        to_cpu = name == "to" and len(given) == 1 and constant(record, given[0]) == "cpu"
        if record.code[called] == ATTRIBUTE and (to_cpu or (name in _READS and not given)):
            value = self._value(place, record.operand[called])
            return is_on_device(value) or bool((to_cpu or name in _OF_TENSORS) and value.bits & UNKNOWN)
        return (
            name in _NUMBERS
            and len(given) == 1
            and self._names.is_builtin(place, called, name)
            and self._is_on_device(place, given[0])
        )

    def _selects(self, place: int, at: int, scope: str, name: str) -> bool:
        """Whether a call gives as many elements as values decide.

        Args:
            place: its function.
            at: the call.
            scope: the module of what is called; "" for a method.
            name: the last name of that.
        """
        record = self._names.functions[place]
        called, (given, _) = record.operand[at], record.extra[at]
        if scope == "torch":
            selects = name in _SELECTING or (name == "where" and len(given) == 1)
            return selects and bool(given) and not self._is_on_host(self._value(place, given[0]))
        if scope:
            return scope.startswith("torchvision.") and name in _SUPPRESSING
        return (
            name in _SELECTING
            and record.code[called] == ATTRIBUTE
            and is_on_device(self._value(place, record.operand[called]))
        )

    def _is_masked(self, place: int, at: int) -> bool:
        """Whether a mask of the device selects elements of what may be a tensor."""
        record = self._names.functions[place]
        is_tensor = self._value(place, record.operand[at]).bits & (TENSOR | UNKNOWN)
        return bool(is_tensor) and bool(self._masks(place, record.operand[at], record.extra[at]))

    def _masks(self, place: int, indexed: int, index: int) -> set[int | str]:
        """Return the masks of the device in an index: what they are bound to, or their dotted names.

        What is inverted (``x[~mask]``) is one, too, where a tensor is indexed and nobody knows more of it.
        """
        record = self._names.functions[place]
        index = bound(record, index)
        parts = record.extra[index][1:] if record.code[index] == BUILD else (index,)
        is_tensor = self._is_on_device(place, indexed)
        return {
            self._names.dotted(place, one) or bound(record, one)
            for one in parts
            if self._is_mask(self._value(place, one)) or (is_tensor and self._is_inverted(place, one))
        }

    def _is_inverted(self, place: int, at: int) -> bool:
        record = self._names.functions[place]
        made = bound(record, at)
        is_unknown = self._value(place, at).bits & UNKNOWN
        return bool(is_unknown) and record.code[made] == UNARY and record.extra[made] == "~"

    def _is_dense(self, place: int, at: int) -> bool:
        """Whether all that is done with selected elements can be done with all: summed, or put back."""
        record, flow = self._names.functions[place], self._names.flow(place)
        users: list[int] = []
        waiting = [at]
        for one in waiting:  # it grows
            for user in flow.uses.get(one, ()):
                (waiting if record.code[user] in (BIND, COPY) else users).append(user)
        return bool(users) and all(
            self._sums(place, user) or self._puts_back(place, user, at, waiting) for user in users
        )

    def _sums(self, place: int, user: int) -> bool:
        record = self._names.functions[place]
        if record.code[user] == ATTRIBUTE:
            return record.extra[user] in REDUCTIONS
        if record.code[user] != CALL:
            return False
        package, _, name = self._names.qualified(place, record.operand[user]).rpartition(".")
        return package == "torch" and name in REDUCTIONS

    def _puts_back(self, place: int, user: int, at: int, same: list[int]) -> bool:
        """Whether a use of selected elements, or places, only fills a tensor at these places."""
        record, flow = self._names.functions[place], self._names.flow(place)
        if record.code[user] == SET_ITEM and record.extra[user][0] in same:
            return True
        if record.code[at] != ITEM:
            return False
        masks, waiting = self._masks(place, record.operand[at], record.extra[at]), [user]
        for one in waiting:  # it grows
            if record.code[one] == SET_ITEM and not masks.isdisjoint(
                self._masks(place, record.operand[one], record.extra[one][0])
            ):
                return True
            waiting += [more for more in flow.uses.get(one, ()) if more not in waiting]
        return False

    @staticmethod
    def _is_on_host(value: Value) -> bool:
        return value.bits & KINDS == TENSOR and value.bits & DEVICES == HOST

    def _is_mask(self, value: Value) -> bool:
        return is_on_device(value) and value.bits & NUMBER_TYPES == TRUTHS
