"""Functions that are run by somebody whom they were handed to: tables, attributes of other objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.parameters import positional
from overhead_lint.project.given import instances
from overhead_lint.project.method_names import tells
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import INSTANCE, PARAMETER, is_outside
from overhead_lint.syntax.receivers import is_self_or_cls

if TYPE_CHECKING:
    from overhead_lint.project.file_calls import FileCalls

__all__ = [
    "assigned_attributes",
    "functions_in",
    "handed",
    "patches",
    "takes",
]

# Functions of Python that keep a function for something else than a step.
_KEEPERS: Final = frozenset({"add_argument", "add_parser", "set_defaults", "Thread", "Process", "field"})


# Classes of expressions that may be functions, and are asked for by exact class: of all arguments of a file.
_MAY_BE_FUNCTIONS: Final = frozenset({ast.Attribute, ast.Call, ast.Lambda, ast.Name})


def patches(facts: FileCalls) -> tuple[tuple[str, str], ...]:
    """Attributes and parameters that functions are put in, with the paths of these."""
    found: dict[tuple[str, str], None] = {}
    for attribute, value in assigned_attributes(facts):
        if is_self_or_cls(attribute.value):
            continue  # `Paths` follows those
        for path in functions_in(value, facts):
            found[attribute.attr, path] = None
    for call in facts.scan.of_class(ast.Call):
        for keyword in call.keywords if call.keywords and last_name(call.func) not in _KEEPERS else ():
            if keyword.arg is not None and tells(keyword.arg):
                for path in _handed(keyword.value, facts):
                    found[PARAMETER + keyword.arg, path] = None
    return tuple(found)


def _handed(value: ast.expr, facts: FileCalls) -> Iterator[str]:
    """Paths of the functions that an argument is, or that a function of the project made before."""
    yield from facts.paths.functions(value)
    for path in facts.paths.alternatives(value):
        maker = path.removesuffix(INSTANCE)
        if maker != path and "(" not in maker and not maker[maker.rfind(".") + 1 :][:1].isupper():
            yield path


def handed(facts: FileCalls) -> tuple[tuple[str, str, str], ...]:
    """What calls are handed, functions and instances: path of the callee, place or keyword, path of it."""
    found: dict[tuple[str, str, str], None] = {}
    for call in facts.scan.of_class(ast.Call):
        given: list[tuple[str, ast.expr]] = []
        for place, value in enumerate(call.args):
            if value.__class__ in _MAY_BE_FUNCTIONS:
                given.append((str(place), value))
            elif value.__class__ is ast.Starred:
                break
        else:
            for keyword in call.keywords:
                if keyword.arg is not None and keyword.value.__class__ in _MAY_BE_FUNCTIONS:
                    given.append((keyword.arg, keyword.value))
        callee = facts.paths.of(call.func) if given else None
        if callee is None or is_outside(callee):
            continue
        is_run_here = _is_run_at_once(call, facts)
        for name, value in given:
            functions = () if is_run_here else _handed(value, facts)
            for path in (*functions, *instances(value, facts)):
                found[callee, name, path] = None
    return tuple(found)


def _is_run_at_once(call: ast.Call, facts: FileCalls) -> bool:
    """Whether what a call gives is called where it is given: ``without_autocast(score)(batch)``.

    So what it was handed runs there, and not wherever a function that the callee makes is called.
    """
    parent = facts.scan.parents.get(call)
    return isinstance(parent, ast.Call) and parent.func is call


def takes(function: ast.AST) -> tuple[str, ...]:
    """Names of the parameters of a function by place, that of an instance left out; then all others."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    given = function.args
    names = [argument.arg for argument in positional(given)]
    named = [argument.arg for argument in given.kwonlyargs] if given.vararg is None else []
    return (*(names[1:] if names[:1] in (["self"], ["cls"]) else names), *named)


def assigned_attributes(facts: FileCalls) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Attributes that something is assigned to, and what it is."""
    for statement in facts.scan.of_class(ast.Assign):
        if isinstance(statement.value, (ast.Attribute, ast.Call, ast.Lambda, ast.Name)):
            for target in statement.targets:
                if target.__class__ is ast.Attribute:
                    yield target, statement.value


def functions_in(node: ast.expr, facts: FileCalls) -> Iterator[str]:
    """Paths of the functions that an expression stands for, or that are given in another form by a call."""
    found = facts.paths.functions(node)
    yield from found
    if not found and node.__class__ is ast.Call:
        for argument in node.args:
            if isinstance(argument, (ast.Attribute, ast.Lambda, ast.Name)):
                yield from facts.paths.functions(argument)
