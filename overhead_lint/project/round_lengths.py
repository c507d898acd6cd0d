"""Whether the rounds of the loop that heat came from are steps, and not wholes of many.

Loops over loaders, and those that call ``backward()`` or step an optimizer, go round once a step. Where one
is told by a model or a function of the project that it calls, or by an environment or a scheduler that it
steps, a round may as well be a whole generation, a recording or a fold of a cross-validation. What waits
for the device shows there, too; what takes the host microseconds does not. In 114 packages that nobody had
looked at before, rules that are `Rule.brief` were right in 23 of 106 places under such loops, and in 263 of
353 under others; the other rules in 104 of 142 and 1,018 of 1,219 (docs/strangers.md).
"""

from __future__ import annotations

import re
from typing import Final

from overhead_lint.api.heat_reasons import LINK
from overhead_lint.project.vocabulary import OPTIMIZERS
from overhead_lint.project.words import words

__all__ = ["CALLS", "OPTIMIZER", "STEPS", "TAKES_STEP", "is_unknown", "told"]

CALLS: Final = "loop that calls "
STEPS: Final = "loop that steps "
OPTIMIZER: Final = "the optimizer "
"""Stands before what a loop steps if that is an optimizer and its name does not say so."""
TAKES_STEP: Final = ", which takes a step"

_UNKNOWN: Final = "; how much one round of it does is not known"
# A call of a module within the round is a step of its own.
_MODULE: Final = re.compile(r"\.(?:forward|__call__)\b")
_SURE_CALLS: Final = frozenset({"backward", "step"})


def is_unknown(why: str) -> bool:
    """Whether a place is hot by a loop of which nobody knows how much a round does.

    Args:
        why: the chain that heat came by, as findings tell it.
    """
    loop, _, chain = why.partition(LINK)
    if _MODULE.search(chain):
        return False
    if TAKES_STEP in loop:
        return True
    _, calls, called = loop.partition(CALLS)
    if calls:
        return _SURE_CALLS.isdisjoint(words(called.rpartition("()")[0].rpartition(".")[2]))
    _, steps, stepped = loop.partition(STEPS)
    if stepped.startswith(OPTIMIZER):
        return False
    return bool(steps) and OPTIMIZERS.isdisjoint(words(stepped.partition(",")[0].rpartition(".")[2]))


def told(why: str) -> str:
    """The chain with the reason why its place is presumed to run in steps."""
    return f"{why}{_UNKNOWN}"
