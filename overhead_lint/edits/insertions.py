"""Statements that several fixes put at one place: constants, buffers of a class, reads behind a loop."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import parse
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.rule import TextEdit

__all__ = ["in_a_row", "same", "together"]


class _Names(NamedTuple):
    """What lines bind and read: names, dotted paths, and buffers with a dot in front."""

    bound: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Bound or read."""
        return self.bound | self.read


def together(one: TextEdit, other: TextEdit) -> bool:
    """Whether both only bind something at one place that the other one neither binds nor reads."""
    if one[:2] != other[:2] or one.start != one.end:
        return False
    names, others = _names(one.text), _names(other.text)
    if not (names.bound and others.bound):
        return False
    return names.bound.isdisjoint(others.all) and others.bound.isdisjoint(names.all)


def same(one: TextEdit, other: TextEdit) -> bool:
    """Whether both define the same constants at one place: once is enough."""
    return one == other and one.start == one.end and any(map(_is_constant, _names(one.text).bound))


def in_a_row(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Edits in order, without the empty lines between statements that stand at one place."""
    result: list[TextEdit] = []
    for edit in edits:
        if result and together(result[-1], edit):
            edit = edit._replace(text=edit.text.lstrip("\r\n"))
        result.append(edit)
    return result


def _is_constant(name: str) -> bool:
    return name.startswith("_") and name.isidentifier()


@functools.lru_cache(maxsize=256)
def _names(text: str) -> _Names:
    """The names of whole lines of assignments and registered buffers; none where they do more."""
    try:
        body = parse(textwrap.dedent(text), "the lines").body if text.endswith("\n") else []
    except CannotFix:
        return _Names()
    bound: set[str] = set()
    read: set[str] = set()
    for stmt in body:
        if not (targets := _bound(stmt)):
            return _Names()
        bound |= targets
        read |= {ast.unparse(node) for node in ast.walk(stmt) if _is_read(node)}
    return _Names(frozenset(bound), frozenset(read))


def _bound(stmt: ast.stmt) -> set[str]:
    """What a statement binds; nothing if it may do more."""
    if isinstance(stmt, ast.Assign) and all(isinstance(to, (ast.Name, ast.Attribute)) for to in stmt.targets):
        return {ast.unparse(target) for target in stmt.targets}
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "self.register_buffer" and call.args:
        name = call.args[0]
        return {f".{name.value}"} if isinstance(name, ast.Constant) and isinstance(name.value, str) else set()
    return set()


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
