"""Which assignments to an attribute of ``self`` a read may see: later ones hide those before them."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.project.facts import FileFacts

__all__ = ["AttributeFlow"]

_ASSIGNMENTS: Final = (ast.Assign, ast.AnnAssign)


class AttributeFlow:
    """Order of assignments to attributes of ``self``.

    A call of a method of ``self``, or of something that is given ``self``, may assign or read any attribute,
    so nothing is concluded across one.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._calls: dict[ast.AST, list[int]] = {}
        self._left: dict[tuple[ast.ClassDef, str], list[ast.Attribute]] = {}

    def seen(self, node: ast.Attribute) -> list[ast.Attribute]:
        """The assignments of the function around a read that it sees; empty if others may reach it, too."""
        function = self._facts.function_node(node)
        if not isinstance(function, FUNCTIONS) or node.ctx.__class__ is ast.Store:
            return []
        own = self._of_functions.get((function, node.attr))
        if not own or not function.args.args:
            return []
        entry = function.args.args[0]
        found = self._facts.flow.reaching(node, [entry, *own])
        seen = [one for one in own if one in found]
        if entry in found or not all(map(self._is_plain, seen)):
            return []
        first = min(self._end(one) for one in seen)
        return [] if self._calls_self(function, first, node.lineno) else seen

    def left(self, cls: ast.ClassDef, name: str) -> list[ast.Attribute]:
        """The assignments to an attribute of a class that other functions may see, in order."""
        known = self._left.get((cls, name))
        if known is None:
            targets = self._facts.values.targets.get((cls, name), [])
            known = self._left[cls, name] = (
                [one for one in targets if not self._is_replaced(one, targets)]
                if len(targets) > 1
                else targets
            )
        return known

    @cached_property
    def _of_functions(self) -> dict[tuple[ast.AST, str], list[ast.Attribute]]:
        found: defaultdict[tuple[ast.AST, str], list[ast.Attribute]] = defaultdict(list)
        for (_, name), targets in self._facts.values.targets.items():
            for target in targets:
                function = self._facts.function_node(target)
                if function is not None:
                    found[function, name].append(target)
        return dict(found)

    def _is_replaced(self, target: ast.Attribute, targets: Sequence[ast.Attribute]) -> bool:
        """Whether a later statement of the same block assigns the attribute anew."""
        function = self._facts.function_node(target)
        if function is None or not self._is_plain(target):
            return False
        return any(
            other.lineno > target.lineno
            and self._is_plain(other)
            and self._in_one_block(target, other)
            and not self._calls_self(function, self._end(target), other.lineno)
            for other in targets
        )

    def _is_plain(self, target: ast.Attribute) -> bool:
        """Whether a statement assigns a value to an attribute, and not a part of one or to more of it."""
        statement = self._facts.scan.parents.get(target)
        return isinstance(statement, _ASSIGNMENTS) and statement.value is not None

    def _end(self, target: ast.Attribute) -> int:
        statement = self._facts.scan.parents[target]
        assert isinstance(statement, _ASSIGNMENTS), "asked of plain assignments"
        return statement.end_lineno or statement.lineno

    def _in_one_block(self, target: ast.Attribute, other: ast.Attribute) -> bool:
        parents = self._facts.scan.parents
        statement, later = parents[target], parents[other]
        holder = parents.get(statement)
        if holder is None or parents.get(later) is not holder:
            return False
        blocks = (getattr(holder, name, None) for name in ("body", "orelse", "finalbody"))
        return any(isinstance(block, list) and statement in block and later in block for block in blocks)

    def _calls_self(self, function: ast.AST, first: int, last: int) -> bool:
        """Whether something after one line of a function, up to another, may assign or read attributes."""
        lines = self._calls.get(function)
        if lines is None:
            lines = self._calls[function] = [
                call.lineno for call in self._facts.scan.within(function, ast.Call) if _takes_self(call)
            ]
        return any(first < line <= last for line in lines)


def _takes_self(call: ast.Call) -> bool:
    """Whether a call is given ``self``, or is one of a method of ``self`` or of ``super()``."""
    given = [*call.args, *(item.value for item in call.keywords)]
    if call.func.__class__ is ast.Attribute:
        owner = call.func.value
        given.append(owner.func if owner.__class__ is ast.Call else owner)
    return any(one.__class__ is ast.Name and one.id in {"self", "super"} for one in given)
