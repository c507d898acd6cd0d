"""Findings of the tiers that say least, counted: one line a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.report.numbers import number_of
from overhead_lint.rule import Tier
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Finding

__all__ = ["FOLDED", "folded_lines"]

FOLDED: Final = (Tier.MINOR, Tier.MICRO)
"""The tiers whose findings are counted unless they are asked for."""


def folded_lines(tier: Tier, findings: Sequence[Finding]) -> list[str]:
    """Return how many findings of a tier there are, in how many files, and of each rule; none of none."""
    if not findings:
        return []
    of_rule: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        of_rule.setdefault((finding.code, finding.name), []).append(finding)
    by_number = sorted(of_rule.items(), key=lambda item: (-number_of(item[1]), item[0]))
    lines = [f"{_amount(findings, f'{tier.value} finding')}: --tier {tier.value} shows them"]
    lines += [f"  {code} {name}: {_amount(found, 'place')}" for (code, name), found in by_number]
    return ["\n".join(lines)]


def _amount(findings: Sequence[Finding], noun: str) -> str:
    files = len({str(finding.path) for finding in findings})
    return f"{count(number_of(findings), noun)} in {count(files, 'file')}"
