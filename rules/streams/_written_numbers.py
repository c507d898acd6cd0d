"""Numbers that are written out as the values of a tensor, and which dtypes hold them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["dtype_named", "fits", "fits_half", "is_exact_range", "is_number", "literal", "range_of"]

_INT8: Final = 127
_GREATEST_HALF: Final = 65504
_LIMITS: Final = {
    "int16": 2**15,
    "int32": 2**31,
    "int": 2**31,
    "int64": 2**53,
    "long": 2**53,
    **dict.fromkeys(("float32", "float64", "float", "double"), 2**24),
}
"""By dtype: below which number all whole ones are held exactly, however a range of them is computed."""


def literal(value: ast.expr) -> object:
    """Return the numbers that an expression is written as; None if it is anything else."""
    try:
        found = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None  # Names, calls: no literal.
    return found if is_number(found) or (isinstance(found, (list, tuple)) and _flat(found)) else None


def _flat(values: object) -> list[object]:
    """All numbers of nested lists; empty if something else is in them."""
    if not isinstance(values, (list, tuple)):
        return [values] if is_number(values) else []
    parts = [_flat(item) for item in values]
    return [number for part in parts for number in part] if all(parts) else []


def is_number(value: object) -> bool:
    """Whether it is a number that a tensor can hold."""
    return isinstance(value, (bool, int, float)) and abs(value) < 2**63


def range_of(value: ast.expr) -> tuple[int, int, int] | None:
    """Return start, end and step of a range, if the value is a list of whole numbers as far apart each."""
    numbers = [literal(item) for item in value.elts] if isinstance(value, (ast.List, ast.Tuple)) else []
    whole = [number for number in numbers if type(number) is int and abs(number) < 2**53]
    if len(whole) < max(len(numbers), 2) or whole[0] == whole[1]:
        return None
    step = whole[1] - whole[0]
    end = whole[-1] + (1 if step > 0 else -1)
    return (whole[0], end, step) if list(range(whole[0], end, step)) == whole else None


def dtype_named(dtype: ast.expr, ctx: Context) -> str:
    """Return what torch calls a dtype; "" for what is no name of torch's."""
    return (ctx.qualified_name(dtype) or "").removeprefix("torch.")


def is_exact_range(largest: int, dtype: str) -> bool:
    """Whether a range in a dtype holds its whole numbers exactly, however it is computed."""
    return largest < _LIMITS.get(dtype, 0)


def fits_half(number: object) -> bool:
    """Whether float16 holds the number: beyond that `torch.tensor` gives infinity, and filling raises."""
    return isinstance(number, (int, float)) and abs(number) <= _GREATEST_HALF


def fits(number: object, dtype: str) -> bool:
    """Whether every way of making the number in the dtype gives the same."""
    if dtype in ("float16", "half"):
        return fits_half(number)
    if dtype in ("float32", "float64", "float", "double", "bfloat16"):
        return True
    whole = isinstance(number, int) and 0 <= number <= _INT8
    return whole and dtype in ("uint8", "int8", "int16", "int32", "int64", "int", "long", "bool")
