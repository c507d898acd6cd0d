"""The options of ``overhead-lint check`` about what comes first, and what is shown for its cost."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Tier
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding

__all__ = ["RankingOptions", "add_arguments"]

_TIERS: Final = {tier.value: tier for tier in Tier}


class RankingOptions(NamedTuple):
    """Which findings are shown, and in which order.

    Attributes:
        by_cost: the most expensive first, by tiers; otherwise by file and place.
        tiers: those whose findings are shown; empty for all.
        min_seconds: least cost of what only costs host time, a step.
    """

    by_cost: bool = True
    tiers: tuple[Tier, ...] = ()
    min_seconds: float = 0.0

    @classmethod
    def of(cls, found: argparse.Namespace, min_seconds: float) -> RankingOptions:
        """The options of a parsed command line that `add_arguments` prepared."""
        return cls(found.sort == "cost", found.tier, min_seconds)

    def shown(self, findings: Iterable[Finding], cost: Callable[[Finding], Cost]) -> list[Finding]:
        """The findings that are shown; waits, and what has no price, whatever the least cost is."""
        if not self.tiers and not self.min_seconds:
            return list(findings)
        return [finding for finding in findings if self._shows(cost(finding))]

    def _shows(self, cost: Cost) -> bool:
        is_wanted = not self.tiers or cost.tier in self.tiers
        return is_wanted and (cost.seconds is None or cost.seconds >= self.min_seconds)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this module to a parser."""
    group = parser.add_argument_group("what to show first")
    group.add_argument(
        "--sort",
        choices=("cost", "path"),
        default="cost",
        help="by tier and cost a step, or by file and line (default: cost)",
    )
    group.add_argument(
        "--tier",
        type=_tiers,
        default=(),
        metavar="TIERS",
        help=f"show these only, with commas between them: {', '.join(_TIERS)}",
    )


def _tiers(text: str) -> tuple[Tier, ...]:
    """The value of ``--tier``."""
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in _TIERS:
            known = ", ".join(_TIERS)
            raise argparse.ArgumentTypeError(f"takes {known}, with commas between them, not {name!r}")
    return tuple(_TIERS[name] for name in names)
