"""Whether a file may change a module list while a loop runs over it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_self

from .._classes import in_init
from .._families import family
from .._names import mentions, names_in, own_name
from .._taken import is_bound_in_function
from ._modules import LISTS

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

MUTATORS = frozenset(
    """__delattr__ __delitem__ __dict__ __iadd__ __init__ __setattr__ __setitem__ add_module append clear
    extend insert pop popitem register_module remove set_submodule setdefault update""".split()  # noqa: SIM905
)
# What reads a list that it is given, and keeps no hold of it.
_READERS = frozenset(
    """all any bool dict enumerate id isinstance iter len list print reversed set sorted str sum tuple type
    zip""".split()  # noqa: SIM905
)
# What is given the name of an attribute, and gives, binds or takes away what that holds.
_BY_NAME = frozenset(
    """__delattr__ __getattr__ __getattribute__ __setattr__ add_module attrgetter delattr get get_submodule
    getattr pop register_module set_submodule setattr""".split()  # noqa: SIM905
)
# What a class does itself each time that one of its attributes is read.
_READING = frozenset({"__getattr__", "__getattribute__"})
# What gives the modules below a module, the list too, whatever they are called.
_WALKS = frozenset({"apply", "children", "modules", "named_children", "named_modules"})
# Through these an expression's value goes on unchanged.
_PASSES = (ast.BoolOp, ast.IfExp, ast.NamedExpr)
# Where a list is looked at, or a new one made of it.
_LOOKS = (
    ast.Assert,
    ast.Attribute,
    ast.AugAssign,
    ast.BinOp,
    ast.Compare,
    ast.Expr,
    ast.FormattedValue,
    ast.If,
    ast.Starred,
    ast.Subscript,
    ast.UnaryOp,
    ast.While,
)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def is_changed_outside(lists: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether something but a constructor may change one of the lists, or the file loses sight of it.

    A loop over indices runs as often as the list was long at first, one over the list sees what is added.
    """
    return any(_List(item, ctx).may_change() for item in lists)


class _List:
    """A module list as a loop names it, with the other names that the file gives it."""

    def __init__(self, node: ast.expr, ctx: Context) -> None:
        self._ctx = ctx
        self._name = own_name(node)
        cls = ctx.cls(node)
        self._family = family(cls, ctx) if cls is not None and _is_of_self(node) else ()
        self._names = {_key(node): _scope(node, ctx)}
        """The key of each name, with what holds all of its uses."""

    def may_change(self) -> bool:
        """Whether the file binds it anew, hands it on, or changes it by one of its names."""
        return (
            self._is_bound_anew()
            or self._is_asked_for_by_name()
            or self._is_handed_on()
            or self._is_changed()
        )

    def _is_bound_anew(self) -> bool:
        """Whether something but a plain list may be bound, or anything outside of a constructor."""
        for item in self._ctx.nodes(ast.Attribute):
            if item.attr != self._name or isinstance(item.ctx, ast.Load) or self._is_of_others(item):
                continue
            bound = self._ctx.parent(item)
            if not (_is_made(item, self._ctx) and _is_bound_to_list(bound, self._ctx)):
                return True
            targets = bound.targets if isinstance(bound, ast.Assign) else []
            for target in targets:
                self._keep(target)
        return any(
            self._name in _own_names(cls) or _READING.intersection(cls.methods) for cls in self._family
        )

    def _is_asked_for_by_name(self) -> bool:
        """Whether the list is taken out by the text of its name, or with all that an object holds."""
        ctx = self._ctx
        return (
            any(
                own_name(call.func) in _BY_NAME
                and any(isinstance(item, ast.Constant) and item.value == self._name for item in call.args)
                for call in ctx.nodes(ast.Call)
            )
            or any(self._name in pattern.kwd_attrs for pattern in ctx.nodes(ast.MatchClass))
            or any(
                item.attr in ("_modules", "__dict__") and isinstance(item.value, ast.Name)
                for item in ctx.nodes(ast.Attribute)
                if not self._is_of_others(item)
            )
            or any(not self._is_of_others(item) for call in ctx.calls("vars") for item in call.args)
        )

    def _is_handed_on(self) -> bool:
        """Whether others get the list itself; names that it is bound to are kept for `_is_changed`."""
        done: set[str] = set()
        while left := self._names.keys() - done:
            done |= left
            if any(self._goes_on(item) for key in left for item in self._reads(key)):
                return True
        return False

    def _goes_on(self, item: ast.expr) -> bool:
        ctx = self._ctx
        whole: ast.AST = item
        holder = ctx.parent(whole)
        if isinstance(holder, ast.Attribute) and holder.attr == "_modules":
            whole, holder = holder, ctx.parent(holder)
        while isinstance(holder, _PASSES) and not (isinstance(holder, ast.IfExp) and whole is holder.test):
            if isinstance(holder, ast.NamedExpr):
                self._keep(holder.target)
            whole, holder = holder, ctx.parent(holder)
        if isinstance(holder, (ast.Assign, ast.AnnAssign)):
            targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
            return not all(self._keep(target) for target in targets)
        if isinstance(holder, ast.Call) and whole is not holder.func:
            called = holder.func
            is_reader = isinstance(called, ast.Name) and called.id in _READERS
            return not is_reader or ctx.is_bound(own_name(called), called)
        if isinstance(holder, _LOOPS):
            return whole is not holder.iter
        return not isinstance(holder, (*_LOOKS, ast.Call, ast.IfExp))

    def _keep(self, target: ast.expr) -> bool:
        """Count a name as one more of the list; False if that is no name."""
        key = _key(target)
        if key:
            scope = _scope(target, self._ctx)
            self._names[key] = scope if self._names.get(key, scope) is scope else self._ctx.tree
        return bool(key)

    def _reads(self, key: str) -> Iterator[ast.expr]:
        for item in self._ctx.within(self._names[key], ast.expr):
            if not isinstance(item, (ast.Attribute, ast.Name)) or _key(item) != key:
                continue
            if isinstance(item.ctx, ast.Load) and not self._is_of_others(item):
                yield item

    def _is_changed(self) -> bool:
        """Whether anything but a constructor changes what one of the names holds."""
        ctx = self._ctx
        changes: list[ast.Attribute | ast.Subscript] = [
            item for item in ctx.nodes(ast.Attribute) if item.attr in MUTATORS and self._holds(item.value)
        ]
        changes += [
            item
            for item in ctx.nodes(ast.Subscript)
            if not isinstance(item.ctx, ast.Load) and (self._holds(item.value) or self._is_entry(item))
        ]
        return any(not _is_made(item, ctx) for item in changes if not self._is_of_others(item.value))

    def _holds(self, node: ast.expr) -> bool:
        """Whether it may be what is called so, its table of modules, or one of all the modules there are."""
        match node:
            case ast.BoolOp():
                return any(map(self._holds, node.values))
            case ast.IfExp():
                return self._holds(node.body) or self._holds(node.orelse)
            case ast.NamedExpr():
                return self._holds(node.value)
            case ast.Call():
                return any(own_name(item) in _WALKS for item in self._ctx.within(node, ast.Attribute))
            case ast.Attribute(attr="_modules"):
                return self._holds(node.value)
            case ast.Name() if _is_walked(node, self._ctx):
                return True
        return _key(node) in {*self._names, f".{self._name}"}

    def _is_entry(self, item: ast.Subscript) -> bool:
        """Whether it may be the entry of a name in a module's table: ``self._modules["layers"]``."""
        key = item.slice
        return own_name(item.value) == "_modules" and (
            not isinstance(key, ast.Constant) or key.value == self._name
        )

    def _is_of_others(self, node: ast.expr) -> bool:
        """Whether it is an attribute of ``self`` in a class that has nothing to do with that of the loop."""
        if not self._family or not _is_of_self(node):
            return False
        return self._ctx.cls(node) not in self._family


