"""Numbers that a tensor stands in for where nobody passes one: ``if size is None: size = lengths.max()``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional, with_defaults
from overhead_lint.rule import Kind

from .._assignments import assigned_values
from .._literals import is_none
from .._names import is_named

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_tensor_by_default"]


def is_tensor_by_default(node: ast.expr, ctx: Context) -> bool:
    """Whether a name is a parameter that a tensor of the device replaces while it has its default.

    That has to be None or another value that counts as false, and the one assignment to the name has to stand
    above, in a branch for it: ``size = size or lengths.max()``. A call in the file has to leave it out: where
    all calls pass one, as many do, nothing is waited for.
    """
    if not isinstance(node, ast.Name) or ctx.kind(node) is not Kind.UNKNOWN:
        return False
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    values = assigned_values(node, ctx)
    if len(values) != 1 or not _is_optional(node.id, function.node):
        return False
    instead = _instead(node.id, values[0], ctx)
    return (
        instead is not None
        and ctx.kind(instead) is Kind.TENSOR
        and any(_leaves_out(node.id, call, function.node) for call in ctx.calls(function.node.name))
    )


def _leaves_out(name: str, call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a call does not pass a parameter of a function."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return False
    if any(keyword.arg in {name, None} for keyword in call.keywords):
        return False
    placed = [one.arg for one in positional(function.args) if one.arg != "self"]
    return name not in placed[: len(call.args)]


def _is_optional(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function has a parameter of a name whose default counts as false, or is below zero."""
    for argument, default in with_defaults(function.args):
        if argument.arg == name:
            return isinstance(default, ast.UnaryOp) or (
                isinstance(default, ast.Constant) and not default.value
            )
    return False


def _instead(name: str, value: ast.expr, ctx: Context) -> ast.expr | None:
    """What an assignment puts in the place of a parameter that was left out."""
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) and is_named(value.values[0], name):
        return value.values[-1]
    if isinstance(value, ast.IfExp):
        if is_named(value.body, name):
            return value.orelse
        return value.body if is_named(value.orelse, name) else None
    bound = ctx.statement(value)
    branch = ctx.parent(bound)
    if isinstance(branch, ast.If) and bound in branch.body and _asks_left_out(name, branch.test):
        return value
    return None


def _asks_left_out(name: str, test: ast.expr) -> bool:
    """Whether a test is true where a parameter was left out: ``size is None``, ``not size``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_named(test.operand, name)
    return (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and is_named(test.left, name)
        and ((isinstance(test.ops[0], ast.Is) and is_none(test.comparators[0])) or _is_below(test))
    )


def _is_below(test: ast.Compare) -> bool:
    """Whether a comparison asks for a number of nothing, or less: ``size == 0``, ``size <= 0``."""
    return isinstance(test.ops[0], (ast.Eq, ast.Lt, ast.LtE))
