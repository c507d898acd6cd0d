"""What loops end by: the flags and conditions behind which they are left, and who else asks for these."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from overhead_lint.project.names import written
from overhead_lint.project.scan import walk

__all__ = ["LoopEnds"]

_PLAIN: Final = (ast.Attribute, ast.Compare, ast.Constant, ast.Name, ast.UnaryOp)
_TOP: Final = -1
"""Where the test of a ``while`` stands: before the first statement of its body."""


class LoopEnds:
    """Tells branches that are taken in the last round of a loop alone.

    Args:
        parents: what holds each node of the file.
    """

    def __init__(self, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._parents = parents
        self._known: dict[ast.AST, dict[str, int]] = {}

    def ends_by(self, loop: ast.AST, test: ast.expr) -> bool:
        """Whether a loop is left once a test in it is true: ``if done: save()`` before ``if done: break``.

        Nothing may change what is asked for from the one place to the other.
        """
        if not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
            return False
        ends = self._known.get(loop)
        if ends is None:
            ends = self._known[loop] = dict(_ends(loop))
        if not ends:
            return False
        for part in _parts(test, ast.And):
            left_at = ends.get(written(part))
            if left_at is not None and self._stays(part, loop, left_at):
                return True
        return False

    def _stays(self, asked: ast.expr, loop: ast.For | ast.AsyncFor | ast.While, left_at: int) -> bool:
        """Whether nothing in a loop assigns to what is asked for before the loop is left for it."""
        at: ast.AST = asked
        while self._parents[at] is not loop:
            at = self._parents[at]
        if at not in loop.body:
            return False
        here = loop.body.index(at)
        if here == left_at:
            return False
        between: list[ast.AST] = [*loop.body[here : left_at if here < left_at else None]]
        if left_at < here:
            next_round = [] if isinstance(loop, ast.While) else [loop.target]
            between += [*next_round, *loop.body[: left_at + 1]]
        names = {written(node) for node in walk(asked) if isinstance(node, (ast.Attribute, ast.Name))}
        return not any(
            isinstance(node, (ast.Attribute, ast.Name))
            and node.ctx.__class__ is not ast.Load
            and written(node) in names
            for one in between
            for node in walk(one)
        )


def _ends(loop: ast.For | ast.AsyncFor | ast.While) -> Iterator[tuple[str, int]]:
    """What a loop is left for, as it is written, and at which statement of its body."""
    for at, statement in enumerate(loop.body):
        if statement.__class__ is ast.If and isinstance(statement.body[-1], (ast.Break, ast.Return)):
            for part in _parts(statement.test, ast.Or):
                if _is_plain(part):
                    yield written(part), at
    if loop.__class__ is ast.While:
        for part in _parts(loop.test, ast.And):
            if part.__class__ is ast.UnaryOp and part.op.__class__ is ast.Not and _is_plain(part.operand):
                yield written(part.operand), _TOP


def _parts(test: ast.expr, op: type[ast.boolop]) -> Iterator[ast.expr]:
    """The sides of a test that are joined by ``and``, or by ``or``."""
    if test.__class__ is ast.BoolOp and isinstance(test.op, op):
        for value in test.values:
            yield from _parts(value, op)
    else:
        yield test


def _is_plain(test: ast.expr) -> bool:
    """Whether a test asks for nothing but names, attributes and constants, which stay what they are."""
    return all(isinstance(node, _PLAIN) for node in walk(test))
