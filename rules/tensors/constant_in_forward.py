"""OVH703: constant tensors that are built again on every call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_callee, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from .._literals import tuple_template
from .._module_level import constant_fix
from .._names import own_name
from .._once import once
from .._sharing import may_be_shared
from .._wording import short
from .._writes import is_written_in_place
from ._buffers import buffer
from ._constants import is_constant_tensor
from ._factories import FACTORIES, first_factory, is_triangle
from ._invariants import made_on_each_round
from ._sized import largest_table

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH703",
    name="constant-in-forward",
    summary="constant tensor built on every call",
    triggers=(
        *(b"arange", b"linspace", b"tensor(", b"eye(", b"tril", b"triu", b"window("),
        *(b"zeros(", b"ones(", b"full("),
    ),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# A new tensor of zeros or ones is more often something to write to than a constant; a mask is made of it.
_FILLED = frozenset({"torch.full", "torch.ones", "torch.zeros"})
_FACTORIES = frozenset(
    """torch.arange torch.linspace torch.logspace torch.eye torch.tril_indices torch.triu_indices
    torch.hann_window torch.hamming_window torch.blackman_window torch.as_tensor torch.tensor torch.tril
    torch.triu""".split()  # noqa: SIM905
)
_HOLDERS = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Attribute, ast.Subscript, ast.Compare)
_CONTAINERS = (ast.Tuple, ast.List, ast.Dict, ast.IfExp)
_SIZED = tuple(sorted(name.removeprefix("torch.") for name in FACTORIES))
# A table of fewer operators costs little more than looking it up.
_WORTH_KEEPING = 3
# Functions of torch that compute a new tensor from those that they are given, also in lists.
_COMPUTED = frozenset({"cat", "eq", "equal", "max", "maximum", "min", "minimum", "stack", "where"})
_MOVES = frozenset({"to", "cuda"})
_KEEPERS = frozenset(
    {
        "append",
        "add",
        "update",
        "extend",
        "insert",
        "setdefault",
        "register_buffer",
        "save_for_backward",
        "Parameter",
        "Buffer",
    }
)


@RULE.on(ast.Call, named=_FACTORIES | _FILLED)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.arange(0, self.dim, 2)``, masks, tables of numbers written out, ``torch.ones(()) - x``."""
    name = ctx.qualified_name(node.func)
    if name in _FILLED and not _is_operand(node, ctx):
        return
    if name not in _FACTORIES | _FILLED or not is_constant_tensor(node, ctx) or ctx.is_compiled(node):
        return
    whole = _whole(node, ctx)
    if (
        whole is None
        or (name == "torch.tensor" and _is_empty(node))
        or _is_placed_elsewhere(node, name, ctx)
        or not _stays_constant(whole, ctx)
    ):
        return
    yield ctx.finding(
        RULE,
        whole,
        f"built on every call, though always the same: {short(whole, ctx, 60)}",
        help=(
            "keep it: register_buffer(..., persistent=False) in __init__, or runtime.const_tensor"
            if _is_written_out(node, ctx)
            else "keep it: register_buffer(..., persistent=False) in __init__, or once for each device"
        ),
        fix=_const_tensor(node, ctx) if _is_written_out(node, ctx) else buffer(node, whole, ctx),
    )


