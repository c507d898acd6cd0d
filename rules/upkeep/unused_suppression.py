"""OVH001: suppression comments that silence nothing."""

from __future__ import annotations

from overhead_lint.rule import Heat, Rule, Tier

__all__ = ["RULE"]

# No handler: what a comment silences is known when all rules have run, so the engine
# yields the findings (overhead_lint.engine.unused_suppressions).
RULE = Rule(
    code="OVH001",
    name="unused-suppression",
    summary="comment that silences no finding",
    triggers=(b"noqa", b"NOQA", b"NoQA", b"NoQa", b"Noqa", b"overhead:", b"Overhead:", b"OVERHEAD:"),
    heat=Heat.COLD,
    preview=True,
    tier=Tier.CORRECTNESS,
)
