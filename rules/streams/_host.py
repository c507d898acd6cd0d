"""Tensors that lie on the host because something was copied there, of whatever kind that was.

What ``x.cpu()`` gives lies on the host also where nobody knows what ``x`` is; and so does what it is combined
with, since operators do not take tensors of two devices.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.vocabulary import REDUCTIONS
from overhead_lint.api.torch_calls import named_device

from .._devices import device_told
from .._names import is_named, own_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Context

__all__ = ["was_copied_to_host"]

_MOST_NAMES = 6
"""Through so many names, one made of the other, a value is followed to the copy that it comes from."""
_MOVES = frozenset({"cuda", "to", "type_as", "npu", "xpu", "mps"})
_OF_SIZES = frozenset({"device", "dtype", "ndim", "shape", "size", "numel", "dim", "tolist", "item"})


def was_copied_to_host(node: ast.expr, ctx: Context, depth: int = _MOST_NAMES) -> bool:
    """Whether a tensor is computed from what was copied to the host, on all ways to where it is used."""
    if isinstance(node, ast.Name):
        values = ctx.values(node) if depth else ()
        return bool(values) and all(was_copied_to_host(value, ctx, depth - 1) for value in values)
    if isinstance(node, ast.Call):
        copied = _copied(node, ctx)
        if copied is not None:
            return copied
    combined = isinstance(node, (ast.BinOp, ast.Compare))
    return any(
        was_copied_to_host(part, ctx, depth) and not (combined and _is_number(part, ctx))
        for part in _parts(node, ctx)
    )


def _is_number(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor is one number, which operators take from the host beside tensors of the device."""
    values = ctx.values(node) if isinstance(node, ast.Name) else ()
    for one in values or (node,):
        at = one
        while isinstance(at, (ast.Attribute, ast.Call)):
            if isinstance(at, ast.Call) and own_name(at.func) in REDUCTIONS and _is_whole(at):
                return True
            at = at.func if isinstance(at, ast.Call) else at.value
    return False


def _is_whole(call: ast.Call) -> bool:
    """Whether a reduction is of all dimensions: ``x.sum()``, ``torch.sum(x)``."""
    of_torch = isinstance(call.func, ast.Attribute) and is_named(call.func.value, "torch")
    return not call.keywords and len(call.args) == int(of_torch)


def _copied(node: ast.Call, ctx: Context) -> bool | None:
    """Whether a call copies to the host; False if it copies elsewhere, None if it does not copy."""
    function = node.func
    if not isinstance(function, ast.Attribute):
        return None
    if function.attr == "cpu":
        return not node.args
    if function.attr not in _MOVES:
        return None
    target = device_told(node)
    return target is not None and named_device(target, ctx.qualified_name) == "cpu"


def _parts(node: ast.expr, ctx: Context) -> Iterator[ast.expr]:
    """What lies where the value of an expression lies."""
    if isinstance(node, ast.Call):
        name = ctx.qualified_name(node.func)
        if name is not None:
            takes_device = any(item.arg == "device" for item in node.keywords)
            yield from node.args if name.startswith("torch.") and not takes_device else ()
        elif isinstance(node.func, ast.Attribute) and node.func.attr not in _OF_SIZES:
            yield node.func.value
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr not in _OF_SIZES):
        yield node.value
