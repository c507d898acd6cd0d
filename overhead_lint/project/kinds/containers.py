"""What lists and mappings hold that are filled after they are made."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.abstract_value import NOTHING, AbstractValue, entry, item, join
from overhead_lint.project.kinds.kind_members import KIND_OBJECT, KIND_TENSOR, KIND_UNKNOWN
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.syntax.receivers import is_own_attribute
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds
    from overhead_lint.project.scan import Scan

__all__ = ["Containers", "constant_key", "is_empty"]

# Methods that put something into a container, and which of their arguments that is.
_PUTTING: Final = {"add": 0, "append": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
# Methods that put all that another container holds into it.
_TAKING_OVER: Final = frozenset({"extend", "update"})
_MADE_EMPTY: Final = frozenset({"OrderedDict", "defaultdict", "deque", "dict", "list", "set"})
# More places than these fill a container, and they hardly agree.
_MOST_FILLS: Final = 12

_Owner = tuple[ast.AST, str]


class _Fill(NamedTuple):
    """A place that fills a container.

    Attributes:
        value: what is put in.
        many: whether it is what `value` holds.
        store: the target of an assignment to an item.
    """

    value: ast.expr
    many: bool = False
    store: ast.Subscript | None = None


class Containers:
    """What is put into containers of one file.

    Args:
        kinds: infers what is put in.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts

    def filled(self, target: ast.expr, made: ast.expr, what: AbstractValue) -> AbstractValue:
        """What a name or attribute is that is bound to a container as it is made, with all that it is given.

        Args:
            target: the name or attribute.
            made: the expression it is bound to.
            what: what that is.
        """
        if what.kind is not KIND_OBJECT:
            return what
        empty = is_empty(made)
        if not (empty or made.__class__ is ast.Dict):
            return what
        owner = self._owner(target)
        fills = self._fills.get(owner, ()) if owner is not None else ()
        if not fills:
            return what
        if len(fills) > _MOST_FILLS:
            return what._replace(element=KIND_UNKNOWN)
        held = [self._put(fill) for fill in fills]
        if not empty:
            held.append(item(what))
        return what._replace(element=join(held).kind)

    def _put(self, fill: _Fill) -> AbstractValue:
        found = self._kinds.infer(fill.value)
        return item(found) if fill.many else found

    def entry(self, node: ast.Subscript | ast.Call, key: str) -> AbstractValue:
        """What a mapping holds under a key, with what was stored there before.

        Args:
            node: what reads it: ``mapping["key"]``, or ``mapping.get("key")``.
            key: the key.
        """
        base = node.value if isinstance(node, ast.Subscript) else node.func.value  # type: ignore[attr-defined]
        found = self._entry(node, base, key)
        if found.kind is not KIND_UNKNOWN or not found.known:
            return found
        owner = self._table(base)
        stores = self._stores_in_tables.get((*owner, key), ()) if owner is not None else ()
        if not 0 < len(stores) <= _MOST_FILLS:
            return found
        kept = join(map(self._stored, stores))
        return kept if kept.kind is KIND_TENSOR else found

    def _entry(self, node: ast.Subscript | ast.Call, base: ast.expr, key: str) -> AbstractValue:
        owner = self._owner(base)
        stores = self._stores.get((owner[0], owner[1], key)) if owner is not None else None
        if not stores:
            return entry(self._kinds.infer(base), key)
        if base.__class__ is ast.Name:
            return self._entry_of_name(node, base, key, stores)
        found = [self._stored(store) for store in stores]
        return join([*found, self._at_first(self._kinds.infer(base), key)])

    def _entry_of_name(
        self, node: ast.AST, base: ast.Name, key: str, stores: list[ast.Subscript]
    ) -> AbstractValue:
        scan = self._facts.scan
        found = scan.lookup(base.id, base)
        own = scan.scope_of(base)
        if found is None or found[0] not in (own, own.function_or_module()):
            return entry(self._kinds.infer(base), key)
        bound: list[ast.AST] = sorted([*found[1], *stores], key=_place)
        reached = self._facts.flow.reaching(node, bound)
        names = [one for one in reached if one.__class__ is not ast.Subscript]
        values = [self._stored(one) for one in reached if one.__class__ is ast.Subscript]
        if names:
            first = self._at_first(self._kinds.bindings.all_of(names), key)
            tensors = all(what.kind is KIND_TENSOR for what in values)
            if not (
                tensors and first.kind is KIND_UNKNOWN and any(_fills_gap(one, key, scan) for one in reached)
            ):
                values.append(first)
        return join(values)

    def _stored(self, store: ast.Subscript) -> AbstractValue:
        """What an assignment to an item puts there."""
        return self._kinds.bindings.bound(store)

    def _at_first(self, what: AbstractValue, key: str) -> AbstractValue:
        """What a mapping holds under a key before anything is stored there."""
        made_without = what.kind is KIND_OBJECT and key not in what.keys and what.element is KIND_UNKNOWN
        return NOTHING if made_without and (what.keys or what.mapping) else entry(what, key)

    def _owner(self, node: ast.expr) -> _Owner | None:
        """What tells a container from others: the scope of a name, or the class of an attribute."""
        if node.__class__ is ast.Name:
            found = self._facts.scan.lookup(node.id, node)
            return (found[0].node, node.id) if found is not None else None
        if is_own_attribute(node):
            cls = self._facts.class_of(node)
            return (cls.node, f".{node.attr}") if cls is not None else None
        return None

    def _table(self, node: ast.expr) -> _Owner | None:
        """What tells a table of mappings that an object keeps, of which a name or an item is one.

        ``state = self.state[p]``, and ``for group in self.param_groups``.
        """
        if node.__class__ is ast.Name:
            found = self._facts.scan.lookup(node.id, node)
            bound = found[1] if found is not None else ()
            tables = {self._table_of(one) for one in bound}
            return tables.pop() if len(tables) == 1 else None
        if node.__class__ is ast.Subscript and is_own_attribute(node.value):
            return self._owner(node.value)
        return None

    def _table_of(self, binding: ast.AST) -> _Owner | None:
        """The table that a binding gives its name one of."""
        holder = self._facts.scan.parents.get(binding)
        if isinstance(holder, (ast.For, ast.comprehension)) and holder.target is binding:
            return self._owner(holder.iter) if is_own_attribute(holder.iter) else None
        value = self._facts.values.assigned(binding)
        return self._table(value) if value.__class__ is ast.Subscript else None

    @cached_property
    def _stores_in_tables(self) -> dict[tuple[ast.AST, str, str], list[ast.Subscript]]:
        """Where something is stored under a constant key of a mapping that a table of an object holds."""
        found: dict[tuple[ast.AST, str, str], list[ast.Subscript]] = {}
        for node in self._facts.scan.of_class(ast.Subscript):
            key = constant_key(node.slice) if node.ctx.__class__ is ast.Store else None
            owner = self._table(node.value) if key is not None else None
            if owner is not None and key is not None:
                found.setdefault((*owner, key), []).append(node)
        return found

    @cached_property
    def _fills(self) -> dict[_Owner, list[_Fill]]:
        """Where containers are filled."""
        found: dict[_Owner, list[_Fill]] = {}
        for name in (*_PUTTING, *_TAKING_OVER):
            for call in self._facts.call_index.by_name.get(name, ()):
                fills = _given(call, name)
                function = call.func
                owner = self._owner(function.value) if fills and function.__class__ is ast.Attribute else None
                if owner is not None:
                    found.setdefault(owner, []).extend(fills)
        for node in self._facts.scan.of_class(ast.Subscript):
            value = self._facts.values.assigned(node) if node.ctx.__class__ is ast.Store else None
            owner = self._owner(node.value) if value is not None else None
            if owner is not None and value is not None:
                many = node.slice.__class__ is ast.Slice
                found.setdefault(owner, []).append(_Fill(value, many, None if many else node))
        return found

    @cached_property
    def _stores(self) -> dict[tuple[ast.AST, str, str], list[ast.Subscript]]:
        """Where something is stored under a constant key."""
        found: dict[tuple[ast.AST, str, str], list[ast.Subscript]] = {}
        for (holder, name), fills in self._fills.items():
            for fill in fills:
                key = constant_key(fill.store.slice) if fill.store is not None else None
                if key is not None and fill.store is not None:
                    found.setdefault((holder, name, key), []).append(fill.store)
        return found


