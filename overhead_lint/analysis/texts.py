"""Which objects a file makes texts of, and whether these are formatted anew each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    BINARY,
    BIND,
    BUILD,
    CALL,
    COPY,
    FORMAT,
    PARAMETER,
    PHI,
    RETURN,
    STAR,
)
from overhead_lint.analysis.values.classes import is_of_others
from overhead_lint.analysis.values.elsewhere import Elsewhere
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["FormattedObject", "asked_of_others", "formatted_classes", "formatted_objects", "text_makers"]

_TEXTS: Final = frozenset({"builtins.repr", "builtins.str"})
_ORDERED: Final = frozenset({"list", "tuple"})
_DATACLASS: Final = "dataclasses.dataclass"
_CACHING: Final = ("CachedRepr", "cached_repr")


class FormattedObject(NamedTuple):
    """An object that a place makes a text of.

    Attributes:
        body: where the place stands.
        at: the operation that makes the text.
        number: which of the values that it shows.
        classes: what the object may be, of classes whose text formats their fields each time.
        is_given: whether the place calls a function of another file, which makes a text of what it is given
            there, and gives it back.
    """

    body: Body
    at: int
    number: int
    classes: tuple[ClassSymbol, ...]
    is_given: bool = False


def formatted_objects(values: Values, module: str) -> Iterator[FormattedObject]:
    """Yield the objects of which a file makes texts, where all that they may be is formatted each time."""
    for body in values.bodies():
        if body.module.name != module:
            continue
        record = body.record
        for at, code in enumerate(record.code):
            shown: tuple[int, ...] = ()
            if code == FORMAT:
                shown = record.extra[at][0]
            elif code == CALL and len(record.extra[at][0]) == 1 and not record.extra[at][1]:
                shown = record.extra[at][0] if _makes_texts(body, at) else ()
            for number, one in enumerate(shown):
                classes = formatted_classes(body, one)
                if classes:
                    yield FormattedObject(body, at, number, classes)
            if code == CALL:
                yield from _given_to_helpers(body, at)


def asked_of_others(body: Body, at: int) -> frozenset[str]:
    """Return what other files may tell of a text: the names of functions of theirs that may make it.

    Args:
        body: the body of the operation that may make the text, solved without these files.
        at: its number.

    Returns:
        "" among them where that is an object, or a function of which no name is known.
    """
    record, values = body.record, body.values
    code = record.code[at]
    if code == FORMAT or (code == CALL and _makes_texts(body, at)):
        is_asked = any(is_of_others(values[one]) for one in record.extra[at][0])
        return frozenset({""} if is_asked else ())
    if code != CALL or not is_of_others(values[record.operand[at]]):
        return frozenset()
    return frozenset(map(_own_name, values[record.operand[at]].references))


def _own_name(reference: Reference) -> str:
    """Return the name of something of another file; "" where it has none."""
    name = reference.path.rpartition(".")[2] if isinstance(reference, Elsewhere) else ""
    return name if name.isidentifier() else ""


def text_makers(values: Values, module: str) -> Iterator[str]:
    """Yield the names of a file by which others may call what gives back the text of an argument."""
    for body in values.bodies():
        if body.module.name == module:
            for name, cell in body.cells.items():
                if any(_may_make_texts(one, name) for one in cell.value.references):
                    yield name


def _may_make_texts(reference: Reference, name: str) -> bool:
    """Whether what a file has by a name may give back texts, and no other file has it by that name."""
    if isinstance(reference, FunctionSymbol):
        return bool(shown_parameters(reference))
    return isinstance(reference, Elsewhere) and _own_name(reference) != name


def _given_to_helpers(body: Body, at: int) -> Iterator[FormattedObject]:
    """Yield what a call gives to functions of other files that give back its text."""
    record = body.record
    helpers: list[tuple[FunctionSymbol, int]] = []
    for one in body.values[record.operand[at]].references:
        if isinstance(one, FunctionSymbol):
            helpers.append((one, 0))
        elif isinstance(one, Bound):
            helpers.append((one.function, 1))
        else:
            return
    given, names = record.extra[at]
    if not helpers or "" in names or any(record.code[one] == STAR for one in given):
        return
    if any(function.body.module is body.module for function, _ in helpers):
        return
    for number, one in enumerate(given):
        place = number - (len(given) - len(names))
        name = names[place] if place >= 0 else None
        if all(
            _parameter(function, number + skip, name) in shown_parameters(function)
            for function, skip in helpers
        ):
            classes = formatted_classes(body, one)
            if classes:
                yield FormattedObject(body, at, number, classes, is_given=True)


def _parameter(function: FunctionSymbol, place: int, name: str | None) -> int:
    """Return the place of the parameter that is given something, by place or by name; -1 for none."""
    parameters = function.body.record.parameters
    if name is None:
        return place if place < len(parameters) and parameters[place].kind not in ("*", "**", "=") else -1
    return next((at for at, one in enumerate(parameters) if one.name == name), -1)


def shown_parameters(function: FunctionSymbol) -> frozenset[int]:
    """Return the places of the parameters whose texts a function gives back, alone or as a part."""
    body = function.body
    record = body.record
    found: set[int] = set()
    waiting = [(record.operand[at], False) for at in record.returned]
    seen: set[tuple[int, bool]] = set()
    for at, is_text in waiting:
        if at < 0 or (at, is_text) in seen:
            continue
        seen.add((at, is_text))
        code, extra = record.code[at], record.extra[at]
        if code == PARAMETER and is_text:
            found.add(record.operand[at])
        elif code in (BIND, COPY):
            waiting.append((record.operand[at], is_text))
        elif code == PHI:
            waiting += [(one, is_text) for one in extra]
        elif code == BUILD and extra[0] in _ORDERED:
            waiting += [(one, is_text) for one in extra[1:]]
        elif code == FORMAT:
            waiting += [(one, True) for one in extra[0]]
        elif code == BINARY and not is_text:
            waiting += [(record.operand[at], False), (extra[0], False)]
        elif code == CALL and len(extra[0]) == 1 and not extra[1] and _makes_texts(body, at):
            waiting.append((extra[0][0], True))
    return frozenset(found)


def _makes_texts(body: Body, at: int) -> bool:
    called = body.values[body.record.operand[at]].references
    return any(isinstance(one, Api) and one.path in _TEXTS for one in called)


def formatted_classes(body: Body, at: int) -> tuple[ClassSymbol, ...]:
    """Return the classes that the value of an operation may be of; none unless each formats its fields.

    Args:
        body: the body of the operation.
        at: its number.
    """
    found: dict[ClassSymbol, None] = {}
    for one in body.values[at].references:
        if not isinstance(one, Instance) or not isinstance(one.cls, ClassSymbol):
            return ()
        kinds = [one.cls, *(() if one.is_exact else one.cls.descendants())]
        plain = [cls for cls in kinds if _is_formatted(cls)]
        if not plain or (one.is_exact and len(plain) < len(kinds)):
            return ()
        found.update(dict.fromkeys(plain))
    return tuple(found)


def _is_formatted(cls: ClassSymbol) -> bool:
    """Whether the text of an object of a class is made of its fields each time."""
    order = cls.resolution_order
    if cls.has_unknown_bases or any(_is_caching(one) for one in order):
        return False
    for one in order:
        if not isinstance(one, ClassSymbol):
            return False  # a library's text, of which nobody knows
        own = one.body.cells.get("__repr__")
        if own is not None:
            functions = [found for found in own.value.references if isinstance(found, FunctionSymbol)]
            return len(functions) == 1 and _makes_text(functions[0])
        if _dataclass_decorator(one):
            return True
    return False


def _is_caching(cls: ClassSymbol | Api) -> bool:
    if isinstance(cls, Api):
        return cls.path.endswith(_CACHING)
    around = cls.body.parent
    return around is not None and any(
        isinstance(one, Api) and one.path.endswith(_CACHING)
        for at in cls.body.record.decorators
        for one in _made_by(around, at)
    )


def _made_by(body: Body, at: int) -> tuple[object, ...]:
    """Return what an operation refers to, or what it calls."""
    record = body.record
    return body.values[record.operand[at] if record.code[at] == CALL else at].references


def _dataclass_decorator(cls: ClassSymbol) -> bool:
    """Whether a class is made a dataclass that has a text of its own."""
    around = cls.body.parent
    for at in cls.body.record.decorators if around is not None else ():
        assert around is not None
        record = around.record
        if any(isinstance(one, Api) and one.path == _DATACLASS for one in _made_by(around, at)):
            names = record.extra[at][1] if record.code[at] == CALL else ()
            return "repr" not in names
    return False


def _makes_text(method: FunctionSymbol) -> bool:
    """Whether a method formats a text in each call: one that may return something else keeps it."""
    record = method.body.record
    if record.decorators or len(record.returned) != 1:
        return False
    made = record.operand[record.returned[0]]
    return made >= 0 and record.code[made] in (FORMAT, CALL) and record.code[record.returned[0]] == RETURN
