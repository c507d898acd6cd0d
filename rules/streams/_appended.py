"""Lists to which rounds of a loop append what they read: tensors are appended, and read behind the loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.edits import insert_after, replace
from overhead_lint.rule import Applicability, Fix, Heat, Import, Kind
from overhead_lint.tuples import NamedTuple

from .._blocks import scope_of
from .._calls import call_of
from .._names import names_in, own_name
from .._taken import bound_within, is_declared_outer
from .._views import ALIASES
from .._writes import computes_from
from ._provable import is_read_elsewhere, may_be_read_behind
from ._together import is_reduced

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._reads import Read

__all__ = ["appended_unread", "is_only_read"]

_Loop = ast.For | ast.AsyncFor | ast.While
_READS: Final = {".item()": "value.item()", "float()": "float(value)"}
_LOSSES: Final = ("_loss", "cross_entropy", "cross_entropy_with_logits", "kl_div")
_DETACHED: Final = frozenset({"data", "detach"})


class _Filled(NamedTuple):
    """A local list that a loop fills with what it reads, and does nothing else with.

    Attributes:
        name: the list.
        loop: the outermost loop that fills it.
    """

    name: str
    loop: _Loop


def appended_unread(read: Read, ctx: Context) -> Fix | None:
    """Return the fix that appends tensors to a list, and makes the same numbers of them behind the loop.

    They are read one by one there, as they were. Where each step comes to that place, all are read at once.

    Returns:
        None for what is no ``losses.append(loss.item())`` to a list that begins empty, and where the loop
        does anything else with that list but to ask how long it is, or reads the same tensor elsewhere.
    """
    number = _READS.get(read.how)
    found = _filled(read, ctx) if number is not None and not read.what else None
    if found is None or found.name == "value" or is_read_elsewhere(read, found.loop, ctx):
        return None
    name, loop = found
    kept = replace(read.node, f"{{tensor}}{_kept(read.tensor, ctx)}", tensor=read.tensor)
    if ctx.warmth(loop).heat >= Heat.STEP:
        stacked = insert_after(loop, f"{name} = {{torch}}.stack({name}).tolist()")
        message = "keep the tensors, and read them at once after the loop"
        return Fix(Applicability.UNSAFE, message, edits=(kept, stacked), imports=(Import("torch"),))
    is_safe = _is_surely_tensor(read.tensor, ctx) and may_be_read_behind(loop, read.node, name, ctx)
    safety = Applicability.SAFE if is_safe else Applicability.UNSAFE
    listed = insert_after(loop, f"{name} = [{number} for value in {name}]")
    return Fix(safety, "keep the tensors, and read them after the loop", edits=(kept, listed))


def _filled(read: Read, ctx: Context) -> _Filled | None:
    target = _list_of(read.node, ctx)
    if target is None:
        return None
    scope = scope_of(read.node, ctx)
    loops, name = ctx.loops(read.node), target.id
    stores = [one for one in ctx.within(scope, ast.Name) if one.id == name and isinstance(one.ctx, ast.Store)]
    starts = [one for one in stores if _begins_empty(one, ctx)]
    others = [one for one in stores if one not in starts and one is not target]
    if others or is_declared_outer(name, scope, ctx):
        return None
    if list(bound_within(scope, ctx)).count(name) != len(stores):
        return None
    inside = [loop for loop in loops if not any(start in ctx.within(loop, ast.Name) for start in starts)]
    loop = inside[0] if inside else None
    if (
        not isinstance(loop, (ast.For, ast.AsyncFor, ast.While))
        or loop.orelse
        or not _begins_before(loop, starts)
    ):
        return None
    uses = [one for one in ctx.within(scope, ast.Name) if one.id == name and one not in stores]
    if not all(_leaves_alone(use, target, loop, ctx) for use in uses):
        return None
    end = loop.end_lineno or loop.lineno
    return _Filled(name, loop) if any(use.lineno > end for use in uses) else None


def _list_of(node: ast.expr, ctx: Context) -> ast.Name | None:
    """The name of the list that an expression is appended to: ``losses.append(x)``, ``losses += [x]``."""
    holder = ctx.parent(node)
    match holder:
        case ast.Call(
            func=ast.Attribute(attr="append", value=ast.Name() as name), args=[one], keywords=[]
        ) if one is node and isinstance(ctx.parent(holder), ast.Expr):
            return name
        case ast.List(elts=[_]):
            match ctx.parent(holder):
                case ast.AugAssign(target=ast.Name() as name, op=ast.Add()):
                    return name
    return None


def _begins_empty(store: ast.Name, ctx: Context) -> bool:
    statement = ctx.parent(store)
    if isinstance(statement, ast.AnnAssign):
        return isinstance(statement.value, ast.List) and not statement.value.elts
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    return isinstance(statement.value, ast.List) and not statement.value.elts


def _begins_before(loop: ast.stmt, starts: list[ast.Name]) -> bool:
    return any(start.lineno < loop.lineno for start in starts)


def _leaves_alone(use: ast.Name, target: ast.Name, loop: ast.stmt, ctx: Context) -> bool:
    """Whether a use of a list is the one that fills it, asks for its length, or stands behind the loop."""
    if use is target or use.lineno > (loop.end_lineno or loop.lineno):
        return True
    holder = ctx.parent(use)
    if not isinstance(holder, ast.Call) or not isinstance(holder.func, ast.Name) or holder.func.id != "len":
        return False
    return not ctx.is_bound("len", holder)


def _kept(tensor: ast.expr, ctx: Context) -> str:
    """What makes a tensor of its own of one, which keeps no graph: nobody can change it afterwards."""
    made = tensor.func if isinstance(tensor, ast.Call) else tensor
    is_detached = isinstance(made, ast.Attribute) and made.attr in _DETACHED
    detach = "" if is_detached else ".detach()"
    inner = made.value if is_detached and isinstance(made, ast.Attribute) else tensor
    return detach if is_reduced(inner, ctx) or is_only_read(inner, made, ctx) else f"{detach}.clone()"


def is_only_read(tensor: ast.expr, made: ast.expr, ctx: Context) -> bool:
    """Whether each round binds a name to what functions of torch compute, and it is only read from then on.

    What is computed once may be written to in each round, as by the replay of a CUDA graph.

    Args:
        tensor: the name.
        made: what is made of it here, of which nobody else has anything.
        ctx: the file.
    """
    value = ctx.value(tensor) if isinstance(tensor, ast.Name) else None
    if not isinstance(tensor, ast.Name) or value is None or not _is_of_torch(value, ctx):
        return False
    loops = ctx.loops(tensor)
    if loops and loops[-1] not in ctx.loops(value):
        return False
    uses = (one for one in ctx.within(scope_of(tensor, ctx), ast.Name) if one.id == tensor.id)
    others = (use for use in uses if isinstance(use.ctx, ast.Load) and ctx.parent(use) is not made)
    return all(_reads_only(use, ctx) for use in others)


def _reads_only(use: ast.Name, ctx: Context) -> bool:
    holder = ctx.parent(use)
    if isinstance(holder, ast.Attribute):
        call = call_of(holder, ctx)
        if holder.attr in ALIASES:
            return False  # what it gives may be written to
        return call is not None and (holder.attr in ("backward", "item") or computes_from(use, call, ctx))
    if isinstance(holder, ast.Call) and use in holder.args:
        is_number = isinstance(holder.func, ast.Name) and holder.func.id in ("float", "int", "print")
        return is_number or (own_name(holder.func) not in ALIASES and computes_from(use, holder, ctx))
    return isinstance(holder, (ast.BinOp, ast.Compare))


def _is_of_torch(value: ast.expr | None, ctx: Context) -> bool:
    """Whether a function of torch computes something new: a loss, a sum."""
    if not isinstance(value, ast.Call):
        return False
    module, _, name = (ctx.qualified_name(value.func) or "").rpartition(".")
    if module == "torch.nn.functional":
        return name.endswith(_LOSSES)
    return module == "torch" and is_reduced(value, ctx)


def _is_surely_tensor(tensor: ast.expr, ctx: Context) -> bool:
    """Whether something is a tensor beyond doubt: torch computes it, or it is differentiated."""
    if ctx.kind(tensor) is not Kind.TENSOR:
        return False
    root = tensor
    while isinstance(root, (ast.Attribute, ast.Call)):
        if isinstance(root, ast.Call) and (ctx.qualified_name(root.func) or "").startswith("torch."):
            return True
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return False
    if _is_of_torch(ctx.value(root), ctx):
        return True
    scope = scope_of(root, ctx)
    differentiated = (one.value for one in ctx.within(scope, ast.Attribute) if one.attr == "backward")
    return any(root.id == name.id for one in differentiated for name in names_in(one)[:1])
