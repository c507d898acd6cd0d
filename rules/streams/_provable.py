"""Whether a loop may leave values on the device, and have them read behind it, without a difference."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Heat, Kind
from overhead_lint.syntax.grammar import TRIES

from .._blocks import holders, scope_of
from .._calls import argument_values
from .._devices import device_told
from .._names import mentions, names_in, own_name
from .._taken import bound_within

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._reads import Read

__all__ = ["is_read_elsewhere", "may_be_read_behind", "stays_on_one_device"]

_LOOKING: Final = frozenset({"breakpoint", "eval", "exec", "globals", "locals", "vars"})
"""What may look at a function's names without naming them."""
_CONTEXTS: Final = (
    "torch.amp.autocast",
    "torch.autocast",
    "torch.autograd.enable_grad",
    "torch.autograd.inference_mode",
    "torch.autograd.no_grad",
    "torch.autograd.profiler.record_function",
    "torch.autograd.set_grad_enabled",
    "torch.cuda.amp.autocast",
    "torch.enable_grad",
    "torch.inference_mode",
    "torch.no_grad",
    "torch.profiler.record_function",
    "torch.set_grad_enabled",
    "tqdm.",
)
"""Contexts that swallow no exception and change neither device nor stream."""
_MOVES: Final = frozenset({"cuda", "to", "to_device"})


def may_be_read_behind(loop: ast.stmt, node: ast.expr, name: str, ctx: Context) -> bool:
    """Whether nothing can tell that a loop keeps tensors by a name, and numbers are made of them behind it.

    That asks for more than that no code names it in between:

    - It is local, and nothing looks at all local names.
    - Whatever ends the loop, the numbers are made before the name is looked at: no ``except`` or ``finally``
      of the function comes to that, nor what stands behind a context that swallows exceptions.
    - What is read is computed and read in order: no context between the two may choose another stream.
    - Nothing else relies on the wait: no times are taken, and no copies are waited for by it.

    Args:
        loop: a loop of a function.
        node: the read in it.
        name: what keeps what was read.
        ctx: the file.
    """
    scope = scope_of(loop, ctx)
    if isinstance(scope, ast.Module) or not isinstance(loop, ast.For):
        return False
    if any(isinstance(one, (ast.Await, ast.Yield, ast.YieldFrom)) for one in ctx.within(loop, ast.expr)):
        return False
    for holder, _ in holders(node, ctx):
        if isinstance(holder, (*TRIES, ast.Lambda, ast.AsyncWith, ast.Match)):
            return False
        if isinstance(holder, ast.With) and not all(_is_plain(one.context_expr, ctx) for one in holder.items):
            return False
    if any(use.id == name and scope_of(use, ctx) is not scope for use in ctx.within(scope, ast.Name)):
        return False
    calls = list(ctx.within(scope, ast.Call))
    if any(isinstance(call.func, ast.Name) and call.func.id in _LOOKING for call in calls):
        return False
    if any((ctx.qualified_name(call.func) or "").partition(".")[0] in {"time", "timeit"} for call in calls):
        return False
    return all(_is_copy_of_batch(call, ctx) for call in calls if _may_be_late(call))


def _is_plain(context: ast.expr, ctx: Context) -> bool:
    if not isinstance(context, ast.Call):
        return False
    name = ctx.qualified_name(context.func) or ""
    return name.startswith(_CONTEXTS) or (name == "open" or own_name(context.func) == "open")


def _may_be_late(call: ast.Call) -> bool:
    """Whether a call copies without waiting, so that something later has to."""
    return any(
        item.arg == "non_blocking"
        and not (isinstance(item.value, ast.Constant) and item.value.value is False)
        for item in call.keywords
    )


def _is_copy_of_batch(call: ast.Call, ctx: Context) -> bool:
    """Whether a call copies to the device what a loop goes over: the device waits for that itself."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
        return False
    target = device_told(call)
    if isinstance(target, ast.Constant) and str(target.value).startswith("cpu"):
        return False
    loops = [loop for loop in ctx.loops(call) if isinstance(loop, ast.For)]
    targets = {name.id for loop in loops for name in names_in(loop.target)}
    return mentions(call.func.value, targets)


def is_read_elsewhere(read: Read, loop: ast.stmt, ctx: Context) -> bool:
    """Whether a loop reads the same tensor at another place on each round: then the host waits anyway."""
    text = ctx.text(read.tensor)
    for call in ctx.within(loop, ast.Call):
        if call is read.node:
            continue
        method = call.func if isinstance(call.func, ast.Attribute) and not call.args else None
        if method is not None and method.attr in ("item", "tolist"):
            tensor = method.value
        elif isinstance(call.func, ast.Name) and call.func.id in ("float", "int") and len(call.args) == 1:
            (tensor,) = call.args
        else:
            continue
        if ctx.text(tensor) == text and ctx.warmth(call).heat >= Heat.STEP:
            return True
    return False


def stays_on_one_device(loop: ast.stmt, ctx: Context) -> bool:
    """Whether each round of a loop computes on the device of the first, as far as the loop tells.

    What it goes over is no module to call, and tells no device.
    """
    bound = set(bound_within(loop, ctx))
    for call in ctx.within(loop, ast.Call):
        called = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        if isinstance(call.func, ast.Name) and call.func.id in bound:
            return False
        if isinstance(call.func, ast.Subscript):
            return False
        if mentions(called, bound) and ctx.kind(called) is Kind.MODULE:
            return False
        if own_name(call.func) in _MOVES and any(mentions(one, bound) for one in argument_values(call)):
            return False
        if any(item.arg == "device" and mentions(item.value, bound) for item in call.keywords):
            return False
    return True
