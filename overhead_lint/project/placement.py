"""Where a node stands within its function: behind a gate, in a hot loop, in another loop."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.judge import Gates
from overhead_lint.analysis.graph.frequency import REPEATED, SAME, Frequency
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.placement.frequencies import Frequencies, Placed
from overhead_lint.analysis.placement.modes import is_beside_training
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["Placement", "Placements"]


class Placement(NamedTuple):
    """How often a place runs in its function, with what makes it so.

    Attributes:
        frequency: how often.
        why: the hot loop that it is in; "" for none.
        kind: what the hot loop is.
        gate: what it is behind; None if it is behind none.
        options: those that keep it from running while nobody passes them.
        line: of the hot loop; 0 for none.
        may_evaluate: whether its rounds may be those of an evaluation: none hangs on the one before.
    """

    frequency: Frequency
    why: str = ""
    kind: ReasonKind = ReasonKind.OTHER
    gate: Gate | None = None
    options: tuple[Option, ...] = ()
    line: int = 0
    may_evaluate: bool = False


_SERVING: Final = "__iter__"
_GIVING: Final = (ast.Yield, ast.YieldFrom)
_OF_FUNCTION: Final = (SAME, REPEATED)
_ITERATION: Final = Placement(Gate(GateKind.ITERATION).frequency, gate=Gate(GateKind.ITERATION))


class Placements:
    """Places of one file, by nodes.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileLoops) -> None:
        self._facts = facts
        self._known: dict[tuple[int, Placed], Placement] = {}
        self._beside_training: dict[tuple[int, int], bool] = {}

    @cached_property
    def frequencies(self) -> Frequencies:
        """How often the program points of the file run."""
        facts = self._facts
        return Frequencies(facts.flow.names, self._gates, facts.options.records, facts.loops.rounds)

    @cached_property
    def _gates(self) -> Gates:
        """Which guards hardly ever let control pass; held here, so that it is emptied when the file is."""
        return Gates(self._facts.flow.stored, self._facts.loops.is_hot)

    def answers(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Which functions of the file hardly ever say yes; see `Gates.answers`."""
        return self._gates.answers()

    def of(self, node: ast.AST) -> Placement:
        """Where a node stands within its function."""
        place, block, at = self._facts.flow.point(node)
        placed = self.frequencies.of(place, block, at)
        if placed.frequency in _OF_FUNCTION and self._is_beside_items(node):
            return _ITERATION
        key = (place, placed)
        known = self._known.get(key)
        if known is None:
            frequency, loop, gate, options = placed
            why, kind, line = (
                self._facts.loops.reason(place, loop) if loop >= 0 else ("", ReasonKind.OTHER, 0)
            )
            evaluates = loop >= 0 and self._facts.loops.has_independent_rounds(place, loop)
            known = self._known[key] = Placement(frequency, why, kind, gate, options, line, evaluates)
        return known

    def is_beside_training(self, node: ast.AST) -> bool:
        """Whether a node runs only where a mode is another than training."""
        place, block, _ = self._facts.flow.point(node)
        known = self._beside_training.get((place, block))
        if known is None:
            known = is_beside_training(self._facts.flow.names, place, block)
            self._beside_training[place, block] = known
        return known

    def _is_beside_items(self, node: ast.AST) -> bool:
        """Whether ``__iter__``, which is as hot as what gives its items, does something once for all."""
        facts = self._facts
        function = facts.function_node(node)
        if getattr(function, "name", "") != _SERVING:
            return False
        statement = node
        while facts.scan.parents[statement] is not function:
            statement = facts.scan.parents[statement]
        giving = [
            one for one in facts.scan.within(function, *_GIVING) if facts.function_node(one) is function
        ]
        if not giving:
            return not isinstance(statement, ast.Return)
        return not any(facts.scan.range_of(one).start in facts.scan.range_of(statement) for one in giving)