def _key(node: ast.expr) -> str:
    """What tells a name from others: that of an attribute begins with a dot."""
    return f".{node.attr}" if isinstance(node, ast.Attribute) else own_name(node)


def _scope(node: ast.expr, ctx: Context) -> ast.AST:
    """What holds all uses of a name: its function, if it is a local one, or the whole file."""
    function = ctx.function(node)
    is_local = isinstance(node, ast.Name) and is_bound_in_function(node.id, node, ctx)
    return function.node if is_local and function is not None else ctx.tree


def _is_of_self(node: ast.expr) -> bool:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return is_self(node)


def _is_walked(name: ast.Name, ctx: Context) -> bool:
    """Whether a name may stand for each module in turn: ``for child in self.children()``, ``apply(f)``."""
    function = ctx.function(name)
    holder = function.node if function is not None else ctx.tree
    loops: list[ast.For | ast.comprehension] = [
        *ctx.within(holder, ast.For),
        *ctx.within(holder, ast.comprehension),
    ]
    if any(
        own_name(item.func) in _WALKS and mentions(loop.target, (name.id,))
        for loop in loops
        for item in ast.walk(loop.iter)
        if isinstance(item, ast.Call)
    ):
        return True
    if function is None or name.id not in [item.arg for item in function.node.args.args]:
        return False
    given = [item for call in ctx.calls("apply") for item in call.args]
    return any(
        item is function.node or own_name(item) == function.qualname.rpartition(".")[2] for item in given
    )


def _is_made(node: ast.expr, ctx: Context) -> bool:
    """Whether a constructor does it to its own object: loops run when that is done."""
    return in_init(node, ctx) and _is_of_self(node)


def _is_bound_to_list(statement: ast.AST | None, ctx: Context) -> bool:
    if isinstance(statement, ast.AugAssign):
        return True  # what is there is extended
    bound = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    return isinstance(bound, ast.Call) and ctx.qualified_name(bound.func) in LISTS


def _own_names(cls: ClassFacts) -> Iterator[str]:
    """What the body of a class binds: a property instead of what the constructor made."""
    yield from cls.methods
    for statement in cls.node.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            yield from (item.id for item in names_in(target))
