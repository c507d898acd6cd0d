"""What findings cost, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.rule import Tier

if TYPE_CHECKING:
    from overhead_lint.report.expected_cost import Cost

__all__ = ["duration", "price", "told"]


def told(cost: Cost) -> str:
    """The tier of a finding, and what is expected of it: "host, an estimated 28 us a step"."""
    if cost.tier is Tier.CORRECTNESS:
        return str(cost.tier.value)
    often = _often(cost)
    if cost.waits:
        return f"{cost.tier.value}: the CPU waits for the GPU, {often}"
    if cost.seconds is None:
        return f"{cost.tier.value}: {often}; no case of the rule was timed"
    shown = f"{duration(cost.seconds)} a step"
    return f"{cost.tier.value}: {shown if cost.is_measured else f'an estimated {shown}'}"


def price(cost: Cost) -> str:
    """What a finding costs a step, for a column; "" where no number is known. ``~`` marks estimates."""
    if cost.seconds is None:
        return ""
    return duration(cost.seconds) if cost.is_measured else f"~{duration(cost.seconds)}"


def duration(seconds: float) -> str:
    """Seconds with two digits, in a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size * 0.9995:
            return f"{seconds / size:.3g} {unit}" if seconds / size >= 100 else f"{seconds / size:.2g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _often(cost: Cost) -> str:
    if cost.is_assumed:
        return "in a loop in each step"
    if 0.95 <= cost.executions <= 1.05:
        return "once a step"
    return f"{cost.executions:.2g} times a step" if cost.executions > 0 else "not in a step"
