"""Tensors where Python needs a number: sizes, ends of slices, what builtins look through."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._vocabulary import SIZES
from ._defaults import is_tensor_by_default

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["SCANS", "SIZED_CALLS", "ends", "filters", "is_member_test", "is_scanned", "is_tensor", "sizes"]

SCANS = {
    **dict.fromkeys(("all", "any"), "use the tensor's own all() or any(), and read it once, if at all"),
    **dict.fromkeys(("max", "min", "sorted"), "use the tensor's own method, which works on the device"),
}
"""Builtins that ask one element after the other, with what to do instead."""
_FUNCTIONS = frozenset(
    "arange empty eye linspace logspace ones rand randint randn randperm zeros".split()  # noqa: SIM905
)
_METHODS = frozenset(
    "expand narrow new_empty new_full new_ones new_zeros repeat reshape unflatten view".split()  # noqa: SIM905
)
SIZED_CALLS = _FUNCTIONS | _METHODS
"""Names of functions and methods whose arguments are sizes or ends."""


def sizes(node: ast.Call, function: ast.Attribute, name: str, ctx: Context) -> Iterator[ast.expr]:
    """Tensors of the device among the sizes and ends that a call is told."""
    if name:
        module, _, last = name.rpartition(".")
        known = module == "torch" and last in _FUNCTIONS
    else:
        known = function.attr in _METHODS and ctx.kind(function.value) is Kind.TENSOR
    if not known:
        return
    given = node.args[:1] if function.attr == "new_full" else node.args
    for argument in (*given, *(item.value for item in node.keywords if item.arg in SIZES)):
        for size in argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]:
            if is_tensor(size, ctx):
                yield size


def ends(node: ast.Slice, ctx: Context) -> Iterator[ast.expr]:
    """Tensors of the device that tell where a slice begins or ends."""
    for end in (node.lower, node.upper, node.step):
        if end is not None and is_tensor(end, ctx):
            yield end


def is_tensor(node: ast.expr, ctx: Context) -> bool:
    """Whether a number is a tensor of the device."""
    return ctx.kind(node) is Kind.TENSOR or is_tensor_by_default(node, ctx)


def filters(node: ast.comprehension, ctx: Context) -> Iterator[ast.expr]:
    """Conditions of a comprehension that are tensors of the device."""
    for condition in node.ifs:
        if ctx.kind(condition) is Kind.TENSOR:
            yield condition


def is_scanned(node: ast.expr, ctx: Context) -> bool:
    """Whether a builtin asks one element of a device's tensor after the other, as ``any(t)`` does."""
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return ctx.kind(node.elt) is Kind.TENSOR
    return ctx.kind(node) is Kind.TENSOR


def is_member_test(left: ast.expr, container: ast.expr, ctx: Context) -> bool:
    """Whether ``left in container`` compares a tensor of the device with what is written out."""
    written = isinstance(container, (ast.Tuple, ast.List, ast.Set)) and bool(container.elts)
    return written and ctx.kind(left) is Kind.TENSOR
