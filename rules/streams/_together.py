"""Reads that one statement makes one by one, made together: the host waits once for all of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Fix, Import

from .._blocks import block_of
from .._hoists import fresh_local
from .._names import names_in, own_name
from .._taken import bound_within
from ._accumulated import is_count
from ._likely import on_device

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Context, Edit

    from ._reads import Read

__all__ = ["is_evaluated", "is_reduced", "named_numbers", "read_together"]

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
# Those that are taken together: a sum is better kept on the device.
_READING = (ast.Assign, ast.AnnAssign, ast.Expr)
# Where a part of an expression may not be evaluated, or more than once.
_SCOPED = (
    *(ast.BoolOp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.JoinedStr, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr),
)
_REDUCING = frozenset("all any argmax argmin count_nonzero max mean median min norm prod std sum var".split())  # noqa: SIM905
_TORCH = Import("torch")


def read_together(read: Read, ctx: Context) -> Fix | None:
    """Return the unsafe fix that reads several tensors of a statement, or of a list, at once.

    Returns:
        None where it is one of a kind, or not the first of its statement, or not surely evaluated.
    """
    if read.how != ".item()" or not isinstance(read.node, ast.Call):
        return None
    holder = ctx.parent(read.node)
    if isinstance(holder, ast.ListComp) and holder.elt is read.node:
        return _of_list(read, holder, ctx)
    return _of_statement(read, ctx)


def _of_list(read: Read, whole: ast.ListComp, ctx: Context) -> Fix | None:
    """``[(x == i).sum().item() for i in ids]``: a stack of what has no dimensions."""
    tensor = read.tensor
    if not is_reduced(tensor, ctx) or any(item.is_async for item in whole.generators):
        return None
    first = whole.generators[0]
    if len(whole.generators) > 1 or first.ifs:
        return None  # it may well be empty, of which no stack is made
    template = "{torch}.stack([{tensor} for {target} in {values}]).tolist()"
    edit = replace(whole, template, tensor=tensor, target=first.target, values=first.iter)
    return Fix(Applicability.UNSAFE, "read the list with one tolist()", edits=(edit,), imports=(_TORCH,))


def is_reduced(tensor: ast.expr, ctx: Context) -> bool:
    """Whether a call surely gives a tensor without dimensions: ``x.sum()``, ``torch.max(x)``."""
    if not isinstance(tensor, ast.Call) or tensor.keywords or own_name(tensor.func) not in _REDUCING:
        return False
    of_torch = (ctx.qualified_name(tensor.func) or "").startswith("torch.")
    return len(tensor.args) == int(of_torch)


def _of_statement(read: Read, ctx: Context) -> Fix | None:
    """``dict(loss=loss.item(), l1=l1.item())``, or a statement for each: one transfer above them."""
    statement = ctx.statement(read.node)
    if not isinstance(statement, _STATEMENTS) or ctx.function(statement) is not ctx.function(read.node):
        return None
    run = _run(statement, ctx)
    calls = {call: tensor for one in run for call, tensor in _reads(one, ctx)}
    tensors = {ctx.text(tensor): tensor for tensor in calls.values()}
    if len(tensors) < 2 or next(iter(calls)) is not read.node:
        return None
    names = named_numbers(tensors, ctx)
    parts = {f"t{index}": tensor for index, tensor in enumerate(tensors.values())}
    stack = ", ".join(f"{{{part}}}" for part in parts)
    template = f"{', '.join(names.values())} = {{torch}}.stack(({stack})).tolist()"
    edits: list[Edit] = [insert_before(run[0], template, blank_lines=0, **parts)]
    edits += [replace(call, names[ctx.text(tensor)]) for call, tensor in calls.items()]
    return Fix(Applicability.UNSAFE, "read them with one transfer", edits=tuple(edits), imports=(_TORCH,))


def _run(statement: ast.stmt, ctx: Context) -> list[ast.stmt]:
    """The statements of a block, one behind the other, that read and leave what the others read as it is."""
    block = block_of(statement, ctx) or [statement]
    first = last = block.index(statement)
    while first and _leaves(block[first - 1], block[first], ctx):
        first -= 1
    while last + 1 < len(block) and _leaves(block[last], block[last + 1], ctx):
        last += 1
    run = block[first : last + 1]
    counted = {is_count(_behind(tensor, ctx), ctx) for one in run for _, tensor in _reads(one, ctx)}
    bound = {name for one in run for name in bound_within(one, ctx)}
    read = {name.id for one in run for _, tensor in _reads(one, ctx) for name in names_in(tensor)}
    return run if len(counted) == 1 and bound.isdisjoint(read) else [statement]


def _behind(tensor: ast.expr, ctx: Context) -> ast.expr:
    """What a name is bound to; anything else itself."""
    return (ctx.value(tensor) if isinstance(tensor, ast.Name) else None) or tensor


def _leaves(one: ast.stmt, other: ast.stmt, ctx: Context) -> bool:
    """Whether both of two statements read, and the first does nothing to what the second reads."""
    reads, others = dict(_reads(one, ctx)), dict(_reads(other, ctx))
    if not (reads and others and isinstance(one, _READING) and isinstance(other, _READING)):
        return False
    read = {name for tensor in reads.values() for name in names_in(tensor)}
    seen = {name.id for name in ctx.within(one, ast.Name) if name not in read}
    return seen.isdisjoint(name.id for tensor in others.values() for name in names_in(tensor))


def named_numbers(tensors: dict[str, ast.expr], ctx: Context) -> dict[str, str]:
    """A new name for each number, by the text of its tensor."""
    names: dict[str, str] = {}
    for text, tensor in tensors.items():
        named = tensor
        while isinstance(named, (ast.Call, ast.Subscript)) or own_name(named) in {"data", "detach"}:
            named = named.func if isinstance(named, ast.Call) else named.value  # type: ignore[attr-defined]
        stem = name = fresh_local(f"{own_name(named).strip('_') or 'tensor'}_value", ctx)
        number = 2
        while name in names.values():
            name, number = f"{stem}_{number}", number + 1
        names[text] = name
    return names


def _reads(statement: ast.stmt, ctx: Context) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The reads that a statement surely makes, of tensors that it does not compute, with these."""
    for call in ctx.within(statement, ast.Call):
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "item"
            and not (call.args or call.keywords)
        ):
            tensor = call.func.value
            if _is_told(tensor) and on_device(tensor, ctx) and is_evaluated(call, statement, ctx):
                yield call, tensor


def _is_told(tensor: ast.expr) -> bool:
    """Whether an expression reads names, attributes and items alone: ``self.losses[0].detach()``."""
    while True:
        match tensor:
            case ast.Name():
                return True
            case ast.Attribute(value=value) | ast.Subscript(value=value, slice=ast.Constant()):
                tensor = value
            case ast.Subscript(value=value, slice=ast.UnaryOp(operand=ast.Constant())):
                tensor = value
            case ast.Call(func=ast.Attribute(value=value, attr="detach"), args=[], keywords=[]):
                tensor = value
            case _:
                return False


def is_evaluated(node: ast.expr, statement: ast.stmt, ctx: Context) -> bool:
    """Whether a statement evaluates an expression each time, and once."""
    holder = ctx.parent(node)
    while holder is not None and holder is not statement:
        if isinstance(holder, _SCOPED):
            return False
        holder = ctx.parent(holder)
    return True
