"""What functions of a file give that are called by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, FUNCTION
from overhead_lint.analysis.ir.queries import uncopied
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names, Site
    from overhead_lint.analysis.options.stored import StoredAttributes

__all__ = ["Callees"]


class Callees:
    """Tells what calls of functions of one file give.

    Args:
        names: the names of the file.
        stored: its methods.
    """

    def __init__(self, names: Names, stored: StoredAttributes) -> None:
        self._names = names
        self._stored = stored

    def given(self, place: int, call: int) -> list[Site]:
        """Return what the function that a call runs may give; nothing where that is not known."""
        called = self.called(place, call)
        if called == NONE:
            return []
        record = self._names.functions[called]
        given = [record.operand[at] for at in record.returned]
        return [(called, value) for value in given] if NONE not in given else []

    def called(self, place: int, call: int) -> int:
        """Return the function of the file that a call runs; `NONE` for others."""
        record = self._names.functions[place]
        called = uncopied(record, record.operand[call])
        if record.code[called] == ATTRIBUTE:
            if self._names.name(place, record.operand[called]) != "self":
                return NONE
            around = self._names.class_around(place)
            methods = [
                one
                for one in self._stored.methods(record.extra[called])
                if self._names.class_around(one) == around
            ]
            return methods[0] if len(methods) == 1 else NONE
        home, defined = self._names.source(place, called)
        record = self._names.functions[home]
        return record.operand[defined] if record.code[defined] == FUNCTION else NONE
