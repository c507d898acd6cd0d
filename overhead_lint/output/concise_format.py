"""One line a finding: ``path:line:column: CODE name message``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.errors import on_one_line
from overhead_lint.output.place import where
from overhead_lint.output.style import paint
from overhead_lint.output.summary import summary
from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from overhead_lint.output import Report
    from overhead_lint.rule import Finding

__all__ = ["headline", "render"]


def headline(finding: Finding, report: Report) -> str:
    """The line that names a finding."""
    path, code, place = on_one_line(str(finding.path)), finding.code, where(finding, report.sources)
    if report.color:
        path, code = paint(path, "bold", color=True), paint(code, "red", color=True)
    return f"{path}:{place}: {code} {finding.name} {finding.message}"


def render(report: Report) -> str:
    """All findings, one a line, then the summary."""
    labels = {heat: heat.label for heat in Heat}
    lines = [f"{headline(finding, report)} [{labels[finding.warmth.heat]}]" for finding in report.findings]
    return "".join(f"{line}\n" for line in [*lines, *summary(report)])
