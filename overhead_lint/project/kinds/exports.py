"""What the functions of a file give, and what its attributes and constants hold, for other files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.project.kinds.abstract_value import AbstractValue, encoded
from overhead_lint.project.kinds.given_names import HELD, STUB, held

if TYPE_CHECKING:
    from overhead_lint.project.file_values import FileValues

__all__ = ["gives"]


_LONGEST: Final = 200


def gives(facts: FileValues) -> Iterator[tuple[str, str]]:
    """What can be said of functions, attributes and constants, by name in paths, as `encoded` has it."""
    definitions = facts.definitions
    for name in facts.index.functions:
        node = definitions.get(name)
        if node.__class__ is ast.FunctionDef and "<locals>" not in name:
            is_stub = node.returns is None and _is_stub(node)
            found = STUB if is_stub else encoded(facts.kinds.returned(node))
            # What it is given back as it was given is known where it is called.
            if found and len(found) <= _LONGEST and f"={PARAMETER_OF}" not in found:
                yield name, found
    for name, what in _names(facts):
        # What an attribute holds at first, others may put on the device.
        if _tells(what) and (name.startswith(HELD) or "h" not in encoded(what)):
            yield name, encoded(what)


def _names(facts: FileValues) -> Iterator[tuple[str, AbstractValue]]:
    """Attributes of instances, and names of the top level."""
    for node, cls in facts.classes.items():
        if "<locals>" in cls.qualname:
            continue
        declared = (
            member.target.id
            for member in node.body
            if member.__class__ is ast.AnnAssign and member.target.__class__ is ast.Name
        )
        assigned = facts.values.by_class.get(node, {})
        for name in dict.fromkeys((*assigned, *declared, *sorted(facts.values.registered(node)))):
            if name in assigned and all(_is_plain_name(value) for value in assigned[name]):
                continue  # a parameter, of which callers know more
            yield held(f".{cls.qualname}", name), facts.kinds.attribute(node, name)
    for name, what in facts.kinds.top_level().items():
        yield held("", name), what


def _is_plain_name(value: ast.expr | None) -> bool:
    return value is None or isinstance(value, (ast.Name, ast.Dict))


def _tells(what: AbstractValue) -> bool:
    """Whether it is of use to know what an attribute or constant is."""
    text = encoded(what)
    return bool(text) and text != "o" and len(text) <= _LONGEST


def _is_stub(node: ast.FunctionDef) -> bool:
    """Whether a method does nothing, or raises an error, until it is overridden."""
    last = node.body[-1]
    if last.__class__ is ast.Raise:
        return len(node.body) <= 2
    return all(
        one.__class__ is ast.Pass or (one.__class__ is ast.Expr and isinstance(one.value, ast.Constant))
        for one in node.body
    )
