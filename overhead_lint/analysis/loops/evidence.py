"""What the calls of a function say about the loops around them: that rounds are steps, or parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import last_name, name_of, short, written
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, CALL, CONSTANT, ITEM, UNPACK
from overhead_lint.analysis.ir.records import FOR_LOOP, LAMBDA_BODY, NONE, WHILE_LOOP
from overhead_lint.analysis.loops.models import ITS_OBJECT, Models, innermost, is_model_name
from overhead_lint.analysis.loops.rounds import Evidence, Roles, Shown
from overhead_lint.analysis.loops.sources import (
    gives_batches,
    goes_over_loader,
    is_epochs,
    is_stream,
    item_of,
)
from overhead_lint.analysis.values.lattice import (
    OPTIMIZER,
    SCHEDULER,
    TENSOR,
    is_certainly,
)
from overhead_lint.analysis.values.symbols import Api, FunctionSymbol
from overhead_lint.analysis.vocabulary import (
    ENVIRONMENTS,
    LOSSES,
    OPTIMIZERS,
    SCHEDULERS,
    STEP_CALLS,
    TRAINERS,
    TRAININGS,
    VERBS,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["CallEvidence"]

_SURE_CALLS: Final = frozenset({"backward", "step"})
_MOST_CALLS: Final = 2
"""Through how many more functions of a file a loop is followed to the model that its rounds call."""


class CallEvidence:
    """Tells what the calls of a file say about the loops around them.

    Args:
        values: what is known of its values.
        names: its names.
        roles: what its functions are.

    Attributes:
        models: tells what is a model.
    """

    def __init__(self, values: Values, names: Names, roles: Roles) -> None:
        self._roles = roles
        self.models = Models(values, names, roles)
        self._stepping: dict[Body, bool] = {}
        self._known: dict[tuple[Body, int], Shown | None] = {}

    def of(self, body: Body, call: int) -> Shown | None:
        """Return what a call says about the loop around it; None if it says nothing."""
        key = (body, call)
        if key not in self._known:
            self._known[key] = self._judged(body, call)
        return self._known[key]

    def _judged(self, body: Body, call: int) -> Shown | None:
        record = body.record
        function = record.operand[call]
        name = last_name(record, function)
        if record.code[function] == ATTRIBUTE:
            found = self._of_method(body, call, function, name)
            if found is not None:
                return found
        elif name == "next" and name_of(record, function):
            given = record.extra[call][0]
            if given and is_stream(body, given[0]):
                return Shown(Evidence.NEXT, given[0], short(record, given[0]))
        if self._steps_by_name(body, call, name):
            return _calls(record, Evidence.STEP, function)
        if self.models.is_model(body, function, call) or self.models.is_own_module(body, function):
            return _calls(record, Evidence.MODEL, function)
        if self.steps_inside(body, call):
            return _calls(record, Evidence.CALLEE, function, takes_step=True)
        return Shown(Evidence.WORK, call, "") if self._works(body, call) else None

    def _of_method(self, body: Body, call: int, function: int, name: str) -> Shown | None:
        """Return what a call of a method says by the method and the object; None if these say nothing."""
        record = body.record
        owner = record.operand[function]
        if name == "backward":
            return _calls(record, Evidence.BACKWARD, function)
        if name == "step":
            return self._of_step(body, call, function, owner)
        said_first = words(name)[:1]
        if said_first == ("forward",) and is_model_name(last_name(record, owner)):
            return _calls(record, Evidence.MODEL, function)
        if name == "forward" and self.models.is_own_module(body, owner):
            return _calls(record, Evidence.MODEL, function)
        if name in TRAININGS and TRAINERS.intersection(words(last_name(record, owner))[-1:]):
            if self.steps_inside(body, call):
                return _calls(record, Evidence.CALLEE, function, takes_step=True)
            if self._takes_batch(body, call):
                return Shown(Evidence.WORK, call, "")
            return _calls(record, Evidence.TRAINING, function)
        if name == "task_done" and self._takes_from_queue(body, call, owner):
            return Shown(Evidence.QUEUE, owner, short(record, owner))
        if words(name) == ("step",) and last_name(record, owner) == "self" and self.models.runs(body, call):
            return _calls(record, Evidence.STEP, function)
        return None

    def _of_step(self, body: Body, call: int, function: int, owner: int) -> Shown | None:
        """Return what a call of ``step()`` says by what it is called on."""
        record, value = body.record, body.values[owner]
        said, text = set(words(last_name(record, owner))), short(record, owner)
        is_stepped = is_certainly(value, OPTIMIZER | SCHEDULER)
        if is_stepped or said & (OPTIMIZERS | SCHEDULERS):
            if self._is_of_item(body, call, owner):
                return None  # one of several, which are stepped one by one
            if value.bits & SCHEDULER if is_stepped else not said & OPTIMIZERS:
                return Shown(Evidence.SCHEDULER, owner, text, is_unsure=True)
            return Shown(Evidence.OPTIMIZER, owner, text, takes_step=not said & OPTIMIZERS)
        if said & ENVIRONMENTS:
            return Shown(Evidence.ENVIRONMENT, owner, text, is_unsure=True)
        if record.extra[call][0] and self.models.is_model(body, owner, call):
            return _calls(record, Evidence.MODEL, function)
        if last_name(record, owner) == "self" and self.models.runs(body, call):
            return _calls(record, Evidence.STEP, function)
        return None

    def _is_of_item(self, body: Body, call: int, value: int) -> bool:
        """Whether something is, or is found by, what the loop around a call gives its rounds."""
        record, loop = body.record, innermost(self.models.flow(body), call)
        item = item_of(record, loop) if loop >= 0 else NONE
        while item >= 0 and value >= 0:
            index = record.extra[value] if record.code[value] == ITEM else value
            if _comes_from(record, value, item) or _comes_from(record, index, item):
                return True
            value = record.operand[value] if record.code[value] in (ATTRIBUTE, ITEM) else NONE
        return False

    def _steps_by_name(self, body: Body, call: int, name: str) -> bool:
        """Whether a function that is called takes a step by its name: ``train_step``, ``decode_batch``.

        What builds a batch takes no step, be it a function or a class.
        """
        said = words(name)
        if said[-1:] not in (("step",), ("batch",)) or said[0] in VERBS or name.lstrip("_")[:1].isupper():
            return False
        return len(said) > 1 and not STEP_CALLS.isdisjoint(said[:-1])

    def _takes_batch(self, body: Body, call: int) -> bool:
        """Whether a call is given what the loop around it takes from a loader: no whole training is."""
        flow, record = self.models.flow(body), body.record
        loop = innermost(flow, call)
        if loop < 0 or record.loops[loop].kind != FOR_LOOP:
            return False
        if gives_batches(body, loop, self._roles, works=True) is None:
            return False
        item = item_of(record, loop)
        return any(_comes_from(record, one, item) for one in record.extra[call][0])

    def _takes_from_queue(self, body: Body, done: int, queue: int) -> bool:
        """Whether the endless loop around ``queue.task_done()`` serves what ``queue.get()`` gives."""
        flow, record = self.models.flow(body), body.record
        loop, wanted = innermost(flow, done), written(record, queue)
        if loop < 0 or record.loops[loop].kind != WHILE_LOOP:
            return False
        for at, code in enumerate(record.code):
            if code == CALL and record.code[record.operand[at]] == ATTRIBUTE:
                function = record.operand[at]
                is_taken = record.extra[function] == "get" and innermost(flow, at) == loop
                if is_taken and written(record, record.operand[function]) == wanted:
                    return True
        return False

    # Functions of the file

    def steps_inside(self, body: Body, call: int, depth: int = 0) -> bool:
        """Whether a call runs a function of the file that takes a step, outside of any loop.

        Itself, or through other functions of the file.
        """
        for one in self.models.runs(body, call):
            known = self._stepping.get(one)
            if known is None:
                self._stepping[one] = False  # for a cycle
                known = self._stepping[one] = self._takes_step(one, depth)
            if known:
                return True
        return False

    def _takes_step(self, body: Body, depth: int) -> bool:
        if body.record.kind == LAMBDA_BODY or self._roles.is_cold(body):
            return False
        if self.is_pass(body):
            return False  # a whole training, or an evaluation
        inner: list[tuple[Body, int]] = []
        for home, call in self._calls_within(body):
            name = last_name(home.record, home.record.operand[call])
            if name == "backward" or is_model_name(name) or words(name)[:1] == ("forward",):
                found = self.of(home, call)
                if found is not None and found.evidence in _TAKING:
                    return True
            else:
                inner.append((home, call))
        return depth < _MOST_CALLS and any(self.steps_inside(*one, depth + 1) for one in inner)

    def _calls_within(self, body: Body) -> Iterator[tuple[Body, int]]:
        """Yield the calls of a function and of those that it defines, but for what loops repeat."""
        flow, record = self.models.flow(body), body.record
        for at, code in enumerate(record.code):
            if code == CALL and innermost(flow, at) < 0:
                yield body, at
        for one in body.module.bodies:
            if (
                one.parent is body
                and isinstance(one.symbol, FunctionSymbol)
                and one.record.kind != LAMBDA_BODY
            ):
                yield from self._calls_within(one)

    def is_pass(self, body: Body) -> bool:
        """Whether a function goes over all batches of a loader, or over epochs."""
        record = body.record
        return any(
            is_epochs(record, loop) or goes_over_loader(record, loop) for loop in range(len(record.loops))
        )

    def _works(self, body: Body, call: int) -> bool:
        """Whether a call does tensor work or hands a model to somebody."""
        record = body.record
        function, given = record.operand[call], record.extra[call][0]
        if any(isinstance(one, Api) and one.effect.computes for one in body.values[function].references):
            return True
        if last_name(record, function) in ITS_OBJECT and record.code[function] != ATTRIBUTE:
            return True
        return any(is_model_name(last_name(record, one)) for one in given)

    # Optimizers

    def steps_optimizer(self, body: Body) -> bool:
        """Whether each call of a function takes a step of an optimizer, outside of all loops.

        What gives it a closure leaves to the optimizer how often that runs.
        """
        flow, record = self.models.flow(body), body.record
        for at, code in enumerate(record.code):
            if code != CALL or last_name(record, record.operand[at]) != "step" or innermost(flow, at) >= 0:
                continue
            found = self.of(body, at)
            if found is None or found.evidence is not Evidence.OPTIMIZER:
                continue
            if not any(self._may_be_closure(body, one) for one in record.extra[at][0]):
                return True
        return False

    def _may_be_closure(self, body: Body, given: int) -> bool:
        """Whether what a call that takes a step is given may be a function: not a loss, nor an optimizer."""
        record = body.record
        said = words(last_name(record, given))
        if OPTIMIZERS.intersection(said) or LOSSES.intersection(said[-1:]) or record.code[given] == CONSTANT:
            return False
        return not is_certainly(body.values[given], OPTIMIZER | TENSOR)


_TAKING: Final = (Evidence.BACKWARD, Evidence.CALLEE, Evidence.MODEL)
"""What shows that a function takes a step."""


def _calls(record: FunctionIR, evidence: Evidence, function: int, *, takes_step: bool = False) -> Shown:
    """Return what a call shows, by what it calls."""
    is_sure = not _SURE_CALLS.isdisjoint(words(last_name(record, function)))
    return Shown(evidence, function, short(record, function), takes_step, takes_step or not is_sure)


def _comes_from(record: FunctionIR, value: int, item: int) -> bool:
    """Whether a name holds the item of a round, or a part of it."""
    while record.code[value] in (BIND, UNPACK) and value != item:
        value = record.operand[value]
    return value == item
