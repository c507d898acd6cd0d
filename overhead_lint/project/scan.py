"""The one pass over a file's tree: parents, nodes by class, scopes.

The walker is a loop with its own stack, driven by a table of the fields that hold nodes. A
visitor class would cost three times as much, and recursion would end on a long expression.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property
from typing import Any, Final, TypeVar

from overhead_lint.project.scopes import BINDERS, COMPREHENSIONS, FUNCTIONS, Scope, opened

N = TypeVar("N", bound=ast.AST)

__all__ = [
    "COMPREHENSIONS",
    "FUNCTIONS",
    "LOOPS",
    "NAMED_FUNCTIONS",
    "STATEMENTS",
    "Scan",
    "Scope",
    "scan",
    "walk",
]

LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
NAMED_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


# Fields that hold names, numbers, operators or expression contexts: nothing to walk into.
_LEAVES: Final = frozenset(
    """arg asname attr cls_name conversion ctx id is_async is_lazy kind kwd_attrs level lineno module name
    op ops rest simple str tag type_comment type_ignores""".split()  # noqa: SIM905
)
# What fields of later Pythons may hold besides nodes; from Python 3.13 on, classes tell the types of theirs.
_PLAIN: Final = frozenset({int, str, int | None, str | None, list[int], list[str]})
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
if hasattr(ast, "TypeAlias"):  # from Python 3.12 on; its name is a node, unlike those of other statements
    _ORDERED[ast.TypeAlias] = ("name", "type_params", "value")


def _fields(node_class: type[ast.AST]) -> tuple[str, ...]:
    """Fields of a class that may hold nodes, last first (the walker's stack turns them round)."""
    fields = _ORDERED.get(node_class)
    if fields is None:
        told: dict[str, object] = getattr(node_class, "_field_types", {})
        fields = tuple(
            name for name in node_class._fields if name not in _LEAVES and told.get(name) not in _PLAIN
        )
    return tuple(name for name in reversed(fields) if name in node_class._fields)


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
        self._ends: dict[ast.AST, int] = {}
        self._places: dict[type, list[int]] = {}
        self._found: dict[Scope, dict[str, tuple[Scope, list[ast.AST]] | None]] = {}

    @cached_property
    def by_class(self) -> dict[type, list[ast.AST]]:
        """All nodes by their classes, in source order."""
        found: dict[type, list[ast.AST]] = defaultdict(list)
        for node in self._nodes:
            found[node.__class__].append(node)
        return dict(found)

    @cached_property
    def order(self) -> dict[ast.AST, int]:
        """The place of each node among all, which is that of the first node below it less one."""
        return dict(zip(self._nodes, range(len(self._nodes)), strict=True))

    def of_class(self, node_class: type[N]) -> list[N]:
        """The nodes of a class, in source order."""
        return self.by_class.get(node_class, [])  # type: ignore[return-value]

    def within(self, node: ast.AST, *types: type[N]) -> list[N]:
        """The nodes of the given classes below one, in source order; of all classes if none is given."""
        first, end = self.order[node] + 1, self._end(node)
        if not types:
            return self._nodes[first:end]  # type: ignore[return-value]
        if end - first > _FEW_NODES:
            classes = [one for one in _concrete(types) if one in self.by_class]
            if len(classes) == 1:
                places = self._places.get(classes[0])
                if places is None:
                    order = self.order
                    places = self._places[classes[0]] = [order[one] for one in self.by_class[classes[0]]]
                return self.by_class[classes[0]][bisect_left(places, first) : bisect_left(places, end)]  # type: ignore[return-value]
        wanted = _concrete(types)
        return [one for one in self._nodes[first:end] if one.__class__ in wanted]  # type: ignore[misc]

    def _end(self, node: ast.AST) -> int:
        """The place behind the last node below one."""
        end = self._ends.get(node)
        if end is None:
            end = self._ends[node] = self.order[_last_below(node)] + 1
        return end

    def range_of(self, node: ast.AST) -> range:
        """The places of a node and of all below it among all nodes."""
        return range(self.order[node], self._end(node))

    def range_of_body(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> range:
        """The places of the nodes in a function's body among all; what stands before it runs outside."""
        body = function.body
        return range(self.order[body[0] if isinstance(body, list) else body], self._end(function))

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
        start = self._name_scopes.get(node) or self.scope_of(node)
        known = self._found.get(start)
        if known is None:
            known = self._found[start] = {}
        elif name in known:
            return known[name]
        found = known[name] = self._sought(name, start)
        return found

    @staticmethod
    def _sought(name: str, start: Scope) -> tuple[Scope, list[ast.AST]] | None:
        """What `lookup` gives for a name that is used in a scope."""
        scope: Scope | None = start
        first = True
        while scope is not None:
            if first or scope.node.__class__ is not ast.ClassDef:
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
    if opener.__class__ is ast.Lambda:
        return child is opener.body
    if isinstance(opener, COMPREHENSIONS):
        return not (child is opener.generators[0] and before is opener.generators[0].iter)
    return True


class _Leave:
    """On the walker's stack: the end of a scope, and the scope to go back to."""

    __slots__ = ("to",)

    def __init__(self, to: Scope) -> None:
        self.to = to


# What the first `for` of these iterates is evaluated outside.
_TWO_SCOPES: Final = frozenset(COMPREHENSIONS)
_WITH_BODY: Final = frozenset((*FUNCTIONS, ast.ClassDef))
# Their lists have None in them: for ``**more`` in a dict, and for parameters without a default.
_WITH_GAPS: Final = frozenset({ast.arguments, ast.Dict})
# Fewer nodes than these are looked through faster than places are looked up.
_FEW_NODES: Final = 64
_SPECIAL: Final = frozenset((*_WITH_BODY, *COMPREHENSIONS, *BINDERS))
_TABLE: Final[dict[type, tuple[str, ...]]] = {
    value: _fields(value)
    for value in vars(ast).values()
    if isinstance(value, type) and issubclass(value, ast.AST)
}

STATEMENTS: Final = frozenset(one for one in _TABLE if issubclass(one, ast.stmt))
"""All classes of statements: looking there costs less than isinstance, which is asked millions of times."""


def scan(tree: ast.Module) -> Scan:
    """Walk a tree once, in source order."""
    parents: dict[ast.AST, ast.AST] = {}
    nodes: list[ast.AST] = []
    scope = Scope(tree, None)
    scopes: dict[ast.AST, Scope] = {tree: scope}
    name_scopes: dict[ast.AST, Scope] = {}
    stack: list[Any] = [tree]
    pop, push, extend, append, table = stack.pop, stack.append, stack.extend, nodes.append, _TABLE
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
            if node_class in BINDERS:
                BINDERS[node_class](node, scope)
            else:
                inner = scopes[node] = opened(node, scope)
                push(_Leave(scope))
        for name in table[node_class]:
            value = getattr(node, name)
            if value.__class__ is list_class:
                if value:
                    if node_class in _WITH_GAPS:
                        value = [item for item in value if item is not None]
                    for item in value:
                        parents[item] = node
                    extend(value[::-1])
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
