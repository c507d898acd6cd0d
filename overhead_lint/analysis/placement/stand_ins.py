"""Autograd functions that stand for an operator of another runtime while a model is exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, COPY, PARAMETER, PHI
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.queries import Flow

__all__ = ["stands_in"]

_TOLD: Final = frozenset({"device", "dim", "dtype", "layout", "ndim", "new_empty", "shape", "size"})
"""What can be asked of a tensor but for its data."""


def stands_in(names: Names, place: int) -> bool:
    """Whether the ``forward`` of an autograd function makes up what it gives, for a ``symbolic``.

    No data of what it is handed is read: its results have but the shapes of what another runtime gives.

    Args:
        names: the names of the file.
        place: the method.
    """
    record, flow = names.functions[place], names.flow(place)
    methods = {one.name for one in names.functions if one.parent == record.parent}
    if "symbolic" not in methods or "backward" in methods:
        return False
    handed = [
        at
        for at, code in enumerate(record.code)
        if code == PARAMETER and record.operand[at] and record.parameters[record.operand[at]].default == NONE
    ]
    return bool(handed) and all(_is_only_asked(flow, at) for at in handed)


def _is_only_asked(flow: Flow, value: int) -> bool:
    """Whether nothing but a shape and the like is read of a value, by whatever name."""
    record, waiting = flow.record, [value]
    for one in waiting:  # it grows
        for user in flow.uses.get(one, ()):
            if record.code[user] in (BIND, COPY, PHI):
                waiting += [user] if user not in waiting else []
            elif record.code[user] != ATTRIBUTE or record.extra[user] not in _TOLD:
                return False
    return True
