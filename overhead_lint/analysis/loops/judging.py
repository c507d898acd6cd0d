"""Judges the loops of a file by what their own rounds do and by what they go over.

A loop is hot for what its own rounds do, nested loops left out: they call ``.backward()``, step an
optimizer, take the next batch, or call a model; or for what it iterates: a data loader, time steps,
micro-batches, new tokens. An epoch loop is not hot for being one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import short
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.paths import goes_round
from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP, FOR_LOOP
from overhead_lint.analysis.loops.evidence import CallEvidence
from overhead_lint.analysis.loops.rounds import (
    DECISIVE,
    PLAIN_ROUNDS,
    SURE,
    Evidence,
    LoopKind,
    Roles,
    Rounds,
    Shown,
)
from overhead_lint.analysis.loops.sources import gives_batches, is_counted, is_epochs, is_of_parts
from overhead_lint.analysis.loops.trials import trials

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["LoopJudge"]

_Said = dict[Evidence, Shown]
_NOTHING: Final[_Said] = {}
_AROUND: Final = Rounds(LoopKind.AROUND)


class LoopJudge:
    """Judges the loops of a file.

    Args:
        values: what is known of its values.
        module: its dotted name.
        names: its names.
        roles: what its functions are.

    Attributes:
        calls: what calls say about the loops around them.
    """

    def __init__(self, values: Values, module: str, names: Names, roles: Roles) -> None:
        self.calls = CallEvidence(values, names, roles)
        self._roles = roles
        self._said: dict[tuple[Body, int], _Said] = {}
        self._judged: dict[tuple[int, int], Rounds] = {}
        self._trials = trials(names)
        for body in values.bodies():
            # Within a step, a loop repeats part of it.
            if body.module.name == module and body.record.loops and not roles.is_step(body):
                self._judge(body)

    def rounds(self, place: int, loop: int) -> Rounds:
        """Return what the rounds of a loop are, by the place of its function in the file and its number."""
        return self._judged.get((place, loop), PLAIN_ROUNDS)

    def _judge(self, body: Body) -> None:
        self._gather(body)
        hot = []
        for loop in range(len(body.record.loops)):
            found = self._judged_by_itself(body, loop)
            if found.kind is not LoopKind.PLAIN:
                self._judged[body.place, loop] = found
            if found.kind is LoopKind.HOT:
                hot.append(loop)
        for loop in hot:
            self._judge_around(body, loop)

    def _gather(self, body: Body) -> None:
        """Note for each loop what its own rounds do."""
        record = body.record
        for block, loop in enumerate(record.block_loop):
            if loop < 0:
                continue
            for at in range(record.block_start[block], record.block_end[block]):
                found = self.calls.of(body, at) if record.code[at] == CALL else None
                if found is not None:
                    self._said.setdefault((body, loop), {}).setdefault(found.evidence, found)

    def _judged_by_itself(self, body: Body, loop: int) -> Rounds:
        """Return what a loop is by its own rounds and what it goes over."""
        record, said = body.record, self._said.get((body, loop), _NOTHING)
        if body.place == 0 and loop in self._trials:
            return PLAIN_ROUNDS
        if Evidence.TRAINING in said:
            return _AROUND  # each round is a training of its own
        place, counts_epochs = record.loops[loop].place, is_epochs(record, loop)
        around = _AROUND if counts_epochs else PLAIN_ROUNDS
        flow = self.calls.models.flow(body)
        if record.loops[loop].kind != COMPREHENSION_LOOP and not goes_round(flow, loop):
            return around  # it takes one batch, to look at it
        if counts_epochs:
            sure = next((said[one] for one in SURE if one in said), None)
            return Rounds(LoopKind.HOT, sure, place) if sure is not None else around
        over = None
        if record.loops[loop].kind == FOR_LOOP:
            over = gives_batches(body, loop, self._roles, works=bool(said))
        decisive = next((said[one] for one in DECISIVE if one in said), None)
        shown = over or decisive
        if shown is None:
            return PLAIN_ROUNDS
        if over is not None:
            by_name = decisive is None and is_counted(record, loop)
            return Rounds(LoopKind.HOT, over, place, by_name=by_name)
        return Rounds(LoopKind.HOT, shown, place, by_name=shown.evidence is Evidence.CALLEE)

    # Loops around hot ones

    def _judge_around(self, body: Body, hot: int) -> None:
        """Judge the loops around a hot one: they add no heat, unless its rounds are parts of a step."""
        record = body.record
        inner, outer = hot, record.loops[hot].parent
        while outer >= 0:
            known = self._judged.get((body.place, outer), PLAIN_ROUNDS)
            if known.kind is LoopKind.PLAIN and is_of_parts(record, inner):
                over = record.loops[inner].value
                shown = Shown(Evidence.PARTS, over, short(record, over))
                self._judged[body.place, outer] = Rounds(LoopKind.HOT, shown, record.loops[outer].place)
            elif known.kind is LoopKind.PLAIN or self._is_whole(body, outer, known, hot):
                self._judged[body.place, outer] = _AROUND
            inner, outer = outer, record.loops[outer].parent

    def _is_whole(self, body: Body, outer: int, known: Rounds, hot: int) -> bool:
        """Whether a loop around a hot one that seems to be hot itself is one of epochs or episodes.

        A scheduler stepped beside a hot loop is stepped once an epoch, and rounds around it that are steps by
        nothing but their name are rounds of something else.
        """
        said = self._said.get((body, outer), _NOTHING)
        if said.keys() - {Evidence.WORK} == {Evidence.SCHEDULER} or known.by_name:
            return True
        return self._steps_once_more(body, outer, hot)

    def _steps_once_more(self, body: Body, outer: int, hot: int) -> bool:
        """Whether rounds step the optimizer that the loop in them steps: for what its last rounds left."""
        said, inside = self._said.get((body, outer), _NOTHING), self._said.get((body, hot), _NOTHING)
        if Evidence.OPTIMIZER not in said or Evidence.BACKWARD in said:
            return False
        text = said[Evidence.OPTIMIZER].text
        return Evidence.OPTIMIZER in inside and inside[Evidence.OPTIMIZER].text == text
