"""OVH805: norms of gradients read back one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_statement
from overhead_lint.rule import Applicability, Fix, Heat, Import, Kind, Rule, Tier
from overhead_lint.syntax.dotted_names import root_of

from .._names import mentions, own_name
from .._releases import always_has
from .._wording import short
from ._norms import TOTAL_NORM_SINCE
from ._parameters import (
    is_read_outside,
    is_reordered,
    loop_targets,
    parameter_variables,
    unguarded,
    variable_of,
)

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH805",
    name="grad-norm-item-loop",
    summary="norm of each gradient read on its own",
    triggers=(b".item(", b"float("),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_REDUCTIONS = frozenset(
    {"norm", "vector_norm", "max", "min", "amax", "amin", "sum", "mean", "std", "var", "any", "all", "dot"}
)


@RULE.on(ast.For, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
def check(
    node: ast.For | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp, ctx: Context
) -> Iterator[Finding]:
    """``for p in model.parameters(): total += p.grad.norm().item() ** 2``."""
    if ctx.is_compiled(node):
        return
    loop = node if isinstance(node, ast.For) else node.generators[0]
    names = frozenset(variable.name for variable in parameter_variables(loop, ctx, node))
    if not names:
        return
    for call in ctx.within(node, ast.Call):
        value = _read(call, ctx)
        if value is None or ctx.loops(call)[-1:] != (node,):
            continue
        reduced = _reduction(value, node, ctx)
        if reduced is None or ctx.kind(value) is Kind.HOST_TENSOR:
            continue
        source = _reduced(reduced)
        if source is not None and _is_of(source, names, node, ctx):
            yield ctx.finding(
                RULE,
                call,
                f"reading {short(value, ctx)} makes the CPU wait for the GPU once for each parameter",
                help="reduce all of them, stack the results, and read these with one .tolist()",
                fix=_fix(node, names, ctx) if isinstance(node, ast.For) else None,
            )


def _read(call: ast.Call, ctx: Context) -> ast.expr | None:
    """What a call reads from the device: ``x`` of ``x.item()`` and ``float(x)``."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == "item" and not call.args:
        return func.value
    if isinstance(func, ast.Name) and func.id == "float" and len(call.args) == 1:
        return None if ctx.is_bound("float", call) else call.args[0]
    return None


def _reduction(value: ast.expr, loop: ast.AST, ctx: Context) -> ast.Call | None:
    """The reduction that a value is, also through one name bound in the loop."""
    if isinstance(value, ast.Name):
        bound = _bound_in(loop, value, ctx)
        if bound is None:
            return None
        value = bound
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Pow):
        value = value.left
    if isinstance(value, ast.Call):
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr in ("pow", "sqrt", "detach", "float", "cpu"):
            return _reduction(func.value, loop, ctx)
        if own_name(func) in _REDUCTIONS:
            return value
    return None


def _reduced(call: ast.Call) -> ast.expr | None:
    """What a reduction reduces: ``x`` of ``x.norm()``, ``torch.norm(x)`` and ``x.abs().max()``."""
    func = call.func
    if isinstance(func, ast.Attribute) and not (call.args and _is_module(func.value)):
        source = func.value
    elif call.args:
        source = call.args[0]
    else:
        return None
    while isinstance(source, (ast.Call, ast.BinOp)):
        if isinstance(source, ast.BinOp):
            source = source.left
        elif isinstance(source.func, ast.Attribute):
            source = source.args[0] if source.args and _is_module(source.func.value) else source.func.value
        else:
            return None
    return source


def _is_module(node: ast.expr) -> bool:
    """Whether it is a name such as ``torch`` or ``torch.linalg``, of which functions are taken."""
    root = root_of(node)
    return isinstance(root, ast.Name) and root.id in {"torch", "th", "LA", "linalg"}


def _is_of(source: ast.expr, names: frozenset[str], loop: ast.AST, ctx: Context) -> bool:
    """Whether a tensor is a parameter or gradient of the loop, also through one name bound in it."""
    if variable_of(source, names):
        return True
    bound = _bound_in(loop, source, ctx)
    return bound is not None and bool(variable_of(bound, names))


