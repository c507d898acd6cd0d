"""What attributes are by default, as far as a file says: fields, what ``__init__`` keeps, a parser's options.

Names decide: a test asks for ``self.config.clip``, and whatever has an attribute ``clip`` may be meant. See
`overhead_lint.project.graph.off_by_default`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, SAID, Default
from overhead_lint.analysis.options.constants import is_word
from overhead_lint.analysis.options.declared import DECLARING, MAKING_SETTINGS, declared, default_written
from overhead_lint.analysis.options.stored import is_restoring
from overhead_lint.project.names import last_name
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.file_values import FileValues

__all__ = ["attribute_defaults", "is_of_settings"]

_OTHERWISE: Final = Default(OTHERWISE)

_MAKING: Final = frozenset({"__init__", "__post_init__"})
_ASSIGNED: Final = (ast.AnnAssign, ast.Assign)


def attribute_defaults(facts: FileValues) -> tuple[tuple[str, int, str], ...]:
    """Return the attributes that a file gives a default or a value: names, each with a `Default`."""
    said = (*_all(facts), *_said(facts))
    found = {(name, *default): None for name, default in said if name.isidentifier()}
    return tuple(found)


def _all(facts: FileValues) -> Iterator[tuple[str, Default]]:
    for cls in facts.scan.of_class(ast.ClassDef):
        for statement in cls.body:
            yield from _field(statement)
    for attribute in facts.scan.of_class(ast.Attribute):
        if attribute.ctx.__class__ is not ast.Load:
            yield from _stored(attribute, facts)
    for name in DECLARING:
        for call in facts.call_index.by_name.get(name, ()):
            yield from declared(call, name)


def _said(facts: FileValues) -> Iterator[tuple[str, Default]]:
    """Words that are given to what has a name, wherever it leads: ``make(kind="x")``, ``{"kind": "x"}``."""
    for keyword in facts.scan.of_class(ast.keyword):
        if keyword.arg is not None:
            yield from _word(keyword.arg, keyword.value)
    for table in facts.scan.of_class(ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from _word(key.value, value)


def _word(name: str, value: ast.expr) -> Iterator[tuple[str, Default]]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and is_word(value.value):
        yield name, Default(SAID, value.value)


def _field(statement: ast.stmt) -> Iterator[tuple[str, Default]]:
    """What the body of a class says: a field with its default, or a property that looks one up."""
    if statement.__class__ is ast.AnnAssign and statement.target.__class__ is ast.Name:
        yield statement.target.id, default_written(statement.value)
    elif statement.__class__ is ast.Assign:
        for target in statement.targets:
            if target.__class__ is ast.Name:
                yield target.id, default_written(statement.value)
    elif statement.__class__ is ast.FunctionDef and any(
        last_name(one) == "property" for one in statement.decorator_list
    ):
        last = statement.body[-1]
        yield statement.name, _looked_up(last.value) if last.__class__ is ast.Return else _OTHERWISE


def _looked_up(value: ast.expr | None) -> Default:
    """The kind of the default that ``settings.get("clip", 0)`` or ``getattr(settings, "clip", 0)`` has."""
    if value.__class__ is not ast.Call:
        return _OTHERWISE
    if value.func.__class__ is ast.Attribute and value.func.attr == "get":
        default = value.args[1:]
    elif value.func.__class__ is ast.Name and value.func.id == "getattr":
        default = value.args[2:]
    else:
        return _OTHERWISE
    return default_written(default[0]) if default else _OTHERWISE


def _stored(attribute: ast.Attribute, facts: FileValues) -> Iterator[tuple[str, Default]]:
    """What an attribute is set to: by ``__init__`` to a parameter with a default, or to something else."""
    statement = facts.scan.parents.get(attribute)
    value = statement.value if isinstance(statement, _ASSIGNED) else None
    if value.__class__ is ast.Attribute and value.attr == attribute.attr:
        return  # handed on: it is the same there
    if value is not None and is_of_settings(attribute, facts):
        yield attribute.attr, default_written(value)
        return
    if value is None or not is_self(attribute.value):
        yield attribute.attr, _OTHERWISE
        return
    function = getattr(facts.function_node(attribute), "name", "")
    if is_restoring(function):
        return
    making = function in _MAKING
    yield attribute.attr, _kept(value, facts) if making else _OTHERWISE


def is_of_settings(attribute: ast.Attribute, facts: FileValues) -> bool:
    """Whether an attribute is one of settings that are made where it is set: ``_C.MODEL.DEEP = False``."""
    root: ast.expr = attribute.value
    while root.__class__ is ast.Attribute:
        root = root.value
    found = facts.scan.lookup(root.id, root) if root.__class__ is ast.Name else None
    if found is None or found[0] is not facts.scan.scope_of(attribute):
        return False
    values = (facts.values.assigned(binding) for binding in found[1])
    return any(one.__class__ is ast.Call and last_name(one.func) in MAKING_SETTINGS for one in values)


def _kept(value: ast.expr, facts: FileValues) -> Default:
    known = facts.options.by_default(value)
    if known is not None:
        return known
    # Set to a constant it is what the class itself keeps, and changes, more often than an option.
    return _looked_up(value)
