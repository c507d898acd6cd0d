"""What an expression stands for, as a path that the project graph can follow into other files.

Only names, attributes, calls and items are followed; anything else has no path.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.effects.lookup import compilers
from overhead_lint.analysis.vocabulary import EXPORT_FLAGS
from overhead_lint.analysis.words import words
from overhead_lint.api.torch_calls import CONTAINERS, FLUENT
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import (
    ANY_INSTANCE,
    BUILTINS,
    INSTANCE,
    ITEM,
    MANY,
    STARRED,
    SUPER,
    is_outside,
)
from overhead_lint.project.remote_calls import REMOTE, given_remotely, run_remotely
from overhead_lint.project.wrapping_calls import WRAPPERS

if TYPE_CHECKING:
    from overhead_lint.project.file_bindings import FileBindings

__all__ = [
    "Paths",
]


# Calls that give back the module, or function, that they are called with.
_WRAPPERS: Final = WRAPPERS | {"partial"}
_PASSING: Final = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "tqdm", "tuple", "zip"})
_SEQUENCES: Final = frozenset({"Iterable", "Iterator", "List", "Sequence", "Set", "list", "set"})
_MAPPINGS: Final = frozenset({"Dict", "Mapping", "dict"})
# How many bindings are followed before giving up; they may well go round in cycles.
_DEEPEST: Final = 8
_MOST_BINDINGS: Final = 8

_LONGEST: Final = 160
# Of what nobody has asked for yet; what has been asked for may have no path.
_NOT_ASKED: Final[str | None] = "?"


class Paths:
    """Paths of the expressions of one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileBindings) -> None:
        self._facts = facts
        self._known: dict[ast.AST, str | None] = {}
        self._busy: set[ast.AST] = set()

    def of(self, node: ast.expr, depth: int = 0) -> str | None:
        """The path of an expression; None if it has none."""
        known = self._known.get(node, _NOT_ASKED)
        if known is not _NOT_ASKED:
            return known
        follow = _FOLLOW.get(node.__class__)
        if follow is None or depth > _DEEPEST or node in self._busy:
            return None
        self._busy.add(node)
        found: str | None = follow(self, node, depth)
        self._busy.discard(node)
        if found is not None and len(found) > _LONGEST:
            found = None
        if found is not None or depth == 0:
            self._known[node] = found
        return found

    def alternatives(self, node: ast.expr, depth: int = 0) -> dict[str, ast.expr]:
        """All that an expression may stand for by the branches of a choice, what `of` says first.

        Returns:
            By the path of each what gives it, in a branch of a choice.
        """
        first = self.of(node, depth)
        found: dict[str, ast.expr] = {first: node} if first is not None and not is_outside(first) else {}
        parts = _PARTS.get(node.__class__)
        if parts is None or depth > _DEEPEST or node in self._busy:
            return found
        self._busy.add(node)
        for part, step in parts(self, node):
            for path, gives in self.alternatives(part, depth + 1).items():
                found.setdefault(path + step, gives)
        self._busy.discard(node)
        if len(found) > _MOST_BINDINGS:
            return dict([*found.items()][:_MOST_BINDINGS])
        return found

    def _choices(self, node: ast.Name) -> Iterator[tuple[ast.expr, str]]:
        """What the bindings of a name give it."""
        found = self._facts.scan.lookup(node.id, node)
        for binding in found[1] if found is not None and len(found[1]) <= _MOST_BINDINGS else ():
            value = self._facts.values.assigned(binding)
            if value is not None:
                yield value, ""

    def _made(self, node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
        """What a call makes, holds or hands back: ``(A if small else B)()``, ``ModuleList([A(), B()])``."""
        function, name = node.func, last_name(node.func)
        if function.__class__ is ast.Attribute and name in FLUENT:
            yield function.value, ""
        elif name in CONTAINERS:
            for held in node.args:
                yield held, "" if isinstance(held, (ast.Dict, ast.List, ast.Tuple)) else MANY
        elif isinstance(function, (ast.IfExp, ast.Name)):
            yield function, INSTANCE

    def _branches(self, node: ast.IfExp) -> Iterator[tuple[ast.expr, str]]:
        """Both sides of a choice, but where one is for what is exported."""
        if not EXPORT_FLAGS & set(words(last_name(node.test))):
            yield node.body, ""
            yield node.orelse, ""

    def certain(self, node: ast.expr) -> str | None:
        """The path of an expression, if it begins with a name that stands for one thing only."""
        root: ast.AST = node
        while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript, ast.Await)):
            root = root.func if isinstance(root, ast.Call) else root.value
        if root.__class__ is not ast.Name:
            return None
        found = self._facts.scan.lookup(root.id, root)
        if found is not None and len(found[1]) > 1 and self._facts.names.qualified(root) is None:
            return None
        return self.of(node)

    def function(self, node: ast.Lambda) -> str:
        """The path of a function without a name."""
        return self._facts.definitions.identity(node)

    def _name(self, node: ast.Name, depth: int) -> str | None:
        facts = self._facts
        qualified = facts.names.qualified(node)
        if qualified is not None:
            return qualified
        if node.id in {"self", "cls"}:
            cls = facts.class_of(node)
            if cls is not None:
                return f".{cls.qualname}{ANY_INSTANCE if node.id == 'self' else ''}"
        found = facts.scan.lookup(node.id, node)
        if found is None:
            return f"{STARRED}{node.id}" if self.stars and node.id not in BUILTINS else None
        if len(found[1]) > _MOST_BINDINGS:
            return None
        for binding in found[1]:
            path = self._bound(binding, depth)
            if path is not None:
                return path
        return None

    def _bound(self, binding: ast.AST, depth: int) -> str | None:
        """The path of what a binding gives its name."""
        if binding.__class__ is ast.arg:
            return self.annotated(binding.annotation)
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return self._facts.definitions.identity(binding)  # `run = quiet(run)` may follow
        value = self._facts.values.assigned(binding)
        if value is not None:
            return self.of(value, depth + 1)
        parents = self._facts.scan.parents
        target, holder = binding, parents.get(binding)
        if holder.__class__ is ast.AnnAssign:
            return self.annotated(holder.annotation)
        if holder.__class__ is ast.withitem:
            return self.of(holder.context_expr, depth + 1)
        while holder.__class__ is ast.Tuple:
            target, holder = holder, parents.get(holder)
        if isinstance(holder, (ast.For, ast.AsyncFor, ast.comprehension)) and holder.target is target:
            return self._item(holder.iter, depth + 1)
        return None

    def _attribute(self, node: ast.Attribute, depth: int) -> str | None:
        qualified = self._facts.names.qualified(node)
        if qualified is not None and (node.attr != REMOTE or is_outside(qualified)):
            return qualified
        if node.value.__class__ is ast.Call and last_name(node.value.func) == "super":
            cls = self._facts.class_of(node)
            return f"{SUPER}.{cls.qualname}.{node.attr}" if cls is not None else None
        if node.attr == REMOTE and last_name(node.value) not in {"self", "cls"}:
            return self.of(run_remotely(node), depth + 1)
        path = self.of(node.value, depth + 1)
        if path is not None and node.value.__class__ is ast.Name and node.value.id == "cls":
            path = path.removesuffix(ANY_INSTANCE) + ANY_INSTANCE  # or what a derived class has instead
        return f"{path}.{node.attr}" if path is not None and not is_outside(path) else None

    def _call(self, node: ast.Call, depth: int) -> str | None:
        name = last_name(node.func)
        if node.func.__class__ is ast.Call and last_name(node.func.func) == "wraps" and node.args:
            return self.of(node.args[0], depth + 1)  # functools.wraps(function)(wrapper)
        remote = given_remotely(node, self._facts.names)
        if remote is not None:
            return self.of(remote, depth + 1)
        if node.args and (name in _WRAPPERS or name in CONTAINERS or name in _PASSING):
            path = self._wrapped(node, name, depth)
            if path is not None:
                return path
        if node.func.__class__ is ast.Attribute and name in FLUENT:
            return self.of(node.func.value, depth + 1)
        path = self.of(node.func, depth + 1)
        return path + INSTANCE if path is not None else None

    def _wrapped(self, node: ast.Call, name: str, depth: int) -> str | None:
        """The path of what a call hands back from its arguments."""
        first = node.args[0]
        if name in CONTAINERS:
            inner = first.value if first.__class__ is ast.Starred else first
            path = self.of(inner, depth + 1)
            if path is None or path.endswith(MANY):
                return path
            return path + MANY if first.__class__ is not ast.Starred else path
        if name in _PASSING:
            return self.of(first, depth + 1)
        if name == "compile" and self._facts.names.qualified(node.func) not in compilers():
            return None
        return self.of(first, depth + 1)

    def _item(self, node: ast.expr, depth: int) -> str | None:
        """The path of an item of an expression."""
        path = self.of(node, depth + 1)
        if path is None:
            return None
        return path.removesuffix(MANY) if path.endswith(MANY) else path + ITEM

    def _subscript(self, node: ast.Subscript, depth: int) -> str | None:
        if node.slice.__class__ is ast.Slice:
            return self.of(node.value, depth + 1)
        return self._item(node.value, depth)

    def _sequence(self, node: ast.List | ast.Tuple, depth: int) -> str | None:
        path = self.of(node.elts[0], depth + 1) if node.elts else None
        return path + MANY if path is not None else None

    def _mapping(self, node: ast.Dict, depth: int) -> str | None:
        path = self.of(node.values[0], depth + 1) if node.values else None
        return path + MANY if path is not None else None

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, depth: int) -> str | None:
        spread = node.elt.__class__ is ast.Starred  # ``[*row for row in rows]``, from Python 3.15 on
        path = self._item(node.elt, depth) if spread else self.of(node.elt, depth + 1)
        return path + MANY if path is not None else None

    def _either(self, node: ast.IfExp, depth: int) -> str | None:
        test, usual = node.test, [node.body, node.orelse]
        while test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
            test, usual = test.operand, usual[::-1]
        if EXPORT_FLAGS & set(words(last_name(test))):
            return self.of(usual[1], depth + 1)  # what stands in for it is exported
        return self.of(node.body, depth + 1) or self.of(node.orelse, depth + 1)

    def _any(self, node: ast.BoolOp, depth: int) -> str | None:
        for value in node.values:
            path = self.of(value, depth + 1)
            if path:
                return path
        return None

    def annotated(self, annotation: ast.expr | None) -> str | None:
        """The path of what an annotation promises."""
        if annotation is None:
            return None
        if isinstance(annotation, ast.Constant):
            return self._quoted(annotation.value) if isinstance(annotation.value, str) else None
        if annotation.__class__ is ast.BinOp:  # X | None
            return self.annotated(annotation.left) or self.annotated(annotation.right)
        if annotation.__class__ is ast.Subscript:
            name, inner = last_name(annotation.value), annotation.slice
            members = inner.elts if inner.__class__ is ast.Tuple else [inner]
            if name in {"Optional", "Union", "Annotated", "Final"}:
                return next(filter(None, map(self.annotated, members)), None)
            if name in _SEQUENCES or name in _MAPPINGS:
                path = self.annotated(members[-1])
                return path + MANY if path is not None else None
            annotation = annotation.value
        qualified = self._facts.names.qualified(annotation)
        if qualified is None or is_outside(qualified):
            return None
        return qualified + ANY_INSTANCE

    def _quoted(self, text: str) -> str | None:
        """The path of an annotation in quotes, for a plain name."""
        name = text.strip().removesuffix(" | None").removeprefix("Optional[").removesuffix("]")
        found = self.module_names.get(name)
        return found + ANY_INSTANCE if found is not None and not is_outside(found) else None

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """Modules whose names the file imports with a star."""
        return tuple(
            self._facts.names.absolute(statement)
            for statement in self._facts.scan.by_class.get(ast.ImportFrom, ())
            if statement.__class__ is ast.ImportFrom and any(alias.name == "*" for alias in statement.names)
        )

    @cached_property
    def module_names(self) -> dict[str, str]:
        """What plain names of the file's top level stand for: imports and definitions."""
        names, scan = self._facts.names, self._facts.scan
        found: dict[str, str] = {}
        for name, bindings in scan.scopes[scan.tree].names.items():
            path = names.stands_for(bindings)
            if path is not None:
                found[name] = path
        return found


