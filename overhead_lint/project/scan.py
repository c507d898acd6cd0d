"""The one pass over a file's tree: parents, nodes by class, scopes and their bindings.

The walker is a loop with its own stack, driven by a table of the fields that hold nodes. A
visitor class would cost three times as much, and recursion would end on a long expression.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

N = TypeVar("N", bound=ast.AST)

__all__ = ["COMPREHENSIONS", "FUNCTIONS", "Scan", "Scope", "scan", "walk"]

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# Fields that hold names, numbers, operators or expression contexts: nothing to walk into.
_LEAVES: Final = frozenset(
    """arg asname attr cls_name conversion ctx id is_async kind kwd_attrs level lineno module name
    op ops rest simple str tag type_comment type_ignores""".split()  # noqa: SIM905
)
# Source order, and what is evaluated outside of the new scope first.
_ORDERED: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    ast.FunctionDef: ("decorator_list", "type_params", "args", "returns", "body"),
    ast.AsyncFunctionDef: ("decorator_list", "type_params", "args", "returns", "body"),
    ast.ClassDef: ("decorator_list", "type_params", "bases", "keywords", "body"),
    ast.Assign: ("targets", "value"),
    ast.comprehension: ("target", "iter", "ifs"),
    ast.Constant: (),
    ast.Global: (),
    ast.MatchSingleton: (),
    ast.Name: (),
    ast.Nonlocal: (),
}


def _fields(node_class: type[ast.AST]) -> tuple[str, ...]:
    """Fields of a class that may hold nodes, last first (the walker's stack turns them round)."""
    fields = _ORDERED.get(node_class)
    if fields is None:
        fields = tuple(name for name in node_class._fields if name not in _LEAVES)
    return tuple(name for name in reversed(fields) if name in node_class._fields)


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


class Scan:
    """What one pass over a tree gives.

    Attributes:
        tree: the tree.
        parents: for each node the one that holds it directly.
        scopes: the scopes by the nodes that open them, in source order.
    """

    def __init__(
        self,
        tree: ast.Module,
        nodes: list[ast.AST],
        parents: dict[ast.AST, ast.AST],
        scopes: dict[ast.AST, Scope],
        name_scopes: dict[ast.AST, Scope],
    ) -> None:
        self.tree = tree
        self.parents = parents
        self.scopes = scopes
        self._nodes = nodes
        self._name_scopes = name_scopes
        self._places: dict[type, list[int]] = {}

    @cached_property
    def by_class(self) -> dict[type, list[ast.AST]]:
        """All nodes by their classes, in source order."""
        found: dict[type, list[ast.AST]] = defaultdict(list)
        for node in self._nodes:
            found[node.__class__].append(node)
        return dict(found)

    @cached_property
    def _order(self) -> dict[ast.AST, int]:
        """The place of each node among all, which is that of the first node below it less one."""
        return dict(zip(self._nodes, range(len(self._nodes)), strict=True))

    def within(self, node: ast.AST, *types: type[N]) -> list[N]:
        """The nodes of the given classes below one, in source order; of all classes if none is given."""
        first = self._order[node] + 1
        end = self._order[_last_below(node)] + 1
        if not types:
            return self._nodes[first:end]  # type: ignore[return-value]
        if end - first > _FEW_NODES:
            classes = [one for one in _concrete(types) if one in self.by_class]
            if len(classes) == 1:
                places = self._places.get(classes[0])
                if places is None:
                    order = self._order
                    places = self._places[classes[0]] = [order[one] for one in self.by_class[classes[0]]]
                return self.by_class[classes[0]][bisect_left(places, first) : bisect_left(places, end)]  # type: ignore[return-value]
        wanted = _concrete(types)
        return [one for one in self._nodes[first:end] if one.__class__ in wanted]  # type: ignore[misc]

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope that a name at `node` is looked up from.

        Decorators, defaults, annotations and bases belong to the scope outside of the definition,
        and so does what the first ``for`` of a comprehension iterates.
        """
        known = self._name_scopes.get(node)
        if known is not None:
            return known
        parents, scopes = self.parents, self.scopes
        before: ast.AST | None = None
        child, parent = node, parents.get(node)
        while parent is not None:
            scope = scopes.get(parent)
            if scope is not None and _is_inside(parent, child, before):
                return scope
            before, child, parent = child, parent, parents.get(parent)
        return scopes[self.tree]

    def lookup(self, name: str, node: ast.AST) -> tuple[Scope, list[ast.AST]] | None:
        """The scope that a name used at `node` is bound in, and its bindings; None if nowhere."""
        scope: Scope | None = self.scope_of(node)
        first = True
        while scope is not None:
            if first or not isinstance(scope.node, ast.ClassDef):
                home = scope.outer.get(name)
                found = (home or scope).names.get(name)
                if found:
                    return home or scope, found
            first = False
            scope = scope.parent
        return None


def _is_inside(opener: ast.AST, child: ast.AST, before: ast.AST | None) -> bool:
    """Whether `child`, which `opener` holds directly, is evaluated in the scope it opens."""
    if isinstance(opener, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return isinstance(child, ast.stmt)
    if isinstance(opener, ast.Lambda):
        return child is opener.body
    if isinstance(opener, COMPREHENSIONS):
        return not (child is opener.generators[0] and before is opener.generators[0].iter)
    return True


class _Leave:
    """On the walker's stack: the end of a scope, and the scope to go back to."""

    __slots__ = ("to",)

    def __init__(self, to: Scope) -> None:
        self.to = to


def _bind_arguments(scope: Scope, arguments: ast.arguments) -> None:
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        scope.bind(argument.arg, argument)
    for starred in (arguments.vararg, arguments.kwarg):
        if starred is not None:
            scope.bind(starred.arg, starred)


def _declare(node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    for name in node.names:
        home: Scope | None = scope.module
        if isinstance(node, ast.Nonlocal):
            home = scope.parent
            while home is not None and (name not in home.names or isinstance(home.node, ast.ClassDef)):
                home = home.parent
        if home is not None:
            scope.outer[name] = home


def _bind_alias(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    for alias in node.names:
        name = alias.asname or alias.name
        if isinstance(node, ast.Import) and alias.asname is None:
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
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name  # type: ignore[attr-defined]
    if name:
        scope.bind(name, node)


def _bind_walrus(node: ast.AST, scope: Scope) -> None:
    assert isinstance(node, ast.NamedExpr)
    home = scope.function_or_module()
    if home is not scope:  # in its own scope the target's Store context binds it
        home.bind(node.target.id, node.target)


_BINDERS: Final[dict[type[ast.AST], Callable[[ast.AST, Scope], None]]] = {
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
# What the first `for` of these iterates is evaluated outside.
_TWO_SCOPES: Final = frozenset(COMPREHENSIONS)
_WITH_BODY: Final = frozenset((*FUNCTIONS, ast.ClassDef))
# Fewer nodes than these are looked through faster than places are looked up.
_FEW_NODES: Final = 64
_SPECIAL: Final = frozenset((*_WITH_BODY, *COMPREHENSIONS, *_BINDERS))
_TABLE: Final[dict[type, tuple[str, ...]]] = {
    value: _fields(value)
    for value in vars(ast).values()
    if isinstance(value, type) and issubclass(value, ast.AST)
}


def _open(node: ast.AST, scope: Scope) -> Scope:
    """Bind a definition's name, and make the scope that it opens."""
    inner = Scope(node, scope)
    if isinstance(node, FUNCTIONS):
        _bind_arguments(inner, node.args)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        scope.bind(node.name, node)
    return inner


def scan(tree: ast.Module) -> Scan:
    """Walk a tree once, in source order."""
    parents: dict[ast.AST, ast.AST] = {}
    nodes: list[ast.AST] = []
    scope = Scope(tree, None)
    scopes: dict[ast.AST, Scope] = {tree: scope}
    name_scopes: dict[ast.AST, Scope] = {}
    stack: list[Any] = [tree]
    pop, push, append, table = stack.pop, stack.append, nodes.append, _TABLE
    store, name_class, list_class = ast.Store, ast.Name, list
    while stack:
        node = pop()
        node_class = node.__class__
        if node_class is Scope:  # stands before what is evaluated inside of it
            scope = node
            continue
        if node_class is _Leave:
            scope = node.to
            continue
        append(node)
        if node_class is name_class:
            if scope.node.__class__ not in _TWO_SCOPES:
                name_scopes[node] = scope
            if node.ctx.__class__ is store:
                scope.bind(node.id, node)
            continue
        inner = None
        if node_class in _SPECIAL:
            if node_class in _BINDERS:
                _BINDERS[node_class](node, scope)
            else:
                inner = scopes[node] = _open(node, scope)
                push(_Leave(scope))
        for name in table[node_class]:
            value = getattr(node, name)
            if value.__class__ is list_class:
                for item in reversed(value):
                    if item is not None:
                        parents[item] = node
                        push(item)
            elif value is not None:
                parents[value] = node
                push(value)
            if inner is not None and name == "body":
                push(inner)
        if inner is not None and node_class not in _WITH_BODY:
            push(inner)
    return Scan(tree, nodes, parents, scopes, name_scopes)


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, outer ones first; operators and expression contexts left out."""
    table, list_class = _TABLE, list
    found = [node]
    for one in found:
        for name in table[one.__class__]:
            value = getattr(one, name)
            if value.__class__ is list_class:
                found += value if None not in value else [item for item in value if item is not None]
            elif value is not None:
                found.append(value)
    return found


@cache
def _concrete(types: tuple[type, ...]) -> frozenset[type]:
    """The classes of nodes that are instances of some types."""
    return frozenset(one for one in _TABLE if issubclass(one, types))


def _last_below(node: ast.AST) -> ast.AST:
    """The last node in source order of those below one; the node itself if it holds none."""
    table = _TABLE
    while True:
        below: ast.AST | None = None
        for name in table[node.__class__]:
            value = getattr(node, name)
            if value.__class__ is list:
                below = next((item for item in reversed(value) if item is not None), None)
            else:
                below = value
            if below is not None:
                break
        if below is None:
            return node
        node = below
