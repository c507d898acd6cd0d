"""What becomes of findings when the heat of their functions is known: those that are hot enough stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import GateKind
from overhead_lint.engine.confidence import confidence
from overhead_lint.engine.worth import worth
from overhead_lint.project.heat import options_told, warmth_at
from overhead_lint.rule import ANY_HEAT, Clause, Heat, ReasonKind, Tier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from overhead_lint.config.run_settings import Settings
    from overhead_lint.project.cross_file import Told
    from overhead_lint.rule import Finding, Rule, Span, Warmth

__all__ = ["Settling"]

_SHUT: Final = frozenset({GateKind.GIVEN, GateKind.NEVER, GateKind.UNPASSED})
"""Gates that let nothing through as the project is written, for as long as it runs."""


class Settling:
    """Judges findings by the heat of the places where they stand.

    Args:
        known: all rules that there are, by code.
        settings: what to report.
        codes: the rules whose findings are wanted.
    """

    def __init__(self, known: Mapping[str, Rule], settings: Settings, codes: Collection[str]) -> None:
        self._known = known
        self._codes = codes
        self._settings = settings

    def settled(
        self, found: Iterable[Finding], warmths: Mapping[str, Warmth], told: Told, path: str = ""
    ) -> list[Finding]:
        """The findings of a look that are hot enough, in source order.

        Args:
            found: what `look` gave.
            warmths: heat of the file's functions, by name in paths.
            told: what the project tells the file of others.
            path: the file as reasons name it; by default as it was named.
        """
        kept = []
        traced, options = frozenset(told.traced), options_told(told)
        for finding in found:
            if finding.code not in self._codes:
                continue
            standing = finding.standing
            shown = told.trace_evidence if standing is not None and standing.function in traced else ""
            if finding.needs_trace and not shown:
                continue
            if standing is not None:
                warmth = warmth_at(standing, warmths, options, path or str(finding.path))
                finding = finding._replace(warmth=warmth) if warmth != finding.warmth else finding
            if not finding.only.lets(finding.warmth):
                continue
            if finding.only is not ANY_HEAT:
                finding = finding._replace(only=ANY_HEAT)
            if finding.needs_trace and finding.warmth.heat > Heat.PRESUMED:
                finding = finding._replace(warmth=finding.warmth._replace(heat=Heat.PRESUMED))
            if self._is_too_brief(finding):
                presumed = finding.warmth._replace(heat=Heat.PRESUMED, is_round_unknown=True)
                finding = finding._replace(warmth=presumed)
            likely = confidence(finding)
            finding = finding._replace(confidence=likely, worth=worth(finding, likely))
            if self.is_hot_enough(finding):
                kept.append(_worded(finding, shown))
        kept.sort(key=lambda finding: (finding.span, finding.code, finding.message))
        return self._without_repeats(kept)

    def _without_repeats(self, found: list[Finding]) -> list[Finding]:
        """Findings, in source order, without those of which another rule says more at the same place.

        What is known to run in steps does not make way for what is presumed to: then that one goes.
        """
        said: dict[Span, list[Finding]] = {}
        for finding in found:
            said.setdefault(finding.span, []).append(finding)
        left_out: set[tuple[Span, str]] = set()
        for span, findings in said.items():
            if len(findings) > 1:
                left_out.update((span, code) for code in self._outdone(findings))
        return [finding for finding in found if (finding.span, finding.code) not in left_out]

    def _outdone(self, findings: Sequence[Finding]) -> set[str]:
        """The codes of findings at one place that others there make needless.

        A rule names those that it makes way for. Besides, what costs host time makes way for a wait, unless
        it alone has a fix: once the wait is gone the expression is another one, and what is left to say of
        that shows then.
        """
        heats = {finding.code: finding.warmth.heat for finding in findings}
        waits = {finding.code: finding.fix for finding in findings if finding.tier is Tier.STALL}
        outdone = set()
        for finding in findings:
            code = finding.code
            others = self._yields_to(code).intersection(heats)
            if finding.tier is None:
                others |= {
                    other
                    for other, fix in waits.items()
                    if (fix is not None or finding.fix is None) and code not in self._yields_to(other)
                }
            for other in others:
                presumed = heats[other] is Heat.PRESUMED and heats[code] > Heat.PRESUMED
                outdone.add(other if presumed else code)
        return outdone

    def _yields_to(self, code: str) -> frozenset[str]:
        """The codes of rules that say more about a place than that of a code."""
        return self._known[code].yields_to if code in self._known else frozenset()

    def _is_too_brief(self, finding: Finding) -> bool:
        """Whether what takes microseconds stands in rounds of which nobody knows how much they do."""
        rule = self._known.get(finding.code)
        is_brief = rule is not None and rule.brief and finding.warmth.heat > Heat.PRESUMED
        return is_brief and finding.warmth.kind is ReasonKind.ROUND

    def is_hot_enough(self, finding: Finding) -> bool:
        """Whether a finding's heat is what its rule and the settings ask for."""
        rule = self._known.get(finding.code)
        return rule is None or finding.warmth.heat >= max(self.least(rule), self._least_by_options(finding))

    def _least_by_options(self, finding: Finding) -> Heat:
        """The least heat at which a finding counts whose place hangs on options that are off.

        What a rule says of places of any heat is no truer of those that nobody runs.
        """
        warmth = finding.warmth
        is_off = warmth.heat <= Heat.PRESUMED and bool(warmth.options)
        is_shut = warmth.gate is not None and warmth.gate.kind in _SHUT
        return min(self._settings.min_heat, Heat.STEP) if is_off or is_shut else Heat.COLD

    def least(self, rule: Rule) -> Heat:
        """The least heat at which a rule's findings count."""
        if rule.heat is Heat.COLD:
            return Heat.COLD
        least = self._settings.min_heat
        return least if least < Heat.STEP else max(rule.heat, least)


_OFTEN: Final = {Heat.LOOP: "in a loop in every step", Heat.STEP: "in every step"}
"""What is known of how often places run; of colder ones nothing is."""


def _worded(finding: Finding, evidence: str) -> Finding:
    """Return the finding with the clauses of its message in words.

    Args:
        finding: it, with the heat of its place.
        evidence: what shows that users compile that; "" if nothing does.
    """
    if not finding.clauses:
        return finding._replace(needs_trace=False) if finding.needs_trace else finding
    message, end = "", 0
    for at, clause in finding.clauses:
        message += finding.message[end:at] + _words(clause, finding.warmth.heat, evidence)
        end = at
    return finding._replace(message=message + finding.message[end:], clauses=(), needs_trace=False)


def _words(clause: Clause, heat: Heat, evidence: str) -> str:
    """Return what a clause says of a place of some heat that users compile as evidence shows, if any does."""
    if clause is Clause.FREQUENCY:
        return _OFTEN.get(heat, "on each call")
    if clause is Clause.TRACE_EVIDENCE:
        return evidence
    return f"; where users compile this ({evidence}), the graph breaks here too" if evidence else ""
