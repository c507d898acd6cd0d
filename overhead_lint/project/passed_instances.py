"""What calls hand to functions: instances, and what functions call of what they are handed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.method_names import COMMON_METHODS
from overhead_lint.project.names import last_name
from overhead_lint.project.path_syntax import INSTANCE, is_outside
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.syntax.receivers import is_self
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_paths import FilePaths

__all__ = [
    "CalledMethod",
    "CalledParameter",
    "class_path",
    "instance_path",
    "methods_called",
    "parameters_called",
]


class CalledParameter(NamedTuple):
    """A call of what a function was handed.

    Attributes:
        call: the call.
        name: the parameter.
        holder: the function that has it.
    """

    call: ast.Call
    name: str
    holder: ast.AST


class CalledMethod(NamedTuple):
    """A call of a method of what a function was handed.

    Attributes:
        call: the call.
        name: the parameter.
        method: the method's name.
        holder: the function that has the parameter.
    """

    call: ast.Call
    name: str
    method: str
    holder: ast.AST


def instance_path(value: ast.expr, facts: FilePaths) -> str | None:
    """The path of an argument that is an instance of a class of the project, as far as its file shows."""
    if is_self(value):
        return facts.paths.of(value)
    made: ast.expr | None = value
    if value.__class__ is ast.Name or (value.__class__ is ast.Attribute and last_name(value.value) == "self"):
        made = facts.value(value)
    path = facts.paths.of(made) if made.__class__ is ast.Call else None
    if path is None or is_outside(path) or not path.endswith(INSTANCE):
        return None
    cls = path.removesuffix(INSTANCE).rpartition(".")[2]
    return path if cls[:1].isupper() else None


def class_path(value: ast.expr, facts: FilePaths) -> str | None:
    """The path of the instances of a class of the project that an argument is: ``solve(x, Newton)``."""
    if not isinstance(value, (ast.Attribute, ast.Name)) or not last_name(value)[:1].isupper():
        return None
    path = facts.names.qualified(value)
    if path is None or is_outside(path) or not path.rpartition(".")[2][:1].isupper():
        return None
    if path.startswith(".") and not isinstance(facts.definitions.get(path), ast.ClassDef):
        return None
    return None if path.rpartition(".")[2].isupper() else path + INSTANCE


def parameters_called(facts: FilePaths) -> Iterator[CalledParameter]:
    """Calls of parameters, and of attributes of ``self`` that parameters are kept in."""
    qualified = facts.names.qualified
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        if qualified(function) is not None:
            continue  # of an import or a definition
        given: ast.expr | None = function if function.__class__ is ast.Name else None
        if function.__class__ is ast.Attribute and last_name(function.value) == "self":
            given = facts.value(function)
        if given.__class__ is ast.Name:
            found = facts.scan.lookup(given.id, given)
            if found is not None and found[1] and all(binding.__class__ is ast.arg for binding in found[1]):
                parents = facts.scan.parents
                yield CalledParameter(call, given.id, parents[parents[found[1][0]]])


def methods_called(facts: FilePaths) -> Iterator[CalledMethod]:
    """Calls of methods of parameters that say nothing of their class, and of attributes that keep such.

    ``model.loss(batch)``, or ``self.model.loss(batch)`` where a constructor was given the model; also of what
    a class makes that is a parameter: ``solver = method(x)``, and then ``solver.solve()``.
    """
    parents, qualified = facts.scan.parents, facts.names.qualified
    for call in facts.scan.of_class(ast.Call):
        function = call.func
        if function.__class__ is not ast.Attribute or function.attr in COMMON_METHODS:
            continue
        if qualified(function) is not None:
            continue  # of an import or a definition
        owner: ast.expr | None = function.value
        if owner.__class__ is ast.Attribute and last_name(owner.value) == "self":
            owner = facts.value(owner)
        owner = _class_of(owner, facts) or owner
        argument = _parameter(owner, facts) if owner.__class__ is ast.Name else None
        if argument is not None:
            yield CalledMethod(call, argument.arg, function.attr, parents[parents[argument]])


def _class_of(owner: ast.expr | None, facts: FilePaths) -> ast.Name | None:
    """The parameter that is called for an object, or for a name at one of the places that bind it."""
    values = [owner]
    if owner.__class__ is ast.Name:
        found = facts.scan.lookup(owner.id, owner)
        values = [facts.values.assigned(one) for one in found[1]] if found is not None else []
    for value in values:
        called = value.func if value.__class__ is ast.Call else None
        if called.__class__ is ast.Name and _parameter(called, facts) is not None:
            return called
    return None


def _parameter(name: ast.Name, facts: FilePaths) -> ast.arg | None:
    """The parameter of a function that a name is, if nothing says of what class that is."""
    found = facts.scan.lookup(name.id, name)
    argument = found[1][0] if found is not None else None
    if found is None or argument.__class__ is not ast.arg or facts.paths.of(name) is not None:
        return None
    parents = facts.scan.parents
    if not isinstance(parents[parents[argument]], FUNCTIONS):
        return None
    return argument if all(_is_same(binding, name.id, facts) for binding in found[1][1:]) else None


def _is_same(binding: ast.AST, name: str, facts: FilePaths) -> bool:
    """Whether a binding gives a name what it was, in another form: ``model = model.to(device)``."""
    value = facts.values.assigned(binding)
    if value.__class__ is not ast.Call:
        return False
    before = value.func.value if value.func.__class__ is ast.Attribute else None
    return any(one.__class__ is ast.Name and one.id == name for one in (before, *value.args[:1]))