@RULE.on(ast.Call, named=FACTORIES)
def check_round(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``x @ (torch.eye(n) - u)`` in a loop that changes neither ``n`` nor what is made from it."""
    if not made_on_each_round(node, ctx) or ctx.is_compiled(node) or is_constant_tensor(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"makes the same tensor on each round of the loop: {short(node, ctx, 60)}",
        help="make it once before the loop",
    )


@RULE.on(ast.FunctionDef)
def check_table(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """Masks and tables of angles, which depend on nothing but sizes: the same for the same length."""
    if node not in _holding_sized(ctx):
        return
    table = largest_table(node, ctx)
    worth = len(table) >= _WORTH_KEEPING or (len(table) > 1 and is_triangle(table))
    first = first_factory(table, ctx) if worth else None
    if first is None or ctx.is_compiled(first) or is_constant_tensor(first, ctx):
        return
    if any(_is_in(call, node, ctx) for call in ctx.calls("register_buffer")):
        return  # it is kept, and made anew where it has become too short
    yield ctx.finding(
        RULE,
        first,
        f"{len(table)} operators compute, on every call, a tensor that depends on sizes alone",
        help="keep it, by its sizes, dtype and device; or build it once for the largest, and slice it",
    )


@once
def _holding_sized(ctx: Context) -> set[ast.AST]:
    """The functions that make something of a size themselves: asked of each function of a file."""
    holders = (ctx.function(call) for name in _SIZED for call in ctx.calls(name))
    return {holder.node for holder in holders if holder is not None}


def _is_in(call: ast.Call, function: ast.FunctionDef, ctx: Context) -> bool:
    holder = ctx.function(call)
    return holder is not None and holder.node is function


def _whole(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The largest constant expression around a constant tensor; None if an earlier part stands for it."""
    whole = node
    while True:
        holder = ctx.parent(whole)
        if isinstance(holder, ast.Attribute):
            holder = ctx.parent(holder)
        if not isinstance(holder, _HOLDERS) or not isinstance(holder, ast.expr):
            break
        if not is_constant_tensor(holder, ctx):
            break
        whole = holder
    parts = [part for part in (whole, *ctx.within(whole, ast.Call)) if isinstance(part, ast.Call)]
    first = min(
        (part for part in parts if ctx.qualified_name(part.func) in _FACTORIES | _FILLED),
        key=lambda part: (part.lineno, part.col_offset),
    )
    return whole if first is node else None


def _is_empty(node: ast.Call) -> bool:
    """Whether it is ``torch.tensor([])``: nothing to build, and something to put in a gap."""
    return bool(node.args) and isinstance(node.args[0], (ast.List, ast.Tuple)) and not node.args[0].elts


def _is_placed_elsewhere(node: ast.Call, name: str, ctx: Context) -> bool:
    """Whether values written out go to a device: OVH408 speaks of the copy."""
    if name != "torch.tensor":
        return False
    if any(keyword.arg == "device" for keyword in node.keywords):
        return True
    holder = ctx.parent(node)
    while isinstance(holder, (ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)):
        if isinstance(holder, ast.Attribute) and holder.attr in _MOVES:
            return True
        holder = ctx.parent(holder)
    return False


def _stays_constant(whole: ast.expr, ctx: Context) -> bool:
    """Whether nobody writes to it, keeps it, or puts something else in its place."""
    function = ctx.function(whole)
    if function is None:
        return False
    if is_written_in_place(whole, ctx):
        return False
    holder = ctx.parent(whole)
    if isinstance(holder, (ast.NamedExpr, ast.AnnAssign, ast.Assign)):
        targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
        if _is_from_attribute(whole, ctx) and all(isinstance(target, ast.Attribute) for target in targets):
            return True
        return all(isinstance(target, ast.Name) and _is_read_only(target, ctx) for target in targets)
    while isinstance(holder, _CONTAINERS):
        holder = ctx.parent(holder)
    if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Attribute):
        return holder.func.attr not in _KEEPERS
    return not isinstance(holder, (ast.Return, ast.Yield, ast.Assign))


def _is_from_attribute(node: ast.expr, ctx: Context) -> bool:
    """Whether it is ``torch.as_tensor(self.weight)``: kept in ``self`` as it is made, in each call anew."""
    return (
        isinstance(node, ast.Call)
        and ctx.qualified_name(node.func) in {"torch.as_tensor", "torch.tensor"}
        and bool(node.args)
        and isinstance(node.args[0], ast.Attribute)
    )


def _is_operand(node: ast.expr, ctx: Context) -> bool:
    """Whether something new is computed from a tensor, and nothing else becomes of it."""
    holder = ctx.parent(node)
    if isinstance(holder, (ast.BinOp, ast.Compare, ast.UnaryOp)):
        return True
    while isinstance(holder, (ast.List, ast.Tuple)):
        holder = ctx.parent(holder)
    if isinstance(holder, ast.Call):
        name = ctx.qualified_name(holder.func) or ""
        return name.startswith("torch.") and name.removeprefix("torch.") in _COMPUTED
    if isinstance(holder, ast.Assign) and len(holder.targets) == 1 and isinstance(holder.value, ast.Call):
        target, function = holder.targets[0], ctx.function(node)
        if function is None or not isinstance(target, ast.Name) or holder.value is not node:
            return False
        uses = ctx.uses(target)
        return bool(uses) and all(isinstance(use.ctx, ast.Load) and _is_operand(use, ctx) for use in uses)
    return False


def _is_read_only(target: ast.Name, ctx: Context) -> bool:
    """Whether what a name is given is never written to, or kept."""
    for use in ctx.uses(target):
        holder = ctx.parent(use)
        while isinstance(holder, _CONTAINERS):
            holder = ctx.parent(holder)
        if is_written_in_place(use, ctx) or isinstance(holder, (ast.Return, ast.Yield)):
            return False
        # Tensors are hardly kept in sets, and torch has an operator of that name.
        if isinstance(holder, ast.Call) and own_name(holder.func) in _KEEPERS - {"add"}:
            return False
    return True


def _is_written_out(node: ast.Call, ctx: Context) -> bool:
    return ctx.qualified_name(node.func) == "torch.tensor"


def _const_tensor(node: ast.Call, ctx: Context) -> Fix | None:
    """``runtime.const_tensor`` for numbers, or lists of numbers, that are written out."""
    if len(node.args) != 1 or any(keyword.arg != "dtype" for keyword in node.keywords):
        return None
    if not may_be_shared(node, ctx):
        return None
    written = tuple_template(node.args[0])
    return Fix(
        Applicability.UNSAFE,
        "keep the tensor",
        edits=(
            replace_callee(node, "{runtime}.const_tensor"),
            *(() if written is None else (replace(node.args[0], written[0], **written[1]),)),
        ),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=constant_fix(node, "constant", Applicability.UNSAFE, ctx),
    )
