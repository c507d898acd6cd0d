"""How likely a finding is worth a change that a maintainer would merge.

That is how likely it is right, times how likely a right one of its kind is worth a change. The latter is a
logistic model of its own: what makes a finding wrong, such as a long chain, does not make a right one matter
less. A wait behind which the host waits again costs little. `benchmarks/confidence.py` fits both to readings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from overhead_lint.engine.logistic import logistic
from overhead_lint.engine.worth_weights import BIAS, READ, WEIGHTS
from overhead_lint.rule import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Finding

__all__ = ["WorthTraits", "named", "probability", "worth"]

_MOST_LINKS: Final = 2

WorthTraits = tuple[str, bool, bool, int, str, str]
"""Of a finding: its rule's code, whether the host waits, whether again behind it, links, heat, what its chain
begins with."""


def worth(finding: Finding, confidence: float) -> float:
    """Return how likely a finding is worth a change, from 0 to 1.

    It is 1 for what a run measured, for what is no matter of cost, and for rules of whose findings too few
    were read: those of others, and those that are rarely found.

    Args:
        finding: it.
        confidence: how likely it is right.
    """
    is_judged = finding.code in READ and finding.tier is not Tier.CORRECTNESS
    if not is_judged or finding.warmth.is_measured:
        return 1.0
    warmth = finding.warmth
    waits, runs = finding.tier is Tier.STALL, (warmth.heat.label, warmth.kind.label)
    return confidence * probability((finding.code, waits, finding.waits_again, warmth.links, *runs))


@lru_cache(maxsize=1024)
def probability(traits: WorthTraits) -> float:
    """Return how likely a right finding with these traits is worth a change."""
    return logistic(BIAS, WEIGHTS, named(traits))


def named(traits: WorthTraits) -> Iterator[str]:
    """Yield the names of what has a weight of its own in a finding."""
    code, waits, waits_again, links, heat, reason = traits
    yield code
    yield "waits again" if waits_again else "waits" if waits else "host"
    yield f"links {min(links, _MOST_LINKS)}"
    yield f"{code} {heat}"
    yield f"runs {heat} by {reason}"
