"""Definitions that several fixes put at one place: constants of a module, buffers of a class."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import parse

if TYPE_CHECKING:
    from overhead_lint.rule import TextEdit

__all__ = ["in_a_row", "same", "together"]


def together(one: TextEdit, other: TextEdit) -> bool:
    """Whether both only define something at one place, and not the same: their order does not matter."""
    if one[:2] != other[:2] or one.start != one.end:
        return False
    names, others = _defined(one.text), _defined(other.text)
    return bool(names and others) and names.isdisjoint(others)


def same(one: TextEdit, other: TextEdit) -> bool:
    """Whether both define the same constants at one place: once is enough."""
    return one == other and one.start == one.end and any(name.isidentifier() for name in _defined(one.text))


def in_a_row(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Edits in order, without the empty lines between definitions that stand at one place."""
    result: list[TextEdit] = []
    for edit in edits:
        if result and together(result[-1], edit):
            edit = edit._replace(text=edit.text.lstrip("\r\n"))
        result.append(edit)
    return result


@functools.lru_cache(maxsize=256)
def _defined(text: str) -> frozenset[str]:
    """What whole lines define: private names, and buffers with a dot in front; nothing if they do more."""
    names = []
    try:
        body = parse(textwrap.dedent(text), "the lines").body if text.endswith("\n") else []
    except CannotFix:
        return frozenset()
    for stmt in body:
        if not (name := _constant(stmt) or _buffer(stmt)):
            return frozenset()
        names.append(name)
    return frozenset(names)


def _constant(stmt: ast.stmt) -> str:
    targets = stmt.targets if isinstance(stmt, ast.Assign) else []
    name = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
    return name if name.startswith("_") else ""


def _buffer(stmt: ast.stmt) -> str:
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "self.register_buffer" or not call.args:
        return ""
    name = call.args[0]
    return f".{name.value}" if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
