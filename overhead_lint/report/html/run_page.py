"""Evidence of runs as one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.report.html import run_sections
from overhead_lint.report.html.page import facts, page
from overhead_lint.report.html.run_changes import changes
from overhead_lint.report.html.text import escaped
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence
    from overhead_lint.report.html.run_report import Run

__all__ = ["render"]


def render(runs: Sequence[Run], against: Run | None = None) -> str:
    """The page.

    Args:
        runs: one or more, the oldest first; several give a history, and the last is shown in full.
        against: a run to compare the last one with.
    """
    newest = runs[-1].evidence
    sections = [] if against is None else [changes(against, runs[-1])]
    if len(runs) > 1:
        sections.append(run_sections.progress(runs))
    sections += [run_sections.findings(newest), *run_sections.step(newest)]
    sections += [run_sections.compiled(newest), run_sections.sources(newest)]
    if newest.tests:
        sections.append(run_sections.tests(newest))
    if newest.verified:
        sections.append(run_sections.verified(newest))
    if newest.unavailable:
        sections.append(run_sections.missing(newest))
    return page("Host overhead of a run", _lead(newest), sections)


def _lead(evidence: Evidence) -> str:
    status = "still running" if evidence.status is None else f"ended with status {evidence.status}"
    machine = evidence.machine
    known = [f"{key} {machine[key]}" for key in ("python", "torch", "device") if key in machine]
    versions = ", ".join([*known, machine["processor"]] if "processor" in machine else known)
    measured_with = f" Measured with {escaped(versions)}." if versions else ""
    program = escaped(" ".join(evidence.program))
    lead = f"<p><code>{program}</code>, {status}.{measured_with}</p>\n"
    steps = evidence.steps
    if steps is None:
        return lead + facts({"measured": seconds(evidence.seconds), "steps": "none found"})
    executed = [one for one in evidence.findings if one.executions]
    saving = sum(one.cost_seconds or 0.0 for one in executed)
    shown = {
        "median step": seconds(steps.median_seconds),
        "fastest step": seconds(steps.minimum_seconds),
        "steps measured": f"{steps.count} after {steps.warmup} of warm-up",
        "a step is": steps.found_by,
        "findings in steps": str(len(executed)),
    }
    if evidence.seconds > 0:
        shown["known saving"] = f"{saving / steps.count / steps.median_seconds:.1%} of a step"
    if evidence.processes > 1:
        shown["ranks"] = f"{evidence.processes}; the recorded step is of one of them"
    return lead + facts(shown)
