"""Why a loop over a module list may not do what the loop over its indices did."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

MUTATORS = frozenset(
    """__delitem__ __setitem__ add_module append clear extend insert pop register_module remove
    set_submodule""".split()  # noqa: SIM905
)
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)
_SEES_LOCALS = frozenset({"dir", "eval", "exec", "locals", "vars"})
_READERS = frozenset({"len", "enumerate", "zip", "iter", "reversed", "isinstance", "bool"})


def is_read_later(scope: ast.AST, reads: Mapping[str, Sequence[ast.expr]], ctx: Context) -> bool:
    """Whether a function made in the loop reads an element: with the index that the name has by then."""
    makers = [item for item in (scope, *ctx.within(scope, ast.AST)) if isinstance(item, _LATER)]
    inside = {item for maker in makers for item in ctx.within(maker, ast.Subscript)}
    return any(item in inside for items in reads.values() for item in items)


def gives_index_to_method(scope: ast.AST, index: str, ctx: Context) -> bool:
    """Whether the loop gives ``self`` and the index to one call: it may replace the element."""
    for call in ctx.within(scope, ast.Call):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        if any(_is_named(item, "self") for item in (*owner, *given)) and any(
            _is_named(item, index) for item in given
        ):
            return True
    return False


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def locals_are_seen(scope: ast.AST, ctx: Context) -> bool:
    """Whether the function looks at its local names by name."""
    function = ctx.function(scope)
    return any(
        isinstance(call.func, ast.Name) and call.func.id in _SEES_LOCALS
        for call in ctx.within(function.node if function is not None else ctx.tree, ast.Call)
    )


def is_changed_outside(lists: Sequence[ast.expr], scope: ast.AST, ctx: Context) -> bool:
    """Whether the file changes a list of that name elsewhere, or the function has another name for it.

    A loop over indices runs as often as the list was long at first, one over the list sees what is added.
    """
    names = {_last(item) for item in lists}
    function = ctx.function(scope)
    texts = {ctx.text(item) for item in lists}
    return _is_changed(names, ctx) or (function is not None and _is_shared(texts, function.node, ctx))


def _is_changed(names: set[str], ctx: Context) -> bool:
    """Whether a method but ``__init__`` changes what an attribute or name so called holds, or binds it."""
    changes: list[ast.Attribute | ast.Subscript] = [
        item
        for item in ctx.nodes(ast.Attribute)
        if (item.attr in MUTATORS and isinstance(ctx.parent(item), ast.Call) and _holds(item.value, names))
        or (item.attr in names and not isinstance(item.ctx, ast.Load))
    ]
    changes += [
        item
        for item in ctx.nodes(ast.Subscript)
        if not isinstance(item.ctx, ast.Load) and (_holds(item.value, names) or _is_entry(item, names))
    ]
    for item in changes:
        function = ctx.function(item)
        if function is None or function.qualname.rpartition(".")[2] != "__init__":
            return True
    return any(
        len(call.args) > 1 and isinstance(call.args[1], ast.Constant) and call.args[1].value in names
        for name in ("setattr", "delattr")
        for call in ctx.calls(name)
    )


def _holds(node: ast.expr, names: set[str]) -> bool:
    """Whether it is what is called so, or its table of modules."""
    return _last(node) in names or (_last(node) == "_modules" and _owner(node) in names)


def _is_entry(item: ast.Subscript, names: set[str]) -> bool:
    """Whether it may be the entry of a name in a module's table: ``self._modules["layers"]``."""
    key = item.slice
    return _last(item.value) == "_modules" and (not isinstance(key, ast.Constant) or key.value in names)


def _is_shared(texts: set[str], function: ast.AST, ctx: Context) -> bool:
    """Whether the function binds or passes on a list itself."""
    for item in ctx.within(function, ast.expr):
        if not (isinstance(item, (ast.Name, ast.Attribute)) and isinstance(item.ctx, ast.Load)):
            continue
        if ctx.text(item) not in texts:
            continue
        holder = ctx.parent(item)
        if isinstance(holder, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.keyword)):
            return True
        if isinstance(holder, ast.Call) and item is not holder.func:
            called = holder.func
            if not (isinstance(called, ast.Name) and called.id in _READERS):
                return True
    return False


def _owner(node: ast.expr) -> str:
    """The name before the last one: of ``self.layers._modules``, ``layers``."""
    return _last(node.value) if isinstance(node, ast.Attribute) else ""


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
