"""The report of a run for people."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from tabulate import tabulate

from overhead_lint.dynamic.report_time import host_time
from overhead_lint.measure.evidence import BASES
from overhead_lint.rule import Heat
from overhead_lint.support.plurals import count
from overhead_lint.support.shown_path import shown_path
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.measure.evidence import Evidence, Observed

__all__ = ["quantity", "render"]

_MOST_FINDINGS: Final = 25
_MOST_CAUSES: Final = 3
_LABEL: Final = 60
_HEAT: Final = tuple(heat.label for heat in sorted(Heat))


def render(evidence: Evidence) -> str:
    """The report: what was measured, findings by cost, numbers a step with their lines, host time."""
    parts = (_head, _findings, _compiled, _metrics, host_time, _missing)
    blocks = [part(evidence) for part in parts]
    return "\n\n".join(block for block in blocks if block) + "\n"


def quantity(value: float) -> str:
    """A number with as many digits as help."""
    if value == int(value) and value < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _head(evidence: Evidence) -> str:
    status = "still running" if evidence.status is None else f"exit status {evidence.status}"
    machine = evidence.machine
    where = f"Python {machine.get('python')}, torch {machine.get('torch')}, {machine.get('device')}"
    lines = [f"overhead-lint run: {' '.join(evidence.program)} ({status}; {where})"]
    steps = evidence.steps
    if steps is None:
        why = (
            "no steps found: name a function whose calls are steps (--step-function __main__:NAME, or "
            "pkg.module:NAME), or call overhead_lint.runtime.step() in each"
        )
        if evidence.tests:
            why = f"the numbers of {count(len(evidence.tests), 'test')} are in the evidence file"
        lines.append(f"{seconds(evidence.seconds)} measured; {why}")
    else:
        ranks = f", {evidence.processes} ranks" if evidence.processes > 1 else ""
        lines.append(
            f"{count(steps.count, 'step')} ({steps.found_by}{ranks}) after {steps.warmup} of warm-up: "
            f"{seconds(steps.mean_seconds)} a step, median {seconds(steps.median_seconds)}, "
            f"least {seconds(steps.minimum_seconds)}"
        )
    if evidence.left_out:
        steps_left = count(evidence.left_out, "step")
        lines.append(f"{steps_left} looked at closely and left out, as something compiled then")
    return "\n".join(lines)


def _findings(evidence: Evidence) -> str:
    unit, cost = ("a step", "saves a step") if evidence.steps else ("times", "saves")
    headers = (
        "#",
        "static #",
        "place",
        "code",
        unit,
        "a second",
        "each",
        cost,
        "share",
        "by",
        "static",
        "fix",
        "finding",
    )
    dear = [one for one in evidence.findings if one.executions or one.elsewhere]
    lines = []
    if dear:
        ranks = static_ranks(evidence.findings)
        shown = enumerate(dear[:_MOST_FINDINGS], 1)
        rows = [(str(rank), str(ranks[id(one)]), *_row(one, evidence)) for rank, one in shown]
        lines.append(_table(rows, headers, "rrllrrrrrllll"))
        shares = [share for one in dear if one.executions and (share := evidence.share(one))]
        if shares:
            lines.append(_estimates(sum(shares)))
        if len(dear) > _MOST_FINDINGS:
            lines.append(f"and {count(len(dear) - _MOST_FINDINGS, 'more finding')} in the evidence file")
    else:
        lines.append(
            "No finding of the linter was executed in a step." if evidence.steps else "No finding ran."
        )
    others = [one for one in evidence.findings if not (one.executions or one.elsewhere)]
    in_setup = sum(one.total > 0 for one in others)
    compiled = sum(one.compiled and not one.total for one in others)
    for number, what in (
        (in_setup, "executed, but not in a step that was measured"),
        (compiled, "in code that torch.compile replaced"),
        (len(others) - in_setup - compiled, "never executed"),
    ):
        if number:
            lines.append(f"{count(number, 'finding')} {what}.")
    return "\n".join(lines)


def _estimates(share: float) -> str:
    """What the figures with a tilde are, and what they add up to."""
    together = f"Together about {share:.2%} of the host time"
    if share > 1:
        together = "Places inside of others count in both, so that shares add up to more than all of the time"
    return f"~ estimates, {BASES}. {together}."


def static_ranks(findings: Sequence[Observed]) -> dict[int, int]:
    """Ranks by the linter alone, by the identity of the finding: hottest first, then files and lines."""
    heat = {label: -number for number, label in enumerate(_HEAT)}
    ordered = sorted(findings, key=lambda one: (heat.get(one.heat, 0), one.path, one.line, one.code))
    return {id(one): rank for rank, one in enumerate(ordered, 1)}


def _row(one: Observed, evidence: Evidence) -> tuple[str, ...]:
    per_step, cost, share = evidence.per_step(one), one.cost_seconds, evidence.share(one)
    steps = evidence.steps.count if evidence.steps else 1
    executions = quantity(per_step if per_step is not None else one.executions)
    if not one.executions:
        executions, cost, share = f"{one.elsewhere:,} in workers", None, None
    return (
        f"{shown_path(one.path)}:{one.line}",
        one.code,
        executions,
        quantity(evidence.per_second(one) or 0.0) if one.executions else "",
        seconds(one.place_seconds) if one.place_seconds is not None else "",
        f"~{seconds(cost / steps)}" if cost is not None else "",
        f"~{share:.2%}" if share is not None else "",
        one.basis if cost is not None else "",
        one.heat,
        one.fix,
        one.name,
    )


def _compiled(evidence: Evidence) -> str:
    rows = [
        (
            f"{shown_path(str(entry['file']))}:{entry['line']}",
            str(entry["function"]),
            quantity(entry["calls_per_step"]),
            quantity(entry["guards"]),
            seconds(entry["hot_seconds"]),
            seconds(entry["cold_seconds"]),
        )
        for entry in evidence.compiled[:_MOST_FINDINGS]
    ]
    headers = ("compiled", "function", "calls a step", "guards", "hot", "cold")
    return _table(rows, headers, "llrrrr") if rows else ""


def _metrics(evidence: Evidence) -> str:
    causes = {metric: list(some) for metric, some in groupby(evidence.causes, key=lambda cause: cause.metric)}
    rows = []
    for metric, value in evidence.metrics.items():
        if not value:
            continue
        shown = seconds(value) if metric.startswith("guard_time") else quantity(value)
        rows.append((metric, shown, "", ""))
        for cause in causes.get(metric, [])[:_MOST_CAUSES]:
            label = f"{cause.label} ({cause.operators})" if cause.operators else cause.label
            label = label if len(label) <= _LABEL else f"{label[: _LABEL - 3]}..."
            amount = seconds(cause.per_step) if metric.startswith("guard_time") else quantity(cause.per_step)
            place = f"{shown_path(cause.path)}:{cause.line}  " if cause.path else ""
            rows.append(("", amount, cause.code, f"{place}{label}"))
        rest = causes.get(metric, [])[_MOST_CAUSES:]
        if rest:
            more = sum(cause.per_step for cause in rest)
            told = seconds(more) if metric.startswith("guard_time") else quantity(more)
            rows.append(("", told, "", f"and {count(len(rest), 'more line')} in the evidence file"))
    if not rows:
        return ""
    return tabulate(
        rows, ("measured", "a step", "lines"), disable_numparse=True, colalign=("left", "right", "left")
    )


def _missing(evidence: Evidence) -> str:
    reasons: dict[str, list[str]] = {}
    for metric, why in sorted(evidence.unavailable.items()):
        reasons.setdefault(why, []).append(metric)
    return "\n".join(f"not measured: {', '.join(metrics)}: {why}" for why, metrics in reasons.items())


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str], sides: str) -> str:
    names = {"l": "left", "r": "right"}
    return tabulate(rows, headers, disable_numparse=True, colalign=[names[side] for side in sides])
