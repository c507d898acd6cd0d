"""What attributes are by default, as far as a file says: fields, what ``__init__`` keeps, a parser's options.

Names decide: a test asks for ``self.config.clip``, and whatever has an attribute ``clip`` may be meant. See
`overhead_lint.project.graph.off_by_default`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, SAID, UNSET, Default, ValueKind
from overhead_lint.project.names import last_name
from overhead_lint.project.option_calls import is_restored, is_word
from overhead_lint.project.options import default_of_kind
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.facts import FileFacts

__all__ = ["attribute_defaults"]

_OTHERWISE: Final = Default(OTHERWISE)
_UNSET: Final = Default(UNSET)
_FLAGS: Final = {"store_true": Default(int(ValueKind.FALSE)), "store_false": Default(int(ValueKind.TRUE))}

_MAKING: Final = frozenset({"__init__", "__post_init__"})
_FIELDS: Final = frozenset({"Field", "attrib", "field", "ib"})
_ASSIGNED: Final = (ast.AnnAssign, ast.Assign)


def attribute_defaults(facts: FileFacts) -> tuple[tuple[str, int, str], ...]:
    """Return the attributes that a file gives a default or a value: names, each with a `Default`."""
    said = (*_all(facts), *_said(facts))
    found = {(name, *default): None for name, default in said if name.isidentifier()}
    return tuple(found)


def _all(facts: FileFacts) -> Iterator[tuple[str, Default]]:
    for cls in facts.scan.of_class(ast.ClassDef):
        for statement in cls.body:
            yield from _field(statement)
    for attribute in facts.scan.of_class(ast.Attribute):
        if attribute.ctx.__class__ is not ast.Load:
            yield from _stored(attribute, facts)
    for name in ("add_argument", "set_defaults"):
        for call in facts.call_index.by_name.get(name, ()):
            yield from _told_by_parser(call)


def _said(facts: FileFacts) -> Iterator[tuple[str, Default]]:
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
        yield statement.target.id, _default(statement.value)
    elif statement.__class__ is ast.Assign:
        for target in statement.targets:
            if target.__class__ is ast.Name:
                yield target.id, _default(statement.value)
    elif statement.__class__ is ast.FunctionDef and any(
        last_name(one) == "property" for one in statement.decorator_list
    ):
        last = statement.body[-1]
        yield statement.name, _looked_up(last.value) if last.__class__ is ast.Return else _OTHERWISE


def _default(value: ast.expr | None) -> Default:
    """The kind of a field's default: ``False``, ``field(default=False)``, ``Field(False)``."""
    if value.__class__ is ast.Call and last_name(value.func) in _FIELDS:
        first = value.args[0] if value.args else None
        value = next((one.value for one in value.keywords if one.arg == "default"), first)
    if not isinstance(value, ast.Constant):
        return _OTHERWISE
    return _UNSET if value.value is None else default_of_kind(value.value)


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
    return _default(default[0]) if default else _OTHERWISE


def _stored(attribute: ast.Attribute, facts: FileFacts) -> Iterator[tuple[str, Default]]:
    """What an attribute is set to: by ``__init__`` to a parameter with a default, or to something else."""
    statement = facts.scan.parents.get(attribute)
    value = statement.value if isinstance(statement, _ASSIGNED) else None
    if value.__class__ is ast.Attribute and value.attr == attribute.attr:
        return  # handed on: it is the same there
    if value is None or not is_self(attribute.value):
        yield attribute.attr, _OTHERWISE
        return
    if is_restored(attribute, facts):
        return
    making = getattr(facts.function_node(attribute), "name", "") in _MAKING
    yield attribute.attr, _kept(value, facts) if making else _OTHERWISE


def _kept(value: ast.expr, facts: FileFacts) -> Default:
    known = facts.options.by_default(value)
    if known is not None:
        return known
    # Set to a constant it is what the class itself keeps, and changes, more often than an option.
    return _looked_up(value)


def _told_by_parser(call: ast.Call) -> Iterator[tuple[str, Default]]:
    """What ``argparse`` gives where the command line does not name an option."""
    given = {one.arg: one.value for one in call.keywords}
    if last_name(call.func) == "set_defaults":
        yield from ((name, _OTHERWISE) for name in given if name is not None)
        return
    flags = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    long = [flag for flag in flags if flag.startswith("--")]
    dest = given.get("dest")
    if isinstance(dest, ast.Constant) and isinstance(dest.value, str):
        name = dest.value
    elif long:
        name = long[0].lstrip("-").replace("-", "_")
    else:
        return
    if "default" in given:
        yield name, _default(given["default"])
        return
    action = given.get("action")
    kind = _FLAGS.get(getattr(action, "value", None) or "", _UNSET)
    yield name, kind if action is None or isinstance(action, ast.Constant) else _OTHERWISE
