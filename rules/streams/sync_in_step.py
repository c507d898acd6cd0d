"""OVH404: reads of device tensors that make the host wait, in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Kind, Rule

from ._waits import expects_sync, is_for_other_devices, loads_data

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH404",
    name="sync-in-step",
    summary="host waits for the device on every step",
    triggers=(b"torch",),
    heat=Heat.STEP,
)

_READS = {
    "item": "keep it on the device, and read it every N steps",
    "tolist": "keep it on the device, or read it once after the loop",
    "numpy": "keep it on the device, or read it once after the loop",
    "cpu": "keep it on the device, or copy it with non_blocking=True into pinned memory, and read it later",
}
_CONVERSIONS = frozenset({"float", "int", "bool"})
_TRUTH_HELP = "keep the decision on the device (torch.where), or take it from values that the host has"


@RULE.on(ast.Call)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``tensor.item()`` and kin, ``float(tensor)``, ``print(tensor)``."""
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in _READS and _is_read(node):
            receiver = node.func.value
            if _on_device(receiver, ctx):
                yield from _finding(node, f".{node.func.attr}()", receiver, _READS[node.func.attr], ctx)
        elif node.func.attr == "to" and _is_to_cpu(node) and _on_device(node.func.value, ctx):
            yield from _finding(node, '.to("cpu")', node.func.value, _READS["cpu"], ctx)
    elif isinstance(node.func, ast.Name) and not ctx.is_bound(node.func.id, node):
        if node.func.id in _CONVERSIONS and len(node.args) == 1 and not node.keywords:
            if _on_device(node.args[0], ctx):
                yield from _finding(node, f"{node.func.id}()", node.args[0], _READS["item"], ctx)
        elif node.func.id == "print":
            for argument in node.args:
                if _on_device(argument, ctx):
                    yield from _finding(node, "print", argument, _READS["item"], ctx)
                    return


@RULE.on(ast.FormattedValue)
def check_format(node: ast.FormattedValue, ctx: Context) -> Iterator[Finding]:
    """``f"{tensor}"``."""
    if _on_device(node.value, ctx):
        yield from _finding(node.value, "an f-string", node.value, _READS["item"], ctx)


@RULE.on(ast.If, ast.While, ast.IfExp, ast.Assert)
def check_branch(node: ast.If | ast.While | ast.IfExp | ast.Assert, ctx: Context) -> Iterator[Finding]:
    """``if tensor:`` and kin, ``not`` and the operands of ``and`` and ``or`` included."""
    for test in _tests(node.test):
        if _on_device(test, ctx):
            word = {ast.While: "while", ast.Assert: "assert"}.get(type(node), "if")
            yield from _finding(test, f"`{word}`", test, _TRUTH_HELP, ctx)
            return


def _tests(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _tests(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _tests(node.operand)
    else:
        yield node


def _finding(node: ast.expr, how: str, tensor: ast.expr, help: str, ctx: Context) -> Iterator[Finding]:
    if expects_sync(node, ctx) or loads_data(node, ctx) or is_for_other_devices(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{how} reads {_short(tensor, ctx)} back, and the host waits for all work that the device has queued",
        help=help,
    )


def _on_device(node: ast.expr, ctx: Context) -> bool:
    return ctx.kind(node) is Kind.TENSOR


def _short(node: ast.expr, ctx: Context) -> str:
    text = " ".join(ctx.text(node).split())
    return text if len(text) <= 40 else "a tensor"


def _is_read(node: ast.Call) -> bool:
    return not node.args and all(item.arg == "force" for item in node.keywords)


def _is_to_cpu(node: ast.Call) -> bool:
    target = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "device"), None)
    if not (isinstance(target, ast.Constant) and target.value == "cpu"):
        return False
    return not any(item.arg == "non_blocking" for item in node.keywords)
