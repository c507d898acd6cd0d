"""Which loops run a training or inference step on each round.

A loop is hot for what its own rounds do, nested loops left out: they call ``.backward()``, step an
optimizer, take the next batch, or call a model; or for what it iterates: a data loader,
time steps, micro-batches, new tokens. An epoch loop is not hot for being one.
"""

from __future__ import annotations

import ast
import enum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.vocabulary import LOSSES, OPTIMIZERS
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.loaders import Loaders
from overhead_lint.project.loop_evidence import LoopEvidence, innermost
from overhead_lint.project.loop_shapes import has_target, is_epochs, is_part, range_end, short
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import COMPREHENSIONS
from overhead_lint.project.seeds import hot_reason
from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_functions import FileFunctions

__all__ = ["LoopFacts", "LoopKind", "Loops"]

_REPEATING: Final = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS)


class LoopKind(enum.Enum):
    """What the rounds of a loop are."""

    HOT = "hot"
    """Steps of training or inference."""
    AROUND = "around"
    """Holds a hot loop, or counts epochs: adds no heat of its own."""
    PLAIN = "plain"
    """Anything else: repeats what its place does."""


class LoopFacts(NamedTuple):
    """A judged loop; of a hot one the reason, the path left out (``:88 loop over loader``), and its line."""

    kind: LoopKind
    why: str
    reason: ReasonKind = ReasonKind.OTHER
    line: int = 0


