"""Calls of a module that are a whole generation or optimization, or a data set's: not one step of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.placement.trainings import optimizes
from overhead_lint.analysis.vocabulary import LOADERS, WITHOUT_GRADIENTS
from overhead_lint.analysis.words import words
from overhead_lint.api.whole_generations import is_generation, takes_length
from overhead_lint.project.names import last_name
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.file_calls import FileCalls

__all__ = [
    "always_called",
    "generates",
    "is_no_step",
    "whole_calls",
]

_CALLED: Final = frozenset({"forward", "__call__"})


def generates(node: ast.AST, facts: FileCalls) -> bool:
    """Whether a function has a model generate: ``self.model.generate(ids, max_new_tokens=n)``.

    That is told by what is given to it, and takes a step for each token. One that goes over batches gives
    each of them to the model, and is left to its loop; one that is named after a forward asks for one token.
    """
    return "forward" not in words(getattr(node, "name", "")) and any(
        facts.function_node(call) is node and is_generation(call) and not _is_for_batches(call, facts)
        for call in facts.call_index.by_name.get("generate", ())
    )


def _is_for_batches(call: ast.Call, facts: FileCalls) -> bool:
    """Whether a branch, or a loop over batches by its names, stands around a call."""
    child: ast.AST = call
    holder = facts.scan.parents.get(call)
    while holder is not None and not isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if holder.__class__ is ast.If and child is not holder.test:
            return True
        if isinstance(holder, (ast.For, ast.AsyncFor)):
            names = [holder.target, *(part for part in ast.walk(holder.iter) if isinstance(part, ast.expr))]
            said = {word for one in names for word in words(last_name(one))}
            if said & (LOADERS | {"batch", "batches"}):
                return True
        child, holder = holder, facts.scan.parents.get(holder)
    return False


def always_called(facts: FileCalls) -> Iterator[ast.Call]:
    """Methods that others call whenever they run, by name, and that record no gradients: they may generate.

    Either the one that calls says so, or the one of the same class that is called.
    """
    for cls in facts.classes.values():
        methods = [method for method in cls.node.body if method.__class__ is ast.FunctionDef]
        without = {method.name for method in methods if _records_nothing(method)}
        for method in methods:
            if method.name in without:
                yield from _each_time(method, facts)
            elif without and method.name in _CALLED:
                for call in _each_time(method, facts):
                    if last_name(call.func) in without and is_self(getattr(call.func, "value", call)):
                        yield call


def _each_time(method: ast.FunctionDef, facts: FileCalls) -> Iterator[ast.Call]:
    """The methods that each call of a method calls that no exception ends."""
    for call in facts.scan.within(method, ast.Call):
        if (
            isinstance(call, ast.Call)
            and call.func.__class__ is ast.Attribute
            and facts.function_node(call) is method
            and facts.flow.runs_always(call, method)
        ):
            yield call


def _records_nothing(method: ast.FunctionDef) -> bool:
    """Whether a decorator of a method turns gradients off."""
    return any(
        last_name(one.func if one.__class__ is ast.Call else one) in WITHOUT_GRADIENTS
        for one in method.decorator_list
    )


def whole_calls(facts: FileCalls) -> Iterator[str]:
    """Names in paths of what calling a class's instances runs, if that is a whole optimization."""
    for cls in facts.classes.values():
        for method in cls.node.body:
            if method.__class__ is ast.FunctionDef and method.name in _CALLED and is_no_step(method, facts):
                yield facts.definitions.identity(method)


def is_no_step(node: ast.AST, facts: FileCalls) -> bool:
    """Whether calling a module by its `forward` or `__call__` is no step of training or inference."""
    if isinstance(node, ast.FunctionDef) and takes_length(node):
        return True
    place = facts.flow.function(node) if {"backward", "step"} <= facts.call_index.by_name.keys() else None
    return place is not None and optimizes(facts.flow.names, place)
