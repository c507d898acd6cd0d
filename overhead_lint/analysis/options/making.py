"""Classes of which objects are made where options may keep that from happening, and the calls that do so.

What only an option makes that is off by default hardly ever runs, wherever it is called.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import INSTANCE, Option
from overhead_lint.analysis.ir.naming import name_of
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, OUTER, STORE_OUTER
from overhead_lint.analysis.ir.records import CLASS_BODY, NONE
from overhead_lint.analysis.options import picks

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.options.asked import AskedOptions

__all__ = ["APPLYING", "LOOKING_UP", "MadeClasses", "is_of_class"]

LOOKING_UP: Final = frozenset({"globals", "locals", "vars"})
"""Builtins by which a file gets at its functions and classes without saying their names."""
APPLYING: Final = "apply"
"""What makes an object of an autograd function by its class, and runs it."""
_NAMED: Final = frozenset({BIND, OUTER, STORE_OUTER})


def is_of_class(name: str) -> bool:
    """Whether a plain name is written as those of classes are."""
    return name.lstrip("_")[:1].isupper()


class MadeClasses:
    """The classes at the top level of a file that nothing in it uses but by making objects of them.

    Args:
        names: the names of the file.
        options: the options that its tests ask about.
    """

    def __init__(self, names: Names, options: AskedOptions) -> None:
        self._names = names
        self._options = options
        self._picked: dict[int, dict[int, tuple[Option, ...]]] = {}

    @cached_property
    def by_place(self) -> dict[int, Option]:
        """What its methods hang on, by the places of their classes: that somebody makes an object."""
        functions = self._names.functions
        found = {
            place: Option(INSTANCE, "", record.name)
            for place, record in enumerate(functions)
            if record.kind == CLASS_BODY and record.parent == 0 and is_of_class(record.name)
        }
        if not found or any(not LOOKING_UP.isdisjoint(record.outer) for record in functions):
            return {}
        read = {
            name_of(record, operand)
            for record in functions
            for code, operand, extra in zip(record.code, record.operand, record.extra, strict=True)
            if code == ATTRIBUTE and record.code[operand] in _NAMED and extra != APPLYING
        }
        return {place: option for place, option in found.items() if option.name not in read}

    def option(self, place: int) -> Option | None:
        """Return what a function hangs on that is a method of such a class, or stands in one."""
        names = self._names
        at = names.class_around(place)
        while at != NONE and names.functions[at].parent > 0:
            at = names.class_around(names.functions[at].parent)
        return self.by_place.get(at)

    def keeping(self, place: int, at: int) -> tuple[Option, ...]:
        """Return the options that keep an operation from running while they have their defaults."""
        found = [*self._options.around(place, at)]
        picked = self._picked.get(place)
        if picked is None:
            picked = self._picked[place] = picks.picked(self._names, self._options, place)
        found += picked.get(at, ())
        own = self.option(place)
        return tuple(dict.fromkeys(found if own is None else (*found, own)))
