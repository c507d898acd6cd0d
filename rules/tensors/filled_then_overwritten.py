"""OVH707: tensors that are filled with zeros and then written whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

from .._blocks import after
from .._calls import call_of
from .._wording import short
from ._overwrites import FILLERS, overwritten_by

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH707",
    name="filled-then-overwritten",
    summary="tensor filled on every step with what is overwritten at once",
    triggers=(b"zeros", b"ones", b"full"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# What makes the same tensor without filling it. The type of `full` comes from its value.
_UNFILLED = {
    "torch.zeros": "empty",
    "torch.ones": "empty",
    "torch.zeros_like": "empty_like",
    "torch.ones_like": "empty_like",
    "torch.full": "",
    "torch.full_like": "",
}
_METHODS = {"new_zeros": "new_empty", "new_ones": "new_empty", "new_full": ""}
_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)


@RULE.on(ast.Call, named=(*_UNFILLED, *_METHODS))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``t = torch.zeros(n, 3)`` whose next use is ``t.copy_(x)``, and ``torch.zeros(n).normal_()``."""
    unfilled = _unfilled(node, ctx)
    if unfilled is None or ctx.is_compiled(node):
        return
    if any(item.arg in {None, "out", "requires_grad"} for item in node.keywords):
        return
    over = _overwriting(node, ctx)
    if over is None:
        return
    yield ctx.finding(
        RULE,
        node,
        f"fills a tensor, and {_said(over, ctx)} overwrites all of it",
        help="make it with torch.full, which fills it once"
        if _is_fill(over)
        else f"make it with {unfilled or 'torch.empty'}, which fills nothing",
        fix=_fix(node, unfilled) if unfilled else None,
    )


def _unfilled(node: ast.Call, ctx: Context) -> str | None:
    """What to make the tensor with instead, "" where that takes other arguments; None for other calls."""
    name = ctx.qualified_name(node.func)
    if name in _UNFILLED:
        return _UNFILLED[name]
    if name is None and isinstance(node.func, ast.Attribute) and ctx.kind(node) in _TENSORS:
        return _METHODS.get(node.func.attr)
    return None


def _overwriting(node: ast.Call, ctx: Context) -> ast.AST | None:
    """What overwrites a new tensor before it is read."""
    holder: ast.AST | None = ctx.parent(node)
    if isinstance(holder, ast.Attribute):
        return call_of(holder, ctx) if holder.attr in FILLERS else None
    value: ast.expr = node
    if isinstance(holder, ast.ListComp) and holder.elt is node:
        value, holder = holder, ctx.parent(holder)
    if not isinstance(holder, ast.Assign) or holder.value is not value or len(holder.targets) != 1:
        return None
    (target,) = holder.targets
    if not isinstance(target, ast.Name):
        return None
    size = None if value is not node else _first_size(node, ctx)
    return overwritten_by(target.id, after(holder, ctx), size, ctx)


def _first_size(node: ast.Call, ctx: Context) -> ast.expr | None:
    """The first size of a new tensor, where it is written out."""
    if (ctx.qualified_name(node.func) or "").endswith("_like") or not node.args:
        return None
    first = node.args[0]
    if isinstance(first, (ast.Tuple, ast.List)):
        return first.elts[0] if first.elts and not isinstance(first.elts[0], ast.Starred) else None
    return None if isinstance(first, ast.Starred) else first


def _is_fill(over: ast.AST) -> bool:
    return isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr == "fill_"


def _said(over: ast.AST, ctx: Context) -> str:
    if isinstance(over, ast.Call):
        if isinstance(over.func, ast.Subscript):
            return f"the kernel {short(over.func.value, ctx)}"
        return f"{ctx.text(over.func).rpartition('.')[2]}()"
    if isinstance(over, ast.For):
        return f"the loop at line {over.lineno}"
    return f"line {over.lineno}" if isinstance(over, ast.stmt) else "the next use"


def _fix(node: ast.Call, unfilled: str) -> Fix | None:
    if not isinstance(node.func, ast.Attribute):
        return None
    return Fix(
        Applicability.UNSAFE,
        "leave it unfilled",
        edits=(replace(node.func, f"{{owner}}.{unfilled}", owner=node.func.value),),
    )
