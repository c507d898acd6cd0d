"""Norms of many tensors in one call: ``torch.nn.utils.get_total_norm``, ``torch._foreach_norm``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Import

from .._names import mentions
from .._releases import always_has
from ._averages import undetached
from ._parameters import loop_targets, variable_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["TOTAL_NORM_SINCE", "norms_fix"]

TOTAL_NORM_SINCE: Final = (2, 6)
"""The release of torch that brought ``torch.nn.utils.get_total_norm``."""
_NORM_FUNCTIONS: Final = frozenset({"torch.norm", "torch.linalg.vector_norm"})


def norms_fix(comprehension: ast.ListComp, names: frozenset[str], ctx: Context) -> Fix | None:
    """A fix for ``torch.stack([p.grad.norm() for p in params])``, with the norm of that where it is taken.

    Args:
        comprehension: the list of norms.
        names: the variables of its loop that are parameters or gradients.
        ctx: the file.
    """
    stacked = ctx.parent(comprehension)
    one = _norm(comprehension.elt, ctx)
    if one is None or not isinstance(stacked, ast.Call) or len(stacked.args) + len(stacked.keywords) != 1:
        return None
    tensor, order = one
    (loop,) = comprehension.generators
    if loop.is_async or not variable_of(undetached(tensor), names) or "#" in ctx.text(comprehension):
        return None
    if ctx.qualified_name(stacked.func) != "torch.stack" or not _is_order(order, loop_targets(comprehension)):
        return None
    parts: dict[str, ast.expr] = {"tensor": tensor, "items": loop.iter}
    parts |= {f"test{number}": test for number, test in enumerate(loop.ifs)}
    tests = "".join(f" if {{test{number}}}" for number in range(len(loop.ifs)))
    tensors = f"[{{tensor}} for {ctx.text(loop.target)} in {{items}}{tests}]"
    if order is not None:
        parts["order"] = order
    given = f"{tensors}, {{order}}" if order is not None else tensors
    total = _total(stacked, order, ctx)
    if total is not None and always_has(TOTAL_NORM_SINCE, ctx):
        edit = replace(total, f"{{torch}}.nn.utils.get_total_norm({given})", **parts)
        return Fix(Applicability.UNSAFE, "take the norm of all at once", (edit,), (Import("torch"),))
    edit = replace(comprehension, f"{{torch}}._foreach_norm({given})", **parts)
    return Fix(Applicability.UNSAFE, "take all norms at once", (edit,), (Import("torch"),))


def _norm(node: ast.AST, ctx: Context) -> tuple[ast.expr, ast.expr | None] | None:
    """What a norm is of, and its order, None for 2; None for what is no norm of a whole tensor."""
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    if ctx.qualified_name(node.func) in _NORM_FUNCTIONS:
        if not node.args:
            return None
        tensor, *orders = node.args
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "norm":
        tensor, orders = node.func.value, node.args
    else:
        return None
    return (tensor, next(iter(orders), None)) if len(orders) < 2 else None


def _is_order(order: ast.expr | None, targets: set[str]) -> bool:
    """Whether an order is the same for all tensors, and no name of a norm of matrices."""
    if order is None:
        return True
    is_text = isinstance(order, ast.Constant) and not isinstance(order.value, (int, float))
    calls = any(isinstance(part, (ast.Call, ast.NamedExpr, ast.Await)) for part in ast.walk(order))
    if isinstance(order, ast.Call) and ast.unparse(order) in ("float('inf')", "float('-inf')"):
        calls = False
    return not (is_text or calls or mentions(order, targets))


def _total(stacked: ast.Call, order: ast.expr | None, ctx: Context) -> ast.Call | None:
    """The norm of all norms, of the same order, that a stack of them is made for; None for anything else."""
    holder = ctx.parent(stacked)
    call = ctx.parent(holder) if isinstance(holder, ast.Attribute) else holder
    found = _norm(call, ctx) if call is not None else None
    if found is None or found[0] is not stacked or not isinstance(call, ast.Call):
        return None
    return call if _text(found[1]) == _text(order) else None


def _text(order: ast.expr | None) -> str:
    return "2" if order is None else ast.unparse(order).removesuffix(".0")
