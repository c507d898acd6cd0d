"""What lets statements of a block run that earlier ones may leave, as the control-flow graph says."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import Option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.analysis.gates.judge import Gates
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["EarlyExits", "Exit"]

Exit = Gate | tuple[Option, ...]
"""What lets the rest of a block run: a gate, or options that have other values than their defaults."""

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers")


class EarlyExits:
    """Tells what lets statements of a block run for what those before them do.

    Args:
        facts: the file.
        gates: judges guards.
    """

    def __init__(self, facts: FileLoops, gates: Gates) -> None:
        self._facts = facts
        self._gates = gates
        self._known: dict[tuple[ast.AST, str], list[tuple[int, Exit]]] = {}  # by holder and block

    def fails(self, block: Sequence[ast.stmt]) -> bool:
        """Whether a branch ends by raising, or by leaving the program, whatever way it takes."""
        flow = self._facts.flow
        return bool(block) and self._gates.fails(*flow.block(block[0])) and flow.is_reachable(block[-1])

    def before(self, parent: ast.AST, child: ast.stmt) -> Iterator[Exit]:
        """Yield what lets a statement run, from the outermost.

        Args:
            parent: what holds its block.
            child: the statement.
        """
        for name in _BLOCKS:
            block = getattr(parent, name, None)
            if block.__class__ is not list or child not in block:
                continue
            if child.__class__ is not ast.Raise and self._facts.flow.leads_to_error(block[0], child):
                yield Gate(GateKind.ERROR, line=child.lineno)
                return
            at = block.index(child)
            for index, reason in self._leaving(parent, name, block) if at else ():
                if index > at:
                    break
                yield reason
            break

    def _leaving(self, parent: ast.AST, name: str, block: list[ast.stmt]) -> list[tuple[int, Exit]]:
        """Statements of a block that hardly ever run, or never, for what those before do, by their places.

        Args:
            parent: what holds the block.
            name: the block's field.
            block: its statements.

        Returns:
            With each place the gate, or the options that keep it and the rest from running.
        """
        key = (parent, name)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = []
            flow, passed = self._facts.flow, 0
            for index in range(1, len(block)):
                before = block[index - 1].lineno
                if not flow.is_reachable(block[index]):
                    known.append((index, Gate(GateKind.NEVER, line=before)))
                    break
                acquired = flow.acquired(block[0], block[index])
                reasons = [self._other_way(*one) for one in acquired[passed:]]
                passed = len(acquired)
                gate = self._gates.of_join(*flow.block(block[index])) if not reasons else None
                if gate is not None and block[index - 1].__class__ is ast.If:
                    reasons.append(gate._replace(line=before))
                known += [(index, reason) for reason in reasons if reason]
        return known

    def _other_way(self, test: ast.AST, outcome: bool) -> Exit:
        """Return what lets the rest of a block run of which a test left with another outcome.

        Args:
            test: an ``if``, or a handler that caught what all else of its ``try`` left by.
            outcome: the outcome that did not leave.
        """
        if test.__class__ is ast.ExceptHandler:
            return Gate(GateKind.ERROR, line=test.lineno)
        assert isinstance(test, ast.If)
        if self.fails(test.orelse if outcome else test.body):
            return ()
        gate = self._gates.of_guard(*self._facts.flow.guard(test, outcome))
        if gate is not None:
            return gate._replace(line=test.lineno)
        return self._facts.options.shut(test.test, outcome)