def _given(call: ast.Call, name: str) -> list[_Fill]:
    """What a call of a method puts into a container."""
    if name in _TAKING_OVER:
        return [
            *(_Fill(value, many=True) for value in call.args[:1]),
            *(_Fill(keyword.value, keyword.arg is None) for keyword in call.keywords),
        ]
    place = _PUTTING[name]
    return [_Fill(call.args[place])] if place < len(call.args) else []


def _fills_gap(store: ast.AST, key: str, scan: Scan) -> bool:
    """Whether something is stored where a key is missing: ``if "r" not in state: state["r"] = x``."""
    if not (store.__class__ is ast.Subscript and store.value.__class__ is ast.Name):
        return False
    child: ast.AST = store
    parent = scan.parents.get(store)
    while parent is not None and not isinstance(parent, FUNCTIONS):
        if parent.__class__ is ast.If and child in parent.body:
            tests = parent.test.values if parent.test.__class__ is ast.BoolOp else [parent.test]
            if any(_asks_for_gap(test, store.value.id, key) for test in tests):
                return True
        child, parent = parent, scan.parents.get(parent)
    return False


def _asks_for_gap(test: ast.expr, name: str, key: str) -> bool:
    """Whether a test says that a mapping lacks a key, or holds nothing: ``len(state) == 0``."""
    if test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
        return _is_named(test.operand, name)
    if not (test.__class__ is ast.Compare and len(test.ops) == 1):
        return False
    left, right = test.left, test.comparators[0]
    if test.ops[0].__class__ is ast.NotIn:
        return isinstance(left, ast.Constant) and isinstance(left.value, str) and _is_named(right, name)
    is_none = isinstance(test.ops[0], (ast.Eq, ast.Is)) and isinstance(right, ast.Constant)
    if not (is_none and left.__class__ is ast.Call):
        return False
    if right.value == 0:  # type: ignore[attr-defined]
        return last_name(left.func) == "len" and len(left.args) == 1 and _is_named(left.args[0], name)
    function = left.func
    gets = function.__class__ is ast.Attribute and function.attr == "get" and _is_named(function.value, name)
    asked = constant_key(left.args[0]) if left.args else None
    return gets and asked == key and right.value is None  # type: ignore[attr-defined]


def is_empty(made: ast.expr) -> bool:
    """Whether an expression makes a container that holds nothing yet: ``[]``, ``dict()``, ``[None] * n``."""
    if isinstance(made, (ast.List, ast.Set)):
        return not made.elts
    if made.__class__ is ast.Dict:
        return not made.values
    if made.__class__ is ast.BinOp and made.op.__class__ is ast.Mult and made.left.__class__ is ast.List:
        return all(isinstance(one, ast.Constant) and one.value is None for one in made.left.elts)
    if made.__class__ is ast.Call and isinstance(made.func, (ast.Name, ast.Attribute)):
        name = last_name(made.func)
        return name in _MADE_EMPTY and (not made.args or name == "defaultdict")
    return False


def constant_key(index: ast.expr) -> str | None:
    """The text that a key is written as."""
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else None


def _is_named(node: ast.expr, name: str) -> bool:
    return node.__class__ is ast.Name and node.id == name


def _place(node: ast.AST) -> tuple[int, int]:
    return (0, 0) if node.__class__ is ast.arg else (node.lineno, node.col_offset)  # type: ignore[attr-defined]
