"""Compiled code, as far as one file shows it."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause

from .._conditions import branches, passed
from .._names import own_name
from .._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_ASKS = frozenset(
    {
        "is_compiling",
        "is_dynamo_compiling",
        "is_torchdynamo_compiling",
        "is_exporting",
        "is_scripting",
        "is_torchdynamo_exporting",
        "is_tracing",
    }
)


def runs_compiled(node: ast.AST, ctx: Context) -> bool:
    """Whether the compiler traces the place: in compiled code, and not in a branch for eager code only."""
    function = ctx.function(node)
    return function is not None and function.compiled and not asks_for_compiler(node, ctx)


def asks_for_compiler(node: ast.AST, ctx: Context) -> bool:
    """Whether the compiler decides if the place runs: in a branch around it, or one before that leaves."""
    return _is_asked_for(ctx) and any(
        _asks(test, ctx) for test, _ in itertools.chain(branches(node, ctx), passed(node, ctx))
    )


@once
def _is_asked_for(ctx: Context) -> bool:
    """Whether the file asks anywhere if it is compiled: most do not, and no place of them needs a look."""
    return any(ctx.calls(name) for name in _ASKS)


def _asks(test: ast.AST, ctx: Context) -> bool:
    """Whether a test asks if it is compiled, itself or by a name for what was asked before."""
    if not _is_asked_for(ctx):
        return False
    values = (ctx.value(name) for name in _with(test, ctx, ast.Name) if isinstance(name, ast.Name))
    return any(
        _last(call) in _ASKS
        for one in (test, *values)
        if one is not None
        for call in _with(one, ctx, ast.Call)
        if isinstance(call, ast.Call)
    )


def _with(node: ast.AST, ctx: Context, kind: type[ast.AST]) -> tuple[ast.AST, ...]:
    """A node, and what of a kind is in it."""
    return (node, *ctx.within(node, kind))


def may_be_traced(node: ast.AST, ctx: Context) -> bool:
    """Whether the compiler would trace the place where others compile its function, or a caller of it."""
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda) or function.compiled:
        return False
    return not is_disabled(function.node) and not asks_for_compiler(node, ctx)


def is_disabled(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator keeps the compiler out of a function."""
    return any(_last(decorator) == "disable" for decorator in function.decorator_list)


def breaks_too(node: ast.AST, ctx: Context) -> tuple[Clause, ...]:
    """Return what a message says of a place that breaks graphs too; nothing where no compiler comes."""
    return (Clause.BREAKS_TOO,) if may_be_traced(node, ctx) else ()


def is_traced_itself(node: ast.AST, ctx: Context) -> bool:
    """Whether a place is in a method of a module or autograd function, or asks if it is compiled.

    So does a function, or another method of the class, that holds such a question.
    """
    cls, function = ctx.cls(node), ctx.function(node)
    if cls is not None and (cls.is_module or any(base.endswith("autograd.Function") for base in cls.bases)):
        return True
    owner = cls.node if cls is not None else function.node if function is not None else None
    return owner is not None and _asks(owner, ctx)


def _last(node: ast.expr) -> str:
    return own_name(node.func if isinstance(node, ast.Call) else node)


def sets_config(names: frozenset[str], ctx: Context) -> bool:
    """Whether the file sets one of these settings of Dynamo, as an attribute or through ``config.patch``."""
    return not names.isdisjoint(_set_names(ctx))


@once
def _set_names(ctx: Context) -> frozenset[str | None]:
    """Names of the attributes that are set or changed, and of the keywords of calls."""
    attributes = (
        node.attr
        for node in ctx.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Store) or _is_changed(node, ctx)
    )
    return frozenset((*attributes, *(keyword.arg for keyword in ctx.nodes(ast.keyword))))


def _is_changed(node: ast.Attribute, ctx: Context) -> bool:
    """``config.reorderable_logging_functions.add(print)``."""
    parent = ctx.parent(node)
    return isinstance(parent, ast.Attribute) and parent.attr in {"add", "update"}


@once
def is_fullgraph(ctx: Context) -> bool:
    """Whether the file compiles anything with ``fullgraph=True``, which makes scalars part of the graph."""
    return any(
        keyword.arg == "fullgraph" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in ctx.nodes(ast.keyword)
    )
