"""What can be asked of the values of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.queries import by_name
from overhead_lint.analysis.values.attributes import instance_attribute
from overhead_lint.analysis.values.classes import describe
from overhead_lint.analysis.values.holders import Container, Partial
from overhead_lint.analysis.values.lattice import (
    KINDS,
    MAPPING,
    NONE_TYPE,
    OPEN,
    SEQUENCE,
    UNKNOWN,
    Value,
    join,
)
from overhead_lint.analysis.values.linker import Linker
from overhead_lint.analysis.values.narrowing import narrowed, tests_of
from overhead_lint.analysis.values.promises import tells_items, within
from overhead_lint.analysis.values.solver import solve_bodies
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from overhead_lint.analysis.ir.records import FileIR
    from overhead_lint.analysis.values.elsewhere import Others
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Callees", "Values", "solve"]

_DEEPEST: Final = 6
_RUNNING_EACH: Final = frozenset({"torch.nn.Sequential"})
"""Modules that run each of those that they hold where they are called."""


class Callees(NamedTuple):
    """What a call may run.

    Attributes:
        functions: functions of the project; for a call of a class its constructor, for one of a module its
            ``forward``, for one of a ``Sequential`` those of all that it holds.
        classes: classes of the project of which it makes an object.
        apis: functions and classes of libraries, and builtins.
        is_complete: whether it runs nothing else.
    """

    functions: tuple[FunctionSymbol, ...]
    classes: tuple[ClassSymbol, ...]
    apis: tuple[Api, ...]
    is_complete: bool

    @property
    def certain(self) -> FunctionSymbol | None:
        """The function of the project that it runs and no other; None where there are several, or may be."""
        only = self.is_complete and len(self.functions) == 1 and not self.apis
        return self.functions[0] if only else None


class _Runs(NamedTuple):
    """What a call may run, as far as it was found: dictionaries keep the order."""

    functions: dict[FunctionSymbol, None]
    classes: dict[ClassSymbol, None]
    apis: dict[Api, None]


class Values:
    """The values of a project, all found out.

    Args:
        engine: what it was solved with.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._linker = engine.linker

    def release(self) -> None:
        """Let go of all values, so that they are freed at once; nothing may be asked any more."""
        self._linker.release()

    # Names

    def body(self, module: str, place: int) -> Body:
        """Return the body of a function, class or module.

        Args:
            module: the file's dotted name.
            place: its place among the functions of the file's record.

        Raises:
            KeyError: the project has no such file.
            IndexError: the file has no such function.
        """
        return self._linker.modules[module].bodies[place]

    def bodies(self) -> Iterator[Body]:
        """Yield all bodies, by file in the order given and by place in it."""
        yield from self._linker.bodies

    def named(self, body: Body, name: str) -> Reference | None:
        """Return what a dotted name certainly stands for in the scope around a body, by names alone."""
        return self._linker.named(body, name)

    def classes(self) -> Iterator[ClassSymbol]:
        """Yield the classes of the project, in the order of files and places."""
        for body in self._linker.bodies:
            if isinstance(body.symbol, ClassSymbol):
                yield body.symbol

    # Values

    def value(self, body: Body, at: int, block: int | None = None) -> Value:
        """Return what an operation gives; bottom if it gives nothing, since it never runs to its end.

        Args:
            body: the body of the operation.
            at: its number.
            block: where the value is used; what tests say that the block stands under is used as well.
        """
        found = body.values[at]
        if block is not None:
            said = tests_of(body, block).get(at)
            if said is not None:
                found = narrowed(found, said)
        return found

    def references(self, body: Body, at: int) -> tuple[Reference, ...]:
        """Return what the value of an operation may refer to: all of it if the value is not open."""
        return body.values[at].references

    def parameter(self, function: FunctionSymbol, place: int) -> Value:
        """Return what a parameter may be, by calls, its annotation and its default."""
        return self._engine.parameter(function.body, place)

    def returned(self, function: FunctionSymbol) -> Value:
        """Return what a function may give, over all of its calls."""
        body = function.body
        found = body.returned.value
        for place in body.passes:
            found = join(found, self.parameter(function, place))
        if not body.promised.bits:
            return found
        # A promise says more than items of which nobody knows.
        is_more = tells_items(body.promised) and _holds_unknown(found)
        return body.promised if is_more else within(found, body.promised)

    def attribute(self, cls: ClassSymbol, name: str) -> Value:
        """Return what an attribute of objects of a class, or of one that derives from it, may be."""
        return instance_attribute(self._engine, cls.body, cls.instance, name)

    def attributes(self, cls: ClassSymbol) -> Mapping[str, Value]:
        """Return what is stored in attributes of objects of a class, not of those that it derives from."""
        return {name: slot.value for name, slot in cls.fields.items() if slot.value.bits}

    # Calls

    def callees(self, body: Body, at: int) -> Callees:
        """Return what a call operation may run.

        Raises:
            ValueError: the operation is no call.
        """
        if body.record.code[at] != CALL:
            raise ValueError(f"operation {at} of {body!r} is no call")
        runs = _Runs({}, {}, {})
        is_complete = self._add(body, body.values[body.record.operand[at]], runs, 0)
        return Callees(tuple(runs.functions), tuple(runs.classes), tuple(runs.apis), is_complete)

    def certain_callee(self, module: str, place: int, at: int) -> int | None:
        """Return the place of the function of the same file that a call runs, and nothing else; else None.

        Args:
            module: the file's dotted name.
            place: the function that the call stands in.
            at: the call.

        Raises:
            ValueError: the operation is no call.
        """
        runs = self.callees(self.body(module, place), at).certain
        return runs.body.place if runs is not None and runs.body.module.name == module else None

    def _add(
        self,
        body: Body,
        called: Value,
        runs: _Runs,
        depth: int,
    ) -> bool:
        """Add what a call of a value runs, and return whether that is all."""
        is_complete = called.bits & KINDS != 0 and called.bits & (UNKNOWN | OPEN) == 0
        for one in called.references:
            if isinstance(one, FunctionSymbol):
                runs.functions[one] = None
            elif isinstance(one, Bound):
                runs.functions[one.function] = None
            elif isinstance(one, Api):
                runs.apis[one] = None
            elif isinstance(one, ClassSymbol):
                runs.classes[one] = None
                self._add_method(body, one.exact, ("__init__",), runs, depth)
                self._add_factories(one, runs, depth)
            elif isinstance(one, Instance) and isinstance(one.cls, Api):
                runs.apis[one.cls] = None
            elif isinstance(one, Instance) and isinstance(one.cls, ClassSymbol):
                names = "__call__", "forward"  # a base that nobody knows may be a module's
                found = self._add_method(body, one, names, runs, depth)
                is_complete = is_complete and found
            elif isinstance(one, Container) and one.kind in _RUNNING_EACH and depth < _DEEPEST:
                found = self._add(body, one.element.value, runs, depth + 1)
                is_complete = is_complete and found
            elif isinstance(one, Partial) and depth < _DEEPEST:
                inner = one.function.value
                found = self._add(body, inner, runs, depth + 1)
                is_complete = is_complete and found
        return is_complete

    def _add_factories(
        self,
        cls: ClassSymbol,
        runs: _Runs,
        depth: int,
    ) -> None:
        """Add what makes the fields of an object whose constructor is written for its class."""
        if any(isinstance(one, ClassSymbol) and "__init__" in one.own for one in cls.resolution_order):
            return
        bodies = [one.body for one in cls.resolution_order if isinstance(one, ClassSymbol)]
        for body in bodies if depth < _DEEPEST else ():
            record = body.record
            for at, code in enumerate(record.code):
                for name, value in by_name(record, at) if code == CALL else ():
                    called = body.values[record.operand[at]].references
                    if any(isinstance(api, Api) and name in api.effect.calls for api in called):
                        self._add(body, body.values[value], runs, depth + 1)

    def functions(self, body: Body, at: int) -> list[FunctionSymbol]:
        """Return the functions of the project that an operation gives, also as methods or with arguments."""
        return list(_functions_among(body.values[at], 0))

    def properties(self, body: Body, at: int) -> list[FunctionSymbol]:
        """Return the properties of the project that reading an attribute may call."""
        record = body.record
        found: dict[FunctionSymbol, None] = {}
        for one in body.values[record.operand[at]].references:
            if isinstance(one, Instance) and isinstance(one.cls, ClassSymbol):
                heirs = () if one.is_exact else one.cls.descendants()
                for cls in (*one.cls.resolution_order, *heirs):
                    cell = cls.body.cells.get(record.extra[at]) if isinstance(cls, ClassSymbol) else None
                    for held in cell.value.references if cell is not None else ():
                        if isinstance(held, FunctionSymbol) and held.is_property:
                            found[held] = None
        return list(found)

    def _add_method(
        self,
        body: Body,
        instance: Instance,
        names: tuple[str, ...],
        runs: _Runs,
        depth: int,
    ) -> bool:
        """Add the first of some methods that an object has, and return whether that is all it may run."""
        cls = instance.cls
        if depth >= _DEEPEST or not isinstance(cls, ClassSymbol):
            return False
        for name in names:
            if any(isinstance(one, ClassSymbol) and name in one.own for one in cls.resolution_order):
                method = instance_attribute(self._engine, body, instance, name)
                return self._add(body, method, runs, depth + 1)
        return False


