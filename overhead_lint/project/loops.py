"""Which loops run a training or inference step on each round, by the nodes of a file."""

from __future__ import annotations

import ast
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final
from zlib import crc32

from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP, NONE, line_of
from overhead_lint.analysis.loops.evaluations import has_independent_rounds, runs_without_gradients
from overhead_lint.analysis.loops.judging import LoopJudge
from overhead_lint.analysis.loops.rounds import Evidence, LoopKind, Rounds, Shown
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.library_functions import is_operator
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.seeds import cold_reason, hot_reason

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_functions import FileFunctions

__all__ = ["Loops"]


class Loops:
    """Judges the loops of a file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFunctions) -> None:
        self._facts = facts
        self._rounds: dict[ast.AST, Rounds] = {}
        self._independent: dict[tuple[int, int], bool] = {}
        self.dependencies: set[str] = set()
        """Paths into other files that may stand for models which loops call."""
        loops = list(facts.flow.loops())
        if not loops:
            return
        judge = self._judge
        for loop, place, number in loops:
            rounds = self._of(judge, place, number)
            if rounds.kind is not LoopKind.PLAIN:
                self._rounds[loop] = rounds
        for body, at in judge.calls.models.unknown:
            self.dependencies.update(facts.kinds.paths_of(body.place, at))

    @property
    def judged(self) -> int:
        """A number that is another one where the rounds of some loop are others, or for another reason."""
        return crc32(repr([*self._rounds.values()]).encode(errors="replace"))

    @cached_property
    def _judge(self) -> LoopJudge:
        facts = self._facts
        return LoopJudge(facts.kinds.values, facts.module, facts.flow.names, _Roles(facts))

    def _of(self, judge: LoopJudge, place: int, number: int) -> Rounds:
        """Return what the rounds of a loop are; of a comprehension's loops, those of the hot one."""
        loops = self._facts.flow.record.functions[place].loops
        found = judge.rounds(place, number)
        if loops[number].kind == COMPREHENSION_LOOP:
            for one in range(number + 1, len(loops)):
                if loops[one].place != loops[number].place or found.kind is LoopKind.HOT:
                    break
                found = judge.rounds(place, one)
        return found

    def rounds(self, place: int, number: int) -> Rounds:
        """Return what the rounds of a loop are, by its function and number there."""
        return self._judge.rounds(place, number)

    def is_hot(self, place: int, number: int) -> bool:
        """Whether the rounds of a loop are steps, by its function and number there."""
        return self._judge.rounds(place, number).kind is LoopKind.HOT

    def has_independent_rounds(self, place: int, number: int) -> bool:
        """Whether a hot loop's rounds may be those of an evaluation, by its function and number there."""
        known = self._independent.get((place, number))
        if known is None:
            facts = self._facts
            body, flow = facts.kinds.values.body(facts.module, place), facts.flow.names.flow(place)
            shown = self._judge.rounds(place, number).shown
            called = shown.at if shown is not None and shown.evidence in _CALLED else NONE
            known = self._independent[place, number] = has_independent_rounds(body, flow, number, called)
        return known

    def run_without_gradients(self, place: int) -> bool:
        """Whether all hot loops of a function that may be evaluations turn gradients off themselves."""
        facts, loops = self._facts, self._facts.flow.record.functions[place].loops
        body = facts.kinds.values.body(facts.module, place)
        hot = [
            one
            for one in range(len(loops))
            if self.is_hot(place, one) and self.has_independent_rounds(place, one)
        ]
        is_model = partial(self._judge.calls.models.is_model, body)
        return bool(hot) and all(
            runs_without_gradients(facts.flow.names, place, one, is_model) for one in hot
        )

    def reason(self, place: int, number: int) -> tuple[str, ReasonKind, int]:
        """Return why the rounds of a loop are steps, without the path, of what kind that is, and its line."""
        return _reason(self._judge.rounds(place, number))

    def why(self, loop: ast.AST) -> str:
        """Return why the rounds of a hot loop or comprehension are steps: ``:88 loop over loader``."""
        return _reason(self._rounds[loop])[0]

    def hot(self) -> list[ast.AST]:
        """The hot loops, in source order."""
        found = [loop for loop, rounds in self._rounds.items() if rounds.kind is LoopKind.HOT]
        return sorted(found, key=lambda loop: self._rounds[loop].place)

    def steps_optimizer(self, function: ast.AST) -> bool:
        """Whether each call of a function takes a step of an optimizer, outside of all loops."""
        place = self._facts.flow.function(function)
        if place is None or "step" not in self._facts.call_index.by_name:
            return False
        return self._judge.calls.steps_optimizer(self._facts.kinds.values.body(self._facts.module, place))


class _Roles:
    """What the functions of a file are, by their places among its records.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFunctions) -> None:
        self._facts = facts

    def is_step(self, body: Body) -> bool:
        """Whether a function runs in every step."""
        node, facts = self._facts.flow.definition(body.place), self._facts
        return isinstance(node, FUNCTIONS) and hot_reason(facts.functions[node], facts) is not None

    def is_cold(self, body: Body) -> bool:
        """Whether a function never runs in a step, whoever calls it."""
        node, facts = self._facts.flow.definition(body.place), self._facts
        return isinstance(node, FUNCTIONS) and bool(cold_reason(facts.functions[node], facts))

    def is_of_module(self, body: Body) -> bool:
        """Whether a function stands in a class of modules."""
        cls = self._facts.class_of(self._facts.flow.definition(body.place))
        return cls is not None and cls.is_module

    def is_operator(self, body: Body) -> bool:
        """Whether a library offers a function to be called with all that there is in the place of a batch."""
        return is_operator(self._facts.flow.definition(body.place), self._facts)


_FORMS: Final = {
    Evidence.OPTIMIZER: "loop that steps {}",
    Evidence.SCHEDULER: "loop that steps {}",
    Evidence.ENVIRONMENT: "loop that steps {}",
    Evidence.NEXT: "loop that takes the next of {}",
    Evidence.QUEUE: "loop that takes from the queue {}",
    Evidence.ITEMS: "loop over {}",
    Evidence.PARTS: "loop around {}",
}
_CALLED: Final = (Evidence.STEP, Evidence.MODEL, Evidence.CALLEE)
_KINDS: Final = {Evidence.QUEUE: ReasonKind.QUEUE}


def _text(shown: Shown) -> str:
    """Return what shows that rounds are steps, for readers."""
    if shown.evidence is Evidence.OPTIMIZER and shown.takes_step:
        return f"loop that steps the optimizer {shown.text}"
    form = _FORMS.get(shown.evidence)
    if form is not None:
        return form.format(shown.text)
    return f"loop that calls {shown.text}()" + (", which takes a step" if shown.takes_step else "")


def _reason(rounds: Rounds) -> tuple[str, ReasonKind, int]:
    if rounds.shown is None:
        return "", ReasonKind.OTHER, 0
    line, unsure = line_of(rounds.place), ReasonKind.ROUND if rounds.shown.is_unsure else ReasonKind.LOOP
    return f":{line} {_text(rounds.shown)}", _KINDS.get(rounds.shown.evidence, unsure), line
