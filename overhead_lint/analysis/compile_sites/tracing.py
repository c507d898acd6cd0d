"""Follows what compiled code runs, as Dynamo does, and counts the guards that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.layer_guards import LAYER_GUARDS, UNKNOWN_LAYER
from overhead_lint.analysis.compile_sites.sites import method_of
from overhead_lint.analysis.compile_sites.ways import EACH, Tally, Way, buffers_of, is_given
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    CALL,
    COPY,
    ITEM,
    NEXT,
    OUTER,
    PARAMETER,
    PHI,
    UNPACK,
)
from overhead_lint.analysis.ir.records import NONE
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
from overhead_lint.analysis.values.references import Bound, Constant, Container, Instance
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.compile_sites.sites import Entry
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["ASSUMED_LENGTH", "traced"]

ASSUMED_LENGTH: Final = 12
"""How long a list of modules is taken to be where nothing tells."""

_SCALARS: Final = NUMBERS | TEXT
_DEEPEST: Final = 24
_MOST_CALLEES: Final = 3
_HOOKS: Final = 5
"""Global hooks of modules, and the module of torch that holds them."""
_INDEXED: Final = 12
"""What indexing a ModuleList needs, whatever it holds: its own method is traced."""
_PAIRS: Final = {"builtins.enumerate": 1, "builtins.zip": 0}
_UNCHANGED: Final = frozenset({"builtins.reversed", "builtins.list", "builtins.tuple", "builtins.iter"})


def traced(entry: Entry, values: Values, lengths: Lengths) -> Tally:
    """Return what a call of the compiled form of something is guarded on."""
    tracer = _Tracer(values, lengths)
    if entry.function is None:
        tracer.call_module(Way("self", 1, entry.receiver), (), 0)
        return tracer.tally
    ways: dict[int, Way] = {}
    if entry.receiver.bits:
        ways[0] = Way("self", 1, entry.receiver)
        tracer.tally.add("self", 1)
    tracer.run(entry.function, ways, 0, is_entry=True)
    return tracer.tally


class _Tracer:
    """Follows calls, with the ways by which their objects were read."""

    def __init__(self, values: Values, lengths: Lengths) -> None:
        self.tally = Tally()
        self.values = values
        self._lengths = lengths
        self._seen: set[tuple[FunctionSymbol, tuple[tuple[int, str], ...]]] = set()

    def run(
        self, function: FunctionSymbol, ways: Mapping[int, Way], depth: int, *, is_entry: bool = False
    ) -> None:
        """Follow a function.

        Args:
            function: it.
            ways: how what its parameters are given was read, by their places.
            depth: how many calls lead to it.
            is_entry: whether it is what is compiled, so that its parameters are guarded themselves.
        """
        key = function, tuple(sorted((place, way.path) for place, way in ways.items()))
        if depth > _DEEPEST or key in self._seen:
            return
        self._seen.add(key)
        self.tally.functions[function.body.record.qualname] = None
        _Frame(self, function.body, ways, depth).follow(is_entry=is_entry)

    def read(self, way: Way) -> None:
        """Count what reading an object needs."""
        bits = way.value.bits
        if bits & (MODULE | INSTANCE) or not bits & (SEQUENCE | MAPPING):
            self.tally.add(way.path, way.count)
            container = _modules_in(way)
            if container is not None:
                self.tally.add(f"{way.path}.__dict__", way.count)
        elif is_certainly(way.value, MAPPING):
            self.tally.add(way.path, way.count)
        else:
            self.tally.add(way.path, 2 * way.count)

    def call_module(self, way: Way, given: Sequence[Way | None], depth: int) -> None:
        """Follow a call of a module, or of each of several."""
        tally = self.tally
        tally.add("module hooks", _HOOKS)
        tally.modules[way.path] = way.count
        kinds = [one for one in way.value.references if isinstance(one, (Instance, Container))]
        for one in kinds:
            part = Way(way.path, way.count / len(kinds), Value(way.value.bits, (one,)))
            if isinstance(one, Container):
                self._call_chain(part, one, given, depth)
            elif isinstance(one.cls, Api):
                self._call_layer(part, one.cls)
            else:
                tally.add(f"{way.path}.__dict__", way.count)
                forward = method_of(one.cls, "forward")
                if forward is not None:
                    ways = {0: part, **{place + 1: item for place, item in enumerate(given) if item is not None}}
                    self.run(forward, ways, depth + 1)

    def _call_layer(self, way: Way, cls: Api) -> None:
        name = cls.path.rpartition(".")[2]
        self.tally.add(f"torch.nn.{name}", 1)
        self.tally.add("torch.nn.functional", 2)
        guards = LAYER_GUARDS.get(name, UNKNOWN_LAYER)
        self.tally.add(f"{way.path}: {name}", (guards - 1) * way.count)

    def _call_chain(self, way: Way, chain: Container, given: Sequence[Way | None], depth: int) -> None:
        """Follow ``nn.Sequential``, which goes over what it holds."""
        self.tally.add(f"{way.path}.forward", way.count)
        if chain.parts and not chain.grows.value.bits:
            self.tally.add(f"keys of {way.path}", way.count * len(chain.parts))
            for place, slot in enumerate(chain.parts):
                part = way.item(f"[{place}]", 1, slot.value)
                self.read(part)
                self.call_module(part, given, depth)
            return
        item = self.each(way, chain)
        self.read(item)
        self.call_module(item, given, depth)

    def each(self, way: Way, held: Container, *, is_indexed: bool = False) -> Way:
        """Return the way to what a container holds, and count what going over it needs."""
        known = self._lengths.of(held)
        length = known if known is not None else ASSUMED_LENGTH
        if _modules_in(way) is not None:
            self.tally.lists[way.path] = length
            if known is None:
                self.tally.assumed[way.path] = None
            if is_indexed:
                self.tally.add("torch.nn.ModuleList.__getitem__", _INDEXED)
            else:
                self.tally.add(f"keys of {way.path}", way.count * length)
        return way.item(EACH, length, held.element.value)


def _modules_in(way: Way) -> Container | None:
    """Return the list of modules that a way leads to; None if it leads to something else."""
    if way.value.bits & MODULE:
        for one in way.value.references:
            if isinstance(one, Container):
                return one
    return None


class _Frame:
    """Follows one function.

    Args:
        tracer: what follows all of them.
        body: its body.
        ways: how what its parameters are given was read.
        depth: how many calls lead to it.
    """

    def __init__(self, tracer: _Tracer, body: Body, ways: Mapping[int, Way], depth: int) -> None:
        self._tracer = tracer
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
                self._tracer.read(way)
            elif is_certainly(value, _SCALARS | NONE_TYPE):
                self._tracer.tally.add_scalar(way)
            else:
                self._tracer.tally.add(name, 2)

    def _outer(self, at: int) -> None:
        """A name of the module or of a function around: what it stands for is guarded."""
        value, name = self._value(at), str(self._body.record.extra[at])
        way = Way(name, 1, value)
        tally = self._tracer.tally
        if any(isinstance(one, Api) and one.path.startswith("builtins.") for one in value.references):
            tally.add(name, 1)
        elif is_certainly(value, _SCALARS | NONE_TYPE):
            tally.add_scalar(way)
        elif value.bits & (MODULE | INSTANCE | SEQUENCE | MAPPING):
            self._ways[at] = way
            self._tracer.read(way)
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
                    self._tracer.tally.add(one.path, 1)
            return
        held = _modules_in(owner)
        if held is not None and name in held.entries:  # of a ModuleDict
            value = held.entries[name].value
            self._tracer.tally.add(f"{owner.path}._parameters", owner.count)
            self._tracer.tally.add(f"{owner.path}._modules", owner.count)
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
        tally, count = self._tracer.tally, owner.count
        is_buffer = any(name in buffers_of(cls) for cls in classes)
        if classes and (is_buffer or value.bits & (MODULE | TENSOR)):
            names = ["_parameters"]
            if is_buffer:
                names += ["_buffers", "_modules"]
            elif value.bits & MODULE:
                names.append("_modules")
            for one in names:
                tally.add(f"{owner.path}.{one}", count)
        if is_buffer or value.bits & TENSOR:
            tally.add(f"{owner.path}.{name}", 2 * count)
        elif any(isinstance(one, Bound) for one in value.references):
            tally.add(f"{owner.path}.__dict__[{name}]", count)
        elif classes and all(name in cls.own and name not in cls.stored for cls in classes):
            tally.add(f"{owner.path}.__dict__[{name}]", count)
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
            self._tracer.read(way)
        else:
            self._tracer.tally.add_scalar(way)

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
            self._reached(at, self._tracer.each(owner, held, is_indexed=True))

    def _next(self, at: int) -> None:
        iterated = self._body.record.operand[at]
        if iterated in self._parts:
            self._parts[at] = self._parts[iterated]
            return
        owner = self._ways.get(iterated)
        if owner is not None:
            item = self._over(owner)
            if item is not None:
                self._ways[at] = item

    def _over(self, owner: Way) -> Way | None:
        """Return the way to the items that going over what a way leads to gives."""
        held = next((one for one in owner.value.references if isinstance(one, Container)), None)
        if held is None:
            return None
        self._tracer.tally.add("iter", 1)
        item = self._tracer.each(owner, held)
        if _is_scalar(item.value):
            self._tracer.tally.add_scalar(item)
            return None
        self._tracer.read(item)
        return item

    def _unpack(self, at: int) -> None:
        record = self._body.record
        parts, place = self._parts.get(record.operand[at]), record.extra[at]
        if parts is not None and isinstance(place, int) and -len(parts) <= place < len(parts):
            way = parts[place]
            if way is not None:
                self._ways[at] = way

    def _call(self, at: int) -> None:
        record = self._body.record
        called, (arguments, names) = record.operand[at], record.extra[at]
        given = [self._ways.get(one) for one in arguments[: len(arguments) - len(names)]]
        module = self._ways.get(called)
        if module is not None and module.value.bits & MODULE:
            self._tracer.call_module(module, given, self._depth)
            return
        if record.code[called] == ATTRIBUTE and self._of_base(at, called, given):
            return
        owner = self._ways.get(record.operand[called]) if record.code[called] == ATTRIBUTE else None
        if owner is not None and not arguments and record.extra[called] in ("values", "items", "children"):
            if record.extra[called] == "items":
                self._parts[at] = [None, self._over(owner)]
            else:
                self._ways[at] = owner
            return
        callees = self._tracer.values.callees(self._body, at)
        for api in callees.apis:
            if api.path in _PAIRS:
                items = [self._over(one) if one is not None else None for one in given]
                self._parts[at] = [None] * _PAIRS[api.path] + items
            elif api.path in _UNCHANGED and given and given[0] is not None:
                self._ways[at] = given[0]
        for function in callees.functions[:_MOST_CALLEES]:
            if function.cls is None or function.is_static:
                ways = {place: way for place, way in enumerate(given) if way is not None}
            else:
                ways = {place + 1: way for place, way in enumerate(given) if way is not None}
                if owner is not None:
                    ways[0] = owner
            self._tracer.run(function, ways, self._depth + 1)

    def _of_base(self, at: int, called: int, given: Sequence[Way | None]) -> bool:
        """Follow ``super().method(...)``; whether it is that."""
        record = self._body.record
        made = record.operand[called]
        if record.code[made] != CALL:
            return False
        apis = [one for one in self._value(record.operand[made]).references if isinstance(one, Api)]
        symbol = self._body.symbol
        if [one.path for one in apis] != ["builtins.super"] or not isinstance(symbol, FunctionSymbol):
            return False
        owner = self._given.get(0)
        cls = symbol.cls
        for one in cls.resolution_order[1:] if cls is not None and owner is not None else ():
            method = method_of(one, str(record.extra[called])) if isinstance(one, ClassSymbol) else None
            if method is not None and owner is not None:
                self._tracer.tally.add(f"{owner.path}.super().{method.name}", owner.count)
                ways = {0: owner, **{place + 1: way for place, way in enumerate(given) if way is not None}}
                self._tracer.run(method, ways, self._depth + 1)
                break
        return True


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
