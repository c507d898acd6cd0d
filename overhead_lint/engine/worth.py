"""How likely a finding is worth a change that a maintainer would merge.

That is how likely it is right, times how likely a right one of its kind is worth a change. The latter is a
logistic model of its own: what makes a finding wrong, such as a long chain, does not make a right one matter
less. What an evaluation waits for is often meant to wait, and a wait behind which the host waits again costs
little. `benchmarks/confidence.py` fits both to readings.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from overhead_lint.engine.logistic import logistic
from overhead_lint.engine.worth_weights import BIAS, READ, WEIGHTS
from overhead_lint.rule import ReasonKind, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Finding

__all__ = ["WorthTraits", "named", "phase", "probability", "worth"]

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TRAINS: Final = frozenset({"fit", "learn", "optimize", "train", "trainer", "training"})
_EVALUATES: Final = frozenset(
    {"eval", "evaluate", "evaluation", "evaluator", "metric", "metrics", "test", "testing", "val", "validate"}
    | {"validation"}
)

_MOST_LINKS: Final = 2

WorthTraits = tuple[str, bool, bool, str, int, int]
"""Of a finding: its rule's code, whether the host waits, whether again behind it, phase, links, branches."""


def worth(finding: Finding, confidence: float) -> float:
    """Return how likely a finding is worth a change, from 0 to 1.

    It is 1 for what a run measured, for what is no matter of cost, and for rules none of whose findings were
    read so: those of others, and those that are rarely found.

    Args:
        finding: it.
        confidence: how likely it is right.
    """
    is_judged = finding.code in READ and finding.tier is not Tier.CORRECTNESS
    if not is_judged or finding.warmth.is_measured:
        return 1.0
    warmth = finding.warmth
    does = phase((place.function for place in warmth.places), is_loop=warmth.kind is ReasonKind.LOOP)
    waits, links, branches = finding.tier is Tier.STALL, warmth.links, finding.branches
    return confidence * probability((finding.code, waits, finding.waits_again, does, links, branches))


@lru_cache(maxsize=1024)
def probability(traits: WorthTraits) -> float:
    """Return how likely a right finding with these traits is worth a change."""
    return logistic(BIAS, WEIGHTS, named(traits))


def named(traits: WorthTraits) -> Iterator[str]:
    """Yield the names of what has a weight of its own in a finding."""
    code, waits, waits_again, does, links, branches = traits
    yield code
    yield "waits again" if waits_again else "waits" if waits else "host"
    yield f"phase {does}"
    yield f"links {min(links, _MOST_LINKS)}"
    yield f"branches {min(branches, 1)}"


def phase(functions: Iterable[str], *, is_loop: bool) -> str:
    """Return what a program does in a step, by the last function that leads to a place and tells by its name.

    A class does not tell: a trainer validates, too. A loop that the program writes counts as training where
    no name says what it does: by readings that loses nothing, and ``loss.item()`` in one is what users expect
    to be told of.

    Args:
        functions: their names in paths, from the outside in.
        is_loop: whether the step is a loop that the program writes.
    """
    told = "train" if is_loop else "other"
    for name in functions:
        words = {word.lower() for word in _WORD.findall(name.rpartition(".")[2])}
        told = "train" if words & _TRAINS else "evaluate" if words & _EVALUATES else told
    return told
