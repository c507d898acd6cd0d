"""The places of a file from which functions may be run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.analysis.words import words
from overhead_lint.project.callbacks import kept_function, made_from_table, tables
from overhead_lint.project.graph.traits import ITEMS
from overhead_lint.project.method_names import tells_its_method
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, PARAMETER, SPELLED, is_outside
from overhead_lint.project.remote_calls import REMOTE, run_remotely
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.via import VIA_CALL, VIA_METHOD, VIA_NAME, VIA_READ, VIA_ROLE, Via
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_calls import FileCalls

__all__ = ["Edge", "edges"]


_NAMED: Final = frozenset({ast.Attribute, ast.Name})


class Edge(NamedTuple):
    """A place from which a function may be run.

    Attributes:
        node: the place.
        target: the path of what is run, or for `Via.METHOD` a method's name.
        via: how it is run.
        chosen: what gives what is run, in a branch of a choice, or None: it runs where both are reached.
    """

    node: ast.expr
    target: str
    via: Via
    chosen: ast.expr | None = None


def edges(facts: FileCalls) -> Iterator[Edge]:
    """All places of a file from which a function of the project may be run."""
    paths, qualified = facts.paths, facts.names.qualified
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        path = paths.of(function)
        if path is not None:
            if not is_outside(path):
                yield Edge(call, path, VIA_CALL)
        elif function.__class__ is ast.Attribute:
            target = _method(function)
            if target is not None:
                yield Edge(call, target, VIA_METHOD)
        if qualified(function) is None:  # else an import, or one definition, says all that it may be
            yield from _others(call, path, facts)
        for argument in call.args:
            if argument.__class__ in _NAMED:
                path = _named(argument, facts)  # type: ignore[arg-type]
                if path is not None:
                    yield Edge(argument, path, VIA_NAME)
        for keyword in call.keywords:
            if keyword.value.__class__ in _NAMED:
                path = _named(keyword.value, facts)  # type: ignore[arg-type]
                if path is not None:
                    yield Edge(keyword.value, path, VIA_NAME)
    for called in facts.parameters_called:
        if isinstance(called.holder, FUNCTIONS):
            target = f"{PARAMETER}{called.name}@{facts.definitions.identity(called.holder)}"
            yield Edge(called.call, target, VIA_METHOD)
    for method in facts.methods_called:
        target = f"{PARAMETER}{method.name}.{method.method}@{facts.definitions.identity(method.holder)}"
        yield Edge(method.call, target, VIA_METHOD)
    for taken in facts.generators.taken():
        made = _made_by(taken.call.func, facts)
        if made is not None:
            yield Edge(taken.node, made[0] + ITEMS, made[1])
    yield from _entered(facts)
    for read, path in tables(facts):
        yield Edge(read, path, VIA_NAME)
    yield from _reads(facts)
    for node in facts.scan.of_class(ast.Lambda):
        yield Edge(node, facts.definitions.identity(node), VIA_CALL)


def _entered(facts: FileCalls) -> Iterator[Edge]:
    """What a ``with`` runs of the object that it enters and leaves."""
    for item in facts.scan.of_class(ast.withitem):
        path = facts.paths.of(item.context_expr)
        if path is not None and not is_outside(path) and (INSTANCE in path or ANY_INSTANCE in path):
            for method in ("__enter__", "__exit__"):
                yield Edge(item.context_expr, f"{path}.{method}", VIA_CALL)


def _others(call: ast.Call, path: str | None, facts: FileCalls) -> Iterator[Edge]:
    """What a call may run besides what its path leads to: out of tables, and by the branches of choices."""
    function = call.func
    if isinstance(function, (ast.Attribute, ast.Subscript)):
        for target in made_from_table(function, facts):
            if target != path:
                yield Edge(call, target, VIA_CALL)
    for target, chosen in _chosen(function, facts):
        if target != path:
            yield Edge(call, target, VIA_ROLE, chosen)
    if function.__class__ is ast.Name:
        for target in _definitions(function, facts):
            if target != path:
                yield Edge(call, target, VIA_CALL)


def _made_by(function: ast.expr, facts: FileCalls) -> tuple[str, Via] | None:
    """The path of what made what is gone over, and how it is found; None if it is surely no generator."""
    path = facts.paths.of(function)
    if path is not None:
        known = facts.definitions.get(path)
        if isinstance(known, FUNCTIONS) and not _may_give(known, facts):
            return None
        return None if is_outside(path) else (path, VIA_CALL)
    target = _method(function) if function.__class__ is ast.Attribute else None
    return (target, VIA_METHOD) if target is not None else None


def _may_give(function: ast.AST, facts: FileCalls) -> bool:
    """Whether a function of the file gives items, or returns what another function may have made so."""
    if function in facts.generators.functions or function.__class__ is ast.Lambda:
        return True
    return bool(facts.index.functions.get(facts.definitions.identity(function)))


def _method(function: ast.Attribute) -> str | None:
    """The target of a call of a method of something unknown, if its name or the object's tells which."""
    called = run_remotely(function) if function.attr == REMOTE else function
    if called.__class__ is not ast.Attribute:
        return None
    if tells_its_method(called.attr):
        return called.attr
    return f"{SPELLED}{last_name(called.value)}.{called.attr}" if _spells_a_class(called) else None


