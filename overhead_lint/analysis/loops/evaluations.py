"""Loops whose rounds may be those of an evaluation: each by itself, with no gradients in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import RUN_BY_INSTANCES
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, ENTER, EXIT, SET_ATTRIBUTE, SET_ITEM
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import bound, made_of
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.values.symbols import Api
from overhead_lint.analysis.vocabulary import WITHOUT_GRADIENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["begins_to_evaluate", "has_independent_rounds", "is_decorated", "runs_without_gradients"]

_CHANGING: Final = (SET_ATTRIBUTE, SET_ITEM)


def has_independent_rounds(body: Body, flow: Flow, loop: int, called: int = NONE) -> bool:
    """Whether no round of a loop differentiates, or hands what it calls what a round before has called.

    So rounds over batches and windows are, and those that make one token after the other, or take noise away
    step by step, are not.

    Args:
        body: the function.
        flow: the same.
        loop: the number of the loop.
        called: what shows that its rounds are steps, since it is called; any call counts where nothing does.
    """
    record = body.record
    calls, changes = [], []
    for at, code in enumerate(record.code):
        if code not in (CALL, *_CHANGING) or not in_loop(record, flow.block_of(at), loop):
            continue
        if code != CALL:
            changes.append(at)
        elif record.code[record.operand[at]] == ATTRIBUTE and record.extra[record.operand[at]] == "backward":
            return False
        elif called == record.operand[at] if called != NONE else not _is_of_library(body, at):
            calls.append(at)
    carried = [
        (phi, {one for value in record.extra[phi] for one in made_of(record, value)})
        for phi in record.block_phis[record.loops[loop].header]
    ]
    carried += [(bound(record, record.operand[at]), made_of(record, record.extra[at][1])) for at in changes]
    return not any(
        call in gives and held in made_of(record, call) for held, gives in carried for call in calls
    )


def _is_of_library(body: Body, call: int) -> bool:
    references = body.values[body.record.operand[call]].references
    return bool(references) and all(isinstance(one, Api) for one in references)


def runs_without_gradients(names: Names, place: int, loop: int, is_model: Callable[[int, int], bool]) -> bool:
    """Whether a loop stands in a context that turns gradients off, or its rounds call a model in one.

    Args:
        names: the names of the file.
        place: the function of the loop.
        loop: its number there.
        is_model: whether what is called, the first, by a call, the second, is a model.
    """
    record, flow = names.functions[place], names.flow(place)
    header = record.block_start[record.loops[loop].header]
    for begin, end in _contexts(names, place):
        if begin < header < end:
            return True
        if in_loop(record, flow.block_of(begin), loop) and any(
            record.code[at] == CALL and is_model(record.operand[at], at) for at in range(begin, end)
        ):
            return True
    return False


def is_decorated(names: Names, place: int) -> bool:
    """Whether a decorator of a function turns gradients off."""
    return not WITHOUT_GRADIENTS.isdisjoint(names.decorators(place))


def begins_to_evaluate(record: FunctionIR) -> bool:
    """Whether a function puts a module into the mode of evaluations: ``model.eval()``.

    A ``forward`` that does so keeps a part of its module frozen, while trainings run it as well.
    """
    return record.name not in RUN_BY_INSTANCES and any(
        code == CALL
        and not record.extra[at][0]
        and record.code[record.operand[at]] == ATTRIBUTE
        and record.extra[record.operand[at]] == "eval"
        for at, code in enumerate(record.code)
    )


def _contexts(names: Names, place: int) -> Iterator[tuple[int, int]]:
    """Yield where contexts of a function that turn gradients off begin and end, by operations."""
    record = names.functions[place]
    for begin, code in enumerate(record.code):
        if code == ENTER and names.last_name(place, record.operand[begin]) in WITHOUT_GRADIENTS:
            ends = [
                at for at, other in enumerate(record.code) if other == EXIT and record.operand[at] == begin
            ]
            yield begin, max(ends, default=begin)
