"""Fixed points: kinds of expressions that depend on themselves, the same wherever one begins to ask.

In ``x = x.to(device)`` what ``x`` is depends on what the call gives, and that on what ``x`` is. Such a cycle
is inferred again and again, each time with what the last round gave, until a round changes nothing.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.abstract_value import NOTHING, PENDING, UNKNOWN, AbstractValue
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NO_CYCLE", "Cycles"]

NO_CYCLE: Final = 1 << 30
"""The depth of no cycle: deeper than any."""

# What takes more rounds than these is something of which nobody can say what it is.
_MOST_ROUNDS: Final = 6


class Cycles:
    """What is known so far of expressions in cycles whose end has not been reached.

    Attributes:
        so_far: what expressions are as far as this round shows, with the depth where their cycle ends.
        order: the expressions in it; how many there are marks a point of the round.
    """

    def __init__(self) -> None:
        self.so_far: dict[ast.AST, tuple[AbstractValue, int]] = {}
        self.order: list[ast.AST] = []
        self._last: dict[ast.AST, AbstractValue] = {}
        self._heads: set[ast.AST] = set()

    def met(self, node: ast.AST) -> AbstractValue:
        """What an expression is taken for within itself: what the last round gave."""
        self._heads.add(node)
        return self._last.get(node, PENDING)

    def keep(self, node: ast.AST, found: AbstractValue, cycle: int, depth: int, mark: int) -> None:
        """Keep what an expression is for the rest of the round.

        Args:
            node: the expression.
            found: what it is.
            cycle: the depth where its cycle ends.
            depth: its own depth.
            mark: how many expressions were known before it was looked at.
        """
        if node in self._heads:  # what depends on it is in the same cycle as it is
            self._heads.discard(node)
            for inner in self.order[mark:]:
                known, end = self.so_far[inner]
                if end >= depth:
                    self.so_far[inner] = known, cycle
        if node not in self.so_far:
            self.order.append(node)
        self.so_far[node] = found, cycle

    def settle(
        self, node: ast.AST, found: AbstractValue, again: Callable[[], AbstractValue], mark: int
    ) -> tuple[AbstractValue, dict[ast.AST, AbstractValue]]:
        """Go round the cycle that ends at an expression until nothing changes.

        Args:
            node: the expression.
            found: what the first round gave.
            again: goes round once more.
            mark: how many expressions were known before the first round.

        Returns:
            What the expression is, and what those are that depend on it and are known now.
        """
        try:
            was_asked = False
            for _ in range(_MOST_ROUNDS):
                inner = self.drop(mark)
                if found.pending and not was_asked:  # nothing else says more: as if others knew
                    was_asked = True
                    before = found
                    self._last[node] = found._replace(known=True, pending=False)
                    found = again()
                    if found.kind is Kind.UNKNOWN and not found.of:
                        return NOTHING if before.kind is Kind.UNKNOWN else found, {}
                    continue
                self._last.update(inner)
                self._last[node] = found
                last, found = found, again()
                if found == last and self._is_settled(inner, mark):
                    return found, {one: what for one, what in inner.items() if not what.pending}
            return UNKNOWN, {}
        finally:
            self._heads.discard(node)
            for one in (node, *self.drop(mark)):
                self._last.pop(one, None)

    def _is_settled(self, before: dict[ast.AST, AbstractValue], mark: int) -> bool:
        """Whether a round gave what the one before gave."""
        return all(before.get(one) == self.so_far[one][0] for one in self.order[mark:])

    def drop(self, mark: int) -> dict[ast.AST, AbstractValue]:
        """Forget what is known so far since a mark, and give it."""
        gone = {one: self.so_far.pop(one)[0] for one in self.order[mark:]}
        del self.order[mark:]
        return gone
