"""Which functions a call may run, as far as names, ``self`` and constructed instances tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.project.compiled import COMPILE
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Calls", "Edge"]

# Calls that give back the module they are called with, or on.
_WRAPPERS: Final = frozenset(
    {
        "DataParallel",
        "DistributedDataParallel",
        "DDP",
        "FSDP",
        "FullyShardedDataParallel",
        "compile",
        "prepare",
    }
    | {"script", "checkpoint_wrapper", "fully_shard"}
)
_FLUENT: Final = frozenset(
    {"bfloat16", "cpu", "cuda", "double", "eval", "float", "half", "requires_grad_", "to", "train"}
)
# How many bindings are followed before giving up; they may well go round in circles.
_DEEPEST: Final = 8
_CONTAINERS: Final = frozenset({"ModuleList", "ModuleDict", "Sequential"})


class Edge(NamedTuple):
    """A place from which a function may be run.

    Attributes:
        node: the place.
        target: qualified name of a function, class or method; local ones start with a dot.
        virtual: whether a subclass's override may run in its stead.
    """

    node: ast.expr
    target: str
    virtual: bool = False


class Calls:
    """Resolves calls within one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    @cached_property
    def definitions(self) -> dict[str, ast.AST]:
        """Functions and classes of the file by ``.qualname``; the last definition wins."""
        names = self._facts.names
        return {
            "." + names.qualname(node): node
            for node in self._facts.scan.scopes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        }

    @cached_property
    def _local_names(self) -> frozenset[str]:
        """Plain names of the file's functions, classes and methods: anything else cannot resolve."""
        return frozenset(name.rpartition(".")[2] for name in self.definitions)

    @cached_property
    def _properties(self) -> frozenset[str]:
        return frozenset(
            node.name
            for node in self._facts.scan.scopes
            if isinstance(node, ast.FunctionDef)
            and any(last_name(d) in {"property", "cached_property"} for d in node.decorator_list)
        )

    def edges(self) -> Iterator[Edge]:
        """All places of the file from which one of its functions may be run."""
        by_class = self._facts.scan.by_class
        for call in by_class.get(ast.Call, ()):
            assert isinstance(call, ast.Call)
            yield from self._called(call)
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                named = isinstance(argument, (ast.Name, ast.Attribute))
                if named and last_name(argument) in self._local_names:
                    yield from self._reference(argument, function_only=True)
        if self._properties:
            for node in by_class.get(ast.Attribute, ()):
                assert isinstance(node, ast.Attribute)
                if node.attr in self._properties and isinstance(node.ctx, ast.Load):
                    yield from self._reference(node, function_only=False)
        for node in by_class.get(ast.Lambda, ()):
            assert isinstance(node, ast.Lambda)
            yield Edge(node, self.identity(node))

    def identity(self, node: ast.AST) -> str:
        """The name that edges call a function of this file by."""
        name = "." + self._facts.names.qualname(node)
        return f"{name}@{node.lineno}:{node.col_offset}" if isinstance(node, ast.Lambda) else name

    def functions_named(self, node: ast.expr) -> list[ast.AST]:
        """The functions of this file that an expression stands for."""
        if isinstance(node, ast.Lambda):
            return [node]
        if isinstance(node, ast.Call):  # functools.partial(f, ...)
            return self.functions_named(node.args[0]) if node.args else []
        found = [self.definitions.get(edge.target) for edge in self._reference(node, function_only=True)]
        return [function for function in found if isinstance(function, FUNCTIONS)]

    def _called(self, call: ast.Call) -> Iterator[Edge]:
        """What calling ``call.func`` runs."""
        function = call.func
        name = last_name(function)
        if name in self._local_names and not isinstance(function, (ast.Call, ast.Subscript)):
            found = list(self._reference(function, function_only=False))
            if found:
                yield from found
                return
        if isinstance(function, ast.Attribute) and name not in self._local_names and name != "forward":
            instance = self.instance_of(function)
        elif isinstance(function, ast.Attribute):
            holder = self.instance_of(function.value)
            if holder is not None:
                yield Edge(call, f"{holder}.{name}")
            return
        else:
            instance = self.instance_of(function)
        if instance is not None:
            yield Edge(call, f"{instance}.__call__")

    def _reference(self, node: ast.expr, *, function_only: bool) -> Iterator[Edge]:
        """What a name or attribute stands for, if it is a function of the project."""
        name = self._facts.names.qualified(node)
        if name is not None:
            if not function_only or isinstance(self.definitions.get(name), FUNCTIONS):
                yield Edge(node, name)
            return
        if not isinstance(node, ast.Attribute):
            if isinstance(node, ast.Name):
                value = self._facts.value(node)
                if isinstance(value, ast.Lambda):
                    yield Edge(node, self.identity(value))
            return
        cls = self._facts.class_of(node)
        if cls is None:
            return
        if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
            if node.attr in self._local_names:
                yield Edge(node, f".{cls.qualname}.{node.attr}", virtual=True)
        elif isinstance(node.value, ast.Call) and last_name(node.value.func) == "super":
            for base in cls.bases:
                yield Edge(node, f"{base}.{node.attr}")

    def instance_of(self, node: ast.expr, depth: int = 0) -> str | None:
        """Qualified name of the class that an expression is an instance of; None if unknown."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Call):
            return self._made_by(node, depth)
        if isinstance(node, ast.Name) and node.id == "self":
            cls = self._facts.class_of(node)
            return "." + cls.qualname if cls is not None else None
        if isinstance(node, ast.Subscript):
            return self.element_of(node.value, depth + 1)
        if isinstance(node, ast.Name):
            iterated = self._iterated(node)
            if iterated is not None:
                return self.element_of(iterated, depth + 1)
        if isinstance(node, ast.Attribute):
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
        if qualified is not None and isinstance(self.definitions.get(qualified), ast.ClassDef):
            return qualified
        if (name in _WRAPPERS or qualified in COMPILE) and call.args:
            return self.instance_of(call.args[0], depth + 1)
        if isinstance(call.func, ast.Attribute) and name in _FLUENT:
            return self.instance_of(call.func.value, depth + 1)
        if qualified is not None and name[:1].isupper() and name not in _CONTAINERS:
            return qualified
        return None

    def element_of(self, node: ast.expr, depth: int = 0) -> str | None:
        """Qualified name of the class of what a list, or a container of modules, holds."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            return self.instance_of(node.elts[0], depth + 1) if node.elts else None
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.instance_of(node.elt, depth + 1)
        if isinstance(node, ast.Subscript):  # a slice of it
            return self.element_of(node.value, depth + 1)
        if isinstance(node, ast.Call):
            if last_name(node.func) in _CONTAINERS | {"enumerate", "zip", "list", "reversed"} and node.args:
                argument = node.args[0]
                inner = argument.value if isinstance(argument, ast.Starred) else argument
                return self.element_of(inner, depth + 1)
            return None
        values = (
            self._facts.values.attribute(node)
            if isinstance(node, ast.Attribute)
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
        while isinstance(holder, ast.Tuple):
            target, holder = holder, parents.get(holder)
        if isinstance(holder, (ast.For, ast.AsyncFor, ast.comprehension)) and holder.target is target:
            return holder.iter
        return None
