"""What names say of functions: that they take a step, of a training, an evaluation or an environment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.lookup import base_hooks
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE
from overhead_lint.analysis.vocabulary import (
    ENVIRONMENTS,
    GRADIENTS,
    STEP_METHODS,
    STEP_PREFIXES,
    TRAINING,
    VERBS,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["is_step_by_word_alone", "says_batch", "says_step", "steps_environment", "trains_step"]


def says_step(name: str) -> bool:
    """Return whether a function's name says that it takes a step or part of one: ``train_step``."""
    said = words(name)
    if said[:1] == ("clip",):
        return bool(GRADIENTS & set(said[1:]))
    is_step = len(said) > 1 and said[-1] == "step" and said[0] not in VERBS
    return is_step and bool(STEP_PREFIXES & set(said[:-1]))


def trains_step(name: str) -> bool:
    """Return whether a function's name says that it takes a step of a training: ``training_step``."""
    return says_step(name) and not TRAINING.isdisjoint(words(name))


def says_batch(name: str) -> bool:
    """Return whether a method's name says that it takes a batch through a step: ``forward_batch``."""
    said = words(name)
    return len(said) > 1 and said[-1] == "batch" and said[0] in STEP_PREFIXES


def is_step_by_word_alone(name: str) -> bool:
    """Return whether nothing but words makes a function of a name a step: no library calls it by that."""
    return (says_step(name) or says_batch(name)) and name not in _called_by_libraries()


def steps_environment(record: FunctionIR, called: int) -> bool:
    """Return whether what is called is the ``step`` of an environment: ``env.step``.

    Args:
        record: the function of the call.
        called: the operation that gives what is called.
    """
    if record.code[called] != ATTRIBUTE or record.extra[called] != "step":
        return False
    return not ENVIRONMENTS.isdisjoint(words(last_name(record, record.operand[called])))


@cache
def _called_by_libraries() -> AbstractSet[str]:
    """The names of methods that libraries call in each step."""
    return STEP_METHODS.union(*base_hooks().values())
