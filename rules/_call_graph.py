"""Who calls whom among the functions of one file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_own_attribute, is_self

from ._families import family
from ._names import mentions, own_name
from ._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["may_overlap", "surely_called"]

_CALLED = ("forward", "__call__")
_RUN_BY_MODULES = frozenset({*_CALLED, "_call_impl", "_wrapped_call_impl"})
_SETTERS = frozenset({"setattr", "object", "__setattr__"})
_BY_CALLS = frozenset({"__call__", "__init__", "__new__", "__init_subclass__"})


def surely_called(block: ast.AST, ctx: Context) -> Iterator[str]:
    """Functions that a block runs, itself or through others, as far as names and ``self.method`` tell."""
    graph = _graph(ctx)
    yield from graph.closure(block, graph.called)


def may_overlap(
    block: ast.AST, functions: Collection[str], ctx: Context, *, same_object: bool = False
) -> bool:
    """Whether one of some functions of the file may run while a block does.

    The block may run it, itself or through others, or let others run while it waits or has yielded. Whatever
    it names counts as run, and what is called without the file showing what it is may be any module that the
    file could have put there. Where the file puts another function in the place of a ``forward`` or
    ``__call__``, what any module runs is not known.

    Args:
        block: the statement.
        functions: qualified names.
        ctx: the file.
        same_object: whether it matters only if ``self`` is the same object there.
    """
    if any(True for _ in ctx.within(block, ast.Await, ast.Yield, ast.YieldFrom)):
        return True
    graph = _graph(ctx)
    if graph.replaces_calls:
        return True
    follow = graph.named_of_self if same_object else graph.named
    return any(name in functions for name in graph.closure(block, follow))


class _Graph:
    """The functions of a file, with what each of them calls or names."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._nodes = {item.qualname: item.node for item in ctx.functions()}
        self._by_name: dict[str, list[str]] = {}
        for item in ctx.functions():
            self._by_name.setdefault(item.qualname.rpartition(".")[2], []).append(item.qualname)
        self._classes = {item.qualname: item for item in ctx.classes()}
        self._unseen = [*self._special(), *self._hooks()]
        """What runs without a call that the file shows: special methods, and hooks."""
        self.replaces_calls = any(self._replaced())
        """Whether the file puts a function in the place of a ``forward`` or ``__call__``, of whatever."""

    def closure(self, block: ast.AST, follow: Callable[[ast.AST], Iterator[str]]) -> Iterator[str]:
        """All functions that are reached from a block by one kind of edges."""
        seen: set[str] = set()
        todo = list(follow(block))
        while todo:
            name = todo.pop()
            if name in self._nodes and name not in seen:
                seen.add(name)
                yield name
                todo.extend(follow(self._nodes[name]))

    def called(self, block: ast.AST) -> Iterator[str]:
        """What the calls in a block surely run."""
        for call in self._ctx.within(block, ast.Call):
            cls = self._ctx.cls(call)
            if cls is not None and is_self(call.func):
                yield f"{cls.qualname}.{'forward' if cls.is_module else '__call__'}"
            elif cls is not None and is_own_attribute(call.func):
                yield f"{cls.qualname}.{call.func.attr}"
            else:
                yield self._own(call.func)

    def named_of_self(self, block: ast.AST) -> Iterator[str]:
        """What a block may run of the object that it belongs to, or of none."""
        for item in self._loads(block):
            cls = self._ctx.cls(item)
            if isinstance(item, ast.Attribute):
                if item.attr in _CALLED:
                    yield from self._by_name.get(item.attr, ())
                elif cls is not None and (is_self(item.value) or _is_super(item.value)):
                    yield from self._methods(item.attr, cls)
            elif cls is not None and is_self(item):
                holder = self._ctx.parent(item)
                if not isinstance(holder, ast.Attribute):  # called, or given to who may call it
                    yield from (name for method in _CALLED for name in self._methods(method, cls))
            yield from self._named_function(item)

    def named(self, block: ast.AST) -> Iterator[str]:
        """What a block may run, of whatever object."""
        yield from self._unseen
        for item in self._loads(block):
            if isinstance(item, ast.Attribute):
                yield from self._by_name.get(item.attr, ())
        yield from self.named_of_self(block)
        for call in self._ctx.within(block, ast.Call):
            if not self._is_known(call.func):
                yield from self._of_unknown(call)

    def _loads(self, block: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
        for item in self._ctx.within(block, ast.expr):
            if isinstance(item, (ast.Name, ast.Attribute)) and isinstance(item.ctx, ast.Load):
                yield item

    def _named_function(self, item: ast.expr) -> Iterator[str]:
        name = self._own(item)
        yield name
        if name in self._classes:
            yield f"{name}.__init__"

    def _own(self, node: ast.expr) -> str:
        name = self._ctx.qualified_name(node)
        return name[1:] if name is not None and name.startswith(".") else ""

    def _methods(self, name: str, cls: ClassFacts) -> Iterator[str]:
        yield from (f"{one.qualname}.{name}" for one in family(cls, self._ctx) if name in one.methods)

    def _is_known(self, callee: ast.expr) -> bool:
        """Whether the file shows what is called: a function, a method, or what an outer class made."""
        if isinstance(callee, ast.Attribute) and not is_self(callee.value):
            return True  # a method: it counts by its name
        if self._ctx.qualified_name(callee) is not None or (
            isinstance(callee, ast.Name) and not self._ctx.is_bound(callee.id, callee)
        ):
            return True
        made = self._ctx.value(callee)
        name = self._ctx.qualified_name(made.func) if isinstance(made, ast.Call) else None
        return name is not None and not name.startswith(".")

    def _of_unknown(self, call: ast.Call) -> Iterator[str]:
        """The forwards of what may be called: made by the class around, or given to it."""
        cls = self._ctx.cls(call)
        if cls is None:
            classes = list(self._classes.values())
        elif self._is_element(call.func):
            classes = self._made_by(family(cls, self._ctx))
        else:
            classes = self._made_by(None)
        for one in classes:
            for method in _CALLED:
                yield from self._methods(method, one)

    def _is_element(self, callee: ast.expr) -> bool:
        """Whether it is an element of what ``self`` holds: ``self.layers[i]``, or what a loop runs over."""
        if isinstance(callee, ast.Subscript):
            return True
        if not isinstance(callee, ast.Name):
            return False
        loops = [item for item in self._ctx.loops(callee) if isinstance(item, (ast.For, ast.AsyncFor))]
        return any(mentions(loop.target, (callee.id,)) for loop in loops)

    def _made_by(self, makers: list[ClassFacts] | None) -> list[ClassFacts]:
        """The classes whose objects some classes make, and those make; None for the whole file."""
        found: list[ClassFacts] = []
        todo = list(makers or ())
        places: list[ast.AST] = [self._ctx.tree] if makers is None else [one.node for one in todo]
        for place in places:
            for item in self._ctx.within(place, ast.Name):
                made = self._classes.get(self._own(item))
                if made is None or made in found or not self._may_make(item):
                    continue
                found.append(made)
                places += [one.node for one in family(made, self._ctx) if one.node not in places]
        return found

    def _may_make(self, name: ast.Name) -> bool:
        """Whether a class is named to make something of it: not as a base, in an annotation or a test."""
        holder = self._ctx.parent(name)
        if isinstance(holder, ast.Call) and name is not holder.func:
            return own_name(holder.func) not in ("isinstance", "issubclass", "super")
        return not isinstance(holder, (ast.AnnAssign, ast.ClassDef, ast.FunctionDef, ast.arg))

    def _special(self) -> Iterator[str]:
        """Methods that operators, loops and contexts run: ``__matmul__``, ``__iter__``, ``__enter__``."""
        for name, found in self._by_name.items():
            if name.startswith("__") and name.endswith("__") and name not in _BY_CALLS:
                yield from found

    def _replaced(self) -> Iterator[bool]:
        """For places that bind attributes, whether one is what the call of a module runs."""
        for item in self._ctx.nodes(ast.Attribute):
            yield item.attr in _RUN_BY_MODULES and isinstance(item.ctx, ast.Store)
        for call in self._ctx.nodes(ast.Call):  # also of `patch.object` and `monkeypatch.setattr`
            names = call.args[1:2] if own_name(call.func) in _SETTERS else ()
            for name in names:
                yield isinstance(name, ast.Constant) and name.value in _RUN_BY_MODULES

    def _hooks(self) -> Iterator[str]:
        """Functions that are given to ``register_forward_hook`` and kin."""
        for call in self._ctx.nodes(ast.Call):
            called = own_name(call.func)
            if called.startswith("register_") and called.endswith("hook"):
                for item in call.args:
                    yield self._own(item)
                    yield from self._by_name.get(own_name(item), ())


@once
def _graph(ctx: Context) -> _Graph:
    return _Graph(ctx)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