class Loops:
    """Judges the loops of a file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFunctions) -> None:
        self._facts = facts
        self._loaders = Loaders(facts)
        self._says = LoopEvidence(facts, self._loaders)
        self._judged: dict[ast.AST, LoopFacts] = {}
        self._by_name: set[ast.AST] = set()
        self._by_call: dict[ast.AST, str] = {}
        self._evidence = self._gather()
        self._judge_all()

    @property
    def dependencies(self) -> set[str]:
        """Paths into other files that may stand for models which loops call."""
        return self._says.dependencies

    def judge(self, loop: ast.AST) -> LoopFacts:
        """What the rounds of a loop or comprehension are."""
        return self._judged.get(loop, _PLAIN)

    def is_unsure(self, loop: ast.AST) -> bool:
        """Whether a hot loop neither trains nor takes batches: a name or what it calls tells of its steps."""
        return loop in self._by_name or loop in self._by_call

    def hot(self) -> list[ast.AST]:
        """The hot loops, in source order."""
        found = [loop for loop, judged in self._judged.items() if judged.kind is LoopKind.HOT]
        return sorted(found, key=lambda loop: (loop.lineno, loop.col_offset))  # type: ignore[attr-defined]

    def steps_optimizer(self, function: ast.AST) -> bool:
        """Whether each call of a function takes a step of an optimizer, outside of all loops.

        What gives it a closure leaves to the optimizer how often that runs.
        """
        return function in self._optimizing

    @cached_property
    def _optimizing(self) -> frozenset[ast.AST]:
        found: set[ast.AST] = set()
        for call in self._facts.call_index.by_name.get("step", ()):
            function = self._facts.function_node(call)
            if function is None or self._facts.loops_of(call) or self._takes_closure(call):
                continue
            evidence = self._says.of(call)
            if evidence is not None and evidence[0] == "optimizer":
                found.add(function)
        return frozenset(found)

    def _takes_closure(self, step: ast.Call) -> bool:
        """Whether a call that takes a step is given a function: all but tensors and a scaler's optimizer.

        What wraps an optimizer may take the loss: ``self.optim.step(loss)`` calls ``backward()`` first.
        """
        given = [*step.args, *(keyword.value for keyword in step.keywords)]
        return any(self._may_be_closure(one) for one in given)

    def _may_be_closure(self, given: ast.expr) -> bool:
        """Whether what a call that takes a step is given may be a function."""
        said = words(last_name(given))
        if OPTIMIZERS.intersection(said) or LOSSES.intersection(said[-1:]) or isinstance(given, ast.Constant):
            return False
        return not self._says.is_optimizer(given) and self._facts.kinds.kind(given) is not Kind.TENSOR

    def _gather(self) -> dict[ast.AST, dict[str, Reason]]:
        """For each loop what its own rounds do: kind of evidence to words about it."""
        found: dict[ast.AST, dict[str, Reason]] = {}
        seen: set[ast.AST] = set()
        for outer in self._judgeable:
            if outer in seen:
                continue
            for node in self._facts.scan.within(outer, ast.Call, *_REPEATING):
                if isinstance(node, _REPEATING):
                    seen.add(node)
                elif node.__class__ is ast.Call:
                    loop = innermost(node, self._facts)
                    evidence = self._says.of(node) if loop is not None else None
                    if loop is not None and evidence is not None:
                        found.setdefault(loop, {}).setdefault(*evidence)
        return found

    @cached_property
    def _judgeable(self) -> list[ast.AST]:
        """Loops that may be hot, outer ones first: within a step, a loop repeats part of it."""
        loops = [loop for loop_class in _REPEATING for loop in self._facts.scan.by_class.get(loop_class, ())]
        loops.sort(key=lambda loop: (loop.lineno, loop.col_offset))  # type: ignore[attr-defined]
        facts = self._facts
        around = {loop: facts.function_node(loop) for loop in loops}
        hot = {node for node in around.values() if node and hot_reason(facts.functions[node], facts)}
        return [loop for loop in loops if around[loop] not in hot]

    def _holds_pass(self, loop: ast.AST) -> bool:
        """Whether each round of a loop that steps a scheduler calls what goes over a loader: an epoch."""
        facts = self._facts
        return "scheduler" in self._evidence.get(loop, {}) and any(
            self._says.is_pass(node)
            for call in facts.scan.within(loop, ast.Call)
            if isinstance(call.func, (ast.Name, ast.Attribute)) and facts.flow.runs_each_round(call, loop)
            for node in facts.calls.functions_named(call.func)
        )

    def _judge_all(self) -> None:
        for loop in self._judgeable:
            why = self._why_hot(loop)
            if why is not None:
                place = f":{loop.lineno} {why.text}"  # type: ignore[attr-defined]
                self._judged[loop] = LoopFacts(LoopKind.HOT, place, why.kind, loop.lineno)  # type: ignore[attr-defined]
            elif is_epochs(loop) or "training" in self._evidence.get(loop, {}) or self._holds_pass(loop):
                self._judged[loop] = LoopFacts(LoopKind.AROUND, "")
        for loop in self.hot():
            self._judge_around(loop)

    def _judge_around(self, hot: ast.AST) -> None:
        """Judge the loops around a hot one: they add no heat, unless its rounds are parts of a step."""
        inner, outer = hot, innermost(hot, self._facts)
        while outer is not None:
            known = self._judged.get(outer, _PLAIN)
            if known.kind is LoopKind.PLAIN and is_part(inner):
                why = f":{outer.lineno} loop around {short(inner.iter)}"  # type: ignore[attr-defined]
                self._judged[outer] = LoopFacts(LoopKind.HOT, why, ReasonKind.LOOP, outer.lineno)  # type: ignore[attr-defined]
            elif (
                known.kind is LoopKind.PLAIN
                or self._evidence.get(outer, {}).keys() - {"work"} == {"scheduler"}
                or outer in self._by_name
                or self._is_episode(outer, hot)
                or self._steps_once_more(outer, hot)
            ):
                # A scheduler stepped beside a hot loop is stepped once an epoch, and rounds around
                # it that are steps by nothing but their name are rounds of something else.
                self._judged[outer] = LoopFacts(LoopKind.AROUND, "")
            inner, outer = outer, innermost(outer, self._facts)

    def _is_episode(self, outer: ast.AST, hot: ast.AST) -> bool:
        """Whether rounds are epochs or episodes: what is called beside a loop that has the steps.

        The loop in them trains a model, as they call one, or steps the environment that they step.
        """
        kind, inside = self._by_call.get(outer, ""), self._evidence.get(hot, {})
        if kind == "model":
            return "backward" in inside and "optimizer" in inside
        return bool(kind) and self._evidence[outer][kind] == inside.get(kind)

    def _steps_once_more(self, outer: ast.AST, hot: ast.AST) -> bool:
        """Whether rounds step the optimizer that the loop in them steps: for what its last rounds left."""
        said = self._evidence.get(outer, {})
        if "optimizer" not in said or "backward" in said:
            return False
        facts = self._facts
        if self._evidence.get(hot, {}).get("optimizer") == said["optimizer"]:
            return True
        inside = {
            facts.function_node(step)
            for step in facts.call_index.by_name.get("step", ())
            if self._says.of(step) == ("optimizer", said["optimizer"])
        }
        return any(
            node in inside
            for call in facts.scan.within(hot, ast.Call)
            if isinstance(call.func, (ast.Name, ast.Attribute)) and innermost(call, facts) is hot
            for node in facts.calls.functions_named(call.func)
        )

    def _why_hot(self, loop: ast.AST) -> Reason | None:
        evidence = self._evidence.get(loop, {})
        if "training" in evidence:
            return None  # each round is a training of its own
        if loop.__class__ in _STATEMENTS and not self._facts.flow.goes_round(loop):
            return None  # it takes one batch, to look at it
        if is_epochs(loop):
            return next((evidence[key] for key in _SURE if key in evidence), None)
        decisive = next((evidence[key] for key in _DECISIVE if key in evidence), None)
        if decisive and decisive == evidence.get("scheduler") and self._holds_pass(loop):
            return None  # an epoch
        over = self._loaders.iterated(loop, works=bool(evidence)) if has_target(loop) else ""
        if not over:
            if decisive and decisive == evidence.get("callee"):
                self._by_name.add(loop)
            for kind in ("model", "environment"):
                if decisive and decisive == evidence.get(kind):
                    self._by_call[loop] = kind
            return decisive
        if not decisive and range_end(loop.iter) is not None:  # type: ignore[attr-defined]
            self._by_name.add(loop)
        return Reason(f"loop over {over}", ReasonKind.LOOP)


_STATEMENTS: Final = frozenset({ast.For, ast.AsyncFor, ast.While})
_SURE: Final = ("backward", "optimizer", "next")
"""What rounds show that are steps, whatever their number is called."""
_DECISIVE: Final = (
    *("backward", "optimizer", "step", "next", "model", "environment", "scheduler", "queue", "callee"),
)
_PLAIN: Final = LoopFacts(LoopKind.PLAIN, "")
