"""Where a node stands within its function: behind a gate, in a hot loop, in another loop."""

from __future__ import annotations

import ast
import enum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import Option
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.gate_names import GateNames
from overhead_lint.project.gated_blocks import deprecates, ends_in_error, warns
from overhead_lint.project.gates import Gates
from overhead_lint.project.loop_shapes import repeats
from overhead_lint.project.loops import LoopKind
from overhead_lint.project.made_once import MadeOnce
from overhead_lint.project.scan import COMPREHENSIONS, LOOPS, STATEMENTS
from overhead_lint.project.whole_runs import trainings
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Place", "Placement", "Placements"]


class Place(enum.IntEnum):
    """How often a place runs, compared with what is around it."""

    GATED = 0
    """Hardly ever, whatever the function's heat."""
    FLOW = 1
    """As often as the function."""
    REPEATED = 2
    """Many times a call of the function."""
    HOT = 3
    """Once a round of a hot loop: a step."""
    HOT_REPEATED = 4
    """Many times a round of a hot loop."""


# To ask an enumeration for a member takes long (Python 3.11).
PLACE_GATED: Final = Place.GATED
PLACE_FLOW: Final = Place.FLOW
PLACE_REPEATED: Final = Place.REPEATED
PLACE_HOT: Final = Place.HOT
PLACE_HOT_REPEATED: Final = Place.HOT_REPEATED


class Placement(NamedTuple):
    """A place, with what makes it one.

    Attributes:
        place: how often it runs.
        why: the hot loop that it is in; "" for none.
        kind: what the hot loop is.
        gate: what it is behind; None if it is behind none.
        options: those that keep it from running while nobody passes them.
    """

    place: Place
    why: str = ""
    kind: ReasonKind = ReasonKind.OTHER
    gate: Gate | None = None
    options: tuple[Option, ...] = ()


_Leaving = Gate | tuple[Option, ...]
"""What lets the rest of a block run: a gate, or options that have other values than their defaults."""
_Step = tuple[ast.AST, ast.AST, ast.AST | None]
"""A node, the part of it that leads to what is judged, and the part of that in turn, if there is one."""

_FLOW: Final = Placement(PLACE_FLOW)
_ERROR: Final = Gate(GateKind.ERROR)
# What decides how often something in it runs, beside blocks of statements.
_DECIDING: Final = frozenset(
    {
        *(*LOOPS, *COMPREHENSIONS),
        *(ast.If, ast.IfExp, ast.BoolOp, ast.match_case, ast.Raise, ast.ExceptHandler, ast.Assert),
    }
)
# What lets some of its parts run, by what it asks.
_CHOOSING: Final = frozenset({ast.BoolOp, ast.If, ast.IfExp})
_LOOPS: Final = frozenset(LOOPS)
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers")


