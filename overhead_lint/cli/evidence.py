"""The options of ``overhead-lint check`` about what a run measured, and what they do to findings."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.report.expected_cost import Cost, tier_of
from overhead_lint.rule import Heat, Tier, Warmth
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from overhead_lint.engine.linter import Linter
    from overhead_lint.measure.evidence import Evidence, Observed
    from overhead_lint.rule import Finding, Span
    from overhead_lint.syntax.identity import Identity
    from overhead_lint.syntax.source import Source

__all__ = ["EvidenceOptions", "Measured", "add_arguments", "load"]

# Compiled when it is asked for.
_COST = r"(?P<number>[0-9]+([.][0-9]*)?|[.][0-9]+)\s*(?P<unit>%|ns|us|ms|s)"
_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class EvidenceOptions(NamedTuple):
    """What a check knows of a run.

    Attributes:
        path: the evidence file; None without one.
        min_share: least part of the host time that a finding has to cost; 0.0 for all.
        min_seconds: least time of the host that it has to cost a step, which needs no run; 0.0 for all.
    """

    path: Path | None = None
    min_share: float = 0.0
    min_seconds: float = 0.0

    @classmethod
    def of(cls, found: argparse.Namespace, parser: argparse.ArgumentParser) -> EvidenceOptions:
        """The options of a parsed command line that `add_arguments` prepared.

        Raises:
            SystemExit: with status 2 when they make no sense.
        """
        if found.min_cost is None:
            return cls(found.evidence)
        cost = re.fullmatch(_COST, found.min_cost.strip())
        if cost is None or (cost["unit"] == "%" and float(cost["number"]) > 100):
            parser.error(
                "--min-cost takes a time a step such as 20us, or a part of the host time such as 0.5%, "
                f"not {found.min_cost!r}"
            )
        number, unit = float(cost["number"]), cost["unit"]
        if unit != "%":
            return cls(found.evidence, min_seconds=number * _UNITS[unit])
        if found.evidence is None:
            parser.error(
                "--min-cost with a part of the host time goes with --evidence; write a time such as 20us"
            )
        return cls(found.evidence, number / 100)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this module to a parser."""
    group = parser.add_argument_group("what a run measured")
    group.add_argument(
        "--evidence",
        type=Path,
        metavar="FILE",
        help="sort findings by what `overhead-lint run` measured, and take heat from there",
    )
    group.add_argument(
        "--min-cost",
        metavar="COST",
        help="leave out what costs the host less: 20us a step, or with --evidence 0.5%% of its time",
    )


def load(options: EvidenceOptions) -> Measured | None:
    """The evidence that is asked for.

    Raises:
        UnusableFile: it is missing or damaged.
    """
    if options.path is None:
        return None
    from overhead_lint.measure.evidence import read

    return Measured(read(options.path), options.path.absolute().parent, options.min_share)


