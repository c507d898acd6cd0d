"""Where functions stand in their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.records import line_of

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import FunctionSymbol

__all__ = ["lines_of"]


def lines_of(function: FunctionSymbol) -> range:
    """Return the lines of a function, from its header to the end of its last operation."""
    record = function.body.record
    last = max((line_of(end) for end in record.ends), default=0)
    return range(line_of(record.place), max(last, line_of(record.place)) + 1)
