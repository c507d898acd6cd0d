"""What methods store in attributes of ``self``, and which of them, and of the functions, calls run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    DELETE_ATTRIBUTE,
    FUNCTION,
    PARAMETER,
    SET_ATTRIBUTE,
)
from overhead_lint.analysis.ir.queries import uncopied
from overhead_lint.analysis.ir.records import CLASS_BODY, NONE
from overhead_lint.analysis.vocabulary import RESTORING, RESTORING_METHODS
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.analysis.ir.names import Names, Site

__all__ = ["StoredAttributes", "is_restoring"]

_PROPERTIES: Final = frozenset({"cached_property", "property"})


class StoredAttributes:
    """Attributes that the classes of one file store in their objects.

    Args:
        names: the names of the file.

    Attributes:
        names: as given.
    """

    def __init__(self, names: Names) -> None:
        self.names = self._names = names
        self._sites: dict[tuple[int, str], list[Site]] | None = None
        self._methods: dict[str, list[int]] | None = None

    def of(self, place: int, read: int) -> Sequence[Site]:
        """Return where the class around gives an attribute of ``self`` something.

        Args:
            place: the function that reads the attribute.
            read: the operation that does.

        Returns:
            The operations that store or delete it, each with its function; nothing for attributes of
            something else than ``self``.
        """
        record = self._names.functions[place]
        if self._names.name(place, record.operand[read]) != "self":
            return ()
        if self._sites is None:
            self._sites = self._found()
        return self._sites.get((self._names.class_around(place), record.extra[read]), ())

    def _found(self) -> dict[tuple[int, str], list[Site]]:
        names = self._names
        found: dict[tuple[int, str], list[Site]] = {}
        for place, record in enumerate(names.functions):
            around = names.class_around(place)
            if around == NONE:
                continue
            for at, code in enumerate(record.code):
                if code not in (SET_ATTRIBUTE, DELETE_ATTRIBUTE):
                    continue
                if names.name(place, record.operand[at]) == "self":
                    name = record.extra[at][0] if code == SET_ATTRIBUTE else record.extra[at]
                    found.setdefault((around, name), []).append((place, at))
        return found

    def setters(self, place: int, read: int) -> set[str]:
        """Return the names of the methods that set or delete an attribute."""
        return {self._names.functions[where].name for where, _ in self.of(place, read)}

    def is_parameter(self, place: int, store: int) -> bool:
        """Whether an attribute is set to a parameter as it is."""
        record = self._names.functions[place]
        return record.code[store] == SET_ATTRIBUTE and record.code[record.extra[store][1]] == PARAMETER

    def properties(self, place: int, read: int) -> Sequence[int]:
        """Return the properties of the class around that reading an attribute of ``self`` runs."""
        names = self._names
        record = names.functions[place]
        name, around = record.extra[read], names.class_around(place)
        if around == NONE or names.name(place, record.operand[read]) != "self":
            return ()
        return [
            one
            for one in self.methods(name)
            if names.functions[one].parent == around and not _PROPERTIES.isdisjoint(names.decorators(one))
        ]

    def methods(self, name: str) -> Sequence[int]:
        """Return the methods of a name, of all classes of the file, by their places."""
        if self._methods is None:
            self._methods = {}
            for place, record in enumerate(self._names.functions):
                if self._names.is_method(place) and record.kind != CLASS_BODY:
                    self._methods.setdefault(record.name, []).append(place)
        return self._methods.get(name, ())

    def given(self, place: int, call: int) -> list[Site]:
        """Return what the function that a call runs may give; nothing where that is not known."""
        called = self.called(place, call)
        if called == NONE:
            return []
        record = self._names.functions[called]
        given = [record.operand[at] for at in record.returned]
        return [(called, value) for value in given] if NONE not in given else []

    def called(self, place: int, call: int) -> int:
        """Return the function of the file, or method of ``self``, that a call runs; `NONE` for others."""
        names, record = self._names, self._names.functions[place]
        called = uncopied(record, record.operand[call])
        if record.code[called] == ATTRIBUTE:
            if names.name(place, record.operand[called]) != "self":
                return NONE
            around = names.class_around(place)
            own = [one for one in self.methods(record.extra[called]) if names.class_around(one) == around]
            return own[0] if len(own) == 1 else NONE
        home, defined = names.source(place, called)
        record = names.functions[home]
        return record.operand[defined] if record.code[defined] == FUNCTION else NONE


def is_restoring(function: str) -> bool:
    """Whether a function brings back what was saved, by its name: ``load_state_dict``."""
    return function in RESTORING_METHODS or not RESTORING.isdisjoint(words(function)[:1])
