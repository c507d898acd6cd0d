"""Names that a file has already: a fix that brings a name must bring another one."""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from ._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "bound_by_words",
    "bound_names",
    "bound_within",
    "free_name",
    "is_bound_in_function",
    "is_declared_outer",
    "is_read_unbound",
]

_NAMED: Final[tuple[type[ast.AST], ...]] = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.MatchAs,
    ast.MatchStar,
)


@once
def bound_names(ctx: Context) -> frozenset[str]:
    """All names that a file reads or binds anywhere: definitions and imports that it does not use, too."""
    return frozenset((*bound_within(ctx.tree, ctx), *(name.id for name in ctx.nodes(ast.Name))))


def free_name(stem: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name that is no keyword and not taken: ``layer``, ``layer_``, ``layer_2``, ``layer_3`` ..."""
    choices = itertools.chain([stem, f"{stem}_"], (f"{stem}_{number}" for number in itertools.count(2)))
    return next(name for name in choices if not keyword.iskeyword(name) and not is_taken(name))


def is_bound_in_function(name: str, node: ast.AST, ctx: Context) -> bool:
    """Whether a function around a place, or one within that, binds a name: it may be another one there."""
    function = ctx.function(node)
    while function is not None:
        if name in bound_within(function.node, ctx):
            return True
        function = ctx.function(function.node)
    return False


def is_declared_outer(name: str, function: ast.AST, ctx: Context) -> bool:
    """Whether something in a function declares a name ``global`` or ``nonlocal``: it is seen outside."""
    return any(
        name in item.names
        for item in ctx.within(function, ast.stmt)
        if isinstance(item, (ast.Global, ast.Nonlocal))
    )


def bound_within(node: ast.AST, ctx: Context) -> Iterator[str]:
    """Names that what is below a node binds, each as often as it does."""
    yield from (name.id for name in ctx.within(node, ast.Name) if not isinstance(name.ctx, ast.Load))
    yield from bound_by_words(node, ctx)


def bound_by_words(node: ast.AST, ctx: Context) -> Iterator[str]:
    """Names that what is below a node binds without a node for the name: parameters, imports, patterns."""
    yield from (arg.arg for arg in ctx.within(node, ast.arg))
    named = (getattr(one, "name", None) for one in ctx.within(node, *_NAMED))
    yield from (name for name in named if isinstance(name, str))
    yield from (one.rest for one in ctx.within(node, ast.MatchMapping) if one.rest is not None)
    yield from ((alias.asname or alias.name).partition(".")[0] for alias in ctx.within(node, ast.alias))


@once
def _read_unbound(ctx: Context) -> frozenset[str]:
    return frozenset(name.id for name in ctx.nodes(ast.Name) if not ctx.is_bound(name.id, name))


def is_read_unbound(name: str, ctx: Context) -> bool:
    """Whether a name is that of a builtin, or the file reads it and does not show where it is bound.

    A local name that is called so would hide what the function reads elsewhere: ``list``, or what a star
    import brings.
    """
    return hasattr(builtins, name) or name in _read_unbound(ctx)
