"""Functions and classes that are handed over or kept, and so called by another name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ._calls import call_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from overhead_lint.rule import Context

__all__ = ["handed_over", "run_by_partial", "says_nothing"]


def handed_over(names: AbstractSet[str], ctx: Context) -> list[ast.expr]:
    """Return the places that read something of these qualified names and do not call it."""
    last = {name.rpartition(".")[2] for name in names}
    renamed = {alias.asname for item in ctx.nodes(ast.ImportFrom) for alias in item.names if alias.asname}
    found: list[ast.expr] = [node for node in ctx.nodes(ast.Attribute) if node.attr in last]
    found += [node for node in ctx.nodes(ast.Name) if node.id in last or node.id in renamed]
    return [
        node
        for node in found
        if isinstance(getattr(node, "ctx", None), ast.Load)
        and ctx.qualified_name(node) in names
        and call_of(node, ctx) is None
        and not isinstance(ctx.parent(node), (ast.Attribute, ast.arg))
    ]


def run_by_partial(call: ast.Call, names: AbstractSet[str], ctx: Context) -> ast.expr | None:
    """Return what a partial call runs of these qualified names for other files; None if its own calls some.

    It is as hot as what calls it.
    """
    runs = call.args[0] if call.args else None
    if runs is None or ctx.qualified_name(runs) not in names:
        return None
    own = (one for one in ctx.nodes(ast.Call) if says_nothing(one, ctx))
    return None if any(not names.isdisjoint(ctx.apis(one)) for one in own) else runs


def says_nothing(call: ast.Call, ctx: Context) -> bool:
    """Whether the text of a call does not tell what it runs: it is a local name, an attribute, an item."""
    name = ctx.qualified_name(call.func)
    return name is None or name.startswith(".")
