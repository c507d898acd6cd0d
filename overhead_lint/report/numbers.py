"""How many findings there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.rule import Finding

__all__ = ["number_of"]


def number_of(findings: Iterable[Finding]) -> int:
    """Return how many findings there are, with those that others tell: as a baseline counts them."""
    return sum(1 + len(finding.also) for finding in findings)
