"""What lets statements of a block run that earlier ones may leave, as the control-flow graph says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import Option
from overhead_lint.project.gated_blocks import ends_in_error

if TYPE_CHECKING:
    from overhead_lint.project.file_loops import FileLoops
    from overhead_lint.project.gates import Gates

__all__ = ["EarlyExits", "Exit"]

Exit = Gate | tuple[Option, ...]
"""What lets the rest of a block run: a gate, or options that have other values than their defaults."""

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers")


class EarlyExits:
    """Tells what lets statements of a block run for what those before them do.

    Args:
        facts: the file.
        gates: judges tests.
    """

    def __init__(self, facts: FileLoops, gates: Gates) -> None:
        self._facts = facts
        self._gates = gates
        self._known: dict[tuple[ast.AST, str], list[tuple[int, Exit]]] = {}  # by holder and block

    def fails(self, block: list[ast.stmt]) -> bool:
        """Whether a branch ends by raising, or by leaving the program, whatever way it takes."""
        if ends_in_error(block):
            return True
        flow = self._facts.flow
        return bool(block) and flow.always_fails(block[0]) and flow.is_reachable(block[-1])

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
                if not flow.is_reachable(block[index]):
                    known.append((index, Gate(GateKind.NEVER, line=block[index - 1].lineno)))
                    break
                acquired = flow.acquired(block[0], block[index])
                reasons = [self._other_way(*one, block[index:]) for one in acquired[passed:]]
                reasons.append(self._refusal(block[0], block[index - 1], block[index:]))
                known += [(index, reason) for reason in reasons if reason]
                passed = len(acquired)
        return known

    def _other_way(self, test: ast.AST, outcome: bool, rest: list[ast.stmt]) -> Exit:
        """Return what lets the rest of a block run of which a test left with another outcome.

        Args:
            test: an ``if``, or a handler that caught what all else of its ``try`` left by.
            outcome: the outcome that did not leave.
            rest: the statements behind it.
        """
        if test.__class__ is ast.ExceptHandler:
            return Gate(GateKind.ERROR, line=test.lineno)
        assert isinstance(test, ast.If)
        if self.fails(test.orelse if outcome else test.body):
            return ()
        gate = self._gates.gate(test.test, outcome, rest)
        return (
            gate._replace(line=test.lineno)
            if gate is not None
            else self._facts.options.shut(test.test, outcome)
        )

    def _refusal(self, first: ast.stmt, statement: ast.stmt, rest: list[ast.stmt]) -> Exit:
        """Return what lets the rest of a block run that is left where two tests or more say so.

        ``if self.kept is not None: if self.kept.size >= size: return`` goes on where ``rest`` makes it anew.
        """
        if statement.__class__ is not ast.If:
            return ()
        facts = self._facts
        leaving = facts.scan.within(statement, ast.Break, ast.Continue, ast.Return)
        if len(leaving) != 1 or facts.loops_of(leaving[0]) != facts.loops_of(statement):
            return ()
        if facts.function_node(leaving[0]) is not facts.function_node(statement):
            return ()
        tests = facts.flow.refused(first, leaving[0])
        if (
            len(tests) < 2
            or tests[0][0] is not statement
            or not all(isinstance(one, ast.If) for one, _ in tests)
        ):
            return ()
        asked = [one.test if outcome else ast.UnaryOp(ast.Not(), one.test) for one, outcome in tests]  # type: ignore[attr-defined]
        gate = self._gates.gate(ast.BoolOp(ast.And(), asked), False, rest)
        return gate._replace(line=statement.lineno) if gate is not None else ()
