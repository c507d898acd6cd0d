"""Where a node stands within its function: behind a gate, in a hot loop, in another loop."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.gates.judge import Gates
from overhead_lint.analysis.graph.frequency import SAME, STEP, Frequency, repeated
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.vocabulary import CAPTURING
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.early_exits import EarlyExits
from overhead_lint.project.loop_shapes import repeats
from overhead_lint.project.loops import LoopKind
from overhead_lint.project.made_once import MadeOnce
from overhead_lint.project.scan import COMPREHENSIONS, LOOPS, STATEMENTS
from overhead_lint.project.whole_runs import trainings
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.project.file_loops import FileLoops
    from overhead_lint.project.item_rounds import ItemRounds

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
    """

    frequency: Frequency
    why: str = ""
    kind: ReasonKind = ReasonKind.OTHER
    gate: Gate | None = None
    options: tuple[Option, ...] = ()
    line: int = 0


_Step = tuple[ast.AST, ast.AST, ast.AST | None]
"""A node, the part of it that leads to what is judged, and the part of that in turn, if there is one."""

_FLOW: Final = Placement(SAME)
_ERROR: Final = Gate(GateKind.ERROR)
# What decides how often something in it runs, beside blocks of statements.
_DECIDING: Final = frozenset(
    {
        *(*LOOPS, *COMPREHENSIONS),
        *(ast.If, ast.IfExp, ast.BoolOp, ast.match_case, ast.Raise, ast.ExceptHandler, ast.Assert, ast.With),
    }
)
# What lets some of its parts run, by what it asks.
_CHOOSING: Final = frozenset({ast.BoolOp, ast.If, ast.IfExp})
_LOOPS: Final = frozenset(LOOPS)