class Measured:
    """Looks findings up in what a run measured.

    Attributes:
        evidence: what was measured.
        folder: what its paths are relative to.
        min_share: see `EvidenceOptions`.
    """

    def __init__(self, evidence: Evidence, folder: Path, min_share: float) -> None:
        self.evidence = evidence
        self.folder = folder
        self.min_share = min_share
        self._ranks: dict[tuple[Path, Span, str], tuple[int, float, float]] = {}
        self._observed: dict[tuple[Path, Span, str], Observed] = {}
        self._known: dict[Identity, Observed] = {one.identity: one for one in self.evidence.findings}

    def judged(
        self, found: Sequence[Finding], anywhere: Sequence[Finding], source: Source, linter: Linter
    ) -> list[Finding]:
        """Findings of a file with measured heat, those that are hot only by measurement added.

        Args:
            found: what the linter reports without evidence.
            anywhere: what it finds at any heat.
            source: the file.
            linter: knows what is hot enough.
        """
        from overhead_lint.syntax.identity import identities

        reported = {(one.span, one.code) for one in found}
        named = zip(anywhere, identities(anywhere, {source.path: source}, self.folder), strict=True)
        kept = [one for one in found if (one.span, one.code) not in {(a.span, a.code) for a in anywhere}]
        for finding, identity in named:
            observed = self._known.get(identity)
            if observed is not None:
                finding = finding._replace(warmth=self._warmth(observed, finding.warmth))
            if (finding.span, finding.code) not in reported:
                runs = observed is not None and observed.executions > 0
                is_hot = runs and linter.settling.is_hot_enough(finding)
                if not is_hot:
                    continue
            if self._costs_enough(observed):
                self._ranks[finding.path, finding.span, finding.code] = self._rank(observed)
                if observed is not None:
                    self._observed[finding.path, finding.span, finding.code] = observed
                kept.append(finding)
        return sorted(kept, key=lambda one: (one.span, one.code, one.message))

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(one.path for one in self._known)

    def knows(self, path: Path) -> bool:
        """Whether the run says anything of a file: what is kept of earlier checks holds for the others."""
        from overhead_lint.support.relative_paths import relative_to

        return relative_to(path, self.folder) in self._paths

    def elsewhere(self, found: Sequence[Finding]) -> list[Finding]:
        """What is left of the findings of a file that the run says nothing of."""
        return list(found) if self._costs_enough(None) else []

    def cost(self, finding: Finding, expected: Cost) -> Cost:
        """What a finding costs, as the run measured it; what is expected of what it says nothing of."""
        observed = self._observed.get((finding.path, finding.span, finding.code))
        per_step = self.evidence.per_step(observed) if observed is not None else None
        if observed is None or per_step is None or expected.tier is Tier.CORRECTNESS:
            return expected
        seconds, steps = observed.cost_seconds, self.evidence.steps
        if expected.waits or seconds is None or steps is None:
            tier = Tier.STALL if expected.waits else expected.tier
            return expected._replace(tier=tier, executions=per_step, is_measured=True, is_assumed=False)
        a_step = seconds / steps.count
        return Cost(tier_of(a_step), a_step, per_step, observed.saving_seconds, is_measured=True)

    def sorted(self, findings: Sequence[Finding]) -> list[Finding]:
        """Dearest first, then what the run knows nothing of, then what never ran."""
        unknown = (1, 0.0, 0.0)
        return sorted(findings, key=lambda f: self._ranks.get((f.path, f.span, f.code), unknown))

    def _rank(self, observed: Observed | None) -> tuple[int, float, float]:
        if observed is None:
            return 1, 0.0, 0.0
        group = 0 if observed.was_executed else 1 if observed.compiled else 2
        return group, -(observed.cost_seconds or 0.0), -observed.executions

    def _costs_enough(self, observed: Observed | None) -> bool:
        """Whether a finding is to be kept; where the cost of what ran is not known, it is."""
        if not self.min_share:
            return True
        share = self.evidence.share(observed) if observed is not None and observed.was_executed else 0.0
        return share is None or share >= self.min_share

    def _warmth(self, observed: Observed, static: Warmth) -> Warmth:
        per_step = self.evidence.per_step(observed)
        if not observed.was_executed:
            never = "compiled: what is left of it are guards" if observed.compiled else "never executed"
            return Warmth.measured(static.heat, never)
        if not observed.total:
            return Warmth.measured(static.heat, f"{observed.elsewhere:,} times, in worker processes only")
        if per_step is None:
            return Warmth.measured(static.heat, f"executed {observed.total:,} times")
        heat = Heat.COLD if per_step < 0.5 else Heat.STEP if per_step < 1.5 else Heat.LOOP
        often = f"{per_step:,.3g}"
        steps = "once a step" if often == "1" else f"{often} times a step"
        share = self.evidence.share(observed)
        cost = f", about {share:.2%} of host time" if share is not None else ""
        return Warmth.measured(heat, f"{steps}{cost}")
