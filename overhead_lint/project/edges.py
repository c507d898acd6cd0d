"""The places of a file from which functions may be run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import ITEMS
from overhead_lint.project.method_names import tells_its_method
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, PARAMETER, is_outside
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
        test: what a conditional expression asks that hands it over, and the answer for which it does; None
            where it is handed over whatever is asked.
    """

    node: ast.expr
    target: str
    via: Via
    chosen: ast.expr | None = None
    test: tuple[ast.expr, bool] | None = None


def edges(facts: FileCalls) -> Iterator[Edge]:
    """All places of a file from which a function of the project may be run."""
    paths = facts.paths
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        via = VIA_CALL
        for path, gives in paths.alternatives(function).items():
            yield Edge(call, path, via, gives if via is VIA_ROLE else None)
            via = VIA_ROLE
        if function.__class__ is ast.Attribute and paths.of(function) is None:
            target = _method(function)
            if target is not None:
                yield Edge(call, target, VIA_METHOD)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for part, test in _parts(argument):
                if part.__class__ in _NAMED:
                    for path in paths.functions(part):
                        yield Edge(part, path, VIA_NAME, test=test)
    for given in facts.calls_of_given:
        method = f".{given.method}" if given.method else ""
        target = f"{PARAMETER}{given.name}{method}@{facts.definitions.identity(given.holder)}"
        yield Edge(given.call, target, VIA_METHOD)
    yield from _taken(facts)
    yield from _entered(facts)
    yield from _reads(facts)
    for node in facts.scan.of_class(ast.Lambda):
        yield Edge(node, facts.definitions.identity(node), VIA_CALL)


def _parts(argument: ast.expr) -> Iterator[tuple[ast.expr, tuple[ast.expr, bool] | None]]:
    """Yield what an argument may be, each with what is asked for that, and the answer."""
    if isinstance(argument, ast.IfExp):
        yield argument.body, (argument.test, True)
        yield argument.orelse, (argument.test, False)
    else:
        yield argument, None


def _entered(facts: FileCalls) -> Iterator[Edge]:
    """What a ``with`` runs of the object that it enters and leaves."""
    for item in facts.scan.of_class(ast.withitem):
        path = facts.paths.of(item.context_expr)
        if path is not None and not is_outside(path) and (INSTANCE in path or ANY_INSTANCE in path):
            for method in ("__enter__", "__exit__"):
                yield Edge(item.context_expr, f"{path}.{method}", VIA_CALL)


def _taken(facts: FileCalls) -> Iterator[Edge]:
    """Where items are taken of what a call may have made as a generator."""
    for node, given in facts.generators.taken():
        for path in facts.paths.held(given):
            maker = path.removesuffix(INSTANCE)
            known = facts.definitions.get(maker)
            if maker != path and (not isinstance(known, FUNCTIONS) or _may_give(known, facts)):
                yield Edge(node, maker + ITEMS, VIA_CALL)
        call = facts.paths.made_by(given)
        if call is not None and call.func.__class__ is ast.Attribute and facts.paths.of(call.func) is None:
            target = _method(call.func)
            if target is not None:
                yield Edge(node, target + ITEMS, VIA_METHOD)


def _may_give(function: ast.AST, facts: FileCalls) -> bool:
    """Whether a function of the file gives items, or returns what another function may have made so."""
    if function in facts.generators.functions or function.__class__ is ast.Lambda:
        return True
    return bool(facts.index.functions.get(facts.definitions.identity(function)))


def _method(function: ast.Attribute) -> str | None:
    """The target of a call of a method of something unknown, if its name tells which."""
    called = run_remotely(function) if function.attr == REMOTE else function
    return called.attr if called.__class__ is ast.Attribute and tells_its_method(called.attr) else None


def _reads(facts: FileCalls) -> Iterator[Edge]:
    """Where properties are read: those of the file, and those of instances of others' classes."""
    heirs = {
        node
        for node, cls in facts.classes.items()
        if any(not is_outside(base) and not base.startswith(".") for base in cls.bases)
    }
    properties = facts.definitions.properties
    parents = facts.scan.parents
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
                if cls is None or cls.node not in heirs or node.attr in facts.paths.stored(cls.node):
                    continue
            elif facts.names.qualified(node.value) is not None:
                continue
        path = facts.paths.of(node)
        if path is not None and not is_outside(path) and (INSTANCE in path or ANY_INSTANCE in path):
            yield Edge(node, path, VIA_READ)
