"""Whether the rounds of the loop that heat came from are steps, and not wholes of many.

Loops over loaders, and those that call ``backward()`` or step an optimizer, go round once a step. Where one
is told by a model or a function of the project that it calls, or by an environment or a scheduler that it
steps, a round may as well be a whole generation, a recording or a fold of a cross-validation. What waits
for the device shows there, too; what takes the host microseconds does not. In 114 packages that nobody had
looked at before, rules that are `Rule.brief` were right in 23 of 106 places under such loops, and in 263 of
353 under others; the other rules in 104 of 142 and 1,018 of 1,219 (evaluation/strangers.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.vocabulary import OPTIMIZERS
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.loop_shapes import short
from overhead_lint.project.names import last_name
from overhead_lint.rule import Heat

if TYPE_CHECKING:
    import ast

    from overhead_lint.rule import Warmth

__all__ = ["calls", "steps", "told"]

_SURE_CALLS: Final = frozenset({"backward", "step"})


def calls(function: ast.expr, *, takes_step: bool = False) -> Reason:
    """Return why a loop is hot that calls something.

    Args:
        function: what it calls.
        takes_step: whether that is known by what stands in it, and not by its name.
    """
    text = f"loop that calls {short(function)}()"
    if takes_step:
        return Reason(f"{text}, which takes a step", ReasonKind.ROUND)
    is_unknown = _SURE_CALLS.isdisjoint(words(last_name(function)))
    return Reason(text, ReasonKind.ROUND if is_unknown else ReasonKind.LOOP)


def steps(stepped: ast.expr, *, is_optimizer: bool = False) -> Reason:
    """Return why a loop is hot that calls ``step()`` of something.

    Args:
        stepped: that.
        is_optimizer: whether it is an optimizer though its name does not say so.
    """
    if is_optimizer:
        return Reason(f"loop that steps the optimizer {short(stepped)}", ReasonKind.LOOP)
    is_unknown = OPTIMIZERS.isdisjoint(words(last_name(stepped)))
    return Reason(f"loop that steps {short(stepped)}", ReasonKind.ROUND if is_unknown else ReasonKind.LOOP)


def told(warmth: Warmth) -> Warmth:
    """Return the heat of a place that is presumed to run in steps, with the reason."""
    return warmth._replace(heat=Heat.PRESUMED, is_round_unknown=True)
