"""The first lines of a report for reading, and its last one: what matters most, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.cost_texts import duration, told
from overhead_lint.report.folded import FOLDED
from overhead_lint.report.numbers import number_of
from overhead_lint.report.order import TIERS
from overhead_lint.report.place import where
from overhead_lint.report.summary import fixes_of
from overhead_lint.rule import Tier
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.report import Report
    from overhead_lint.report.blocks import Block
    from overhead_lint.rule import Finding

__all__ = ["FEW", "LAST_LINE", "first_lines"]

FEW: Final = 3
"""So many findings need no summary and no order, and so many are named in a summary."""
LAST_LINE: Final = (
    "To rank them by measurement: overhead-lint run SCRIPT, then overhead-lint --evidence overhead.json"
)


def first_lines(report: Report, blocks: Sequence[Block]) -> list[str]:
    """How much there is of each tier, what costs the most, and what comes next; none of a quiet report.

    Args:
        report: see there.
        blocks: its findings, the most expensive first.
    """
    if report.quiet:
        return []
    by_tier: dict[Tier, list[Block]] = {tier: [] for tier in TIERS}
    for block in blocks:
        by_tier[report.cost(block.first).tier].append(block)
    findings = [block.first for block in blocks]
    lines = [f"{'; '.join(_amounts(by_tier, report))}.", "Most expensive:"]
    for finding in findings[:FEW]:
        place = f"{on_one_line(str(finding.path))}:{where(finding, report.sources)}"
        lines.append(f"  {place}: {finding.code} {finding.name} ({told(report.cost(finding))})")
    lines += _next(report, findings[0])
    return ["\n".join(lines)]


def _amounts(by_tier: Mapping[Tier, Sequence[Block]], report: Report) -> list[str]:
    """How many places each tier has; of the tiers that have some. What one change mends is one place."""
    amounts = []
    for tier, blocks in by_tier.items():
        number = number_of(block.first for block in blocks) if tier in FOLDED else len(blocks)
        if not number:
            continue
        if tier is Tier.STALL:
            amounts.append(f"{count(number, 'place')} {'stalls' if number == 1 else 'stall'} a step")
        elif tier is Tier.CORRECTNESS:
            amounts.append(f"{number} {'is' if number == 1 else 'are'} a matter of correctness")
        elif tier is Tier.MINOR:
            amounts.append(f"{number} {'is' if number == 1 else 'are'} seldom worth a change")
        else:
            costs = [report.cost(finding) for block in blocks for finding in (block.first, *block.told)]
            seconds = sum(cost.seconds or 0.0 for cost in costs)
            about = "" if all(cost.is_measured for cost in costs) else "an estimated "
            verb = "costs" if number == 1 else "cost"
            kind = "host time" if tier is Tier.HOST else "microseconds"
            amounts.append(f"{number} {verb} {kind} ({about}{duration(seconds)} a step)")
    return amounts


def _next(report: Report, first: Finding) -> list[str]:
    """What fixes would do, and the command to try first."""
    safe, unsafe = fixes_of(report.findings)
    if unsafe and report.asks_unsafe:
        safe, unsafe = 0, safe + unsafe
    does = [f"--fix fixes {safe} of these findings"] if safe else []
    if unsafe:
        does.append(
            f"--fix --unsafe-fixes fixes {f'{unsafe} more' if safe else f'{unsafe} of these findings'}"
        )
    lines = [f"{', and '.join(does)}."] if does else []
    if safe:
        return [*lines, "Next: overhead-lint --diff shows what --fix would change."]
    if unsafe:
        return [*lines, "Next: overhead-lint --diff --unsafe-fixes shows what they would change."]
    return [f"Next: overhead-lint rule {first.code} explains the first of them."]
