"""How likely a finding is right: a logistic model over what is known of it, fitted to readings of findings.

`benchmarks/confidence.py` fits it, and says how well it tells right findings from wrong ones in packages that
it was not fitted to. The weights are data; nothing is learned while the linter runs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from overhead_lint.engine.confidence_weights import BIAS, WEIGHTS
from overhead_lint.engine.logistic import logistic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import Finding

__all__ = ["Traits", "confidence", "file_kind", "probability"]

_FAMILY: Final = len("OVH4")
_MOST_LINKS: Final = 5
_MOST_BRANCHES: Final = 3
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "training": "train trainer training finetune learner engine runner solver fit agent",
        "inference": "infer inference generate generation predict predictor demo sample sampler sampling"
        " pipeline serve app api inferencer decode decoder search",
        "evaluation": "eval evaluate evaluation evaluator metric metrics validate validation score",
        "data": "data dataset datasets dataloader loader transform transforms augment collate preprocess"
        " preprocessing processing feat feature features sampler io",
        "loss": "loss losses criterion criterions objective",
        "optimizer": "optim optimizer optimizers scheduler",
        "model": "model models module modules modeling layer layers net nets network networks nn attention"
        " encoder transformer arch archs backbone backbones head heads block blocks ops",
    }.items()
    for word in words.split()
}
"""Words of the names of files and folders, with the kind of code that they tell of; of two kinds the last."""

Traits = tuple[str, str, str, int, int, int, str]
"""Of a finding: its rule's code, what its chain begins with, heat, links, branches, options, kind of file."""


def confidence(finding: Finding) -> float:
    """Return how likely a finding is right, from 0 to 1.

    It is 1 for what a run showed, and for rules of others, of which nothing was read.
    """
    warmth = finding.warmth
    if warmth.is_measured or finding.code[:_FAMILY] not in WEIGHTS:
        return 1.0
    kind = file_kind(str(finding.path))
    options = len(warmth.options)
    return probability(
        (finding.code, warmth.kind.label, warmth.heat.label, warmth.links, finding.branches, options, kind)
    )


@lru_cache(maxsize=4096)
def probability(traits: Traits) -> float:
    """Return how likely a finding with these traits is right."""
    return logistic(BIAS, WEIGHTS, named(traits))


def named(traits: Traits) -> Iterator[str]:
    """Yield the names of what has a weight of its own in a finding."""
    code, reason, heat, links, branches, options, kind = traits
    yield code
    yield code[:_FAMILY]
    yield f"reason {reason}"
    yield f"heat {heat}"
    yield f"links {min(links, _MOST_LINKS)}"
    yield f"branches {min(branches, _MOST_BRANCHES)}"
    yield f"options {min(options, 1)}"
    yield f"file {kind}"


@lru_cache(maxsize=256)
def file_kind(path: str) -> str:
    """Return what kind of code a file holds, by the words of its name, or else of its folders."""
    for part in reversed(path.replace("\\", "/").removesuffix(".py").split("/")[-3:]):
        for word in reversed(_WORD.findall(part)):
            kind = _KINDS.get(word.lower())
            if kind is not None:
                return kind
    return "other"