_PARTS: Final[dict[type, Callable[[Paths, Any], Iterable[tuple[ast.expr, str]]]]] = {
    ast.BoolOp: lambda paths, node: [(value, "") for value in node.values],
    ast.Call: Paths._made,
    ast.Dict: lambda paths, node: [(value, MANY) for value in node.values],
    ast.IfExp: Paths._branches,
    ast.List: lambda paths, node: [(value, MANY) for value in node.elts],
    ast.Name: Paths._choices,
    ast.Tuple: lambda paths, node: [(value, MANY) for value in node.elts],
}
"""The parts of expressions that may be what these stand for, and the step that leads from one to it."""

_FOLLOW: Final[dict[type, Callable[[Paths, Any, int], str | None]]] = {
    ast.Attribute: Paths._attribute,
    ast.Await: lambda paths, node, depth: paths.of(node.value, depth + 1),
    ast.BoolOp: Paths._any,
    ast.Call: Paths._call,
    ast.Dict: Paths._mapping,
    ast.GeneratorExp: Paths._comprehension,
    ast.IfExp: Paths._either,
    ast.Lambda: lambda paths, node, _: paths.function(node),
    ast.List: Paths._sequence,
    ast.ListComp: Paths._comprehension,
    ast.Name: Paths._name,
    ast.NamedExpr: lambda paths, node, depth: paths.of(node.value, depth + 1),
    ast.Starred: lambda paths, node, depth: paths.of(node.value, depth + 1),
    ast.Subscript: Paths._subscript,
    ast.Tuple: Paths._sequence,
}