def _functions_among(value: Value, depth: int) -> Iterator[FunctionSymbol]:
    for one in value.references:
        if isinstance(one, FunctionSymbol):
            yield one
        elif isinstance(one, Bound):
            yield one.function
        elif isinstance(one, Partial) and depth < _DEEPEST:
            yield from _functions_among(one.function.value, depth + 1)


def _holds_unknown(value: Value) -> bool:
    """Whether a value is nothing but containers, and something in them is unknown."""
    held = [one for one in value.references if isinstance(one, Container)]
    is_other = value.bits & KINDS & ~(SEQUENCE | MAPPING | NONE_TYPE) or len(held) < len(value.references)
    return not is_other and any(one.element.value.bits & UNKNOWN for one in held)


def solve(
    files: Mapping[str, FileIR],
    packages: Collection[str] = (),
    *,
    order: Callable[[list[Body]], list[Body]] | None = None,
    others: Others | None = None,
) -> Values:
    """Find out what the expressions of a project may be.

    Args:
        files: the records of its files, by the dotted name of the module.
        packages: which of these are packages; those that others lie in need not be told.
        order: in which order to evaluate what waits; for tests, since the result does not hang on it.
        others: what is known of other files of the project, which are not solved; None if it has none.
    """
    known = set(packages)
    for name in files:
        above = name.rpartition(".")[0]
        while above:
            known.add(above)
            above = above.rpartition(".")[0]
    linker = Linker(files, known, others)
    describe(linker)
    return Values(solve_bodies(linker, order, others))
