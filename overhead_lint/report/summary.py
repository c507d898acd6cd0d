"""The last lines of the text formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.report.numbers import number_of
from overhead_lint.rule import Applicability
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhead_lint.report import Report
    from overhead_lint.report.blocks import Block
    from overhead_lint.rule import Finding

__all__ = ["fixable", "fixes_of", "held_back", "summary", "unchecked"]


def summary(report: Report, blocks: Sequence[Block] = ()) -> list[str]:
    """What a run found, fixed and could not check, and how to have more fixed: none for a quiet report.

    Args:
        report: see there.
        blocks: what stands in the report, where that is not each finding by itself.
    """
    if report.quiet:
        return []
    lines = [_summary(report, len(blocks) or len(report.findings))]
    if report.fixing is not None:
        from overhead_lint.report.fix_totals import tier_lines  # costs start-up

        lines += tier_lines(report)
    return ["\n".join([*lines, *held_back(report)])]


def held_back(report: Report) -> list[str]:
    """The line that says how many fixes lack the runtime, and how to have them; none where none does."""
    number = number_of(
        finding
        for finding in report.findings
        if finding.fix is not None and finding.fix.applicability is Applicability.NEEDS_RUNTIME
    )
    if not number:
        return []
    imports, them = ("imports", "it") if number == 1 else ("import", "them")
    return [
        f"{count(number, 'more fix', 'more fixes')} {imports} overhead_runtime, which the project "
        f"does not declare: to have {them}, add overhead-runtime to its run-time dependencies, or copy the "
        "runtime into it: overhead-lint vendor PATH."
    ]


def _summary(report: Report, shown: int) -> str:
    fixed = f"Fixed {count(report.fixed, 'finding')}. " if report.fixed else ""
    known = f" {count(report.baselined, 'finding')} in the baseline." if report.baselined else ""
    if not report.findings:
        new = "new " if report.baselined else ""
        if report.errors:
            return f"{fixed}No {new}findings{unchecked(report)}.{known}"
        return (f"{fixed}No {new}findings left." if fixed else f"No {new}findings.") + known
    files = len({str(finding.path) for finding in report.findings})
    found = number_of(report.findings)
    line = f"{fixed}Found {count(found, 'finding')} in {count(files, 'file')}"
    others = found - shown
    if others:
        line += f", {others} of them told with {'another' if others == 1 else 'others'}"
    return f"{line}{fixable(report)}{unchecked(report)}.{known}"


def fixes_of(findings: Iterable[Finding]) -> tuple[int, int]:
    """Return how many findings have a safe fix, and how many an unsafe one."""
    fixes = [(finding.fix.applicability, finding) for finding in findings if finding.fix is not None]
    safe, unsafe = (
        number_of(finding for applicability, finding in fixes if applicability is wanted)
        for wanted in (Applicability.SAFE, Applicability.UNSAFE)
    )
    return safe, unsafe


def fixable(report: Report) -> str:
    """How many findings which option fixes, in parentheses; "" if none does."""
    safe, unsafe = fixes_of(report.findings)
    if unsafe and report.asks_unsafe:
        return f" ({safe + unsafe} fixable with --fix --unsafe-fixes)"
    parts = []
    if safe:
        parts.append(f"{safe} fixable with --fix")
    if unsafe:
        parts.append(f"{unsafe} {'' if safe else 'fixable '}with --unsafe-fixes")
    return f" ({', '.join(parts)})" if parts else ""


def unchecked(report: Report) -> str:
    """What could not be checked or written, with what joins it to what was found; "" if nothing was left."""
    unread, unwritten = len(report.errors) - report.unwritten, report.unwritten
    parts = [f"{count(unread, 'path')} could not be checked"] if unread else []
    parts += [f"{count(unwritten, 'file')} could not be written"] if unwritten else []
    return f", but {' and '.join(parts)}" if parts else ""
