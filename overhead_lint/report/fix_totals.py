"""The last lines of a run that fixes: by tier, what it removed, and what is left for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.report.cost_texts import duration
from overhead_lint.report.numbers import number_of
from overhead_lint.report.order import TIERS
from overhead_lint.rule import Applicability, Tier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.report import Report
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding

__all__ = ["noun", "tier_lines"]

_NOUNS: Final = {
    Tier.STALL: ("stall a step", "stalls a step"),
    Tier.HOST: ("cost of host time", "costs of host time"),
    Tier.MINOR: ("minor cost", "minor costs"),
    Tier.MICRO: ("cost of microseconds", "costs of microseconds"),
    Tier.CORRECTNESS: ("matter of correctness", "matters of correctness"),
}


def tier_lines(report: Report) -> list[str]:
    """Return a line for each tier that had findings; none for a run that was not asked to fix.

    As in "Removed 9 stalls a step; 14 more need --unsafe-fixes; 31 need you."
    """
    run = report.fixing
    if run is None:
        return []
    lines = []
    for tier in TIERS:
        removed = [one for one in run.fixed if report.cost(one).tier is tier]
        left = [one for one in report.findings if report.cost(one).tier is tier]
        if removed or left:
            lines.append(_line(report, tier, removed, left))
    return lines


def _line(report: Report, tier: Tier, removed: Sequence[Finding], left: Sequence[Finding]) -> str:
    run = report.fixing
    assert run is not None, "asked of runs that fix"
    parts = []
    if removed:
        verb = "Would remove" if run.is_dry else "Removed"
        parts.append(f"{verb} {len(removed)} {noun(tier, len(removed))}{_saving(report, removed)}")
    for number, needed in (
        (0 if run.unsafe else _with(left, Applicability.UNSAFE), "--unsafe-fixes"),
        (_with(left, Applicability.NEEDS_RUNTIME), "overhead_runtime"),
        (_left_to_people(left, unsafe=run.unsafe), "you"),
    ):
        if number:
            what = f" {noun(tier, number)}" if not parts else " more" if len(parts) == 1 and removed else ""
            parts.append(f"{number}{what} {'needs' if number == 1 else 'need'} {needed}")
    return f"{'; '.join(parts)}."


def noun(tier: Tier, number: int) -> str:
    """What findings of a tier are, in the plural where there is not one."""
    return _NOUNS[tier][number != 1]


def _saving(report: Report, removed: Sequence[Finding]) -> str:
    """What the host saves, in parentheses; "" where no number is known, as of waits."""
    costs: list[Cost] = [report.cost(finding) for finding in removed]
    seconds = sum(cost.seconds or 0.0 for cost in costs)
    if not seconds:
        return ""
    about = "" if all(cost.is_measured for cost in costs) else "an estimated "
    return f" ({about}{duration(seconds)} a step)"


def _with(left: Sequence[Finding], applicability: Applicability) -> int:
    return number_of(one for one in left if one.fix is not None and one.fix.applicability is applicability)


def _left_to_people(left: Sequence[Finding], *, unsafe: bool) -> int:
    """How many have no fix, or one that was asked for and refused."""
    waiting = {Applicability.NEEDS_RUNTIME} if unsafe else {Applicability.NEEDS_RUNTIME, Applicability.UNSAFE}
    return number_of(one for one in left if one.fix is None or one.fix.applicability not in waiting)