class Placements:
    """Places of one file, each judged once a statement.

    Args:
        facts: the file.
        rounds: what its generators do for each of their items.
    """

    def __init__(self, facts: FileLoops, rounds: ItemRounds) -> None:
        self._facts = facts
        self._rounds = rounds
        self._gates = Gates(facts.flow.stored, facts.loops.is_hot)
        self._made_once = MadeOnce(facts, self._gate_at)
        self._known: dict[ast.AST, Placement] = {}
        self._exits = EarlyExits(facts, self._gates)

    def _gate_at(self, node: ast.AST) -> Gate | None:
        """Return the gate that a place is behind; None if it is behind none."""
        return self.of(node).gate

    def of(self, node: ast.AST) -> Placement:
        """Where a node stands within its function."""
        known = self._known.get(node)
        if known is not None:
            return known
        found, steps = self._around(node)
        for holder, held, inner in reversed(steps):
            if holder.__class__ in _DECIDING or held.__class__ in STATEMENTS:
                found = self._step_in(found, holder, held, inner)
                if held.__class__ in STATEMENTS:
                    self._known[held] = found
        self._known[node] = found
        return found

    def _around(self, node: ast.AST) -> tuple[Placement, list[_Step]]:
        """The placement of the innermost node around one for which it is known, and the steps out to there.

        It is for statements that were judged before, and for what stands first in a function.
        """
        parents = self._facts.scan.parents
        before: ast.AST | None = None
        child, parent = node, parents.get(node)
        steps: list[_Step] = []
        while parent is not None:
            top = self._at_top(parent, child)
            if top is not None:
                found = self._behind_siblings(top, parent, child)
                if child.__class__ in STATEMENTS:
                    self._known[child] = found
                return found, steps
            steps.append((parent, child, before))
            if parent.__class__ in STATEMENTS:
                known = self._known.get(parent)
                if known is not None:
                    return known, steps
            before, child, parent = child, parent, parents.get(parent)
        return _FLOW, steps

    def is_made_once(self, loop: ast.AST) -> bool:
        """Whether a hot loop works out what is kept, so that its rounds are no steps."""
        return self._made_once.is_in(loop)

    def _at_top(self, parent: ast.AST, child: ast.AST) -> Placement | None:
        """The placement of what stands first in a function, or in what a generator does for each item.

        None if `child` is no such part of `parent`.
        """
        if (
            parent.__class__ in _LOOPS and parent in self._rounds.loops and repeats(parent, child)  # type: ignore[arg-type]
        ):
            around = self.of(parent)
            return around if around.frequency < SAME else Placement(SAME, options=around.options)
        if not self._leaves_function(parent, child):
            return None
        if parent in self._trainings:
            return _gated(Gate(GateKind.TRAINING))
        return self._in_iter(parent, child) if getattr(parent, "name", "") == "__iter__" else _FLOW

    @cached_property
    def _trainings(self) -> frozenset[ast.AST]:
        """Functions that hold a whole training."""
        return trainings(self._facts)

    def _in_iter(self, function: ast.AST, statement: ast.AST) -> Placement:
        """The placement of a statement in ``__iter__``, which is as hot as what gives its items."""
        if self._gives(function, statement, ast.Yield, ast.YieldFrom):
            return _FLOW
        if not self._gives(function, function, ast.Yield, ast.YieldFrom) and isinstance(
            statement, ast.Return
        ):
            return _FLOW
        return _gated(Gate(GateKind.ITERATION))

    def _gives(self, function: ast.AST, part: ast.AST, *how: type[ast.AST]) -> bool:
        """Whether a part of a function gives one of its items in some way."""
        facts = self._facts
        return any(facts.function_node(node) is function for node in facts.scan.within(part, *how))

    @staticmethod
    def _leaves_function(parent: ast.AST, child: ast.AST) -> bool:
        """Whether `child` is in the body of the function `parent`."""
        kind = parent.__class__
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            return child.__class__ in STATEMENTS
        return kind is ast.Lambda and child is parent.body  # type: ignore[attr-defined]

    def _step_in(
        self, outer: Placement, parent: ast.AST, child: ast.AST, before: ast.AST | None
    ) -> Placement:
        """The placement of `child` within `parent`, whose own placement is `outer`.

        Args:
            outer: the placement of `parent`.
            parent: a statement, expression or handler.
            child: a part of it.
            before: the part of `child` that leads on to the node that is judged; None if that is `child`.
        """
        if parent.__class__ in _DECIDING:
            gate = self._gate(parent, child)
            if gate is not None:
                at = parent.pattern if parent.__class__ is ast.match_case else parent
                return _gated(gate, at.lineno)  # type: ignore[attr-defined]
            if outer.frequency >= SAME and parent.__class__ in _CHOOSING:
                outer = _under(outer, self._options(parent, child))
            if isinstance(parent, LOOPS):
                if repeats(parent, child):
                    outer = self._inside(outer, parent)
            elif isinstance(parent, COMPREHENSIONS):
                first = parent.generators[0]
                if not (child is first and before is first.iter):
                    outer = self._inside(outer, parent)
        return self._behind_siblings(self._at_an_end(outer, parent, child), parent, child)

    def _inside(self, outer: Placement, loop: ast.AST) -> Placement:
        """The placement of what a loop repeats."""
        judged = self._facts.loops.judge(loop)
        if judged.kind is LoopKind.HOT and not self.is_made_once(loop):
            return Placement(STEP, judged.why, judged.reason, options=outer.options, line=judged.line)
        if judged.kind is LoopKind.AROUND or outer.frequency < SAME:
            return outer
        return outer._replace(frequency=repeated(outer.frequency))

    def _at_an_end(self, outer: Placement, parent: ast.AST, child: ast.AST) -> Placement:
        """The placement of a statement with no round after it: it runs no more often than the loop is begun.

        One that asks for what the innermost loop ends by is taken in its last round alone.
        """
        if outer.frequency <= SAME or child.__class__ not in STATEMENTS:
            return outer
        flow, loops = self._facts.flow, self._facts.loops_of(child)
        ended = flow.left(child, loops)
        if not ended and parent.__class__ is ast.If and child in parent.body and loops:
            ended = [loops[-1]] if flow.is_left_once(loops[-1], parent.test) else []
        if not ended or not self._rounds.loops.keys().isdisjoint(ended):
            return outer
        begun = self.of(ended[0])
        return _under(begun, outer.options) if begun.frequency < outer.frequency else outer

    def _options(self, parent: ast.AST, child: ast.AST) -> tuple[Option, ...]:
        """Return the options whose defaults keep `child` from running when `parent` does."""
        shut = self._facts.options.shut
        if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
            is_body = child is parent.body if isinstance(parent, ast.IfExp) else child in parent.body
            return shut(parent.test, is_body)
        if parent.__class__ is ast.BoolOp:
            before = parent.values[: parent.values.index(child)] if child in parent.values else ()
            return next(filter(None, (shut(one, isinstance(parent.op, ast.And)) for one in before)), ())
        return ()

    def _gate(self, parent: ast.AST, child: ast.AST) -> Gate | None:
        """Return the gate that `child` is behind in `parent`; None if it is behind none."""
        if isinstance(parent, (ast.If, ast.IfExp)):
            return self._branch(parent, child)
        if parent.__class__ is ast.With:
            is_captured = child in parent.body and any(map(self._captures, parent.items))
            return Gate(GateKind.CAPTURE) if is_captured else None
        if parent.__class__ is ast.BoolOp:
            before = parent.values.index(child) if child in parent.values else 0
            return self._under_guards(child, before)
        if isinstance(parent, (ast.Raise, ast.ExceptHandler)):
            return _ERROR
        if parent.__class__ is ast.Assert and child is parent.msg:
            return _ERROR
        if parent.__class__ is ast.match_case and child in parent.body and self._exits.fails(parent.body):
            return _ERROR
        if isinstance(parent, LOOPS) and child in parent.orelse and self._exits.fails(parent.orelse):
            return _ERROR
        return None

    def _captures(self, item: ast.withitem) -> bool:
        """Whether a CUDA graph is captured in a context: steps replay it, and do not capture it."""
        made = item.context_expr
        return isinstance(made, ast.Call) and self._facts.names.qualified(made.func) in CAPTURING

    def _branch(self, parent: ast.If | ast.IfExp, child: ast.AST) -> Gate | None:
        """Return the gate of the branch that `child` is in, or is; None if it has none."""
        if child is parent.test:
            return None
        if isinstance(parent, ast.IfExp):
            return self._under_guards(child, 1)
        block = _block(parent, child)
        if self._exits.fails(block):
            return _ERROR
        place, number = self._facts.flow.guard(parent, block is parent.body)
        done = self._gates.region(place, number)
        if done.warns():
            return Gate(GateKind.WARNING)
        if done.deprecates():
            return Gate(GateKind.DEPRECATED)
        return self._gates.of_guard(place, number)

    def _under_guards(self, part: ast.AST, most: int) -> Gate | None:
        """Return the outermost gate among so many guards, the innermost, that an expression is under."""
        if not most:
            return None
        place, block = self._facts.flow.block(part)
        numbers = guards_within(self._facts.flow.names.flow(place), block, NONE)[-most:]
        gates = (self._gates.of_guard(place, number) for number in numbers)
        return next((gate for gate in gates if gate is not None), None)

    def _behind_siblings(self, outer: Placement, parent: ast.AST, child: ast.AST) -> Placement:
        """The placement of a statement after earlier ones of its block that usually leave it."""
        if outer.frequency < SAME or child.__class__ not in STATEMENTS:
            return outer
        for reason in self._exits.before(parent, child):
            if isinstance(reason, Gate):
                return _gated(reason)
            outer = _under(outer, reason)
        return outer


def _gated(gate: Gate, line: int = 0) -> Placement:
    """Return the placement of what is behind a gate, which stands on a line where one is given."""
    return Placement(gate.frequency, gate=gate._replace(line=line) if line else gate)


def _block(branch: ast.If, child: ast.AST) -> list[ast.stmt]:
    """The statements, of the two ways of a branch, that a statement is one of."""
    return branch.body if child in branch.body else branch.orelse


def _under(outer: Placement, options: tuple[Option, ...]) -> Placement:
    """A placement that options may keep from running as well."""
    more = tuple([one for one in options if one not in outer.options])
    return outer._replace(options=outer.options + more) if more else outer
