"""The first lines of a report for reading, and its last one: what matters most, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.cost_texts import duration, told
from overhead_lint.report.numbers import number_of
from overhead_lint.report.order import TIERS
from overhead_lint.report.place import where
from overhead_lint.report.summary import fixes_of
from overhead_lint.rule import Tier
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding

__all__ = ["FEW", "LAST_LINE", "first_lines"]

FEW: Final = 3
"""So many findings need no summary and no order, and so many are named in a summary."""
LAST_LINE: Final = (
    "To rank them by measurement: overhead-lint run SCRIPT, then overhead-lint --evidence overhead.json"
)


def first_lines(report: Report) -> list[str]:
    """How much there is of each tier, what costs the most, and what comes next; none of a quiet report.

    Args:
        report: with the most expensive findings first.
    """
    findings = report.findings
    if report.quiet:
        return []
    by_tier: dict[Tier, list[Finding]] = {tier: [] for tier in TIERS}
    for finding in findings:
        by_tier[report.cost(finding).tier].append(finding)
    lines = [f"{'; '.join(_amounts(by_tier, report))}.", "Most expensive:"]
    for finding in findings[:FEW]:
        place = f"{on_one_line(str(finding.path))}:{where(finding, report.sources)}"
        lines.append(f"  {place}: {finding.code} {finding.name} ({told(report.cost(finding))})")
    lines += _next(findings, asks_unsafe=report.asks_unsafe)
    return ["\n".join(lines)]


def _amounts(by_tier: Mapping[Tier, Sequence[Finding]], report: Report) -> list[str]:
    """How many places each tier has; of the tiers that have some."""
    amounts = []
    for tier, findings in by_tier.items():
        number = number_of(findings)
        if not number:
            continue
        if tier is Tier.STALL:
            amounts.append(f"{count(number, 'place')} {'stalls' if number == 1 else 'stall'} a step")
        elif tier is Tier.CORRECTNESS:
            amounts.append(f"{number} {'is' if number == 1 else 'are'} a matter of correctness")
        elif tier is Tier.MINOR:
            amounts.append(f"{number} {'is' if number == 1 else 'are'} seldom worth a change")
        else:
            costs = [report.cost(finding) for finding in findings]
            seconds = sum(cost.seconds or 0.0 for cost in costs)
            about = "" if all(cost.is_measured for cost in costs) else "an estimated "
            verb = "costs" if number == 1 else "cost"
            kind = "host time" if tier is Tier.HOST else "microseconds"
            amounts.append(f"{number} {verb} {kind} ({about}{duration(seconds)} a step)")
    return amounts


def _next(findings: Sequence[Finding], *, asks_unsafe: bool) -> list[str]:
    """What fixes would do, and the command to try first."""
    safe, unsafe = fixes_of(findings)
    if unsafe and asks_unsafe:
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
    return [f"Next: overhead-lint rule {findings[0].code} explains the first of them."]
