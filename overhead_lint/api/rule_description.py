"""What is said of a rule, by which a finding names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.api.warmth import Heat

if TYPE_CHECKING:
    from overhead_lint.api.findings import Tier

__all__ = ["RuleDescription"]


class RuleDescription:
    """What is said of a rule, all but what it does; `overhead_lint.rule.Rule` says what each argument is."""

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
