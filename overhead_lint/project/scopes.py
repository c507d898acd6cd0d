"""Scopes of a file, and what binds names in them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.parameters import all_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BINDERS", "COMPREHENSIONS", "FUNCTIONS", "Scope", "opened"]

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """A module, class, function or comprehension, and what is bound in it.

    Attributes:
        node: the node that opens it.
        parent: the scope around it; None for the module.
        names: for each name the nodes that bind it, in source order: ``ast.Name``, ``ast.arg``,
            ``ast.alias``, a definition, ``ast.ExceptHandler``, or a ``match`` pattern.
        outer: names declared ``global`` or ``nonlocal`` here, with the scope that holds them.
    """

    __slots__ = ("names", "node", "outer", "parent")

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.names: dict[str, list[ast.AST]] = {}
        self.outer: dict[str, Scope] = {}

    def bind(self, name: str, node: ast.AST) -> None:
        """Note that `node` binds `name` here, or where a declaration says that it does."""
        scope = self.outer.get(name, self) if self.outer else self
        found = scope.names.get(name)
        if found is None:
            scope.names[name] = [node]
        else:
            found.append(node)

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def function_or_module(self) -> Scope:
        """The scope itself, or the first one around it that is no comprehension (where ``:=`` binds)."""
        scope = self
        while scope.parent is not None and isinstance(scope.node, COMPREHENSIONS):
            scope = scope.parent
        return scope


def _bind_arguments(scope: Scope, arguments: ast.arguments) -> None:
    for argument in all_parameters(arguments):
        scope.bind(argument.arg, argument)
    for starred in (arguments.vararg, arguments.kwarg):
        if starred is not None:
            scope.bind(starred.arg, starred)


def _declare(node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    for name in node.names:
        home: Scope | None = scope.module
        if node.__class__ is ast.Nonlocal:
            home = scope.parent
            while home is not None and (name not in home.names or home.node.__class__ is ast.ClassDef):
                home = home.parent
        if home is not None:
            scope.outer[name] = home


def _bind_alias(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    for alias in node.names:
        name = alias.asname or alias.name
        if node.__class__ is ast.Import and alias.asname is None:
            name = name.partition(".")[0]
        scope.bind(name, alias)


def _bind_declared(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, (ast.Global, ast.Nonlocal))
    _declare(node, scope)


def _bind_handler(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, ast.ExceptHandler)
    if node.name:
        scope.bind(node.name, node)


def _bind_pattern(node: ast.AST, scope: Scope) -> None:
    name = node.rest if node.__class__ is ast.MatchMapping else node.name  # type: ignore[attr-defined]
    if name:
        scope.bind(name, node)


def _bind_walrus(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, ast.NamedExpr)
    home = scope.function_or_module()
    if home is not scope:  # in its own scope the target's Store context binds it
        home.bind(node.target.id, node.target)


BINDERS: Final[dict[type[ast.AST], Callable[[ast.AST, Scope], None]]] = {
    ast.Import: _bind_alias,
    ast.ImportFrom: _bind_alias,
    ast.Global: _bind_declared,
    ast.Nonlocal: _bind_declared,
    ast.ExceptHandler: _bind_handler,
    ast.MatchAs: _bind_pattern,
    ast.MatchStar: _bind_pattern,
    ast.MatchMapping: _bind_pattern,
    ast.NamedExpr: _bind_walrus,
}


def opened(node: ast.AST, scope: Scope) -> Scope:
    """Bind a definition's name, and make the scope that it opens."""
    inner = Scope(node, scope)
    if isinstance(node, FUNCTIONS):
        _bind_arguments(inner, node.args)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        scope.bind(node.name, node)
    return inner
