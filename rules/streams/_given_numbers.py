"""What a function is given may be a tensor or a number: its callers say whether anybody waits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._calls import argument_values
from .._conditions import branches, tested

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["converts_what_is_given"]

_TESTS = frozenset({"isinstance", "torch.is_tensor"})
_PARTS = frozenset({"get", "items", "pop", "values"})
_COPIES = frozenset({"enumerate", "list", "tuple"})
_FOLLOWED = 3


def converts_what_is_given(node: ast.AST, ctx: Context) -> bool:
    """Whether a place makes something else of what its function is given, where that is a tensor.

    ``if torch.is_tensor(value): value = value.item()`` is for callers that may give either. Where one is
    known to give a tensor, it is theirs that is read.
    """
    statement = ctx.statement(node)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    name = statement.targets[0].id
    asked = [
        test.args[0]
        for condition, outcome in branches(node, ctx)
        for test in (tested(condition) if outcome else ())
        if isinstance(test, ast.Call) and _asks_for_tensor(test, ctx)
    ]
    is_open = any(
        isinstance(one, ast.Name)
        and one.id == name
        and ctx.kind(one) is not Kind.TENSOR
        and _is_given(one, ctx)
        for one in asked
    )
    return is_open and not _gets_tensors(node, ctx)


def _gets_tensors(node: ast.AST, ctx: Context) -> bool:
    """Whether a call in the file gives a tensor to what has the name of the function around a place."""
    function = ctx.function(node)
    calls = ctx.calls(function.qualname.rpartition(".")[2]) if function is not None else ()
    return any(ctx.kind(value) is Kind.TENSOR for call in calls for value in argument_values(call))


def _asks_for_tensor(test: ast.Call, ctx: Context) -> bool:
    asked = ctx.qualified_name(test.func) or (test.func.id if isinstance(test.func, ast.Name) else "")
    if asked not in _TESTS or not test.args:
        return False
    return all(ctx.qualified_name(cls) == "torch.Tensor" for cls in test.args[1:])


def _is_given(name: ast.Name, ctx: Context, depth: int = 0) -> bool:
    """Whether a name stands for a parameter, or a part of one."""
    for binding in ctx.bindings(name):
        if isinstance(binding, ast.arg):
            return True
        statement = ctx.statement(binding)
        source = statement.iter if isinstance(statement, ast.For) else getattr(statement, "value", None)
        root = _root(source)
        if root is not None and depth < _FOLLOWED and _is_given(root, ctx, depth + 1):
            return True
    return False


def _root(source: ast.expr | None) -> ast.Name | None:
    """Return the name of what an expression takes parts of."""
    while isinstance(source, (ast.Call, ast.Subscript)):
        if isinstance(source, ast.Subscript):
            source = source.value
        elif isinstance(source.func, ast.Attribute) and source.func.attr in _PARTS:
            source = source.func.value
        elif isinstance(source.func, ast.Name) and source.func.id in _COPIES and source.args:
            source = source.args[0]
        else:
            return None
    return source if isinstance(source, ast.Name) else None
