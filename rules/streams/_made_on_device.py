"""Tensors of numbers that are written out: filled in or counted on the device, or kept there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Import, Kind
from overhead_lint.tuples import NamedTuple

from .._literals import tuple_template
from .._sharing import may_be_shared
from ..tensors._buffers import buffer
from ._inferred_dtypes import dtype_of
from ._written_numbers import dtype_named, fits, fits_half, is_exact_range, is_number, literal, range_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit

    from ._copies import Moved

__all__ = ["made_on_device"]

# Classes of tensors that are told no dtype, with the one that they have.
_TYPED = {
    "torch.BoolTensor": "bool",
    "torch.ByteTensor": "uint8",
    "torch.DoubleTensor": "float64",
    "torch.FloatTensor": "float32",
    "torch.HalfTensor": "float16",
    "torch.IntTensor": "int32",
    "torch.LongTensor": "int64",
}


class _Written(NamedTuple):
    """Numbers that a call of torch makes a tensor of.

    Attributes:
        value: the numbers.
        dtype: their dtype as torch calls it; "" for the one that the numbers ask for, and for an unknown one.
        written: the dtype as a template, behind a comma; "" if none is told.
        parts: the parts of that.
    """

    value: ast.expr
    dtype: str
    written: str
    parts: dict[str, ast.expr]


def _written(made: ast.Call, found: Moved, ctx: Context) -> _Written | None:
    """The numbers of ``torch.tensor(1, dtype=dtype)``, or of ``torch.FloatTensor([1, 2])``."""
    name = ctx.qualified_name(made.func) or ""
    if len(made.args) != 1:
        return None
    (value,) = made.args
    if name in _TYPED:
        is_list = isinstance(value, ast.List) and not made.keywords
        return _Written(value, _TYPED[name], f", dtype={{torch}}.{_TYPED[name]}", {}) if is_list else None
    given = {item.arg: item.value for item in made.keywords}
    if name != "torch.tensor" or not given.keys() <= {"device", "dtype"}:
        return None
    if found.source is not None and "device" in given:
        return None
    if "dtype" not in given:
        return _Written(value, "", "", {})
    dtype = given["dtype"]
    return _Written(value, dtype_named(dtype, ctx), ", dtype={dtype}", {"dtype": dtype})


def made_on_device(node: ast.Call, found: Moved, ctx: Context) -> Fix | None:
    """Return the fix that makes a tensor of written numbers on the device, or keeps it there.

    Args:
        node: the call that brings it to the device.
        found: what that moves, and where.
        ctx: the file.
    """
    made = found.source if found.source is not None else node
    written = _written(made, found, ctx) if isinstance(made, ast.Call) and found.plain else None
    if written is None:
        return None
    value, dtype = written.value, written.written
    parts = {"value": value, **written.parts}
    if found.device is not None:
        parts["device"] = found.device
    tail = f"{dtype}, device={found.template})"
    filled = _filled(value, ctx)
    if filled is not None:
        shape, parts["value"] = filled
        number, inferred = literal(parts["value"]), dtype_of(parts["value"], ctx)
        if dtype:
            exact = number is not None and fits(number, written.dtype)
        else:  # the default dtype may be any of floats
            exact = isinstance(number, int) or (number is not None and fits_half(number))
        safe = Applicability.SAFE if found.proven and exact else Applicability.UNSAFE
        message = "fill it in on the device"
        told = f", dtype={{torch}}.{inferred}" if inferred and not dtype else ""
        template = f"{{torch}}.full({shape}, {{value}}{told}{tail}"
        return _edit(node, template, parts, safe, message, Import("torch"))
    steps = range_of(value)
    if steps is not None and (not dtype or is_exact_range(max(map(abs, steps[:2])), written.dtype)):
        safe = Applicability.SAFE if found.proven else Applicability.UNSAFE
        template = f"{{torch}}.arange({_arguments_of(*steps)}{tail}"
        return _edit(node, template, parts, safe, "count on the device", Import("torch"))
    if literal(value) is None or not may_be_shared(node, ctx):
        return None
    numbers, items = tuple_template(value) or ("{value}", {})
    template = f"{{runtime}}.const_tensor({numbers}{tail}"
    parts |= items
    needs = [runtime_import(ctx.runtime_module), *([Import("torch")] if "{torch}" in dtype else [])]
    fix = _edit(node, template, parts, Applicability.UNSAFE, "keep it on the device", *needs)
    return fix._replace(without_runtime=buffer(node, node, ctx) if found.source is None else None)


def _arguments_of(start: int, end: int, step: int) -> str:
    """Return a range as it is written: without what it begins at and goes by where these are 0 and 1."""
    if step != 1:
        return f"{start}, {end}, {step}"
    return f"{start}, {end}" if start else f"{end}"


def _filled(value: ast.expr, ctx: Context) -> tuple[str, ast.expr] | None:
    """Shape and number, if the value is one number, or a list that repeats one."""
    if not isinstance(value, ast.List):
        is_one = is_number(literal(value)) or ctx.kind(value) is Kind.NUMBER
        return ("()", value) if is_one else None
    first = value.elts[0]
    numbers = [literal(item) for item in value.elts]
    if all(map(is_number, numbers)) and len({repr(number) for number in numbers}) == 1:
        return f"({len(numbers)},)", first
    return ("(1,)", first) if len(numbers) == 1 and ctx.kind(first) is Kind.NUMBER else None


def _edit(
    node: ast.Call,
    template: str,
    parts: dict[str, ast.expr],
    safe: Applicability,
    message: str,
    *needs: Import,
) -> Fix:
    used = {key: part for key, part in parts.items() if f"{{{key}}}" in template}
    edits: tuple[Edit, ...] = (replace(node, template, **used),)
    return Fix(safe, message, edits=edits, imports=needs)
