"""Which functions a call may run, as far as names, ``self`` and constructed instances tell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import compilers
from overhead_lint.api.torch_calls import CONTAINERS, FLUENT
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.wrapping_calls import BINDERS, WRAPPERS
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.file_paths import FilePaths
    from overhead_lint.project.graph.resolver import Resolver

__all__ = ["Calls"]

# How many bindings are followed before giving up; they may well go round in cycles.
_DEEPEST: Final = 8


class Calls:
    """Resolves calls within one file.

    Args:
        facts: the file.
        graph: resolves paths as far as the file goes.
    """

    def __init__(self, facts: FilePaths, graph: Resolver) -> None:
        self._facts = facts
        self._graph = graph

    def functions_named(self, node: ast.expr) -> list[ast.AST]:
        """The functions of this file that an expression stands for."""
        if node.__class__ is ast.Lambda:
            return [node]
        if node.__class__ is ast.Call and last_name(node.func) in BINDERS:
            return self.functions_named(node.args[0]) if node.args else []
        if node.__class__ is ast.Name and self._facts.names.qualified(node) is None:
            value = self._facts.value(node)
            return [value] if value.__class__ is ast.Lambda else []
        path = self._facts.paths.of(node)
        if path is None:
            return self._wrapped(node) if node.__class__ is ast.Call else []
        found = [self._facts.definitions.get(name) for name in self._graph.functions_of("", path)]
        functions: list[ast.AST] = [function for function in found if isinstance(function, FUNCTIONS)]
        return functions or (self._wrapped(node) if node.__class__ is ast.Call else [])

    def _wrapped(self, call: ast.Call) -> list[ast.AST]:
        """The functions that a call is given by name, or written out, and gives back in some other form."""
        named = [item for item in call.args if isinstance(item, (ast.Attribute, ast.Lambda, ast.Name))]
        return [function for item in named for function in self.functions_named(item)]

    def instance_of(self, node: ast.expr, depth: int = 0) -> str | None:
        """Qualified name of the class that an expression is an instance of; None if unknown."""
        if depth > _DEEPEST:
            return None
        if node.__class__ is ast.Call:
            return self._made_by(node, depth)
        if is_self(node):
            cls = self._facts.class_of(node)
            return "." + cls.qualname if cls is not None else None
        if node.__class__ is ast.Subscript:
            return self.element_of(node.value, depth + 1)
        if node.__class__ is ast.Name:
            iterated = self._iterated(node)
            if iterated is not None:
                return self.element_of(iterated, depth + 1)
        if node.__class__ is ast.Attribute:
            for made in self._facts.values.attribute(node):
                found = self.instance_of(made, depth + 1) if made is not None else None
                if found is not None:
                    return found
            return None
        value = self._facts.value(node)
        return self.instance_of(value, depth + 1) if value is not None else None

    def _made_by(self, call: ast.Call, depth: int) -> str | None:
        name = last_name(call.func)
        qualified = self._facts.names.qualified(call.func)
        if qualified is not None and isinstance(self._facts.definitions.get(qualified), ast.ClassDef):
            return qualified
        if (name in WRAPPERS or qualified in compilers()) and call.args:
            return self.instance_of(call.args[0], depth + 1)
        if call.func.__class__ is ast.Attribute and name in FLUENT:
            return self.instance_of(call.func.value, depth + 1)
        if qualified is not None and name[:1].isupper() and name not in CONTAINERS:
            return qualified
        return None

    def element_of(self, node: ast.expr, depth: int = 0) -> str | None:
        """Qualified name of the class of what a list, or a container of modules, holds."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            return self.instance_of(node.elts[0], depth + 1) if node.elts else None
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            if node.elt.__class__ is ast.Starred:
                return self.element_of(node.elt.value, depth + 1)
            return self.instance_of(node.elt, depth + 1)
        if node.__class__ is ast.Subscript:  # a slice of it
            return self.element_of(node.value, depth + 1)
        if node.__class__ is ast.Call:
            if last_name(node.func) in CONTAINERS | {"enumerate", "zip", "list", "reversed"} and node.args:
                argument = node.args[0]
                inner = argument.value if argument.__class__ is ast.Starred else argument
                return self.element_of(inner, depth + 1)
            return None
        values = (
            self._facts.values.attribute(node)
            if node.__class__ is ast.Attribute
            else [self._facts.value(node)]
        )
        for value in values:
            found = self.element_of(value, depth + 1) if value is not None else None
            if found is not None:
                return found
        return None

    def _iterated(self, node: ast.Name) -> ast.expr | None:
        """What a loop variable iterates, when a loop is all that binds it."""
        found = self._facts.scan.lookup(node.id, node)
        if found is None or len(found[1]) != 1:
            return None
        parents = self._facts.scan.parents
        target: ast.AST = found[1][0]
        holder = parents.get(target)
        while holder.__class__ is ast.Tuple:
            target, holder = holder, parents.get(holder)
        if isinstance(holder, (ast.For, ast.AsyncFor, ast.comprehension)) and holder.target is target:
            return holder.iter
        return None