def _spells_a_class(function: ast.Attribute) -> bool:
    """Whether what a method is called on may have the name of its class: ``replay_buffer.sample()``."""
    receiver = last_name(function.value) if isinstance(function.value, (ast.Attribute, ast.Name)) else ""
    return len(words(receiver)) > 1 and function.attr not in COMMON_METHODS


def _chosen(function: ast.expr, facts: FileCalls) -> Iterator[tuple[str, ast.expr]]:
    """What a call may run by the branches of a choice, with what gives it there: no methods by their name."""
    receiver = function.value if function.__class__ is ast.Attribute else function
    if receiver.__class__ is ast.IfExp or (
        receiver.__class__ is ast.Name and receiver.id != "self" and facts.names.qualified(receiver) is None
    ):
        ending = f".{function.attr}" if function.__class__ is ast.Attribute else ""
        for path, gives in facts.paths.alternatives(receiver).items():
            if ending or gives.__class__ is not ast.Attribute:
                yield path + ending, gives


def _definitions(name: ast.Name, facts: FileCalls) -> Iterator[str]:
    """The functions that a name stands for which is bound more than once, as in the branches of a choice."""
    found = facts.scan.lookup(name.id, name)
    for binding in found[1] if found is not None and len(found[1]) > 1 else ():
        holder = facts.scan.parents.get(binding)
        if isinstance(binding, FUNCTIONS):
            yield facts.definitions.identity(binding)
        elif holder.__class__ is ast.Assign and isinstance(holder.value, (ast.Attribute, ast.Name)):
            path = _named(holder.value, facts)
            if path is not None and binding in holder.targets:
                yield path


def _named(argument: ast.Name | ast.Attribute, facts: FileCalls) -> str | None:
    """The path of an argument that may be a function."""
    if isinstance(argument, ast.Name):
        path = facts.names.qualified(argument)
        if path is None:
            if not facts.scan.of_class(ast.Lambda):
                return None
            value = facts.value(argument)
            return facts.definitions.identity(value) if value.__class__ is ast.Lambda else None
    elif last_name(argument.value) in {"self", "cls"} and facts.definitions.is_method(argument.attr):
        path = facts.paths.of(argument)
    else:
        path = facts.names.qualified(argument) or kept_function(argument, facts)
    return path if path is not None and not is_outside(path) else None


def _reads(facts: FileCalls) -> Iterator[Edge]:
    """Where properties are read: those of the file, and those of instances of others' classes."""
    heirs = {
        node
        for node, cls in facts.classes.items()
        if any(not is_outside(base) and not base.startswith(".") for base in cls.bases)
    }
    properties = facts.definitions.properties
    parents = facts.scan.parents
    assigned = facts.values.attributes
    for node in facts.scan.of_class(ast.Attribute):
        if node.ctx.__class__ is not ast.Load:
            continue
        known = node.attr in properties
        if not known:
            parent = parents.get(node)
            if node.value.__class__ is not ast.Name or (parent.__class__ is ast.Call and parent.func is node):
                continue
            if node.value.id == "self":
                cls = facts.class_of(node) if heirs else None
                if cls is None or cls.node not in heirs or (cls.node, node.attr) in assigned:
                    continue
            elif facts.names.qualified(node.value) is not None:
                continue
        path = facts.paths.of(node)
        if path is not None and not is_outside(path) and (INSTANCE in path or ANY_INSTANCE in path):
            yield Edge(node, path, VIA_READ)
