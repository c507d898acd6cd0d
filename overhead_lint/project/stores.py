"""What the code of one file stores in attributes of classes and objects, and what its functions return."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

from overhead_lint.analysis.ir.opcodes import RETURN, SET_ATTRIBUTE
from overhead_lint.analysis.values.symbols import ClassSymbol, Instance

if TYPE_CHECKING:
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Given", "Stores", "is_object", "returns"]

Given = tuple["Body", int]
"""A body and an operation of it."""


class Stores:
    """Knows what is stored in the classes of one file and their objects.

    Args:
        values: the values of the file.
    """

    def __init__(self, values: Values) -> None:
        self._values = values

    def of(self, cls: Reference) -> dict[str, list[Given]]:
        """Return what is stored in a class or its objects, by attribute."""
        return self._by_class.get(cls, {})

    def kept(self, body: Body, holder: int, name: str) -> list[Given]:
        """Return what is stored in an attribute that is read of an operation's value."""
        owners = [one.cls for one in body.values[holder].references if _is_any(one)]
        return [one for cls in owners for one in self.of(cls).get(name, ())]

    @cached_property
    def _by_class(self) -> dict[Reference, dict[str, list[Given]]]:
        found: dict[Reference, dict[str, list[Given]]] = {}
        for body in self._values.bodies():
            record = body.record
            for at, code in enumerate(record.code):
                if code == SET_ATTRIBUTE:
                    name, value = record.extra[at]
                    for one in body.values[record.operand[at]].references:
                        # What is stored in a class is read of its objects as well.
                        cls = one.cls if _is_any(one) else one if isinstance(one, ClassSymbol) else None
                        if cls is not None:
                            found.setdefault(cls, {}).setdefault(name, []).append((body, value))
        return found


def is_object(body: Body, at: int) -> bool:
    """Whether an operation gives an object of a class or of one that derives from it, as ``self`` is."""
    return any(_is_any(one) for one in body.values[at].references)


def _is_any(reference: Reference) -> TypeGuard[Instance]:
    return isinstance(reference, Instance) and not reference.is_exact


def returns(body: Body) -> list[int]:
    """Return the operations that make what a function gives, in order."""
    record = body.record
    return [
        record.operand[at]
        for at, code in enumerate(record.code)
        if code == RETURN and record.operand[at] >= 0
    ]
