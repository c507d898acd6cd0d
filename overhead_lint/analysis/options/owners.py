"""Of which class an object is that a test asks an attribute of, as far as its file writes that down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, PARAMETER, SET_ATTRIBUTE
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import Annotation
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["class_of", "own_class"]

_AROUND: Final = frozenset({"Optional", "Union", "|"})


def class_of(stored: StoredAttributes, place: int, at: int) -> str:
    """Return the plain name of the class that an object is written to be of; "" where nothing is.

    ``self`` is of the class around, a parameter what its annotation says, a call of a class an object of it,
    an attribute of ``self`` what the body of its class annotates it with, or all methods set it to.

    Args:
        stored: what methods of the file store in attributes.
        place: the function that has the object.
        at: the operation that gives it.
    """
    names = stored.names
    record = names.functions[place]
    at, around = bound(record, at), names.class_around(place)
    own = own_class(names, place, at)
    if own:
        return own
    if record.code[at] != ATTRIBUTE:
        return _of_value(stored, place, at)
    if around == NONE or names.name(place, record.operand[at]) != "self":
        return ""
    said = _named(names.functions[around].annotations.get(record.extra[at]))
    found = {said} if said else set()
    for where, store in stored.of(place, at) if not said else ():
        its = names.functions[where]
        is_set = its.code[store] == SET_ATTRIBUTE
        found.add(_of_value(stored, where, bound(its, its.extra[store][1])) if is_set else "")
    return found.pop() if len(found) == 1 else ""


def own_class(names: Names, place: int, at: int) -> str:
    """Return the plain name of the class around a function whose ``self`` an object is; "" for others."""
    around = names.class_around(place) if names.name(place, at) == "self" else NONE
    return names.functions[around].name if around != NONE else ""


def _of_value(stored: StoredAttributes, place: int, at: int) -> str:
    """The class of a parameter, or of what a call makes."""
    record = stored.names.functions[place]
    if record.code[at] == PARAMETER:
        return _named(record.parameters[record.operand[at]].annotation)
    called = last_name(record, record.operand[at]) if record.code[at] == CALL else ""
    return called if called[:1].isupper() else ""


def _named(said: Annotation | None) -> str:
    """The plain name of the one class that an annotation names: ``Optional[Config]``."""
    waiting = [said] if said is not None else []
    found = set()
    for name, inside in waiting:
        plain = name.rpartition(".")[2]
        if plain in _AROUND:
            waiting += inside
        elif plain != "None":
            found.add(plain)
    return found.pop() if len(found) == 1 else ""
