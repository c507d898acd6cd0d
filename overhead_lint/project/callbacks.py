"""Functions that are run by somebody whom they were handed to: tables, attributes of other objects."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.project.conditions import is_none
from overhead_lint.project.method_names import tells
from overhead_lint.project.names import last_name
from overhead_lint.project.passed_instances import class_path, instance_path
from overhead_lint.project.path_syntax import INSTANCE, PARAMETER, is_outside
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.wrapping_calls import BINDERS
from overhead_lint.syntax.receivers import is_self_or_cls

if TYPE_CHECKING:
    from overhead_lint.project.file_calls import FileCalls

__all__ = [
    "assigned_attributes",
    "functions_in",
    "handed",
    "kept_function",
    "made_from_table",
    "patches",
    "tables",
    "takes",
]

_MOST_IN_TABLE: Final = 40
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
    if isinstance(value, (ast.Attribute, ast.Lambda, ast.Name)):
        yield from functions_in(value, facts)
    made = facts.value(value) if value.__class__ is ast.Name else value
    if made.__class__ is ast.Call:
        maker = facts.names.qualified(made.func)
        if maker is not None and not is_outside(maker) and not last_name(made.func)[:1].isupper():
            yield maker + INSTANCE


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
        for name, value in given:
            instance = instance_path(value, facts) or class_path(value, facts)
            for path in (*_handed(value, facts), *filter(None, [instance])):
                found[callee, name, path] = None
    return tuple(found)


def takes(function: ast.AST) -> tuple[str, ...]:
    """Names of the parameters of a function by place, that of an instance left out; then all others."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    given = function.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    named = [argument.arg for argument in given.kwonlyargs] if given.vararg is None else []
    return (*(names[1:] if names[:1] in (["self"], ["cls"]) else names), *named)


def assigned_attributes(facts: FileCalls) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Attributes that something is assigned to, and what it is."""
    for statement in facts.scan.of_class(ast.Assign):
        if isinstance(statement.value, (ast.Attribute, ast.Call, ast.Lambda, ast.Name)):
            for target in statement.targets:
                if target.__class__ is ast.Attribute:
                    yield target, statement.value


def tables(facts: FileCalls) -> Iterator[tuple[ast.expr, str]]:
    """Where tables of functions are read, with the paths of the functions in them."""
    by_name: dict[str, dict[str, None]] = defaultdict(dict)
    for statement_class in (ast.Assign, ast.AnnAssign):
        for statement in facts.scan.by_class.get(statement_class, ()):
            assert isinstance(statement, (ast.Assign, ast.AnnAssign))
            values = _held(statement.value)
            paths = [path for value in values for path in functions_in(value, facts)] if values else []
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if len(paths) > 1:
                for target in targets:
                    by_name[last_name(target)].update(dict.fromkeys(paths))
    for node_class in (ast.Attribute, ast.Name) if by_name else ():
        for node in facts.scan.by_class.get(node_class, ()):
            assert isinstance(node, (ast.Attribute, ast.Name))
            if node.ctx.__class__ is ast.Load:
                for path in by_name.get(last_name(node), ()):
                    yield node, path


def made_from_table(function: ast.Attribute | ast.Subscript, facts: FileCalls) -> Iterator[str]:
    """Paths of what is called: one of the classes that a table holds, or a method of its instance.

    ``solver = SOLVERS[name](size)``, and then ``solver.run()``.
    """
    if isinstance(function, ast.Subscript):
        yield from _classes_in(function.value, facts)
        return
    if not facts.call_index.takes_from_tables:
        return
    receiver = function.value
    made = facts.value(receiver) if isinstance(receiver, (ast.Attribute, ast.Name)) else receiver
    if made.__class__ is ast.Call and made.func.__class__ is ast.Subscript:
        for path in _classes_in(made.func.value, facts):
            yield f"{path}{INSTANCE}.{function.attr}"


def _classes_in(table: ast.expr, facts: FileCalls) -> Iterator[str]:
    """Paths of the classes that a table holds which is written in the file."""
    written = facts.value(table) if isinstance(table, (ast.Attribute, ast.Name)) else table
    for value in _held(written):
        if isinstance(value, (ast.Attribute, ast.Name)) and last_name(value)[:1].isupper():
            path = facts.paths.of(value)
            if path is not None and not is_outside(path):
                yield path


def _held(value: ast.expr | None) -> list[ast.expr]:
    """What a written table holds, if that may be functions."""
    held: list[ast.expr] = []
    if value.__class__ is ast.Dict:
        held = value.values
    elif isinstance(value, (ast.List, ast.Tuple)):
        held = value.elts
    named = all(isinstance(item, (ast.Attribute, ast.Lambda, ast.Name)) for item in held)
    return held if named and 1 < len(held) <= _MOST_IN_TABLE else []


def functions_in(node: ast.expr, facts: FileCalls) -> Iterator[str]:
    """Paths of the functions that an expression stands for, if it may be one that is handed over."""
    if node.__class__ is ast.Call and last_name(node.func) in BINDERS:
        if node.args:
            yield from functions_in(node.args[0], facts)
    elif isinstance(node, (ast.Call, ast.Lambda)):
        for function in facts.calls.functions_named(node):
            yield facts.definitions.identity(function)
    elif node.__class__ is ast.Attribute and facts.names.qualified(node) is None:
        # Most attributes are no functions: only those that classes of this file have as methods, or that
        # functions are kept in, are followed.
        path = facts.paths.of(node) if facts.definitions.is_method(node.attr) else kept_function(node, facts)
        if path is not None and not is_outside(path):
            yield path
    elif isinstance(node, (ast.Attribute, ast.Name)):
        yield from _named(node, facts)


def kept_function(node: ast.Attribute, facts: FileCalls) -> str | None:
    """The path of what an attribute of ``self`` is assigned by its name, if that may be a function."""
    if last_name(node.value) != "self":
        return None
    kept = [one for one in facts.values.attribute(node) if one is None or not is_none(one)]
    path = facts.names.qualified(kept[0]) if len(kept) == 1 and kept[0].__class__ is ast.Name else None
    if path is None or is_outside(path):
        return None
    known = facts.definitions.get(path)
    return path if isinstance(known, FUNCTIONS) or not path.startswith(".") else None


def _named(node: ast.Attribute | ast.Name, facts: FileCalls) -> Iterator[str]:
    path = facts.names.qualified(node)
    if path is None:
        value = facts.value(node)
        if value.__class__ is ast.Lambda:
            yield facts.definitions.identity(value)
    elif path.startswith("."):
        if isinstance(facts.definitions.get(path), FUNCTIONS):
            yield path
    elif not is_outside(path):
        yield path
