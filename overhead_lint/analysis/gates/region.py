"""What is done where a condition has an outcome: what is stored, called and left there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.access import Path, attribute_path, path_of
from overhead_lint.analysis.ir.builder import EXIT_BLOCK
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    BIND,
    BOOLEAN,
    CALL,
    CONSTANT,
    ITEM,
    OUTER,
    RETURN,
    SET_ATTRIBUTE,
    SET_ITEM,
    STORE_OUTER,
)
from overhead_lint.analysis.ir.paths import goes_round, in_loop
from overhead_lint.analysis.ir.queries import bound, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.vocabulary import DEPRECATING, DEPRECATIONS, OPTIMIZERS, SHOWING, WARNINGS
from overhead_lint.analysis.words import words
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from overhead_lint.analysis.graph.guards import GuardTree
    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["ADDING", "Region", "Store", "fills", "methods_of"]

_WARNINGS: Final = frozenset(name.rpartition(".")[2] for name in WARNINGS)
_SHOWING: Final = frozenset(name.rpartition(".")[2] for name in SHOWING)
ADDING: Final = frozenset({"add", "append", "put", "setdefault", "update"})
"""Methods that add something to what they are called on."""


class Store(NamedTuple):
    """Something is stored.

    Attributes:
        path: where: an attribute or item; None for a plain name.
        name: the plain name; "" for others.
        value: what.
        at: the operation that stores it.
    """

    path: Path | None
    name: str
    value: int
    at: int


class Region:
    """Blocks of a function that run where a condition has an outcome.

    Args:
        place: the function's place among those of the file.
        flow: what can be asked of it.
        begin: the first block.
        asked: the block where the condition is asked for.
        guards: the guards of the function.
        guard: what the blocks run under; `NONE` for those that can only be come to by way of the first one.

    Attributes:
        place: as given.
        flow: as given.
        asked: as given.
        record: the function.
    """

    def __init__(
        self, place: int, flow: Flow, begin: int, asked: int, guards: GuardTree | None, guard: int = NONE
    ) -> None:
        self.place = place
        self.flow = flow
        self.record = flow.record
        self.asked = asked
        self._begin = begin
        self._guards = guards
        self._guard = guard
        self._is_step: bool | None = None

    @cached_property
    def _blocks(self) -> list[int]:
        """The blocks; none of what is done elsewhere."""
        if self._guards is None:
            return []
        if self._guard != NONE:
            return self._guards.blocks(self._guard)
        found, dominators = {self._begin}, self.flow.dominators
        for block in self.flow.order:
            if dominators[block] in found:
                found.add(block)
        return sorted(found)

    @cached_property
    def _operations(self) -> list[int]:
        """The operations, in the order of the text."""
        record = self.record
        return [
            at for block in self._blocks for at in range(record.block_start[block], record.block_end[block])
        ]

    @cached_property
    def stores(self) -> list[Store]:
        """What is stored, in the order of the text."""
        record, found = self.record, []
        for at in self._operations:
            code, operand, extra = record.code[at], record.operand[at], record.extra[at]
            if code == SET_ATTRIBUTE:
                found.append(Store(attribute_path(path_of(record, operand), extra[0]), "", extra[1], at))
            elif code == SET_ITEM:
                path = (ITEM, path_of(record, operand), path_of(record, extra[0]))
                found.append(Store(path, "", extra[1], at))
            elif code in (BIND, STORE_OUTER):
                found.append(Store(None, extra, operand, at))
            elif code == CALL and len(extra[0]) >= 2 and last_name(record, operand) == "register_buffer":
                name = uncopied(record, extra[0][0])
                if record.code[name] == CONSTANT:
                    holder = path_of(record, record.operand[uncopied(record, operand)])
                    found.append(Store(attribute_path(holder, str(record.extra[name])), "", extra[0][1], at))
        return found

    @cached_property
    def calls(self) -> list[int]:
        """The calls."""
        return [at for at in self._operations if self.record.code[at] == CALL]

    @cached_property
    def statements(self) -> list[int]:
        """Calls whose results nothing uses, in blocks that always run where the region does."""
        return [call for call in self._own_calls if not self.flow.uses.get(call)]

    @cached_property
    def _own_calls(self) -> list[int]:
        """The calls in blocks that always run where the region does."""
        record = self.record
        loop = record.block_loop[self._begin]
        own = self._guards.own(record.block_guard[self._begin]) if self._guards is not None else []
        return [
            at
            for block in own
            if record.block_loop[block] == loop
            for at in range(record.block_start[block], record.block_end[block])
            if record.code[at] == CALL
        ]

    def before(self, loop: int) -> Iterator[int]:
        """Yield the operations that have run each time that the condition is asked, in the rounds of a loop.

        Args:
            loop: the loop; `NONE` for the whole function.
        """
        record = self.record
        for block in self.flow.order:
            is_within = loop == NONE or in_loop(record, block, loop)
            if is_within and self.flow.dominates(block, self.asked):
                yield from range(record.block_start[block], record.block_end[block])

    # What is stored

    def assigned(self, path: Path) -> Iterator[int]:
        """Yield what is stored at a path."""
        return (store.value for store in self.stores if store.path == path)

    def made(self) -> list[Path]:
        """Return the attributes and items that are made anew, not of what they hold."""
        record = self.record
        return [
            store.path
            for store in self.stores
            if store.path is not None
            and not (record.code[store.value] == BINARY and record.extra[store.value][1].endswith("="))
        ]

    def is_among(self, value: Path, stored: Iterable[int]) -> bool:
        """Whether a value is one of some that are stored, or one of two that one may be."""
        return any(value == path_of(self.record, one) for each in stored for one in self.choices(each))

    def choices(self, value: int) -> tuple[int, ...]:
        """Return what a value may be: both sides of a choice."""
        record, value = self.record, bound(self.record, value)
        is_choice = record.code[value] == BOOLEAN and record.extra[value][0] == "if"
        return tuple(record.extra[value][2:]) if is_choice else (value,)

    def stores_in(self, container: Path) -> bool:
        """Whether something is stored in a container: as an item, or by a method that adds it."""
        return fills(self.record, container, self._operations)

    def is_kept(self) -> bool:
        """Whether something is stored that is there after the call."""
        return any(store.path is not None for store in self.stores) or any(
            self.builtin(call) == "setattr" for call in self.calls
        )

    # What is called

    def methods(self, calls: Collection[int] | None = None) -> Iterator[tuple[int, str, int]]:
        """Yield the calls of methods, each with the method's name and the object that has it."""
        return methods_of(self.record, self.calls if calls is None else calls)

    def builtin(self, call: int) -> str:
        """Return the name that a call calls, if that is one of another scope; "" for others."""
        called = uncopied(self.record, self.record.operand[call])
        return self.record.extra[called] if self.record.code[called] == OUTER else ""

    def only_call(self) -> int:
        """Return the call that is all that is done, for its effect; `NONE` where something else is done."""
        lone = self.statements[:1]
        if len(self.statements) != 1 or self.stores or self.record.code[self._last] == RETURN:
            return NONE
        return lone[0]

    def only_result(self) -> int:
        """Return the call whose result is all that is given back; `NONE` where something else is done."""
        record, last = self.record, self._last
        if record.code[last] != RETURN or record.operand[last] < 0 or self.stores or self.statements:
            return NONE
        value = uncopied(record, record.operand[last])
        return value if record.code[value] == CALL else NONE

    @property
    def _last(self) -> int:
        return self._operations[-1] if self._operations else 0

    def steps(self) -> bool:
        """Whether an optimizer is stepped: what comes every few micro-batches is the step itself.

        It is not where the loop around steps one in each round: that of a critic, say.
        """
        if self._is_step is None:
            self._is_step = self._steps(self.calls) and not self._steps(self._around)
        return self._is_step

    def _steps(self, calls: Collection[int]) -> bool:
        methods = list(self.methods(calls))
        return {"step", "zero_grad"} <= {name for _, name, _ in methods} or any(
            name == "step" and not OPTIMIZERS.isdisjoint(words(last_name(self.record, holder)))
            for _, name, holder in methods
        )

    @property
    def _around(self) -> list[int]:
        """The calls that run in each round of the loop in which the condition is asked, whatever it is."""
        record, loop, own = self.record, self.record.block_loop[self.asked], set(self._blocks)
        return [
            at
            for block, its in enumerate(record.block_loop)
            if its == loop >= 0
            and block not in own
            and record.block_guard[block] == record.block_guard[self.asked]
            for at in range(record.block_start[block], record.block_end[block])
            if record.code[at] == CALL
        ]

    def seen_from(self, place: int, flow: Flow) -> Region:
        """Return the same for a condition that another function works out: only steps show of it."""
        there = Region(place, flow, 0, 0, None)
        there._is_step = self.steps()
        return there

    def warns(self) -> bool:
        """Whether a warning or an error is logged, which nobody wants to read once a step.

        ``warnings.warn`` and ``warning_once`` are shown once, and say nothing about how often a block runs.
        """
        return any(
            name in _WARNINGS and not self.flow.uses.get(call)
            for call, name, _ in self.methods(self._own_calls)
        )

    def shows(self) -> bool:
        """Whether it is told how far the program has come, by what it prints, logs or saves."""
        called = (last_name(self.record, self.record.operand[call]) for call in self._own_calls)
        return any(name in _SHOWING for name in called)

    def deprecates(self) -> bool:
        """Whether it is said that the way something was called is deprecated: few take it for long."""
        record = self.record
        for call in self._own_calls:
            name = last_name(record, record.operand[call])
            if (name != "warn" and DEPRECATING.isdisjoint(words(name)[:1])) or self.flow.uses.get(call):
                continue
            told = [last_name(record, bound(record, one)) for one in record.extra[call][0]]
            if name != "warn" or not DEPRECATIONS.isdisjoint(told):
                return True
        return False

    def moves(self) -> int:
        """Return the module that is moved to the host, for the effect, and stays there; `NONE` for none."""
        record = self.record
        for call, method, holder in self.methods(self.statements):
            given = record.extra[call][0]
            is_host = any(record.code[one] == CONSTANT and record.extra[one] == "cpu" for one in given)
            if method in ("cpu", "offload") or (method == "to" and is_host):
                return holder
        return NONE

    # How it ends

    @cached_property
    def leaves(self) -> bool:
        """Whether control never goes on behind it: by ``return``, ``continue``, ``break`` or ``raise``."""
        record, loop = self.record, self.record.block_loop[self._begin]
        header, inside = record.loops[loop].header if loop >= 0 else NONE, set(self._blocks)
        return bool(inside) and all(
            one in inside or one in (EXIT_BLOCK, header) or record.block_loop[one] != loop
            for block in inside
            for one in self.flow.successors[block]
        )

    def is_loop_condition(self) -> bool:
        """Whether a loop ends where the condition has the other outcome: it is what the loop goes on for."""
        flow, inside, test = self.flow, set(self._blocks), self._begin
        while test in inside:
            test = flow.dominators[test]
        loop = self.record.block_loop[test] if test >= 0 else NONE
        going = goes_round(flow, loop) if loop >= 0 else frozenset()
        return loop >= 0 and any(one not in going for one in flow.successors[test] if one not in inside)


def fills(record: FunctionIR, container: Path, operations: Sequence[int]) -> bool:
    """Whether operations store something in a container: as an item, or by a method that adds it."""
    return any(
        record.code[at] == SET_ITEM and path_of(record, record.operand[at]) == container for at in operations
    ) or any(
        method in ADDING and path_of(record, holder) == container
        for _, method, holder in methods_of(record, [at for at in operations if record.code[at] == CALL])
    )


def methods_of(record: FunctionIR, calls: Collection[int] | None = None) -> Iterator[tuple[int, str, int]]:
    """Yield the calls of methods of a function, each with the method's name and the object that has it.

    Args:
        record: the function.
        calls: those that are asked for; None for all.
    """
    for call in (at for at, code in enumerate(record.code) if code == CALL) if calls is None else calls:
        called = uncopied(record, record.operand[call])
        if record.code[called] == ATTRIBUTE:
            yield call, record.extra[called], record.operand[called]
