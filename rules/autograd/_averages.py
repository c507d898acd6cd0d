"""Arithmetic of averages, in methods that ``torch._foreach_*`` has a form of."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .._names import mentions

__all__ = ["Arguments", "in_list_forms", "undetached"]

Arguments = tuple[tuple[str, ast.expr], ...]
"""Each argument of a call with its keyword, "" for none."""


def in_list_forms(
    method: str,
    tensor: ast.expr,
    arguments: Arguments,
    names: frozenset[str],
    is_tensor: Callable[[ast.expr], bool],
) -> list[tuple[str, Arguments]]:
    """What a method does to a tensor of a loop, in methods whose arguments are tensors of it, or numbers.

    ``a.add_(0.1 * b)`` is ``a.add_(b, alpha=0.1)``, ``a.sub_(0.1 * (a - b))`` is ``a.lerp_(b, 0.1)``, and
    ``a.copy_(a * 0.9 + b * 0.1)`` is ``a.mul_(0.9)`` and ``a.add_(b, alpha=0.1)``. Others stay as they are.

    Args:
        method: what is called.
        tensor: on which tensor.
        arguments: with what.
        names: what the loop binds.
        is_tensor: whether an expression is a tensor of the loop.
    """
    as_it_is = [(method, arguments)]
    if len(arguments) != 1 or arguments[0][0]:
        return as_it_is
    value = arguments[0][1]
    if method in ("add_", "sub_") and (scaled := _scaled(value, names)) is not None:
        of, number = scaled
        if is_tensor(of):
            return [(method, (("", of), ("alpha", number)))]
        other = _distance_to(of, tensor, away=method == "sub_")
        if other is not None and is_tensor(other):
            return [("lerp_", (("", other), ("", number)))]
    if method == "copy_" and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        terms = [_scaled(value.left, names), _scaled(value.right, names)]
        kept = next((one for one in terms if one is not None and _same(one[0], tensor)), None)
        added = next((one for one in terms if one is not None and one is not kept), None)
        if kept is not None and added is not None and is_tensor(added[0]):
            return [("mul_", (("", kept[1]),)), ("add_", (("", added[0]), ("alpha", added[1])))]
    return as_it_is


def undetached(node: ast.expr) -> ast.expr:
    """What is detached: ``p`` of ``p.detach()``; any other expression itself."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "detach"
        and not (node.args or node.keywords)
    ):
        node = node.func.value
    return node


def _scaled(node: ast.expr, names: frozenset[str]) -> tuple[ast.expr, ast.expr] | None:
    """What a product is of, and what it is scaled by; None for anything else."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return None
    for of, number in ((node.left, node.right), (node.right, node.left)):
        if mentions(of, names) and not mentions(number, names):
            return of, number
    return None


def _distance_to(node: ast.expr, tensor: ast.expr, *, away: bool) -> ast.expr | None:
    """The other side of a difference from a tensor: ``b`` of ``a - b`` (away from b), else of ``b - a``."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)):
        return None
    first, other = (node.left, node.right) if away else (node.right, node.left)
    return other if _same(first, tensor) else None


def _same(node: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(undetached(node)) == ast.unparse(undetached(other))  # one may be assigned to