def _bound_in(loop: ast.AST, node: ast.expr, ctx: Context) -> ast.expr | None:
    """What a name is bound to, if the loop does that."""
    bound = ctx.value(node) if isinstance(node, ast.Name) else None
    return bound if bound is not None and bound in set(ctx.within(loop, ast.expr)) else None


def _fix(loop: ast.For, names: frozenset[str], ctx: Context) -> Fix | None:
    """One read for all norms, where the loop adds powers of them to a total and does nothing else."""
    if loop.orelse or len(names) != 1 or "#" in ctx.text(loop) or is_reordered(loop.iter):
        return None
    targets = loop_targets(loop)
    (variable,) = parameter_variables(loop, ctx)
    if variable.items is None:
        return None
    body, guarded = unguarded(loop.body, names)
    norm, total = _norm_and_total(body)
    if norm is None or total is None or not isinstance(norm.func, ast.Attribute):
        return None
    tensor = norm.func.value
    if not variable_of(tensor, names) or norm.func.attr != "norm" or norm.keywords or len(norm.args) > 1:
        return None
    parts = {"items": variable.items, "tensor": tensor}
    if norm.args:
        if not isinstance(norm.args[0], ast.Constant):
            return None
        parts["order"] = norm.args[0]
    power = ""
    if isinstance(total.value, ast.BinOp):
        if mentions(total.value.right, targets):
            return None
        parts["power"] = total.value.right
        power = "**{power}"
    parts["total"] = total.target
    assert isinstance(total.target, ast.Name)
    test = f" if {variable.name}.grad is not None" if guarded else ""
    order = ", {order}" if norm.args else ""
    tensors = next((name for name in ("grads", "tensors") if not ctx.is_bound(name, loop)), None)
    if tensors is None:
        return None
    if always_has(TOTAL_NORM_SINCE, ctx) and _is_root(norm, total):
        spaced = power.replace("**", " ** ")  # as formatters have it beside a call
        reading = f"{{total}} += {{torch}}.nn.utils.get_total_norm({tensors}{order}).item(){spaced}\n"
    else:
        reading = (
            f"for norm in {{torch}}.stack({{torch}}._foreach_norm({tensors}{order})).tolist():\n"
            f"    {{total}} += norm{power}\n"
        )
    template = f"{tensors} = [{{tensor}} for {variable.name} in {{items}}{test}]\n{reading}"
    own = {*targets, "norm"} | {item.id for item in ctx.within(body[0], ast.Name) if _is_bound(item)}
    if is_read_outside(frozenset(own - {total.target.id}), loop, ctx):
        return None
    return Fix(
        Applicability.UNSAFE,
        "read all norms at once",
        edits=(replace_statement(loop, template, **parts),),
        imports=(Import("torch"),),
    )


def _is_root(norm: ast.Call, total: ast.AugAssign) -> bool:
    """Whether powers are added whose root the norm of all is: squares of norms of order 2."""
    order = norm.args[0] if norm.args else ast.Constant(2)
    power = total.value.right if isinstance(total.value, ast.BinOp) else ast.Constant(1)
    if not (isinstance(order, ast.Constant) and isinstance(power, ast.Constant)):
        return False
    return isinstance(order.value, (int, float)) and order.value > 0 and order.value == power.value


def _is_bound(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _norm_and_total(body: list[ast.stmt]) -> tuple[ast.Call | None, ast.AugAssign | None]:
    """``p.grad.norm()`` and ``total += norm.item() ** 2``, in one statement or two."""
    total = body[-1]
    if not (isinstance(total, ast.AugAssign) and isinstance(total.op, ast.Add) and len(body) <= 2):
        return None, None
    if not isinstance(total.target, ast.Name):
        return None, None
    read = total.value
    if isinstance(read, ast.BinOp) and isinstance(read.op, ast.Pow):
        read = read.left
    if not (isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute) and read.func.attr == "item"):
        return None, None
    norm = read.func.value
    if len(body) == 2:
        assign = body[0]
        if not (
            isinstance(assign, ast.Assign)
            and len(assign.targets) == 1
            and isinstance(assign.targets[0], ast.Name)
            and isinstance(norm, ast.Name)
            and assign.targets[0].id == norm.id
        ):
            return None, None
        norm = assign.value
    return (norm, total) if isinstance(norm, ast.Call) else (None, None)
