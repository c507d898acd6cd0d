"""Builds a stock context once, above the loop that enters it, in place of once a round.

To enter a stock instance that is active loses the state that it has to restore, and so does another thread
that enters it meanwhile. An instance that a local name of one call of a function holds, and one ``with``
statement enters, is neither entered while it is active nor seen by a thread.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Fix

from .._blocks import before
from .._calls import argument_values
from .._hoists import fresh_local, loop_to_leave, moved_above, statements_between
from .._once import once
from .._taken import bound_within
from ._stock import AUTOCAST, GRAD_MODES, entered_item, is_read, only_entered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Context

__all__ = ["built_once"]

_NAMES_OF_ARGUMENTS = ("device_type", "dtype", "enabled", "cache_enabled")
# What is read where autocast is built and no argument says it.
_READ_WHERE_BUILT = frozenset({"dtype", "cache_enabled"})
_SETTERS = ("set_autocast_dtype", "set_autocast_cache_enabled")
# Contexts that change nothing which building another one reads.
_INERT = GRAD_MODES | {
    *("contextlib.nullcontext", "torch.profiler.record_function", "torch.autograd.profiler.record_function"),
    *("torch.cuda.nvtx.range", "torch.cuda.stream", "torch.cuda.device"),
}


def built_once(node: ast.Call, ctx: Context) -> Fix | None:
    """Return the fix that keeps a stock context in a local name above the loop that enters it.

    Args:
        node: the call that builds it: of an autocast class or a gradient mode, outside of compiled code.
        ctx: the file.

    Returns:
        None outside of loops, where the object is more than entered, and where an argument may change.
    """
    loop = loop_to_leave(node, ctx)
    if loop is None or not only_entered(node, ctx) or not _may_be_early(node, loop, ctx):
        return None
    is_safe = _is_same_on_each_round(node, loop, ctx)
    applicability = Applicability.SAFE if is_safe else Applicability.UNSAFE
    message = "build it once above the loop"
    item = entered_item(node, ctx)
    if item is None or item.context_expr is not node:
        edits = moved_above(node, loop, ctx)
        return Fix(applicability, message, edits=edits) if edits else None
    kept = _kept_above(node, loop, ctx)
    if kept:
        return Fix(applicability, message, edits=(replace(node, kept),))
    stem = (ctx.qualified_name(node.func) or "").rpartition(".")[2]
    local = fresh_local(f"{stem}_context", ctx)
    built = insert_before(loop, f"{local} = {{context}}", context=node)
    return Fix(applicability, message, edits=(built, replace(node, local)))


def _may_be_early(node: ast.Call, loop: ast.stmt, ctx: Context) -> bool:
    """Whether nothing but the place changes if a context is built before a loop begins."""
    if any(keyword.arg is None for keyword in node.keywords):
        return False
    tries = any(isinstance(holder, ast.Try) for holder in statements_between(loop, node, ctx))
    # Autocast may be built to see whether that raises.
    return all(map(is_read, argument_values(node))) and not (tries and _is_autocast(node, ctx))


def _is_same_on_each_round(node: ast.Call, loop: ast.stmt, ctx: Context) -> bool:
    """Whether a context surely would be built the same way on each round of a loop."""
    if _uses_torchscript(ctx) or not all(_is_fixed(value, ctx) for value in argument_values(node)):
        return False
    return not (_is_autocast(node, ctx) and _may_read_another_state(node, loop, ctx))


def _is_autocast(node: ast.Call, ctx: Context) -> bool:
    return ctx.qualified_name(node.func) in AUTOCAST


def _kept_above(node: ast.Call, loop: ast.stmt, ctx: Context) -> str:
    """Return the name that keeps such a context right above the loop, entered elsewhere; "" for none."""
    block = ctx.statement(node)
    for statement in reversed(before(loop, ctx)):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made):
                if ast.dump(made) != ast.dump(node):
                    continue
                uses = [use for use in ctx.within(loop, ast.Name) if use.id == name]
                around = {block, *statements_between(loop, node, ctx)}
                apart = all(
                    ctx.statement(use) not in around and use not in ctx.within(block, ast.Name)
                    for use in uses
                )
                if uses and apart and only_entered(made, ctx):
                    return name
            case _:
                break
    return ""


def _is_fixed(value: ast.expr, ctx: Context) -> bool:
    """Whether an argument surely is the same on each round: a constant, one of torch, a local name."""
    if isinstance(value, ast.Constant):
        return True
    if (ctx.qualified_name(value) or "").startswith("torch."):
        return True
    function = ctx.function(value)
    return isinstance(value, ast.Name) and function is not None and value.id in _locals(function.node, ctx)


def _locals(function: ast.AST, ctx: Context) -> frozenset[str]:
    return frozenset(bound_within(function, ctx))


def _may_read_another_state(node: ast.Call, loop: ast.stmt, ctx: Context) -> bool:
    """Whether autocast may be built with another dtype, or use of its cache, in the loop than above it."""
    given = {*_NAMES_OF_ARGUMENTS[: len(node.args)], *(item.arg for item in node.keywords)}
    if given >= _READ_WHERE_BUILT:
        return False
    if any(ctx.calls(setter) for setter in _SETTERS):
        return True
    return not all(
        isinstance(around, ast.Call) and ctx.qualified_name(around.func) in _INERT
        for around in _entered_around(node, loop, ctx)
    )


def _entered_around(node: ast.Call, loop: ast.stmt, ctx: Context) -> Iterator[ast.expr]:
    """Yield the contexts of the loop in which a context is built, those before it in its statement too."""
    for holder in statements_between(loop, node, ctx):
        if isinstance(holder, (ast.With, ast.AsyncWith)):
            for item in holder.items:
                if item.context_expr is node:
                    break
                yield item.context_expr


@once
def _uses_torchscript(ctx: Context) -> bool:
    """Whether the file uses ``torch.jit``: TorchScript takes a context where it is entered only."""
    names = (ctx.qualified_name(node) or "" for node in ctx.nodes(ast.Attribute))
    return any(name.startswith("torch.jit.") for name in names) or any(
        (node.module or "").startswith("torch.jit") for node in ctx.nodes(ast.ImportFrom)
    )