class Placements:
    """Places of one file, each judged once a statement.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._gates = Gates(GateNames(facts, self._gate_at))
        self._made_once = MadeOnce(facts, self._gate_at)
        self._known: dict[ast.AST, Placement] = {}
        self._leaving_of: dict[tuple[ast.AST, str], list[tuple[int, _Leaving]]] = {}  # by holder and block

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
            parent.__class__ in _LOOPS and parent in self._facts.generators.loops and repeats(parent, child)  # type: ignore[arg-type]
        ):
            around = self.of(parent)
            return around if around.place is PLACE_GATED else Placement(PLACE_FLOW, options=around.options)
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
            if outer.place is not PLACE_GATED and parent.__class__ in _CHOOSING:
                outer = _under(self._at_an_end(outer, parent, child), self._options(parent, child))
            if isinstance(parent, LOOPS):
                if repeats(parent, child):
                    outer = self._inside(outer, parent)
            elif isinstance(parent, COMPREHENSIONS):
                first = parent.generators[0]
                if not (child is first and before is first.iter):
                    outer = self._inside(outer, parent)
        return self._behind_siblings(outer, parent, child)

    def _inside(self, outer: Placement, loop: ast.AST) -> Placement:
        """The placement of what a loop repeats."""
        judged = self._facts.loops.judge(loop)
        if judged.kind is LoopKind.HOT and not self.is_made_once(loop):
            return Placement(PLACE_HOT, judged.why, judged.reason, options=outer.options)
        if judged.kind is LoopKind.AROUND or outer.place is PLACE_GATED:
            return outer
        if outer.place in (PLACE_HOT, PLACE_HOT_REPEATED):
            return outer._replace(place=PLACE_HOT_REPEATED)
        return Placement(PLACE_REPEATED, options=outer.options)

    def _at_an_end(self, outer: Placement, parent: ast.AST, child: ast.AST) -> Placement:
        """The placement of what leaves a loop behind it: it runs no more often than the loop is begun.

        A branch that ends in ``break`` ends the innermost loop, one that ends in ``return`` all of them, and
        one that asks for what the innermost loop ends by is taken in its last round alone.
        """
        if parent.__class__ is not ast.If or child is parent.test:
            return outer
        block, loops = _block(parent, child), self._facts.loops_of(parent)
        ended = loops if block[-1].__class__ is ast.Return else loops[-1:]
        if not isinstance(block[-1], (ast.Break, ast.Return)) and not (
            block is parent.body and ended and self._facts.flow.is_left_once(ended[0], parent.test)
        ):
            return outer
        if not ended or not self._facts.generators.loops.keys().isdisjoint(ended):
            return outer
        begun = self.of(ended[0])
        return _under(begun, outer.options) if begun.place < outer.place else outer

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
        if parent.__class__ is ast.BoolOp:
            usual = parent.op.__class__ is ast.And
            for value in parent.values:
                if value is child:
                    return None
                gate = self._gates.gate(value, usual)
                if gate is not None:
                    return gate
        if isinstance(parent, (ast.Raise, ast.ExceptHandler)):
            return _ERROR
        if parent.__class__ is ast.Assert and child is parent.msg:
            return _ERROR
        if parent.__class__ is ast.match_case and child in parent.body and ends_in_error(parent.body):
            return _ERROR
        if isinstance(parent, LOOPS) and child in parent.orelse and ends_in_error(parent.orelse):
            return _ERROR
        return None

    def _branch(self, parent: ast.If | ast.IfExp, child: ast.AST) -> Gate | None:
        """Return the gate of the branch that `child` is in, or is; None if it has none."""
        if child is parent.test:
            return None
        if isinstance(parent, ast.IfExp):
            return self._gates.gate(parent.test, child is parent.body)
        block = _block(parent, child)
        if ends_in_error(block):
            return _ERROR
        if warns(block):
            return Gate(GateKind.WARNING)
        if deprecates(block):
            return Gate(GateKind.DEPRECATED)
        return self._gates.gate(parent.test, block is parent.body, block)

    def _behind_siblings(self, outer: Placement, parent: ast.AST, child: ast.AST) -> Placement:
        """The placement of a statement after earlier ones of its block that usually leave it."""
        if outer.place is PLACE_GATED or child.__class__ not in STATEMENTS:
            return outer
        for name in _BLOCKS:
            block = getattr(parent, name, None)
            if block.__class__ is not list or child not in block:
                continue
            if child.__class__ is not ast.Raise and self._facts.flow.leads_to_error(block[0], child):
                return _gated(_ERROR, child.lineno)
            at = block.index(child)
            for index, reason in self._leaving(parent, name, block) if at else ():
                if index > at:
                    break
                if isinstance(reason, Gate):
                    return _gated(reason)
                outer = _under(outer, reason)
            break
        return outer

    def _leaving(self, parent: ast.AST, name: str, block: list[ast.stmt]) -> list[tuple[int, _Leaving]]:
        """Statements of a block that hardly ever run, or never, for what those before do, by their places.

        Args:
            parent: what holds the block.
            name: the block's field.
            block: its statements.

        Returns:
            With each place the gate, or the options that keep it and the rest from running.
        """
        key = (parent, name)
        known = self._leaving_of.get(key)
        if known is None:
            known = self._leaving_of[key] = []
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

    def _other_way(self, test: ast.AST, outcome: bool, rest: list[ast.stmt]) -> _Leaving:
        """Return what lets the rest of a block run of which a test left with another outcome.

        Args:
            test: an ``if``, or a handler that caught what all else of its ``try`` left by.
            outcome: the outcome that did not leave.
            rest: the statements behind it.
        """
        if test.__class__ is ast.ExceptHandler:
            return _ERROR._replace(line=test.lineno)
        assert isinstance(test, ast.If)
        if ends_in_error(test.orelse if outcome else test.body):
            return ()
        gate = self._gates.gate(test.test, outcome, rest)
        return (
            gate._replace(line=test.lineno)
            if gate is not None
            else self._facts.options.shut(test.test, outcome)
        )

    def _refusal(self, first: ast.stmt, statement: ast.stmt, rest: list[ast.stmt]) -> _Leaving:
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


def _gated(gate: Gate, line: int = 0) -> Placement:
    """Return the placement of what is behind a gate, which stands on a line where one is given."""
    return Placement(PLACE_GATED, gate=gate._replace(line=line) if line else gate)


def _block(branch: ast.If, child: ast.AST) -> list[ast.stmt]:
    """The statements, of the two ways of a branch, that a statement is one of."""
    return branch.body if child in branch.body else branch.orelse


def _under(outer: Placement, options: tuple[Option, ...]) -> Placement:
    """A placement that options may keep from running as well."""
    more = tuple([one for one in options if one not in outer.options])
    return outer._replace(options=outer.options + more) if more else outer
