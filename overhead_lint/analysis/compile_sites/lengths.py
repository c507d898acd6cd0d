"""How many items containers hold, as far as constants of the project tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.callers import Callers
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, BUILD, CALL, COPY, PARAMETER, SET_ITEM, STAR
from overhead_lint.analysis.ir.queries import bound, by_place
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import INT, Value
from overhead_lint.analysis.values.reference import Constant, Reference
from overhead_lint.analysis.values.symbols import Api

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Lengths"]

_SAME_LENGTH: Final = frozenset(
    {"builtins.enumerate", "builtins.list", "builtins.reversed", "builtins.sorted", "builtins.tuple"}
    | {"torch.nn.ModuleList", "torch.nn.ParameterList", "torch.nn.ModuleDict"}
)
_VIEWS: Final = frozenset({"items", "keys", "values", "children", "modules"})
_ADDING: Final = frozenset({"append", "insert", "add_module", "register_module"})
_MAPPINGS: Final = frozenset({"dict", "torch.nn.ModuleDict"})
"""Containers to which what is stored under a key is added."""
_DEEPEST: Final = 12


class Lengths:
    """Lengths of the containers of a project.

    Args:
        values: what is known of its values.
    """

    def __init__(self, values: Values) -> None:
        self._made: dict[Container, tuple[Body, int]] = {}
        self._added: dict[Container, list[tuple[Body, int]]] = {}
        self._callers = Callers(values)
        for body in values.bodies():
            for key, one in body.sites.items():
                if isinstance(one, Container):
                    self._made[one] = body, key // 8
            for owner, at in _additions(body):
                is_stored = body.record.code[at] == SET_ITEM
                for held in body.values[owner].references:
                    if isinstance(held, Container) and not (is_stored and held.kind not in _MAPPINGS):
                        self._added.setdefault(held, []).append((body, at))

    def of(self, held: Reference, depth: int = 0) -> int | None:
        """Return how many items a container holds; None if nothing tells."""
        if not isinstance(held, Container) or held not in self._made or depth > _DEEPEST:
            return None
        body, at = self._made[held]
        if at < 0:
            return None
        found = self._made_by(body, at, held, depth)
        for adder, place in self._added.get(held, ()):
            rounds = self._around(adder, place, depth)
            found = found + rounds if found is not None and rounds is not None else None
        return found

    def entry(self, held: Container, name: str) -> Slot | None:
        """Return what a mapping holds under a key, also one made of another; None if nothing tells."""
        for _ in range(_DEEPEST):
            if name in held.entries or held not in self._made:
                break
            body, at = self._made[held]
            if at < 0 or body.record.code[at] != CALL or not body.record.extra[at][0]:
                break
            given = body.values[body.record.extra[at][0][0]].references
            inner = next((one for one in given if isinstance(one, Container)), None)
            if inner is None:
                break
            held = inner
        return held.entries.get(name)

    def holds_compiled(self, held: Container) -> bool:
        """Whether what makes a container compiles its items."""
        for _ in range(_DEEPEST):
            if held not in self._made or self._made[held][1] < 0:
                return False
            body, at = self._made[held]
            record = body.record
            if record.code[at] == BUILD:
                return any(_is_compiled(body, one) for one in record.extra[at][1:])
            if record.code[at] != CALL or not record.extra[at][0]:
                return False
            given = body.values[record.extra[at][0][0]].references
            inner = next((one for one in given if isinstance(one, Container)), None)
            if inner is None:
                return any(_is_compiled(body, one) for one in record.extra[at][0])
            held = inner
        return False

    def _made_by(self, body: Body, at: int, held: Container, depth: int) -> int | None:
        record = body.record
        if record.code[at] == BUILD:
            word, *items = record.extra[at]
            if word == "generator" or word.endswith("of rounds"):
                return self._around(body, items[0], depth, until=self._loop(body, at))
            if held.kind == "dict":
                return len(items) // 2
            return self._total([self._item(body, one, depth) for one in items])
        if record.code[at] != CALL:
            return None
        arguments, names = record.extra[at]
        apis = [one.path for one in body.values[record.operand[at]].references if isinstance(one, Api)]
        if "builtins.range" in apis:
            return self._range(body, arguments)
        if "torch.nn.Sequential" in apis:
            return self._total([self._item(body, one, depth) for one in arguments])
        if not arguments and not names and apis:
            return 0
        if any(path in _SAME_LENGTH for path in apis):
            return self.rounds(body, arguments[0], depth + 1)
        if "builtins.zip" in apis:
            lengths = [self.rounds(body, one, depth + 1) for one in arguments]
            known = [one for one in lengths if one is not None]
            return min(known) if known else None
        if "builtins.dict" in apis:
            return len(names)
        return None

    def rounds(self, body: Body, at: int, depth: int = 0) -> int | None:
        """Return how many items going over the value of an operation gives; None if nothing tells."""
        if depth > _DEEPEST:
            return None
        record = body.record
        at = bound(record, at)
        lengths = [self.of(one, depth + 1) for one in body.values[at].references]
        known = [one for one in lengths if one is not None]
        if known:
            return max(known)
        if record.code[at] != CALL:
            return None
        called, (arguments, _) = record.operand[at], record.extra[at]
        if record.code[called] == ATTRIBUTE and record.extra[called] in _VIEWS and not arguments:
            return self.rounds(body, record.operand[called], depth + 1)
        apis = [one.path for one in body.values[called].references if isinstance(one, Api)]
        if "builtins.range" in apis:
            return self._range(body, arguments)
        if any(path in _SAME_LENGTH or path == "builtins.zip" for path in apis) and arguments:
            found = [self.rounds(body, one, depth + 1) for one in by_place(record, at)]
            told = [one for one in found if one is not None]
            return min(told) if told else None
        return None

    def _item(self, body: Body, at: int, depth: int) -> int | None:
        """Return how many items an item that is written out stands for: more than one if it is starred."""
        if body.record.code[at] == STAR:
            return self.rounds(body, body.record.operand[at], depth + 1)
        return 1

    def _total(self, lengths: list[int | None]) -> int | None:
        known = [one for one in lengths if one is not None]
        return sum(known) if len(known) == len(lengths) else None

    def _loop(self, body: Body, at: int) -> int:
        return body.record.block_loop[_block(body, at)]

    def _around(self, body: Body, at: int, depth: int, until: int = NONE) -> int | None:
        """Return how often an operation runs in the loops around it, each time that they begin."""
        record, found = body.record, 1
        loop = self._loop(body, at)
        while loop not in (until, NONE):
            value = record.loops[loop].value
            rounds = self.rounds(body, value, depth + 1) if value != NONE else None
            if rounds is None:
                return None
            found *= rounds
            loop = record.loops[loop].parent
        return found

    def _range(self, body: Body, arguments: tuple[int, ...]) -> int | None:
        numbers = [self._number(body, one, 0) for one in arguments]
        known = [one for one in numbers if one is not None]
        if len(known) != len(numbers) or not known or (len(known) == 3 and known[2] == 0):
            return None
        return len(range(*known))

    def _number(self, body: Body, at: int, depth: int) -> int | None:
        """Return the number that an operation gives, the largest of several; None if none is known.

        A parameter of which calls tell nothing is what its default says, or what callers' own do.
        """
        record = body.record
        at = bound(record, at)
        found = _largest(body.values[at])
        if found is not None or record.code[at] != PARAMETER or depth > _DEEPEST:
            return found
        place = record.operand[at]
        given = [
            self._number(caller, argument, depth + 1)
            for caller, argument in self._callers.arguments(body, place)
        ]
        known = [one for one in given if one is not None]
        if not known and place in body.defaults:
            return _largest(body.defaults[place].value)
        return max(known, default=None)


def _is_compiled(body: Body, at: int) -> bool:
    """Whether an operation is a call of the compiler."""
    record = body.record
    while record.code[at] in (BIND, COPY, STAR):
        at = record.operand[at]
    if record.code[at] != CALL:
        return False
    called = body.values[record.operand[at]].references
    return any(isinstance(one, Api) and one.effect.compiles for one in called)


def _largest(value: Value) -> int | None:
    if not value.bits & INT:
        return None
    numbers = [one.value for one in value.references if isinstance(one, Constant)]
    known = [one for one in numbers if isinstance(one, int)]
    return max(known) if known else None


def _additions(body: Body) -> Iterator[tuple[int, int]]:
    """Yield what a body adds one item to, and the operations that do so: calls, stores of items."""
    record = body.record
    for at, code in enumerate(record.code):
        if code == SET_ITEM:
            yield record.operand[at], at
        elif code == CALL:
            called = record.operand[at]
            if called != NONE and record.code[called] == ATTRIBUTE and record.extra[called] in _ADDING:
                yield record.operand[called], at


def _block(body: Body, at: int) -> int:
    """Return the block of an operation."""
    record = body.record
    for block, start in enumerate(record.block_start):
        if start <= at < record.block_end[block]:
            return block
    return 0
