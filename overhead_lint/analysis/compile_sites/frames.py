"""Follows one function of compiled code, operation by operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.callers import base_method
from overhead_lint.analysis.compile_sites.ways import EACH, Way, buffers_of, is_given, modules_in
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BUILD,
    CALL,
    COPY,
    ITEM,
    NEXT,
    OUTER,
    PARAMETER,
    PHI,
    UNPACK,
)
from overhead_lint.analysis.ir.queries import by_place
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    INSTANCE,
    MAPPING,
    MODULE,
    NAMESPACE,
    NONE_TYPE,
    NUMBERS,
    SEQUENCE,
    TENSOR,
    TEXT,
    Value,
    is_certainly,
)
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, Instance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.analysis.compile_sites.readings import Readings
    from overhead_lint.analysis.values.symbols import Body, FunctionSymbol

__all__ = ["Frame"]

_SCALARS: Final = NUMBERS | TEXT
_MOST_CALLEES: Final = 3
_PAIRS: Final = {"builtins.enumerate": 1, "builtins.zip": 0}
"""What gives several things a round, with how many of them are not of its arguments."""
_UNCHANGED: Final = frozenset({"builtins.reversed", "builtins.list", "builtins.tuple", "builtins.iter"})


class Frame:
    """Follows one function.

    Args:
        readings: counts what reading objects needs.
        run: follows a function, given how what it is given was read, and how many calls lead to it.
        call_module: follows a call of a module, given what it is given, how many calls lead to it, and where.
        body: its body.
        ways: how what its parameters are given was read.
        depth: how many calls lead to it.
    """

    def __init__(
        self,
        readings: Readings,
        run: Callable[[FunctionSymbol, Mapping[int, Way], int], None],
        call_module: Callable[[Way, Sequence[Way | None], int, tuple[Body, int]], None],
        body: Body,
        ways: Mapping[int, Way],
        depth: int,
    ) -> None:
        self._readings = readings
        self._run = run
        self._call_module = call_module
        self._body = body
        self._given = ways
        self._depth = depth
        self._ways: dict[int, Way] = {}
        self._parts: dict[int, list[Way | None]] = {}
        """Of operations that give several things at once, as rounds over ``zip`` do, the ways to each."""

    def follow(self, *, is_entry: bool) -> None:
        """Follow each operation, in the order of the text."""
        record = self._body.record
        for at, code in enumerate(record.code):
            if code == PARAMETER:
                self._parameter(at, is_entry=is_entry)
            elif code == OUTER:
                self._outer(at)
            elif code in (BIND, COPY):
                self._pass_on(at, record.operand[at])
            elif code == PHI:
                for one in record.extra[at]:
                    self._pass_on(at, one)
            elif code == ATTRIBUTE:
                self._attribute(at)
            elif code == ITEM:
                self._item(at)
            elif code == NEXT:
                self._next(at)
            elif code == UNPACK:
                self._unpack(at)
            elif code == CALL:
                self._call(at)
            elif code == BUILD:
                self._build(at)

    def _pass_on(self, at: int, one: int) -> None:
        if one in self._ways:
            self._ways.setdefault(at, self._ways[one])
        if one in self._parts:
            self._parts.setdefault(at, self._parts[one])

    def _value(self, at: int) -> Value:
        return self._body.values[at]

    def _parameter(self, at: int, *, is_entry: bool) -> None:
        place = self._body.record.operand[at]
        if place in self._given:
            self._ways[at] = self._given[place]
        elif is_entry and _is_read(self._body, at):
            name = self._body.record.parameters[place].name
            value = self._value(at)
            way = Way(name, 1, value)
            if value.bits & (MODULE | INSTANCE) or is_certainly(value, SEQUENCE | MAPPING | NONE_TYPE):
                self._ways[at] = way
                self._readings.read(way)
            elif is_certainly(value, _SCALARS | NONE_TYPE):
                self._readings.tally.add_scalar(way)
            else:
                self._readings.tally.add(name, 2)

    def _outer(self, at: int) -> None:
        """A name of the module or of a function around: what it stands for is guarded."""
        value, name = self._value(at), str(self._body.record.extra[at])
        way = Way(name, 1, value)
        tally = self._readings.tally
        if any(isinstance(one, Api) and one.path.startswith("builtins.") for one in value.references):
            tally.add(name, 1)
        elif is_certainly(value, _SCALARS | NONE_TYPE):
            tally.add_scalar(way)
        elif value.bits & (MODULE | INSTANCE | SEQUENCE | MAPPING):
            self._ways[at] = way
            self._readings.read(way)
            for one in value.references:
                if isinstance(one, Container) and all(_is_scalar(slot.value) for slot in one.parts):
                    tally.add(f"{name}{EACH}", len(one.parts))
        elif value.bits & NAMESPACE or value.references:
            tally.add(name, 1)

    def _attribute(self, at: int) -> None:
        record = self._body.record
        owner, name = self._ways.get(record.operand[at]), str(record.extra[at])
        value = self._value(at)
        if owner is None:
            for one in value.references:
                if isinstance(one, Api) and self._value(record.operand[at]).bits & NAMESPACE:
                    self._readings.tally.add(one.path, 1)
            return
        held = modules_in(owner)
        entry = self._readings.lengths.entry(held, name) if held is not None else None
        if entry is not None:  # of a ModuleDict
            value = entry.value
            self._readings.tally.add(f"{owner.path}._parameters", owner.number)
            self._readings.tally.add(f"{owner.path}._modules", owner.number)
            self._reached(at, owner.step(name, value))
            return
        classes = [one.cls for one in owner.value.references if isinstance(one, Instance)]
        known = [cls for cls in classes if isinstance(cls, ClassSymbol)]
        if owner.value.bits & MODULE:
            self._of_module(at, owner, name, value, known)
        elif owner.value.bits & INSTANCE:
            self._of_object(at, owner, name, value)

    def _of_module(
        self, at: int, owner: Way, name: str, value: Value, classes: Sequence[ClassSymbol]
    ) -> None:
        """An attribute of a module: ``__getattr__`` looks through three dictionaries for it."""
        tally, number = self._readings.tally, owner.number
        is_buffer = any(name in buffers_of(cls) for cls in classes)
        if classes and (is_buffer or value.bits & (MODULE | TENSOR)):
            names = ["_parameters"]
            if is_buffer:
                names += ["_buffers", "_modules"]
            elif value.bits & MODULE:
                names.append("_modules")
            for one in names:
                tally.add(f"{owner.path}.{one}", number)
        if is_buffer or value.bits & TENSOR:
            tally.add(f"{owner.path}.{name}", 2 * number)
        elif any(isinstance(one, Bound) for one in value.references):
            tally.add(f"{owner.path}.__dict__[{name}]", number)
        elif classes and all(name in cls.own and name not in cls.stored for cls in classes):
            tally.add(f"{owner.path}.__dict__[{name}]", number)
            tally.add(f"{classes[0].name}.{name}", 1)
        else:
            is_shared = EACH in owner.path and any(is_given(cls, name) for cls in classes)
            way = owner.step(name, value, is_shared=is_shared and bool(value.bits & (INSTANCE | MAPPING)))
            self._reached(at, way)

    def _of_object(self, at: int, owner: Way, name: str, value: Value) -> None:
        if not any(isinstance(one, Bound) for one in value.references):
            self._reached(at, owner.step(name, value))

    def _reached(self, at: int, way: Way) -> None:
        """What an operation reads of an object or container."""
        if way.value.bits & (MODULE | INSTANCE | SEQUENCE | MAPPING):
            self._ways[at] = way
            self._readings.read(way)
        elif is_certainly(way.value, _SCALARS | NONE_TYPE):
            self._readings.tally.add_scalar(way)
        else:
            self._readings.tally.add(way.path, way.number)

    def _item(self, at: int) -> None:
        record = self._body.record
        owner = self._ways.get(record.operand[at])
        if owner is None:
            return
        held = next((one for one in owner.value.references if isinstance(one, Container)), None)
        if held is None:
            return
        keys = [one.value for one in self._value(record.extra[at]).references if isinstance(one, Constant)]
        if len(keys) == 1:
            self._reached(at, owner.item(f"[{keys[0]!r}]", 1, self._value(at)))
        else:
            self._reached(at, self._readings.each(owner, held, (self._body, at), is_indexed=True))

    def _next(self, at: int) -> None:
        iterated = self._body.record.operand[at]
        if iterated in self._parts:
            self._parts[at] = self._parts[iterated]
            return
        owner = self._ways.get(iterated)
        if owner is not None:
            item = self._over(owner, at)
            if item is not None:
                self._ways[at] = item

    def _over(self, owner: Way, at: int) -> Way | None:
        """Return the way to the items that going over what a way leads to gives."""
        held = next((one for one in owner.value.references if isinstance(one, Container)), None)
        if held is None:
            return None
        self._readings.tally.add("iter", 1)
        item = self._readings.each(owner, held, (self._body, at))
        if _is_scalar(item.value):
            self._readings.tally.add_scalar(item)
            return None
        self._readings.read(item)
        return item

    def _unpack(self, at: int) -> None:
        record = self._body.record
        parts, place = self._parts.get(record.operand[at]), record.extra[at]
        if parts is not None and isinstance(place, int) and -len(parts) <= place < len(parts):
            way = parts[place]
            if way is not None:
                self._ways[at] = way

    def _build(self, at: int) -> None:
        """Modules that are put into a list are called by who goes over that."""
        for one in self._body.record.extra[at][1:]:
            way = self._ways.get(one)
            if way is not None and way.value.bits & MODULE and EACH in way.path:
                self._call_module(way, (), self._depth, (self._body, at))

    def _call(self, at: int) -> None:
        record = self._body.record
        called, (arguments, _) = record.operand[at], record.extra[at]
        given = [self._ways.get(one) for one in by_place(record, at)]
        module = self._ways.get(called)
        if module is not None and module.value.bits & MODULE:
            self._call_module(module, given, self._depth, (self._body, at))
            return
        base, self_way = base_method(self._body, at), self._given.get(0)
        if base is not None and self_way is not None:
            self._readings.tally.add(f"{self_way.path}.super().{base.name}", self_way.number)
            ways = {0: self_way, **{place + 1: way for place, way in enumerate(given) if way is not None}}
            self._run(base, ways, self._depth + 1)
            return
        owner = self._ways.get(record.operand[called]) if record.code[called] == ATTRIBUTE else None
        if owner is not None and not arguments and record.extra[called] in ("values", "items", "children"):
            if record.extra[called] == "items":
                self._parts[at] = [None, self._over(owner, at)]
            else:
                self._ways[at] = owner
            return
        callees = self._readings.values.callees(self._body, at)
        for api in callees.apis:
            if api.path in _PAIRS:
                items: list[Way | None] = [None] * _PAIRS[api.path]
                self._parts[at] = items + [self._over(one, at) if one is not None else None for one in given]
            elif api.path in _UNCHANGED and given and given[0] is not None:
                self._ways[at] = given[0]
        for function in callees.functions[:_MOST_CALLEES]:
            if function.cls is None or function.is_static:
                ways = {place: way for place, way in enumerate(given) if way is not None}
            else:
                ways = {place + 1: way for place, way in enumerate(given) if way is not None}
                if owner is not None:
                    ways[0] = owner
            self._run(function, ways, self._depth + 1)


def _is_scalar(value: Value) -> bool:
    return is_certainly(value, _SCALARS)


def _is_read(body: Body, at: int) -> bool:
    """Whether an operation uses what another one gives."""
    record = body.record
    if at in record.operand:
        return True
    return any(at in _numbers(extra) for extra in record.extra)


def _numbers(extra: object) -> set[int]:
    if isinstance(extra, bool):
        return set()
    if isinstance(extra, int):
        return {extra}
    return set().union(*map(_numbers, extra)) if isinstance(extra, tuple) else set()
