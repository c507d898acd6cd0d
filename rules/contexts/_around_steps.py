"""Contexts that are entered once around much work, beside which they cost nothing: many steps, a sample."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.api.whole_generations import is_generation
from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_self

from .._names import names_in
from ._stock import entered_item

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["costs_little"]

_Loop = ast.For | ast.While


def costs_little(node: ast.expr, ctx: Context) -> bool:
    """Whether what runs under a context, or beside it, takes much longer: many steps, a sample of data."""
    return _is_around_steps(node, ctx) or ctx.is_run_by_data(node)


def _is_around_steps(node: ast.expr, ctx: Context) -> bool:
    """Whether a context stands around a loop that runs the same module or method in each of its rounds.

    That is a loop over steps of a sampler, a decoder or micro-batches. A loop over the layers of a model is
    the body of one forward pass, and no such. Nor has it to be written out: who says how many steps or tokens
    there are to be, asks for a whole generation.
    """
    if entered_item(node, ctx) is None:
        return False
    block = ctx.statement(node)
    if any(isinstance(call, ast.Call) and is_generation(call) for call in ctx.within(block, ast.Call)):
        return True
    loops: list[_Loop] = [*ctx.within(block, ast.For), *ctx.within(block, ast.While)]
    return any(
        not _is_over_layers(loop, ctx) and _runs_steps(loop, ctx)
        for loop in loops
        if ctx.function(loop) is ctx.function(block)
    )


def _is_over_layers(loop: _Loop, ctx: Context) -> bool:
    """Whether each round of a loop runs another module: an item of a list, or what is found at its place."""
    counter = _names(loop.target) if isinstance(loop, ast.For) else set[str]()
    head = loop.iter if isinstance(loop, ast.For) else loop.test
    if any(_is_module(item, ctx) for item in ast.walk(head) if isinstance(item, ast.expr)):
        return True
    called = [call.func for call in ctx.within(loop, ast.Call)]
    by_place = (one for one in called if isinstance(one, ast.Subscript) and _names(one.slice) & counter)
    by_item = (
        one
        for one in called
        if (isinstance(one, ast.Name) and one.id in counter)
        or (isinstance(one, ast.Attribute) and one.attr.startswith("forward") and _names(one.value) & counter)
    )
    return any(True for _ in by_place) or any(True for _ in by_item)


def _runs_steps(loop: _Loop, ctx: Context) -> bool:
    """Whether rounds of a loop call a module, a method of the object itself, or what is given a module."""
    return any(
        _is_module(call.func, ctx)
        or (isinstance(call.func, ast.Attribute) and is_self(call.func.value))
        or any(_is_module(one, ctx) for one in (*call.args, *(item.value for item in call.keywords)))
        for call in ctx.within(loop, ast.Call)
    )


def _is_module(node: ast.expr, ctx: Context) -> bool:
    return ctx.kind(node) is Kind.MODULE


def _names(node: ast.AST) -> set[str]:
    return {name.id for name in names_in(node)}
