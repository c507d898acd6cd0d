"""OVH110: device contexts around work that finds its device by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause, Heat, Kind, Rule

from .._wording import short
from ._stock import entered_item

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH110",
    name="device-context-redundant",
    summary="device context around operators, which go to their tensors' device anyway",
    triggers=(b"cuda.device", b"import device", b"import cuda"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_CONTEXTS = frozenset({"torch.cuda.device", "torch.cuda.device_of"})
_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
# Where the current device decides, or code that is no operator of torch runs.
_BY_CURRENT_DEVICE = ("torch.cuda.", "torch.ops.", "torch._C.", "torch.distributed.", "torch.utils.")
_PLAIN_CALLS = frozenset(
    {"len", "int", "float", "range", "min", "max", "tuple", "list", "enumerate", "zip", "isinstance"}
)


@RULE.on(ast.Call, named=_CONTEXTS)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``with torch.cuda.device(x.device)`` whose body holds nothing but operators on tensors."""
    if ctx.qualified_name(node.func) not in _CONTEXTS or len(node.args) != 1 or ctx.is_compiled(node):
        return
    item = entered_item(node, ctx)
    if item is None or not _is_of_tensor(node.args[0], ctx):
        return
    block = ctx.parent(item)
    if not isinstance(block, ast.With) or not _holds_operators_only(block.body, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        (
            f"{short(node.func, ctx)} asks for the current device, sets it and sets it back ",
            Clause.FREQUENCY,
            ", though operators run on the device of their tensors",
        ),
        help="leave the context out",
    )


def _is_of_tensor(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is a tensor, or its device or the index of it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get_device":
        node = node.func.value
    while isinstance(node, ast.Attribute) and node.attr in ("device", "index"):
        node = node.value
    return ctx.kind(node) in _TENSORS


def _holds_operators_only(body: Sequence[ast.stmt], ctx: Context) -> bool:
    """Whether every call in a block is an operator of torch on a tensor, and there is one."""
    calls = [call for stmt in body for call in ctx.within(stmt, ast.Call)]
    return bool(calls) and all(_is_operator(call, ctx) for call in calls)


def _is_operator(call: ast.Call, ctx: Context) -> bool:
    name = ctx.qualified_name(call.func)
    if name is not None:
        if not name.startswith("torch.") or name.startswith(_BY_CURRENT_DEVICE):
            return False
        # A factory without a tensor to go by lands on the device that it names, which may be the current one.
        return any(ctx.kind(argument) in _TENSORS for argument in call.args)
    if isinstance(call.func, ast.Attribute):
        return ctx.kind(call.func.value) in _TENSORS and call.func.attr not in ("cuda", "to")
    return isinstance(call.func, ast.Name) and call.func.id in _PLAIN_CALLS
