"""The functions and classes that one file defines, by their names in paths."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.effect import Result
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["Definitions", "is_property", "is_setter"]


class Definitions:
    """Knows what a file defines.

    Args:
        syntax: the file.
    """

    def __init__(self, syntax: FileSyntax) -> None:
        self._syntax = syntax
        self._identities: dict[ast.AST, str] = {}

    @cached_property
    def _by_path(self) -> dict[str, ast.AST]:
        """Functions and classes of the file by ``.qualname``; the last definition wins."""
        names = self._syntax.names
        return {
            "." + names.qualname(node): node
            for node in self._syntax.scan.scopes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not is_setter(node)
        }

    @cached_property
    def _method_names(self) -> frozenset[str]:
        return frozenset(name for cls in self._syntax.classes.values() for name in cls.methods)

    def is_method(self, name: str) -> bool:
        """Whether a class of the file has a method of this name."""
        return name in self._method_names

    @cached_property
    def properties(self) -> frozenset[str]:
        """Plain names of the file's properties."""
        return frozenset(
            node.name
            for node in self._syntax.scan.scopes
            if node.__class__ is ast.FunctionDef and is_property(node)
        )

    @cached_property
    def _lambdas(self) -> dict[ast.AST, str]:
        """Names of the lambdas: those of one function are told apart by a number."""
        seen: dict[str, int] = {}
        found: dict[ast.AST, str] = {}
        for node in self._syntax.scan.by_class.get(ast.Lambda, ()):
            name = "." + self._syntax.names.qualname(node)
            number = seen[name] = seen.get(name, 0) + 1
            found[node] = name if number == 1 else f"{name[:-1]} {number}>"
        return found

    @cached_property
    def partials(self) -> dict[ast.AST, str]:
        """What partial calls run of torch that neither gives tensors nor modules, as names of functions.

        ``partial(torch.autocast, "cuda")`` is as much a function as a lambda is, and the class is its body.
        """
        names = self._syntax.names
        found: dict[ast.AST, str] = {}
        for call in self._syntax.call_index.by_name.get("partial", ()):
            path = names.qualified(call.args[0]) if call.args else None
            if path is None or not path.startswith("torch."):
                continue
            does = effect(path)
            if not (does.compiles or does.calls or does.gives_tensors or does.returns is Result.MODULE):
                around = names.qualname(call).rpartition("<")[0]
                found[call.args[0]] = f".{around}<partial {len(found) + 1}>"
        return found

    def identity(self, node: ast.AST) -> str:
        """The name of a function of this file in paths and summaries."""
        if node.__class__ is ast.Lambda:
            return self._lambdas[node]
        known = self._identities.get(node)  # asked for at each place of a function that matters
        if known is None:
            name = "." + self._syntax.names.qualname(node)
            known = self._identities[node] = f"{name}=" if is_setter(node) else name
        return known

    def gives_context(self, node: ast.AST) -> bool:
        """Whether a function gives a context: a generator under ``contextlib.contextmanager``."""
        names = self._syntax.names
        decorators = getattr(node, "decorator_list", ())
        return any(names.qualified(item) == "contextlib.contextmanager" for item in decorators)

    def get(self, path: str) -> ast.AST | None:
        """The function or class of the file that a path is that of; None if it is of none."""
        return self._by_path.get(path)


def is_setter(node: ast.AST) -> bool:
    """Whether a method runs when a property is assigned or deleted: it has the property's name."""
    return node.__class__ is ast.FunctionDef and any(
        decorator.__class__ is ast.Attribute and decorator.attr in {"setter", "deleter"}
        for decorator in node.decorator_list
    )


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method is read like an attribute."""
    return any(last_name(decorator) in {"property", "cached_property"} for decorator in node.decorator_list)
