"""What names stand for: what the project defines, APIs of libraries, and their objects and methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.analysis.ir.records import FUNCTION_BODY, LAMBDA_BODY, FunctionIR
from overhead_lint.analysis.values.lattice import BOTTOM, CLASS, FUNCTION, NAMESPACE, Value
from overhead_lint.analysis.values.library import instance_bits, value_of
from overhead_lint.analysis.values.reference import Reference
from overhead_lint.analysis.values.slots import Reader, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.effects.effect import Effect
    from overhead_lint.analysis.values.elsewhere import Others
    from overhead_lint.analysis.values.holders import Container, Partial, RecordClass

__all__ = ["Api", "Body", "Bound", "ClassSymbol", "FunctionSymbol", "Instance", "ModuleSymbol"]

_MOST_ANCESTORS: Final = 200


class Api(Reference):
    """A module, class, function or attribute of a library, or a builtin, by its qualified name.

    Attributes:
        path: the name.
        scope: what stands before its last dot.
        name: what stands behind it.
        bits: what objects of it are if it is a class; 0 where nothing says so, or it is none.
        given: what a call of it gives if that is always the same, else None; bottom before that is asked.
        effect: what tables say of it.
        instance: an object of it or of a class that derives from it, if it is a class.
        asking: such an object that was made to have modules compiled.
        value: it as a value.
        method: it as the value of a function, which it is as a method.

    Args:
        path: the name.
        others: what is known of files that are not solved, which may define it.
    """

    __slots__ = (
        "_asking",
        "_bits",
        "_effect",
        "_instance",
        "_method",
        "_others",
        "_steps",
        "_value",
        "given",
        "name",
        "path",
        "scope",
    )

    def __init__(self, path: str, others: Others | None = None) -> None:
        super().__init__(path)
        self.path = path
        self.scope, _, self.name = path.rpartition(".")
        self._bits = -1
        self.given: Value | None = BOTTOM
        self._steps: dict[str, Api] = {}
        self._effect: Effect | None = None
        self._instance: Instance | None = None
        self._asking: Instance | None = None
        self._others = others
        self._value: Value | None = None
        self._method: Value | None = None

    @property
    def value(self) -> Value:
        """It as a value."""
        if self._value is None:
            others = self._others
            is_elsewhere = others is not None and others.has(self.path)
            self._value = (
                others.value(self.path) if others is not None and is_elsewhere else value_of(self.path, self)
            )
        return self._value

    @property
    def bits(self) -> int:
        """What objects of it are if it is a class."""
        if self._bits < 0:
            self._bits = instance_bits(self.path)
        return self._bits

    @property
    def method(self) -> Value:
        """It as the value of a function."""
        if self._method is None:
            self._method = Value(FUNCTION, (self,))
        return self._method

    @property
    def effect(self) -> Effect:
        """What tables say of it."""
        if self._effect is None:
            self._effect = effect(self.path)
        return self._effect

    @property
    def instance(self) -> Instance:
        """An object of it or of a class that derives from it, if it is a class."""
        if self._instance is None:
            self._instance = Instance(self, is_exact=False)
        return self._instance

    @property
    def asking(self) -> Instance:
        """An object of it that was made to have modules compiled, if it is a class of settings."""
        if self._asking is None:
            self._asking = Instance(self, is_exact=False, asks_compiled=True)
        return self._asking

    def release(self) -> None:
        """Let go of what is found under it, all but the packages that it adopted; see `Linker.release`."""
        for one in self._steps.values():
            if one._others is self._others:
                one.release()
        self._steps = {}
        self._value = self._method = self._instance = self._asking = None

    def adopt(self, inner: Api) -> None:
        """Take an API of another tree for the one of its name: what is known of it is found out once."""
        self._steps[inner.name] = inner

    def step(self, name: str) -> Api:
        """Return what is found under a name in it."""
        found = self._steps.get(name)
        if found is None:
            found = self._steps[name] = Api(f"{self.path}.{name}" if self.path else name, self._others)
        return found


class Body(Reader):
    """A function, class body or module body while values are found out.

    Attributes:
        record: its operations.
        place: where it stands among the functions of its file.
        module: the file.
        parent: the body around it; None for a module's.
        symbol: what it is the body of.
        values: what each operation gives, so far.
        parameters: what each parameter is given.
        parameter_values: the operation that reads each parameter, by place.
        defaults: what the defaults of parameters are, by place.
        cells: names of it that others read, and what they hold.
        returned: what it gives, but for what it is given itself.
        promised: what it is annotated to give; bottom where that says nothing.
        passes: the parameters that it gives back as they are, by place.
        returns: the operations that make what else it gives; -1 for None.
        sites: the containers and other objects that its operations make.
        outer: for each `OUTER` operation where it is found.
        has_stars: whether a call in it may have starred arguments.
        is_called: whether a call is known that certainly is one of it.
        active: the operations whose values hang on others.
        tensors: whether it uses what operations give as only tensors are used, as far as somebody has asked.
        uses: for each operation those that are evaluated from its value.
        is_evaluated: whether all of it has been evaluated once.
        refined: for operations that stand under tests: what these say of their operands.
        told: what is known of each parameter whatever calls give; bottom where nothing is.
        fixed: the parameters that are what is told of them, and nothing else.
        branches: for each ``and``, ``or`` and conditional what the tests before a part say of that part.
        tests: for each guard what it and those around it say of values.
    """

    __slots__ = (
        "active",
        "branches",
        "cells",
        "defaults",
        "fixed",
        "has_stars",
        "is_called",
        "is_evaluated",
        "module",
        "outer",
        "parameter_values",
        "parameters",
        "parent",
        "passes",
        "place",
        "promised",
        "record",
        "refined",
        "returned",
        "returns",
        "sites",
        "symbol",
        "tensors",
        "tests",
        "told",
        "uses",
        "values",
    )

    def __init__(self, record: FunctionIR, place: int, module: ModuleSymbol, parent: Body | None) -> None:
        super().__init__()
        self.record = record
        self.place = place
        self.module = module
        self.parent = parent
        self.symbol: Reference = module
        self.values: list[Value] = [BOTTOM] * len(record.code)
        self.parameters = [Slot() for _ in record.parameters]
        self.parameter_values: dict[int, int] = {}
        self.fixed: frozenset[int] = frozenset()
        self.told: list[Value] = [BOTTOM] * len(record.parameters)
        self.defaults: dict[int, Slot] = {}
        self.cells: dict[str, Slot] = {}
        self.returned = Slot()
        self.promised: Value = BOTTOM
        self.passes: tuple[int, ...] = ()
        self.returns: tuple[int, ...] = ()
        self.sites: dict[int, Container | Partial | RecordClass] = {}
        self.outer: dict[int, Slot | Value] = {}
        self.has_stars = False
        self.is_called = False
        self.active: list[int] = []
        self.tensors: dict[int, bool] = {}
        self.uses: list[list[int]] = [[] for _ in record.code]
        self.is_evaluated = False
        self.refined: dict[int, list[tuple[int, tuple[Any, ...]]]] = {}
        self.branches: dict[int, list[tuple[Any, ...]]] = {}
        self.tests: list[dict[Any, tuple[Any, ...]]] = []

    def __repr__(self) -> str:
        """Return the name of what it is the body of."""
        return f"<Body {self.symbol.order}>"

    def release(self) -> None:
        """Let go of its symbol, and of the values that refer to others; see `Linker.release`."""
        self.symbol.release()
        self.symbol = self.module
        self.values = []
        self.told = []
        self.parameters = []
        self.defaults = {}
        self.cells = {}
        self.sites = {}
        self.outer = {}
        self.returned = Slot()
        self.promised = BOTTOM

    @property
    def is_function(self) -> bool:
        """Whether it is that of a function or lambda."""
        return self.record.kind in (FUNCTION_BODY, LAMBDA_BODY)


class ModuleSymbol(Reference):
    """A file of the project, or a package that has none of its own.

    Attributes:
        name: its dotted name.
        is_package: whether relative imports in it begin at itself.
        bodies: its functions, class bodies and itself, by place; none of a package without a file.
        stars: the modules whose names it imports with a star.
        has_only_tensors: whether it imports torch, and nothing that has arrays or tables.
        has_no_tables: whether it imports torch, and nothing that has tables.
        sets_default_device: whether it sets the device on which tensors are made.
        value: it as a value.
    """

    __slots__ = (
        "bodies",
        "has_no_tables",
        "has_only_tensors",
        "is_package",
        "name",
        "sets_default_device",
        "stars",
        "value",
    )

    def __init__(self, name: str, *, is_package: bool) -> None:
        super().__init__(name)
        self.name = name
        self.is_package = is_package
        self.bodies: list[Body] = []
        self.stars: list[ModuleSymbol] = []
        self.has_only_tensors = False
        self.value = Value(NAMESPACE, (self,))
        self.has_no_tables = False
        self.sets_default_device = False

    def release(self) -> None:
        """Let go of its bodies, and of itself as a value; see `Linker.release`."""
        self.bodies = []
        self.stars = []
        self.value = BOTTOM

    def cell(self, name: str) -> Slot | None:
        """Return what the file itself binds to a name; None if it binds none."""
        return self.bodies[0].cells.get(name) if self.bodies else None


class FunctionSymbol(Reference):
    """A function or lambda of the project.

    Attributes:
        name: its last name.
        body: its body.
        cls: the class in whose body it stands, None outside of one.
        is_static: whether it is called without an object although it stands in a class.
        of_class: whether it is given the class in place of an object.
        is_property: whether reading it calls it.
        makes_context: whether it is made a context manager of a generator.
        is_hidden: whether its name stands for another function: of a setter, of an overload.
        value: it as a value.
        bound: it as a method of an object, as a value.
    """

    __slots__ = (
        "body",
        "bound",
        "cls",
        "is_hidden",
        "is_property",
        "is_static",
        "makes_context",
        "name",
        "of_class",
        "value",
    )

    def __init__(self, body: Body, cls: ClassSymbol | None) -> None:
        super().__init__(f"{body.module.name}.{body.record.qualname}:{body.place}")
        self.name = body.record.name
        self.body = body
        self.cls = cls
        self.is_static = False
        self.of_class = False
        self.is_property = False
        self.makes_context = False
        self.is_hidden = False
        self.value = Value(FUNCTION, (self,))
        self.bound = Value(FUNCTION, (Bound(self),))

    def release(self) -> None:
        """Let go of itself as a value; see `Linker.release`."""
        self.value = self.bound = BOTTOM


class ClassSymbol(Reference):
    """A class of the project.

    Attributes:
        name: its last name.
        body: its body.
        bases: those that are known, of the project and of libraries, in order.
        has_unknown_bases: whether there are others.
        subclasses: classes that derive from it directly.
        lookups: where attributes of its objects are found, by name and whether an object is exact.
        fields: what methods and others store in attributes of its objects.
        stored: the names that its methods store on ``self``.
        own: those, and what its body binds or annotates.
        promised: what annotations in its body promise of attributes, as far as somebody has asked.
        unstored: what is asked for of its objects and stored nowhere that can be seen.
        kind: what its objects are, as bits.
        layers: the attributes that its methods store modules of torch in, once somebody has asked.
        instance: an object of it or of a class that derives from it.
        exact: an object of it.
        value: it as a value.
    """

    __slots__ = (
        "_order",
        "bases",
        "body",
        "exact",
        "fields",
        "has_unknown_bases",
        "instance",
        "kind",
        "layers",
        "lookups",
        "name",
        "own",
        "promised",
        "stored",
        "subclasses",
        "unstored",
        "value",
    )

    def __init__(self, body: Body) -> None:
        super().__init__(f"{body.module.name}.{body.record.qualname}:{body.place}")
        self.name = body.record.name
        self.body = body
        self.bases: list[ClassSymbol | Api] = []
        self.has_unknown_bases = False
        self.subclasses: list[ClassSymbol] = []
        self.fields: dict[str, Slot] = {}
        self.stored: frozenset[str] = frozenset()
        self.own: frozenset[str] = frozenset()
        self.promised: dict[str, Value] = {}
        self.unstored: dict[str, Slot] = {}
        self.kind = 0
        self.layers: frozenset[str] | None = None
        self.lookups: dict[tuple[str, bool], Any] = {}
        self.instance = Instance(self, is_exact=False)
        self.exact = Instance(self, is_exact=True)
        self.value = Value(CLASS, (self,))
        self._order: tuple[ClassSymbol | Api, ...] | None = None

    def release(self) -> None:
        """Let go of itself as a value, and of other classes; see `Linker.release`."""
        self.value = BOTTOM
        self.instance.cls = self.exact.cls = _RELEASED
        self.bases = []
        self.subclasses = []
        self.lookups = {}
        self.fields = {}
        self._order = None

    @property
    def resolution_order(self) -> tuple[ClassSymbol | Api, ...]:
        """It and what it derives from, in the order in which attributes are looked up.

        That is Python's order where the classes can be put into one, and each class before its bases if not.
        """
        if self._order is None:
            self._order = (self,)  # for a cycle, which no running program has
            orders: list[list[ClassSymbol | Api]] = [
                list(base.resolution_order) if isinstance(base, ClassSymbol) else [base]
                for base in self.bases
            ]
            self._order = (self, *_merged([*orders, list(self.bases)]))[:_MOST_ANCESTORS]
        return self._order

    def descendants(self) -> Iterator[ClassSymbol]:
        """Yield the classes that derive from it, nearest first."""
        seen: set[ClassSymbol] = {self}
        waiting = list(self.subclasses)
        for one in waiting:
            if one not in seen:
                seen.add(one)
                yield one
                waiting += one.subclasses

    def field(self, name: str) -> Slot:
        """Return what is stored in an attribute of its objects."""
        found = self.fields.get(name)
        if found is None:
            found = self.fields[name] = Slot()
        return found


_RELEASED: Final = Api("")
"""Stands for the class of an object once its solution has been let go of."""


def _merged(orders: list[list[ClassSymbol | Api]]) -> Iterator[ClassSymbol | Api]:
    """Yield the C3 merge of the orders of bases; where there is none, the next head all the same."""
    while orders := [one for one in orders if one]:
        for one in orders:
            head = one[0]
            if not any(head in other[1:] for other in orders):
                break
        else:
            head = orders[0][0]
        yield head
        for one in orders:
            if head in one:
                one.remove(head)


class Instance(Reference):
    """An object of a class.

    Attributes:
        cls: the class.
        is_exact: whether it is of no class that derives from it.
        asks_compiled: whether it was made to have modules compiled that what it is given to takes.
    """

    __slots__ = ("asks_compiled", "cls", "is_exact")

    def __init__(self, cls: ClassSymbol | Api, *, is_exact: bool, asks_compiled: bool = False) -> None:
        given = "" if is_exact else "compiled" if asks_compiled else "..."
        super().__init__(f"{cls.order}({given})")
        self.cls = cls
        self.is_exact = is_exact
        self.asks_compiled = asks_compiled


class Bound(Reference):
    """A function of the project as a method of an object or class, which it is given first.

    Attributes:
        function: the function.
    """

    __slots__ = ("function",)

    def __init__(self, function: FunctionSymbol) -> None:
        super().__init__(f"{function.order} bound")
        self.function = function
