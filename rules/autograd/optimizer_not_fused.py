"""OVH803: optimizers that step parameter by parameter, or in groups, where one kernel would do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import set_argument
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from .._calls import argument_values, has_unpacked
from .._names import is_named, own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH803",
    name="optimizer-not-fused",
    summary="optimizer built without its fused form",
    triggers=(b"optim",),
    heat=Heat.COLD,
    preview=True,
)

# Those that have a fused form on CPU and CUDA.
_FUSED = frozenset(
    f"torch.optim{module}.{name}"
    for module, name in (
        ("", "Adam"),
        ("", "AdamW"),
        ("", "SGD"),
        (".adam", "Adam"),
        (".adamw", "AdamW"),
        (".sgd", "SGD"),
    )
)
# What chooses the form, or cannot go with the fused one.
_DECIDED = frozenset({"fused", "foreach", "capturable", "differentiable", None})
_FEW = 3
_FUSED_SINCE = (2, 4)
"""The torch that has kernels of all of them, on the CPU too."""


@RULE.on(ast.Call, named=_FUSED)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.optim.AdamW(model.parameters(), lr=lr)`` that steps in hot code."""
    name = ctx.qualified_name(node.func)
    if name not in _FUSED or any(keyword.arg in _DECIDED for keyword in node.keywords):
        return
    if has_unpacked(node) or _is_small(node):
        return
    used = _use(node, ctx)
    if not used:
        return
    yield ctx.finding(
        RULE,
        node,
        f"{name.rpartition('.')[2]} runs several kernels in a step where its fused form runs one; {used}",
        help="pass fused=True, if all parameters are floating point on one kind of device",
        fix=_fix(node, ctx),
    )


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    """``fused=True``; None where an older torch has no such kernel for the CPU, or none of SGD."""
    if ctx.target_torch < _FUSED_SINCE:
        return None
    return Fix(Applicability.UNSAFE, "pass fused=True", edits=(set_argument(node, "fused", "True"),))


def _is_small(node: ast.Call) -> bool:
    """Whether it is told of a few tensors, which are written out."""
    given = node.args[:1] or [keyword.value for keyword in node.keywords if keyword.arg == "params"]
    return not given or (isinstance(given[0], (ast.List, ast.Tuple)) and _is_few(given[0]))


def _is_few(tensors: ast.List | ast.Tuple) -> bool:
    plain = [item for item in tensors.elts if isinstance(item, (ast.Name, ast.Attribute))]
    return len(plain) == len(tensors.elts) <= _FEW


def _use(node: ast.Call, ctx: Context) -> str:
    """Where the optimizer steps, in words; "" if nothing shows that it does so in hot code."""
    statement = ctx.statement(node)
    function = ctx.function(node)
    last = function.qualname.rpartition(".")[2] if function is not None else ""
    if last == "configure_optimizers" and function is not None and function.cls is not None:
        return f"{function.qualname} gives it to the trainer"
    targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is node else []
    names = {own_name(target) for target in targets} - {""}
    for call in ctx.calls("step"):
        if not (isinstance(call.func, ast.Attribute) and own_name(call.func.value) in names):
            continue
        if isinstance(call.func.value, ast.Name) and not _reaches(call.func.value, node, ctx):
            continue
        warmth = ctx.warmth(call)
        if warmth.heat >= Heat.STEP:
            return f"it steps on line {call.lineno}: {warmth.why}"
    return ""


def _reaches(use: ast.Name, made: ast.Call, ctx: Context) -> bool:
    """Whether a name is bound where the optimizer is made, or its function hands it on by that name."""
    function = ctx.function(made)
    if function is None or ctx.function(use) == function:
        return True
    return any(
        is_named(item, use.id)
        for call in ctx.within(function.node, ast.Call)
        for item in argument_values(call)
    )
