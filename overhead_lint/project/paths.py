"""What an expression stands for, as a path that the project graph can follow into other files.

The operations that make a value are followed back as far as they say where it is from. Where they do not,
what the values of the file refer to says it: what calls give for parameters, what containers hold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir import opcodes
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.relative_imports import package_above, package_of
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF, Elsewhere
from overhead_lint.analysis.values.holders import Container, Partial
from overhead_lint.analysis.values.lattice import KINDS, MAPPING
from overhead_lint.analysis.values.symbols import (
    Api,
    Bound,
    ClassSymbol,
    FunctionSymbol,
    Instance,
    ModuleSymbol,
)
from overhead_lint.analysis.vocabulary import EXPORT_FLAGS
from overhead_lint.analysis.words import words
from overhead_lint.api.torch_calls import CONTAINERS, FLUENT
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, ITEM, MANY, SUPER, is_outside
from overhead_lint.project.remote_calls import REMOTE
from overhead_lint.project.wrapping_calls import BINDERS, WRAPPERS

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import Annotation
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_values import FileValues

__all__ = ["Given", "Paths", "Ways"]

Given = tuple["Body", int]
"""A body and an operation of it."""
Ways = dict[str, int]
"""All that an operation may stand for, by path, with the operation of the same body that gives it."""

# Calls that give back the module, or function, that they are called with.
_WRAPPERS: Final = WRAPPERS | BINDERS
_PASSING: Final = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "tqdm", "tuple", "zip"})
# The same, by their own paths: ``functools.wraps(function)(wrapper)``.
_PASSING_ON: Final = frozenset(
    {"ray.get", "ray.put", "ray.remote", f"ray.remote{INSTANCE}", f"functools.wraps{INSTANCE}"}
)
_SEQUENCES: Final = frozenset({"Iterable", "Iterator", "List", "Sequence", "Set", "list", "set"})
_MAPPINGS: Final = frozenset({"Dict", "Mapping", "dict"})
_OPTIONAL: Final = frozenset({"|", "Annotated", "Final", "Optional", "Union"})
_MOST_WAYS: Final = 8
_MOST_PARTIAL: Final = 3
_DEEPEST: Final = 24
_LONGEST: Final = 160
_NO_WAYS: Final[Ways] = {}


class Paths:
    """Paths of the expressions of one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileValues) -> None:
        self._facts = facts
        self._values = facts.kinds.values
        self._known: dict[tuple[int, int], Ways] = {}
        self._busy: set[tuple[int, int]] = set()
        self._cuts = 0
        self._depth = 0

    # By the nodes of the tree

    def of(self, node: ast.expr) -> str | None:
        """Return the path of an expression, the first where it has several; None if it has none."""
        return next(iter(self._ways_of(node)), None)

    def certain(self, node: ast.expr) -> str | None:
        """Return the path of an expression if it stands for one thing only."""
        ways = self._ways_of(node)
        return next(iter(ways)) if len(ways) == 1 else None

    def alternatives(self, node: ast.expr) -> dict[str, ast.expr]:
        """Return all that an expression may stand for, by path, with what gives it in a branch."""
        ways = {path: at for path, at in self._ways_of(node).items() if not is_outside(path)}
        if len(ways) < 2:
            return dict.fromkeys(ways, node)
        place = self._facts.flow.operation(node)
        assert place is not None
        return {path: self._facts.flow.expression(place[0], at) or node for path, at in ways.items()}

    def referred(self, node: ast.expr) -> list[str]:
        """Return the paths of what an expression stands for, and of what its value refers to."""
        place = self._facts.flow.operation(node)
        if place is None:
            return []
        body, at = self.place(*place)
        found = dict.fromkeys((*self.ways(body, at), *self._paths(body.values[at].references)))
        return [path for path in found if not is_outside(path)]

    def functions(self, node: ast.expr) -> list[str]:
        """Return the paths of the functions that an expression stands for or holds, if it may be such.

        What a parameter is given is none: who gives it has handed that over.
        """
        place = self._facts.flow.operation(node)
        if place is None or self.place(*place)[0].record.code[place[1]] == opcodes.PARAMETER:
            return []
        found = [path.rstrip(MANY) for path in self.referred(node)]
        return [path for path in found if self._may_be_function(path)]

    def _may_be_function(self, path: str) -> bool:
        """Whether a path may lead to a function: of an object only to a method of the file's classes."""
        if path[-1] in ")#]":
            return False
        known = self._facts.definitions.get(path)
        if known is not None or path[-1] == ">":
            return known.__class__ is not ast.ClassDef
        if INSTANCE[0] in path:
            return self._facts.definitions.is_method(path[path.rfind(".") + 1 :])
        return path[0] not in ".^"

    def place(self, home: int, at: int) -> Given:
        """Return the body at a place among the functions of the file, with the number of an operation."""
        return self._values.body(self._facts.module, home), at

    def _ways_of(self, node: ast.expr) -> Ways:
        place = self._facts.flow.operation(node)
        return self.ways(*self.place(*place)) if place is not None else _NO_WAYS

    # By operations

    def ways(self, body: Body, at: int) -> Ways:
        """Return all that an operation may stand for, that which says most first."""
        key = body.place, at
        known = self._known.get(key)
        if known is not None:
            return known
        follow = _FOLLOW.get(body.record.code[at])
        if follow is None:
            return _NO_WAYS
        if key in self._busy or self._depth > _DEEPEST:
            self._cuts += 1
            return _NO_WAYS
        self._busy.add(key)
        self._depth += 1
        before = self._cuts
        found: Ways = {}
        for path, gives in follow(self, body, at):
            if len(path) <= _LONGEST and not any(_goes_on(path, before) for before in found):
                found.setdefault(path, gives)
            if len(found) == _MOST_WAYS:
                break
        self._depth -= 1
        self._busy.discard(key)
        if self._cuts == before or not self._depth:
            self._known[key] = found
        return found

    def _same(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        yield from self.ways(body, body.record.operand[at]).items()

    def _bound(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what a name is given; where that is what it was in another form, also what it was.

        ``model = fabric.setup(model)``: functions of the file show what they give.
        """
        record = body.record
        given = record.operand[at]
        call = record.operand[given] if record.code[given] == opcodes.UNPACK else given
        found = self.ways(body, given)
        before = _NO_WAYS
        if record.code[call] == opcodes.CALL and not any(path.startswith((".", SUPER)) for path in found):
            for argument in record.extra[call][0]:
                if _is_named(body, argument, record.extra[at]):
                    before = self.ways(body, argument)
        if before and not any(map(self._facts.leads_on, found)):
            yield from before.items()
        yield from found.items()
        yield from before.items()

    def _referred(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what the values of the file know that an operation refers to."""
        yield from ((path, at) for path in self._paths(body.values[at].references))

    def _paths(self, references: tuple[Reference, ...], depth: int = 0) -> Iterator[str]:
        """Yield the paths of what a value refers to."""
        for one in references:
            if isinstance(one, Instance):
                ending = INSTANCE if one.is_exact else ANY_INSTANCE
                path = self._class(one.cls)
                if path is not None:
                    yield path + ending
            elif isinstance(one, ClassSymbol):
                yield from filter(None, (self._class(one),))
            elif isinstance(one, FunctionSymbol):
                yield self._facts.definitions.identity(self._facts.flow.definition(one.body.place))
            elif isinstance(one, Bound):
                cls = one.function.cls
                own = self._paths((one.function if cls is None else cls.instance,))
                yield from own if cls is None else (f"{path}.{one.function.name}" for path in own)
            elif isinstance(one, Api):
                if not is_outside(one.path) and not one.name.isupper():
                    yield one.path
            elif isinstance(one, Elsewhere):
                is_constant = one.path[one.path.rfind(".") + 1 :].isupper()
                if not (one.is_part or is_constant or one.path.startswith(PARAMETER_OF)):
                    yield one.path
            elif isinstance(one, ModuleSymbol):
                yield one.name
            elif isinstance(one, Container) and depth == 0:
                held = one.element.value.references
                paths = [*self._paths(held, 1)]
                if len(paths) == len(held):
                    yield from (f"{path}{MANY}" for path in paths)
            elif isinstance(one, Partial) and depth < _MOST_PARTIAL:
                yield from self._paths(one.function.value.references, depth + 1)

    def _defined(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield the name of a function or class where it is defined."""
        yield self._facts.definitions.identity(self._facts.flow.definition(body.record.operand[at])), at

    def _imported(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        path, name = body.record.extra[at]
        level = body.record.operand[at]
        if level:
            package = package_of(body.module.name, is_package=self._facts.is_package)
            path = ".".join(filter(None, (package_above(package, level), path)))
        if name != "*" and path:
            yield (f"{path}.{name}" if name else path), at

    def _outer(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what a name of a scope around is bound to, or brought by an import of all names."""
        bindings = self.outer(body, body.record.extra[at])
        yield from ((path, at) for one in bindings for path in self.ways(*one))
        if not bindings:
            yield from self._referred(body, at)

    def outer(self, body: Body, name: str) -> list[Given]:
        """Return what binds a name in a scope around a body."""
        around = body.parent
        while around is not None:
            stores = around.record.stores.get(name)
            if stores and (around.is_function or around.parent is None):
                return [(around, store) for store in stores]
            around = around.parent
        return []

    def _parameter(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what a parameter is annotated with, or else what the file gives for it."""
        said = body.record.parameters[body.record.operand[at]].annotation
        path = self.annotated(body, said)
        if path is not None:
            yield path, at
            return
        cls = _class_around(body) if _is_class_itself(body, at) else None
        if cls is not None:
            yield from ((path, at) for path in self._paths((cls,)))
            return
        given = [*self._paths(body.values[at].references)]
        if len(given) <= _MOST_WAYS:  # of more nobody can say which one is meant
            yield from ((path, at) for path in given)

    def _attribute(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        record = body.record
        name, holder = record.extra[at], record.operand[at]
        if record.code[holder] == opcodes.CALL and self._name(body, record.operand[holder]) == "super":
            cls = _class_around(body)
            if cls is not None:
                yield f"{SUPER}{self._class(cls)}.{name}", at
            return
        ways = {path: gives for path, gives in self.ways(body, holder).items() if not path.endswith(MANY)}
        if name == REMOTE and "ray" not in ways and not _is_self(body, holder):
            yield from ((path.removesuffix(f".options{INSTANCE}"), gives) for path, gives in ways.items())
            return
        for path, gives in ways.items():
            if _is_class_itself(body, holder):
                yield f"{path}{ANY_INSTANCE}.{name}", gives  # or what a derived class has instead
            elif INSTANCE[0] not in path or not is_outside(path):
                yield f"{path}.{name}", gives
        if not ways:
            yield from self._referred(body, at)

    def _call(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        record = body.record
        function = record.operand[at]
        name, given = self._name(body, function), record.extra[at][0]
        called = self.ways(body, function)
        if given and not _PASSING_ON.isdisjoint(called):
            yield from self.ways(body, given[0]).items()
            return
        if name in CONTAINERS:
            for argument in given:
                for path, gives in self.ways(body, argument).items():
                    yield (path if path.endswith(MANY) else path + MANY), gives
            return
        passed = self.ways(body, given[0]) if given and (name in _WRAPPERS or name in _PASSING) else _NO_WAYS
        if passed and (name != "compile" or "torch.compile" in called):
            yield from passed.items()
            return
        if name in FLUENT and record.code[function] == opcodes.ATTRIBUTE:
            yield from self.ways(body, record.operand[function]).items()
            return
        for path, gives in called.items():
            if path.startswith(".") and not self._gives_path(path):
                yield from self._referred(body, at)
            yield path + INSTANCE, gives
        if not called:
            yield from self._referred(body, at)

    def _gives_path(self, path: str) -> bool:
        """Whether it shows what a call of something of this file gives."""
        node = self._facts.definitions.get(path)
        place = self._facts.flow.function(node) if node is not None else None
        if place is None:
            return True
        body = self._values.body(self._facts.module, place)
        return not body.is_function or bool(self.returned(body))

    def body(self, defined: ast.AST) -> Body:
        """Return the body of a function, lambda or class of the file."""
        place = self._facts.flow.function(defined)
        assert place is not None
        return self._values.body(self._facts.module, place)

    def stored(self, cls: ast.ClassDef) -> dict[str, list[Given]]:
        """Return what the methods of a class store in attributes of ``self``, by attribute."""
        return self._stored.get(self.body(cls).symbol, {})

    def kept(self, body: Body, holder: int, name: str) -> list[Given]:
        """Return what the methods of a class store in an attribute that is read of ``self``."""
        if not _is_self(body, holder):
            return []
        references = body.values[holder].references
        owners = [one.cls for one in references if isinstance(one, Instance) and not one.is_exact]
        return [one for cls in owners for one in self._stored.get(cls, {}).get(name, ())]

    @cached_property
    def _stored(self) -> dict[Reference, dict[str, list[Given]]]:
        found: dict[Reference, dict[str, list[Given]]] = {}
        for body in self._values.bodies():
            record = body.record
            for at, code in enumerate(record.code):
                if code == opcodes.SET_ATTRIBUTE and _is_self(body, record.operand[at]):
                    name, value = record.extra[at]
                    for one in body.values[record.operand[at]].references:
                        if isinstance(one, Instance) and not one.is_exact:
                            found.setdefault(one.cls, {}).setdefault(name, []).append((body, value))
        return found

    def returns(self, body: Body) -> list[int]:
        """Return the operations that make what a function gives, in order."""
        record = body.record
        return [
            record.operand[at]
            for at, code in enumerate(record.code)
            if code == opcodes.RETURN and record.operand[at] >= 0
        ]

    def returned(self, body: Body) -> Ways:
        """Return what a function gives: by its annotation, or else by what it returns."""
        path = self.annotated(body, body.record.returns)
        if path is not None:
            return {path: -1}
        found: Ways = {}
        for at in self.returns(body):
            for path, gives in self.ways(body, at).items():
                found.setdefault(path, gives)
        return found

    def _item(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        record = body.record
        holder = record.operand[at]
        ways = self.ways(body, holder)
        if record.code[at] == opcodes.ITEM and record.code[record.extra[at]] == opcodes.SLICE:
            yield from ways.items()
            return
        yield from ((path[: -len(MANY)], gives) for path, gives in ways.items() if path.endswith(MANY))
        yield from self._referred(body, at)
        if record.code[at] == opcodes.ITEM or not body.values[holder].bits & KINDS & MAPPING:
            yield from ((path + ITEM, gives) for path, gives in ways.items() if not path.endswith(MANY))

    def _part(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what one target of an unpacking is given: of rounds what each of them is given."""
        record = body.record
        whole, place = bound(record, record.operand[at]), record.extra[at]
        if record.code[whole] == opcodes.CALL and place is not None:
            given = record.extra[whole][0]
            if self._name(body, record.operand[whole]) in _WRAPPERS and place < len(given):
                yield from self.ways(body, given[place]).items()
                return
        yield from self._referred(body, at)
        if record.code[whole] == opcodes.NEXT:
            yield from self._same(body, at)

    def _entered(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        yield from self._referred(body, at)
        yield from self._same(body, at)

    def _built(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        kind, *parts = body.record.extra[at]
        step = 2 if kind.startswith("dict") else 1
        for part in parts[step - 1 :: step]:
            yield from ((path + MANY, gives) for path, gives in self.ways(body, part).items())

    def _either(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what a choice may be; what stands in for it where it is exported comes last."""
        word, *parts = body.record.extra[at]
        if word == "if":
            test, is_not = parts.pop(0), False
            while body.record.code[test] == opcodes.UNARY and body.record.extra[test] == "not":
                test, is_not = body.record.operand[test], not is_not
            if EXPORT_FLAGS & set(words(self._name(body, test))):
                parts = parts[:1] if is_not else parts[1:]
        for part in parts:
            yield from ((path, part) for path in self.ways(body, part))

    def _phi(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        for way in sorted(body.record.extra[at]):
            yield from self.ways(body, way).items()

    def _name(self, body: Body, at: int) -> str:
        """Return the last plain name of what an operation reads, or calls."""
        record = body.record
        while record.code[at] in (opcodes.CALL, opcodes.ITEM, opcodes.AWAIT, opcodes.STAR):
            at = record.operand[at]
        if record.code[at] == opcodes.PARAMETER:
            return record.parameters[record.operand[at]].name
        if record.code[at] == opcodes.IMPORT:
            path, name = record.extra[at]
            return name or str(path.rpartition(".")[2])
        if record.code[at] == opcodes.BIND and record.code[record.operand[at]] == opcodes.IMPORT:
            return self._name(body, record.operand[at])
        extra = record.extra[at]
        return extra if isinstance(extra, str) else ""

    def annotated(self, body: Body, said: Annotation | None) -> str | None:
        """Return the path of what an annotation promises, by the names around a body; None if it has none."""
        if said is None:
            return None
        name, inside = said
        last = name.rpartition(".")[2]
        if last in _OPTIONAL:
            return next(filter(None, (self.annotated(body, one) for one in inside)), None)
        if inside and (last in _SEQUENCES or last in _MAPPINGS):
            path = self.annotated(body, inside[-1])
            return path + MANY if path is not None else None
        named = self._values.named(body, name) if name else None
        path = self._class(named) if isinstance(named, (Api, ClassSymbol)) else None
        return path + ANY_INSTANCE if path is not None else None

    def _class(self, cls: Api | ClassSymbol) -> str | None:
        """Return the path of a class of the project, or of a library that may be part of it."""
        if isinstance(cls, Api):
            return None if is_outside(cls.path) else cls.path
        return self._facts.definitions.identity(self._facts.flow.definition(cls.body.place))


def _class_around(body: Body) -> ClassSymbol | None:
    """Return the class whose method a body is in."""
    around = body.parent
    while around is not None and not isinstance(around.symbol, ClassSymbol):
        around = around.parent
    return around.symbol if around is not None and isinstance(around.symbol, ClassSymbol) else None


def _is_named(body: Body, at: int, name: str) -> bool:
    """Whether an operation is what a name stands for."""
    record = body.record
    code = record.code[at]
    if code == opcodes.PARAMETER:
        return record.parameters[record.operand[at]].name == name
    if code == opcodes.PHI:
        return any(_is_named(body, way, name) for way in record.extra[at] if way < at)
    return code == opcodes.BIND and record.extra[at] == name


def _goes_on(path: str, before: str) -> bool:
    """Whether a path leads on from another by a call: ``x = x.next()`` in rounds."""
    return path.startswith(f"{before}.") and INSTANCE[0] in path[len(before) :]


def _is_self(body: Body, at: int) -> bool:
    return any(isinstance(one, Instance) and not one.is_exact for one in body.values[at].references)


def _is_class_itself(body: Body, at: int) -> bool:
    """Whether an operation is the class that a method of it is given, whatever decorates the method."""
    parameter = body.record.operand[at]
    if body.record.code[at] != opcodes.PARAMETER or parameter:
        return False
    return body.record.parameters[parameter].name == "cls"


_FOLLOW: Final[dict[int, Callable[[Paths, Body, int], Iterator[tuple[str, int]]]]] = {
    opcodes.ATTRIBUTE: Paths._attribute,
    opcodes.AWAIT: Paths._same,
    opcodes.BIND: Paths._bound,
    opcodes.BOOLEAN: Paths._either,
    opcodes.BUILD: Paths._built,
    opcodes.CALL: Paths._call,
    opcodes.CLASS: Paths._defined,
    opcodes.COPY: Paths._same,
    opcodes.ENTER: Paths._entered,
    opcodes.FUNCTION: Paths._defined,
    opcodes.IMPORT: Paths._imported,
    opcodes.ITEM: Paths._item,
    opcodes.NEXT: Paths._item,
    opcodes.OUTER: Paths._outer,
    opcodes.PARAMETER: Paths._parameter,
    opcodes.PHI: Paths._phi,
    opcodes.STAR: Paths._same,
    opcodes.STORE_OUTER: Paths._same,
    opcodes.UNPACK: Paths._part,
}
