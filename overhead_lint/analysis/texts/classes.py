"""Classes whose text is made of their fields each time that somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, FORMAT, RETURN
from overhead_lint.analysis.texts.operations import makes_texts
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol, Instance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["formatted_among", "formatted_classes", "is_formatted", "named_by", "own_str"]

_DATACLASS: Final = "dataclasses.dataclass"
_CACHING: Final = ("CachedRepr", "cached_repr")


def formatted_classes(body: Body, at: int, *, by_repr: bool) -> tuple[ClassSymbol, ...]:
    """Return the classes that the value of an operation may be of; none unless each formats its fields.

    Args:
        body: the body of the operation.
        at: its number.
        by_repr: whether the text is that of ``repr``; else ``str`` makes it.
    """
    return formatted_among(body.values[at].references, by_repr=by_repr)


def formatted_among(references: Iterable[Reference], *, by_repr: bool) -> tuple[ClassSymbol, ...]:
    """Return the classes of which some references are objects; none unless each formats its fields."""
    found: dict[ClassSymbol, None] = {}
    for one in references:
        if not isinstance(one, Instance) or not isinstance(one.cls, ClassSymbol):
            return ()
        kinds = [one.cls, *(() if one.is_exact else one.cls.descendants())]
        plain = [cls for cls in kinds if _formats(cls, by_repr=by_repr)]
        if not plain or (one.is_exact and len(plain) < len(kinds)):
            return ()
        found.update(dict.fromkeys(plain))
    return tuple(found)


def is_formatted(cls: ClassSymbol) -> bool:
    """Whether a text of an object is made of its fields each time, that of ``repr`` or of ``str``."""
    return _formats(cls, by_repr=True) or _formats(cls, by_repr=False)


def _formats(cls: ClassSymbol, *, by_repr: bool) -> bool:
    """Whether the text of an object of a class is made of its fields each time."""
    order = cls.resolution_order
    if cls.has_unknown_bases or any(_is_caching(one) for one in order):
        return False
    own = None if by_repr else own_str(cls)
    if own is not None:
        return _makes_text(own)
    for one in order:
        if not isinstance(one, ClassSymbol):
            return False  # a library's text, of which nobody knows
        own = one.body.cells.get("__repr__")
        if own is not None:
            return _makes_text(own)
        if _dataclass_decorator(one):
            return True
    return False


def own_str(cls: ClassSymbol) -> Slot | None:
    """Return the ``__str__`` that a class of the project has or inherits; None if ``repr`` makes its text."""
    own = (one.body.cells.get("__str__") for one in cls.resolution_order if isinstance(one, ClassSymbol))
    return next(filter(None, own), None)


def _is_caching(cls: ClassSymbol | Api) -> bool:
    if isinstance(cls, Api):
        return cls.path.endswith(_CACHING)
    around = cls.body.parent
    return around is not None and any(
        isinstance(one, Api) and one.path.endswith(_CACHING)
        for at in cls.body.record.decorators
        for one in named_by(around, at)
    )


def named_by(body: Body, at: int) -> tuple[Reference, ...]:
    """Return what an operation refers to, or what it calls: of a decorator, with or without arguments."""
    record = body.record
    return body.values[record.operand[at] if record.code[at] == CALL else at].references


def _dataclass_decorator(cls: ClassSymbol) -> bool:
    """Whether a class is made a dataclass that has a text of its own."""
    around = cls.body.parent
    for at in cls.body.record.decorators if around is not None else ():
        assert around is not None
        record = around.record
        if any(isinstance(one, Api) and one.path == _DATACLASS for one in named_by(around, at)):
            names = record.extra[at][1] if record.code[at] == CALL else ()
            return "repr" not in names
    return False


def _makes_text(own: Slot) -> bool:
    """Whether a method formats a text in each call: one that may return something else keeps it."""
    methods = [one for one in own.value.references if isinstance(one, FunctionSymbol)]
    if len(methods) != 1:
        return False
    body = methods[0].body
    record = body.record
    if record.decorators or len(record.returned) != 1:
        return False
    made = record.operand[record.returned[0]]
    if made < 0 or record.code[made] not in (FORMAT, CALL) or record.code[record.returned[0]] != RETURN:
        return False
    shown = record.extra[made][0]
    # ``str(self.name)`` makes no text where that is one.
    is_text = record.code[made] == CALL and makes_texts(body, made) and record.code[shown[0]] == ATTRIBUTE
    return not is_text or record.extra[shown[0]] == "__dict__"
