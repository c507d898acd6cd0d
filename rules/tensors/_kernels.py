"""What Triton kernels of a file do with the memory that they are given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .._blocks import runs_each_time
from .._calls import argument_values
from .._names import mentions

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["stored_by"]

_STORES = frozenset({"triton.language.store"})


def stored_by(call: ast.Call, argument: ast.expr, ctx: Context) -> bool:
    """Whether ``kernel[grid](..., argument, ...)`` stores to an argument on every path, and never loads it.

    Args:
        call: any call.
        argument: one of its arguments.
        ctx: the file, which must hold the kernel.
    """
    if not isinstance(call.func, ast.Subscript) or not isinstance(call.func.value, ast.Name):
        return False
    kernel = _kernel(call.func.value.id, ctx)
    name = _parameter(kernel, call, argument) if kernel is not None else None
    if kernel is None or name is None:
        return False
    pointers = _pointers(kernel, name)
    stored = False
    for part in ast.walk(kernel):
        if isinstance(part, (ast.Return, ast.While)):
            return False  # some programs may store nothing
        if isinstance(part, ast.Call) and any(mentions(item, pointers) for item in argument_values(part)):
            function = ctx.qualified_name(part.func) or ""
            if function in _STORES:
                if not runs_each_time(part, ctx):
                    return False
                stored = True
            elif not function.startswith("triton.language.") or function.rpartition(".")[2].startswith(
                ("load", "atomic_")
            ):
                return False
    return stored


def _kernel(name: str, ctx: Context) -> ast.FunctionDef | None:
    for function in ctx.functions():
        if function.qualname == name and isinstance(function.node, ast.FunctionDef):
            decorators = [ctx.qualified_name(item) for item in function.node.decorator_list]
            return function.node if "triton.jit" in decorators else None
    return None


def _parameter(kernel: ast.FunctionDef, call: ast.Call, argument: ast.expr) -> str | None:
    """The kernel's parameter that gets an argument."""
    for keyword in call.keywords:
        if keyword.value is argument:
            return keyword.arg
    names = [parameter.arg for parameter in kernel.args.args]
    for number, item in enumerate(call.args):
        if isinstance(item, ast.Starred):
            return None
        if item is argument:
            return names[number] if number < len(names) else None
    return None


def _pointers(kernel: ast.FunctionDef, name: str) -> set[str]:
    """The names of a kernel that are computed from a pointer, itself included."""
    found = {name}
    while True:
        more = {
            target.id
            for stmt in ast.walk(kernel)
            if isinstance(stmt, (ast.Assign, ast.AugAssign)) and mentions(stmt.value, found)
            if not _is_loaded(stmt.value)
            for target in (stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target])
            if isinstance(target, ast.Name)
        }
        if more <= found:
            return found
        found |= more


def _is_loaded(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "attr", "") in {"load", "to"}
