"""Asks once what hot code asks again and again: in a constant, or through a cache, of the module."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, replace, replace_callee
from overhead_lint.rule import Applicability, Fix, Import
from overhead_lint.syntax.grammar import TEMPLATES

from ._blocks import holders
from ._names import names_in
from ._once import once
from ._taken import bound_names

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["cached_fix", "constant_fix", "in_f_string", "is_literal"]

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BINDING: tuple[type[ast.AST], ...] = (
    ast.NamedExpr,
    ast.Lambda,
    ast.comprehension,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.JoinedStr,
    *TEMPLATES,
)


def constant_fix(
    node: ast.expr,
    stem: str,
    applicability: Applicability,
    ctx: Context,
    *,
    changes: Sequence[ast.AST] = (),
) -> Fix | None:
    """The fix that evaluates an expression once, below the imports of the module.

    A constant that the module has for the same expression already is used again.

    Args:
        node: the expression.
        stem: what to make the constant's name of.
        applicability: of the fix.
        ctx: the file.
        changes: where the file changes what the value depends on.

    Returns:
        None outside of functions, where the expression needs anything but literals, builtins and imports
        of the module, and where a change may come between the constant and the function.
    """
    if (
        not _may_move(node, ctx)
        or not all(_is_global(name, ctx) for name in names_in(node))
        or _binds(node, ctx)
    ):
        return None
    message = "evaluate it once, when the module is imported"
    known = _known(node, ctx)
    if known is not None:
        if _may_change_below(known[0], changes, ctx):
            return None
        return Fix(applicability, message, edits=(replace(node, known[1]),))
    anchor = _last_import(ctx)
    if anchor is None or _may_change_below(anchor, changes, ctx):
        return None
    name = _fresh(stem, ctx)
    last = _last_constant(anchor, ctx)
    template = f"{name} = {{value}}" if last else f"\n{name} = {{value}}"
    edits = (insert_after(last or anchor, template, value=node), replace(node, name))
    return Fix(applicability, message, edits=edits)


def cached_fix(call: ast.Call, ctx: Context, *, is_bounded: bool = False) -> Fix | None:
    """The unsafe fix that calls ``functools.cache(function)``, made once below the imports of the module.

    Args:
        call: the call; its arguments stay.
        ctx: the file.
        is_bounded: whether ``lru_cache`` keeps some answers only: each keeps its arguments alive.

    Returns:
        None where the function is not reached from imports of the module.
    """
    if not _may_move(call, ctx) or not all(_is_global(name, ctx) for name in names_in(call.func)):
        return None
    message = "ask once, and keep the answer"
    wanted = ast.dump(call.func)
    cache = "lru_cache" if is_bounded else "cache"
    for stmt, target in _assigned(ctx):
        made = stmt.value
        if (
            isinstance(made, ast.Call)
            and stmt.lineno < call.lineno
            and ctx.qualified_name(made.func) == f"functools.{cache}"
            and [ast.dump(argument) for argument in made.args] == [wanted]
        ):
            return Fix(Applicability.UNSAFE, message, edits=(replace_callee(call, target.id),))
    anchor = _last_import(ctx)
    if anchor is None:
        return None
    name = _fresh(ctx.text(call.func).rpartition(".")[2], ctx).lower()
    last = _last_constant(anchor, ctx)
    template = f"{name} = {{functools}}.{cache}({{function}})"
    edits = (
        insert_after(last or anchor, template if last else f"\n{template}", function=call.func),
        replace_callee(call, name),
    )
    return Fix(Applicability.UNSAFE, message, edits=edits, imports=(Import("functools"),))


def in_f_string(node: ast.AST, ctx: Context) -> bool:
    """Whether the node stands in an f-string, where it has no position before Python 3.12, or a t-string."""
    within = itertools.takewhile(lambda one: not isinstance(one[0], ast.stmt), holders(node, ctx))
    return any(isinstance(holder, (ast.JoinedStr, *TEMPLATES)) for holder, _ in within)


def _may_move(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is evaluated by a function, and can be replaced there."""
    return ctx.function(node) is not None and not in_f_string(node, ctx)


