"""Names that a file binds and uses, over all its scopes at once: enough to stay clear of them."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Mapping

__all__ = ["bindings", "free_names"]


@functools.lru_cache(maxsize=4)
def bindings(tree: ast.Module) -> Mapping[str, set[str | None]]:
    """Every name bound anywhere in the file, with what it stands for; the last few trees are kept.

    Returns:
        For each name the dotted modules or objects that imports bind it to; None among them
        where something else than an absolute import binds it.
    """
    bound: defaultdict[str, set[str | None]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    bound[alias.asname].add(alias.name)
                else:
                    root = alias.name.partition(".")[0]
                    bound[root].add(root)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                target = None if node.level else f"{node.module}.{alias.name}"
                bound[alias.asname or alias.name].add(target)
        else:
            for name in _other_bindings(node):
                bound[name].add(None)
    return dict(bound)


def _other_bindings(node: ast.AST) -> list[str]:
    """Names that a node binds by itself, imports left out."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, ast.alias):
        return []
    # Definitions, handlers, patterns and type parameters keep theirs in fields of these names.
    fields = (getattr(node, "name", None), getattr(node, "rest", None))
    return [name for name in fields if isinstance(name, str)]


@functools.lru_cache(maxsize=4)
def free_names(tree: ast.Module) -> set[str]:
    """Names that are read but never bound in the file: builtins, or what a star import brings."""
    bound = bindings(tree)
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return read - bound.keys()
