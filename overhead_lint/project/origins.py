"""Where the values of operations are from, as paths: followed back through the operations that make them.

Where an operation does not say it, what its value refers to does: what calls give for parameters, what
containers hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir import opcodes
from overhead_lint.analysis.ir.naming import last_name, name_of
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.relative_imports import package_above, package_of
from overhead_lint.analysis.values.lattice import KINDS, MAPPING, MOST_REFERENCES
from overhead_lint.analysis.values.symbols import ClassSymbol
from overhead_lint.analysis.vocabulary import EXPORT_FLAGS
from overhead_lint.analysis.words import words
from overhead_lint.analysis.wrapping_calls import BINDERS, WRAPPERS
from overhead_lint.api.torch_calls import CONTAINERS, FLUENT
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, ITEM, MANY, SUPER, is_outside
from overhead_lint.project.remote_calls import REMOTE
from overhead_lint.project.stores import Given, is_object, returns

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_values import FileValues
    from overhead_lint.project.reference_paths import ReferencePaths

__all__ = ["Origins", "Ways"]

Ways = dict[str, int]
"""All that an operation may stand for, by path, with the operation of the same body that gives it."""

# Calls that give back the module, or function, that they are called with.
_WRAPPERS: Final = WRAPPERS | BINDERS
_PASSING: Final = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "tqdm", "tuple", "zip"})
# The same, by their own paths: ``functools.wraps(function)(wrapper)``.
_PASSING_ON: Final = frozenset(
    {"ray.get", "ray.put", "ray.remote", f"ray.remote{INSTANCE}", f"functools.wraps{INSTANCE}"}
)
# What gives the value of its operand, by another number.
_SAME: Final = frozenset({opcodes.AWAIT, opcodes.COPY, opcodes.STAR, opcodes.STORE_OUTER})
# What may give back what a name was bound to before, in another form.
_REBINDING: Final = frozenset({opcodes.CALL, opcodes.UNPACK})
_MOST_GIVEN: Final = 8
_DEEPEST: Final = 24
# So many operations are followed for one answer: what is cut off for a cycle is followed again by the next.
_MOST_STEPS: Final = 100
_LONGEST: Final = 160
_NO_WAYS: Final[Ways] = {}


class Origins:
    """Follows the operations of one file.

    Args:
        facts: the file.
        references: writes what values refer to as paths.
    """

    def __init__(self, facts: FileValues, references: ReferencePaths) -> None:
        self._facts = facts
        self._references = references
        self._values = facts.kinds.values
        self._known: dict[tuple[int, int], Ways] = {}
        self._busy: set[tuple[int, int]] = set()
        self._cuts = 0
        self._steps = 0
        self._depth = 0

    def ways(self, body: Body, at: int) -> Ways:
        """Return all that an operation may stand for, that which says most first."""
        record = body.record
        code = record.code[at]
        while code in _SAME or (code == opcodes.BIND and record.code[record.operand[at]] not in _REBINDING):
            at = record.operand[at]
            code = record.code[at]
        key = body.place, at
        known = self._known.get(key)
        if known is not None:
            return known
        follow = _FOLLOW.get(code)
        if follow is None:
            return _NO_WAYS
        self._steps = self._steps + 1 if self._depth else 0
        if key in self._busy or self._depth > _DEEPEST or self._steps > _MOST_STEPS:
            self._cuts += 1
            return _NO_WAYS
        self._busy.add(key)
        self._depth += 1
        cuts = self._cuts
        found: Ways = {}
        for path, gives in follow(self, body, at):
            if len(path) <= _LONGEST and not (found and any(_goes_on(path, before) for before in found)):
                found.setdefault(path, gives)
            if len(found) == MOST_REFERENCES:
                break
        self._depth -= 1
        self._busy.discard(key)
        if found or self._cuts == cuts or not self._depth:
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
                if name_of(record, argument) == record.extra[at]:
                    before = self.ways(body, argument)
        if before and not any(map(self._facts.leads_on, found)):
            yield from before.items()
        yield from found.items()
        yield from before.items()

    def _referred(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        """Yield what the values of the file know that an operation refers to."""
        yield from ((path, at) for path in self._references.of(body.values[at].references))

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
        """Yield what a name of a scope around is bound to; else what functions, or an import of all, bind."""
        found = [path for one in self.outer(body, body.record.extra[at]) for path in self.ways(*one)]
        yield from ((path, at) for path in found)
        if not found:
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
        path = self._references.annotated(body, said)
        if path is not None:
            yield path, at
            return
        cls = _class_around(body) if _is_class_itself(body, at) else None
        if cls is not None:
            yield from ((path, at) for path in self._references.of((cls,)))
            return
        given = [*self._references.of(body.values[at].references)]
        if len(given) <= _MOST_GIVEN:  # of more nobody can say which one is meant
            yield from ((path, at) for path in given)

    def _attribute(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        record = body.record
        name, holder = record.extra[at], record.operand[at]
        if record.code[holder] == opcodes.CALL and last_name(record, record.operand[holder]) == "super":
            cls = _class_around(body)
            if cls is not None:
                yield f"{SUPER}{self._references.of_class(cls)}.{name}", at
            return
        ways = {path: gives for path, gives in self.ways(body, holder).items() if not path.endswith(MANY)}
        if name == REMOTE and "ray" not in ways and not is_object(body, holder):
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
        name, given = last_name(record, function), record.extra[at][0]
        if name == "partial" and (made := self._references.of_partial(body.place, at)):
            yield made, at
            return
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

    def returned(self, body: Body) -> Ways:
        """Return what a function gives: by its annotation, or else by what it returns."""
        path = self._references.annotated(body, body.record.returns)
        if path is not None:
            return {path: -1}
        found: Ways = {}
        for at in returns(body):
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
            if last_name(record, record.operand[whole]) in _WRAPPERS and place < len(given):
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
            if EXPORT_FLAGS & set(words(last_name(body.record, test))):
                parts = parts[:1] if is_not else parts[1:]
        for part in parts:
            yield from ((path, part) for path in self.ways(body, part))

    def _phi(self, body: Body, at: int) -> Iterator[tuple[str, int]]:
        for way in sorted(body.record.extra[at]):
            yield from self.ways(body, way).items()


def _class_around(body: Body) -> ClassSymbol | None:
    """Return the class whose method a body is in."""
    around = body.parent
    while around is not None and not isinstance(around.symbol, ClassSymbol):
        around = around.parent
    return around.symbol if around is not None and isinstance(around.symbol, ClassSymbol) else None


def _goes_on(path: str, before: str) -> bool:
    """Whether a path leads on from another by a call: ``x = x.next()`` in rounds."""
    return path.startswith(f"{before}.") and INSTANCE[0] in path[len(before) :]


def _is_class_itself(body: Body, at: int) -> bool:
    """Whether an operation is the class that a method of it is given, whatever decorates the method."""
    at = bound(body.record, at)
    if body.record.code[at] != opcodes.PARAMETER or body.record.operand[at]:
        return False
    return body.record.parameters[0].name == "cls"


_FOLLOW: Final[dict[int, Callable[[Origins, Body, int], Iterator[tuple[str, int]]]]] = {
    opcodes.ATTRIBUTE: Origins._attribute,
    opcodes.BIND: Origins._bound,
    opcodes.BOOLEAN: Origins._either,
    opcodes.BUILD: Origins._built,
    opcodes.CALL: Origins._call,
    opcodes.CLASS: Origins._defined,
    opcodes.ENTER: Origins._entered,
    opcodes.FUNCTION: Origins._defined,
    opcodes.IMPORT: Origins._imported,
    opcodes.ITEM: Origins._item,
    opcodes.NEXT: Origins._item,
    opcodes.OUTER: Origins._outer,
    opcodes.PARAMETER: Origins._parameter,
    opcodes.PHI: Origins._phi,
    opcodes.UNPACK: Origins._part,
}
