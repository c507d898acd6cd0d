"""OVH709: tensors that are filled with one number to be an operand where the number would do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Kind, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH709",
    name="filled-operand",
    summary="tensor filled on every step where an operator takes the number itself",
    triggers=(b"zeros", b"ones", b"full"),
    heat=Heat.STEP,
    preview=True,
)

_NUMBERS = {"full_like": "", "ones_like": "1", "zeros_like": "0"}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_CLAMPS = {
    "torch.max": "clamp(min={})",
    "torch.maximum": "clamp(min={})",
    "torch.min": "clamp(max={})",
    "torch.minimum": "clamp(max={})",
}


@RULE.on(ast.Call, named=("where", *_CLAMPS))
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.where(mask, x, torch.zeros_like(x))``, ``torch.maximum(x, torch.zeros_like(x))``."""
    name = ctx.qualified_name(node.func)
    if name == "torch.where" and len(node.args) == 3:
        operands, instead = node.args[1:], "torch.where takes {} itself"
    elif name in _CLAMPS and len(node.args) == 2:
        operands, instead = node.args, f"use {_CLAMPS[name]}"
    else:
        return
    for operand, other in (operands, operands[::-1]):
        number = _filled_like(operand, ctx)
        if number is not None and ctx.kind(other) is Kind.TENSOR and _filled_like(other, ctx) is None:
            yield from _finding(operand, instead.format(number), ctx)
            return


@RULE.on(ast.BinOp, ast.Compare)
def check_operator(node: ast.BinOp | ast.Compare, ctx: Context) -> Iterator[Finding]:
    """``torch.ones_like(x) - x``, ``torch.ones(n) * 0.5``, ``x > torch.zeros_like(x)``."""
    if isinstance(node, ast.Compare):
        if len(node.ops) != 1 or isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
            return
        left, right = node.left, node.comparators[0]
    elif type(node.op) in _OPERATORS:
        left, right = node.left, node.right
    else:
        return
    for operand, other in ((left, right), (right, left)):
        if not isinstance(operand, ast.Call):
            continue
        number = _filled_like(operand, ctx)
        if number is not None and ctx.kind(other) is Kind.TENSOR:
            if _same(operand, other, ctx):
                yield from _finding(operand, f"write {number}: it is broadcast", ctx)
                return
        elif isinstance(node, ast.BinOp) and _is_weighed(node, operand, other, ctx):
            yield from _finding(node, "fill it with the number at once: torch.full, full_like, new_full", ctx)
            return


def _finding(node: ast.expr, help: str, ctx: Context) -> Iterator[Finding]:
    if not ctx.is_compiled(node):
        yield ctx.finding(RULE, node, "fills a whole tensor for an operator that takes a number", help=help)


def _filled_like(node: ast.expr, ctx: Context) -> str | None:
    """The number that a tensor as large as another is filled with; None for what is something else."""
    made = ctx.value(node) if isinstance(node, ast.Name) else node
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute):
        return None
    name, given = made.func.attr, made.args
    if name not in _NUMBERS or ctx.qualified_name(made.func) != f"torch.{name}":
        return None
    if any(item.arg not in {"dtype", "device", "memory_format"} for item in made.keywords):
        return None
    if isinstance(node, ast.Name) and not _is_for_reading(node, ctx):
        return None
    if name != "full_like":
        return _NUMBERS[name] if len(given) == 1 else None
    return ctx.text(given[1]) if len(given) == 2 and ctx.kind(given[1]) is Kind.NUMBER else None


def _is_for_reading(name: ast.Name, ctx: Context) -> bool:
    """Whether a name is used once, here: what is filled later or read elsewhere is another matter."""
    function = ctx.function(name)
    if function is None:
        return False
    return sum(use.id == name.id for use in ctx.within(function.node, ast.Name)) == 2


def _same(like: ast.Call, other: ast.expr, ctx: Context) -> bool:
    """Whether a tensor is filled to be as large as the other operand, or as a part of it that decides."""
    size, text = ctx.text(like.args[0]), ctx.text(other)
    parts = [*ctx.within(other, ast.Name), *ctx.within(other, ast.Attribute)]
    return size == text or any(ctx.text(part) == size for part in parts)


def _is_weighed(node: ast.BinOp, operand: ast.Call, other: ast.expr, ctx: Context) -> bool:
    """Whether a new tensor of ones is multiplied with a number, or a new one of zeros added to it."""
    name = ctx.qualified_name(operand.func)
    made = (name or "").removeprefix("torch.")
    if name is None and isinstance(operand.func, ast.Attribute) and operand.func.attr.startswith("new_"):
        made = operand.func.attr.removeprefix("new_")
        if ctx.kind(operand.func.value) is not Kind.TENSOR:
            return False
    if isinstance(node.op, ast.Mult):
        wanted = {"ones", "ones_like"}
    elif isinstance(node.op, (ast.Add, ast.Sub)):
        wanted = {"zeros", "zeros_like"}
    else:
        return False
    return made in wanted and ctx.kind(other) is Kind.NUMBER
