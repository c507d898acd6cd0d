"""Functions that make tensors of numbers, and what of a function may be a table that is made by them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["FACTORIES", "Table", "first_factory", "holders", "is_triangle"]

FACTORIES = frozenset(
    """torch.arange torch.linspace torch.logspace torch.eye torch.ones torch.zeros torch.full
    torch.tril_indices torch.triu_indices torch.hann_window torch.hamming_window torch.blackman_window
    """.split()  # noqa: SIM905
)
"""Functions of torch that make a tensor of numbers."""

Table = frozenset[ast.AST]
"""The operators that a table takes, views left out, and the buffers that it is made from."""


def holders(function: ast.AST, ctx: Context) -> set[ast.AST]:
    """All of a function that may be a table, or hold one: what makes one is in it, or the name of one."""
    found: set[ast.AST] = set()
    for call in ctx.within(function, ast.Call):
        if ctx.qualified_name(call.func) in FACTORIES:
            _mark(call, found, ctx)
    if ctx.calls("register_buffer"):
        for attribute in ctx.within(function, ast.Attribute):
            if is_self(attribute.value):
                _mark(attribute, found, ctx)
    uses: dict[str, list[ast.Name]] = {}
    for name in ctx.within(function, ast.Name):
        uses.setdefault(name.id, []).append(name)
    kept = {name for names in uses.values() for name in names if not isinstance(name.ctx, ast.Load)}
    new = {name.id for name in kept if ctx.statement(name) in found}
    known: set[str] = set()
    while new:
        known |= new
        for use in (use for name in new for use in uses[name]):
            _mark(use, found, ctx)
        new = {name.id for name in kept if ctx.statement(name) in found} - known
    return found


def _mark(node: ast.AST, found: set[ast.AST], ctx: Context) -> None:
    """Add a node and all that holds it."""
    one: ast.AST | None = node
    while one is not None and one not in found:
        found.add(one)
        one = ctx.parent(one)


def is_triangle(table: Table) -> bool:
    """Whether a table is, or is made from, a triangle: a mask as large as the square of a length."""
    return any(
        isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"tril", "triu"} for node in table
    )


def first_factory(table: Table, ctx: Context) -> ast.Call | None:
    """The first call of a table that makes a tensor of numbers."""
    return min(_factories(table, ctx), key=lambda call: (call.lineno, call.col_offset), default=None)


def _factories(table: Table, ctx: Context) -> Iterator[ast.Call]:
    for node in table:
        if isinstance(node, ast.Call) and ctx.qualified_name(node.func) in FACTORIES:
            yield node
