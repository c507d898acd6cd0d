"""Decorators that keep what a method gave, and have it run once an object."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.project.conditions import is_none
from overhead_lint.project.gated_blocks import all_nodes
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["memoizes"]


def memoizes(decorator: ast.expr, facts: FileSyntax) -> bool:
    """Whether a decorator of the file has what it decorates run once an object, which keeps what it gave.

    What stands in for the function leaves at once with what ``getattr(self, key)`` gives, where that is
    there, and else calls ``setattr(self, key, ...)``.
    """
    called = decorator.func if decorator.__class__ is ast.Call else decorator
    if called.__class__ is not ast.Name or "setattr" not in facts.call_index.by_name:
        return False
    found = facts.scan.lookup(called.id, called)
    maker = found[1][0] if found is not None and len(found[1]) == 1 else None
    return maker.__class__ is ast.FunctionDef and any(
        inner is not maker and _keeps_result(inner) for inner in facts.scan.within(maker, ast.FunctionDef)
    )


def _keeps_result(wrapper: ast.FunctionDef) -> bool:
    """Whether a function gives what an attribute holds if that is there, and else sets it."""
    read: dict[str, list[str]] = {}
    for at, statement in enumerate(wrapper.body):
        if statement.__class__ is ast.Assign and statement.targets[0].__class__ is ast.Name:
            value = statement.value
            if value.__class__ is ast.Call and last_name(value.func) == "getattr":
                read[statement.targets[0].id] = [ast.dump(one) for one in value.args[:2]]
        elif statement.__class__ is ast.If and not statement.orelse and len(statement.body) == 1:
            given = statement.body[0].value if statement.body[0].__class__ is ast.Return else None
            if given.__class__ is ast.Name and given.id in read and _is_asked_for(given.id, statement.test):
                return any(
                    node.__class__ is ast.Call
                    and last_name(node.func) == "setattr"
                    and [ast.dump(one) for one in node.args[:2]] == read[given.id]
                    for node in all_nodes(wrapper.body[at + 1 :])
                )
    return False


def _is_asked_for(name: str, test: ast.expr) -> bool:
    """Whether a test is true where something is there: ``x is not None``, ``exists(x)``, ``x``."""
    if test.__class__ is ast.Compare:
        there = test.ops[0].__class__ is ast.IsNot and len(test.ops) == 1 and is_none(test.comparators[0])
        return there and test.left.__class__ is ast.Name and test.left.id == name
    asked = test.args[0] if test.__class__ is ast.Call and len(test.args) == 1 else test
    return asked.__class__ is ast.Name and asked.id == name
