"""How many rounds a loop has, where the source says so, and in how many branches something stands."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["branches_around", "rounds_around"]


def rounds_around(node: ast.AST, parent: Callable[[ast.AST], ast.AST | None]) -> int:
    """Return how many rounds the innermost loop around a node has; 0 where nothing written says so.

    Loops around that one are left out: its own may be the loop of the steps.

    Args:
        node: the node; what a loop goes through is evaluated once, and not in it.
        parent: gives the node around another.
    """
    inner, outer = node, parent(node)
    while outer is not None and not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        if isinstance(outer, (ast.For, ast.AsyncFor)) and inner in outer.body:
            return _length(outer.iter)
        if isinstance(outer, ast.While):
            return 0
        if isinstance(outer, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            return _length(outer.generators[-1].iter) if not isinstance(inner, ast.comprehension) else 0
        inner, outer = outer, parent(outer)
    return 0


def branches_around(node: ast.AST, parent: Callable[[ast.AST], ast.AST | None]) -> int:
    """Return how many branches of its function a node stands in, one in another.

    Args:
        node: the node; what a branch asks is evaluated in any case, and not in it.
        parent: gives the node around another.
    """
    count = 0
    inner, outer = node, parent(node)
    while outer is not None and not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        is_in = isinstance(outer, (ast.If, ast.IfExp)) and inner is not outer.test
        count += is_in or isinstance(outer, (ast.ExceptHandler, ast.match_case))
        inner, outer = outer, parent(outer)
    return count


def _length(iterated: ast.expr) -> int:
    """Return how many items an expression gives; 0 where that is not written."""
    if isinstance(iterated, (ast.List, ast.Tuple)):
        return len(iterated.elts) if not any(isinstance(one, ast.Starred) for one in iterated.elts) else 0
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name) or not iterated.args:
        return 0
    if iterated.func.id == "enumerate":
        return _length(iterated.args[0])
    bounds = [
        one.value for one in iterated.args if isinstance(one, ast.Constant) and isinstance(one.value, int)
    ]
    if iterated.func.id != "range" or len(bounds) < len(iterated.args) or (len(bounds) > 2 and not bounds[2]):
        return 0
    return len(range(*bounds[:3]))
