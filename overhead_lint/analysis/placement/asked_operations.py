"""What waits are judged by asks of the operations of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.values.lattice import is_on_device

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.placement.frequencies import Frequencies
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.project import Values

__all__ = ["AskedOperations"]


class AskedOperations:
    """Tells of the operations of one file what they give, and where they stand.

    Args:
        module: the name of the file's module.
        names: the names of the file.
        values: its values.
        frequencies: how often its program points run.
    """

    def __init__(self, module: str, names: Names, values: Values, frequencies: Frequencies) -> None:
        self._module = module
        self._names = names
        self._values = values
        self._frequencies = frequencies

    def _value(self, place: int, at: int) -> Value:
        return self._values.value(self._values.body(self._module, place), at)

    def _is_on_device(self, place: int, at: int) -> bool:
        return is_on_device(self._value(place, at))

    @staticmethod
    def _is_within(record: FunctionIR, at: int, span: tuple[int, int]) -> bool:
        return span[0] <= record.places[at] and record.ends[at] <= span[1]
