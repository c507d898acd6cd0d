"""What optimizers put into the groups of their parameters, and read there: ``group["amsgrad"]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import BUILD, CALL, CONSTANT, SET_ITEM
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.options.declared import entries, given
from overhead_lint.analysis.options.lookups import entry_read
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.names import Names, Site
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["ParameterGroups"]


class ParameterGroups:
    """The entries that classes of one file give the groups of what they optimize.

    Args:
        names: the names of the file.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: dict[int, dict[str, Site]] = {}

    def source(self, place: int, at: int) -> Site | None:
        """Return what ``__init__`` of the class around has for an entry of a group; None for all else.

        Args:
            place: the function that reads it.
            at: the operation: ``group["amsgrad"]``, ``group.get("amsgrad")``.
        """
        record = self._names.functions[place]
        asked = entry_read(record, at)
        around = self._names.class_around(place)
        if asked is None or around == NONE or "group" not in words(last_name(record, asked[0])):
            return None
        known = self._known.get(around)
        if known is None:
            known = self._known[around] = self._of_class(around)
        return known.get(asked[1])

    def _of_class(self, around: int) -> dict[str, Site]:
        """Return the entries that one table of ``__init__`` has, and that no method sets."""
        found: dict[str, Site] = {}
        changed: set[str] = set()
        for place, record in enumerate(self._names.functions):
            if self._names.class_around(place) != around:
                continue
            changed.update(_set(record))
            if record.name == "__init__":
                for key, value in _tables(record):
                    if key in found:
                        changed.add(key)
                    found[key] = place, value
        return {key: site for key, site in found.items() if key not in changed}


def _tables(record: FunctionIR) -> Iterator[tuple[str, int]]:
    """Yield what the tables of a function have under constant keys: ``{"lr": lr}``, ``dict(lr=lr)``."""
    for at, code in enumerate(record.code):
        if code == BUILD:
            yield from entries(record, at)
        elif code == CALL and last_name(record, record.operand[at]) == "dict":
            yield from given(record, at)[1].items()


def _set(record: FunctionIR) -> Iterator[str]:
    """Yield the constant keys that a function sets, of whatever it is."""
    for at, code in enumerate(record.code):
        if code == SET_ITEM:
            key = record.extra[at][0]
            if record.code[key] == CONSTANT and isinstance(record.extra[key], str):
                yield record.extra[key]
