"""Functions that hold a whole training: they make an optimizer, and step it in a loop of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL
from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP
from overhead_lint.analysis.vocabulary import OPTIMIZERS
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names

__all__ = ["is_training", "optimizes"]

_CALLED: Final = frozenset({"forward", "__call__"})


def is_training(names: Names, place: int) -> bool:
    """Whether a function makes an optimizer and steps it in a loop: all around that is no step."""
    record = names.functions[place]
    return record.name not in _CALLED and optimizes(names, place) and _makes_optimizer(names, place)


def optimizes(names: Names, place: int) -> bool:
    """Whether a function holds a loop that takes steps of an optimizer, gradients included."""
    record = names.functions[place]
    if not record.loops:
        return False
    stepped: set[int] = set()
    differentiated: set[int] = set()
    for at, code in enumerate(record.code):
        called = record.operand[at]
        if code != CALL or record.code[called] != ATTRIBUTE:
            continue
        if record.extra[called] == "backward":
            differentiated |= _loops(names, place, at)
        elif record.extra[called] == "step" and _is_optimizer(names.last_name(place, record.operand[called])):
            stepped |= _loops(names, place, at)
    return not stepped.isdisjoint(differentiated)


def _is_optimizer(name: str) -> bool:
    return not OPTIMIZERS.isdisjoint(words(name))


def _loops(names: Names, place: int, at: int) -> set[int]:
    """Return the loops around an operation, comprehensions left out."""
    record, found = names.functions[place], set()
    loop = record.block_loop[names.flow(place).block_of(at)]
    while loop >= 0:
        if record.loops[loop].kind != COMPREHENSION_LOOP:
            found.add(loop)
        loop = record.loops[loop].parent
    return found


def _makes_optimizer(names: Names, place: int) -> bool:
    record = names.functions[place]
    for at, code in enumerate(record.code):
        if code == CALL:
            made = names.qualified(place, record.operand[at])
            is_optimizer = made.startswith("torch.optim.") and not made.startswith(
                "torch.optim.lr_scheduler."
            )
            if is_optimizer and not _loops(names, place, at):
                return True
    return False
