"""What is said of a rule, by which a finding names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.api.warmth import Heat

if TYPE_CHECKING:
    from overhead_lint.api.findings import Tier

__all__ = ["RuleDescription"]


class RuleDescription:
    """What is said of a rule: all but what it does.

    Args:
        code: ``OVH`` and three digits for built-in rules; another upper-case prefix for others.
        name: kebab-case, the page's file name with ``_`` for ``-``.
        summary: the anti-pattern in a few words, for listings.
        triggers: byte strings; a file that holds none of them is not looked at.
        heat: the least heat at which the rule speaks; `Heat.COLD` for "anywhere".
        preview: off unless selected by its full code.
        yields_to: codes of rules that say more about a place: where one of them speaks, this one does not.
        in_cold_files: whether a rule without a least heat speaks in tests, examples and benchmarks, too.
        brief: whether what the rule tells of takes the host microseconds and nothing more, so that it shows
            in steps alone: in rounds of which nobody knows how much they do it is presumed.
        tier: that of its findings, where it does not follow from what an execution costs: `Tier.STALL` or
            `Tier.CORRECTNESS`.
        stable_since: the version in which it left preview; None for rules in preview, and those of packs that
            do not say.
    """

    __slots__ = (
        "brief",
        "code",
        "heat",
        "in_cold_files",
        "name",
        "preview",
        "stable_since",
        "summary",
        "tier",
        "triggers",
        "yields_to",
    )

    def __init__(
        self,
        code: str,
        name: str,
        summary: str,
        triggers: tuple[bytes, ...],
        heat: Heat,
        preview: bool = False,
        yields_to: tuple[str, ...] = (),
        in_cold_files: bool = True,
        brief: bool = False,
        tier: Tier | None = None,
        stable_since: str | None = None,
    ) -> None:
        self.brief = brief
        self.tier = tier
        self.stable_since = stable_since
        self.code = code
        self.name = name
        self.summary = summary
        self.triggers = triggers
        self.heat = heat
        self.preview = preview
        self.yields_to = frozenset(yields_to)
        self.in_cold_files = in_cold_files and heat is Heat.COLD

    def __repr__(self) -> str:
        """The rule by its code and name."""
        return f"<rule {self.code} {self.name}>"