def is_literal(node: ast.AST, ctx: Context) -> bool:
    """Whether an expression is made of constants only."""
    return isinstance(node, ast.Constant) or (
        isinstance(node, (ast.Tuple, ast.List, ast.UnaryOp))
        and not any(True for _ in ctx.within(node, ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    )


def _has_top_level_import(name: str, ctx: Context) -> bool:
    """Whether a plain import of the module binds a name, above its first definition."""
    return any(name in _bound(stmt) for stmt in _imports(ctx))


def _binds(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression has scopes or names of its own, or gives control away."""
    return any(isinstance(item, _BINDING) for item in ast.walk(node))


def _is_global(name: ast.Name, ctx: Context) -> bool:
    """Whether a name means the same in the function and below the imports of the module."""
    if not ctx.is_bound(name.id, name):
        return hasattr(builtins, name.id)
    qualified = ctx.qualified_name(name)
    return qualified is not None and not qualified.startswith(".") and _has_top_level_import(name.id, ctx)


def _imports(ctx: Context) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of the module above its first definition."""
    for stmt in itertools.takewhile(lambda item: not isinstance(item, _DEFINITIONS), ctx.tree.body):
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            yield stmt


def _bound(stmt: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(stmt, ast.Import):
        return {alias.asname or alias.name.partition(".")[0] for alias in stmt.names}
    return {alias.asname or alias.name for alias in stmt.names}


def _last_import(ctx: Context) -> ast.stmt | None:
    *_, last = (None, *_imports(ctx))
    return last


def _last_constant(anchor: ast.stmt, ctx: Context) -> ast.stmt | None:
    """The last of the private constants that stand right below a statement of the module."""
    below = ctx.tree.body[ctx.tree.body.index(anchor) + 1 :]
    constants = itertools.takewhile(
        lambda stmt: (
            isinstance(stmt, ast.Assign)
            and isinstance(stmt.targets[0], ast.Name)
            and stmt.targets[0].id.startswith("_")
        ),
        below,
    )
    *_, last = (None, *constants)
    return last


def _may_change_below(place: ast.stmt, changes: Sequence[ast.AST], ctx: Context) -> bool:
    """Whether what a value depends on may change below a statement of the module, or in a function."""
    statements = [(change, ctx.statement(change)) for change in changes]
    return any(
        ctx.function(change) is not None
        or (statement.lineno, statement.col_offset) > (place.lineno, place.col_offset)
        for change, statement in statements
    )


def _known(node: ast.expr, ctx: Context) -> tuple[ast.stmt, str] | None:
    """A module-level constant, above, that holds the same expression: its statement and its name."""
    wanted = ast.dump(node)
    same = (
        (stmt, target.id)
        for stmt, target in _assigned(ctx)
        if stmt.lineno < node.lineno
        and stmt.value.__class__ is node.__class__
        and ast.dump(stmt.value) == wanted
    )
    return next(same, None)


def _assigned(ctx: Context) -> Iterator[tuple[ast.Assign, ast.Name]]:
    """The statements of the module that give a private name its only value."""
    for stmt in ctx.tree.body:
        if (
            isinstance(stmt, ast.Assign)
            and len(stmt.targets) == 1
            and isinstance(target := stmt.targets[0], ast.Name)
            and target.id.startswith("_")
            and ctx.value(target) is stmt.value
        ):
            yield stmt, target


@once
def _taken(ctx: Context) -> set[str]:
    """The names of a file, in upper case."""
    return {name.upper() for name in bound_names(ctx)}


def _fresh(stem: str, ctx: Context) -> str:
    """A name that nothing in the file has, whatever its case."""
    word = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in stem).upper()
    plain = f"_{word.strip('_')}"
    choices = itertools.chain([plain], (f"{plain}_{number}" for number in itertools.count(2)))
    return next(choice for choice in choices if choice not in _taken(ctx))
