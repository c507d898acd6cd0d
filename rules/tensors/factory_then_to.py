"""OVH701: tensors that are made with one dtype or device, and converted at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Import, Rule

from ._conversions import CONVERTING, Conversion, conversion, has_dtype_already, is_proven

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH701",
    name="factory-then-to",
    summary="new tensor converted at once",
    triggers=(b"torch",),
    heat=Heat.STEP,
)

# Zeros and ones are exact in every dtype; the others' values may depend on the dtype they are made in.
_EXACT = frozenset({"torch.zeros", "torch.ones", "torch.zeros_like", "torch.ones_like"})
_FACTORIES = _EXACT | {"torch.arange", "torch.empty", "torch.full"}
_DOING = (ast.Await, ast.Call, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_IN_THE_WAY = frozenset({"layout", "out", "pin_memory", "requires_grad", None})


@RULE.on(ast.Call, named=CONVERTING)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.zeros(n).to(device)`` and kin."""
    converted = conversion(node, ctx)
    if converted is None or not isinstance(converted.receiver, ast.Call):
        return
    made = converted.receiver
    name = ctx.qualified_name(made.func)
    if name not in _FACTORIES or (converted.keyword == "dtype" and name not in _EXACT):
        return
    if any(item.arg in _IN_THE_WAY for item in made.keywords):
        return
    if converted.keyword == "device" and any(item.arg == "device" for item in made.keywords):
        return  # made in one place, for another
    if _is_there(made, converted) or has_dtype_already(converted, ctx):
        return
    if ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{name} makes a tensor, and a second call converts its {converted.keyword}",
        help=f"give {name} the {converted.keyword}",
        fix=_fix(node, made, converted, ctx),
    )


def _is_there(made: ast.Call, converted: Conversion) -> bool:
    """Whether a tensor is sent where it is: ``torch.zeros_like(x).to(x.device)``."""
    target = converted.target
    if converted.keyword != "device" or not made.args:
        return False
    if not (isinstance(made.func, ast.Attribute) and made.func.attr.endswith("_like")):
        return False
    like = made.args[0]
    while isinstance(like, ast.Subscript):
        like = like.value
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "device"
        and ast.dump(target.value) == ast.dump(like)
    )


def _fix(node: ast.Call, made: ast.Call, converted: Conversion, ctx: Context) -> Fix | None:
    dropped = [item.value for item in made.keywords if item.arg == converted.keyword]
    if any(isinstance(item, _DOING) for value in dropped for item in ast.walk(value)):
        return None  # evaluating it may do something else as well
    parts = {"factory": made.func}
    arguments = []
    for index, value in enumerate(made.args):
        star = "*" if isinstance(value, ast.Starred) else ""
        parts[f"a{index}"] = value.value if isinstance(value, ast.Starred) else value
        arguments.append(f"{star}{{a{index}}}")
    for index, item in enumerate(made.keywords):
        if item.arg != converted.keyword:
            parts[f"k{index}"] = item.value
            arguments.append(f"{item.arg}={{k{index}}}")
    if converted.target is not None:
        parts["target"] = converted.target
    arguments.append(f"{converted.keyword}={converted.template}")
    exact = ctx.qualified_name(made.func) != "torch.arange" or all(
        _is_int(value, ctx) for value in (*made.args, *(item.value for item in made.keywords))
    )
    # None leaves a tensor as it is, and would give a new one the default.
    given = not dropped or (converted.target is None or is_proven(converted.keyword, converted.target, ctx))
    safe = converted.proven and exact and given
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        f"make it with the {converted.keyword}",
        edits=(replace(node, f"{{factory}}({', '.join(arguments)})", **parts),),
        imports=(Import("torch"),) if "{torch}" in converted.template else (),
    )


def _is_int(value: ast.expr, ctx: Context) -> bool:
    """Whether it is certainly an int: a literal, a length, a size."""
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name):
            return value.func.id == "len" and not ctx.is_bound("len", value)
        return isinstance(value.func, ast.Attribute) and value.func.attr == "size" and len(value.args) == 1
    return (
        isinstance(value, ast.Subscript)
        and isinstance(value.value, ast.Attribute)
        and value.value.attr == "shape"
        and not isinstance(value.slice, ast.Slice)
    )
