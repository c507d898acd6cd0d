"""One line a finding: ``path:line:column: CODE name message``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.place import is_notebook, where
from overhead_lint.report.style import paint
from overhead_lint.report.summary import summary
from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from overhead_lint.report import Report

__all__ = ["BY_COST", "STATISTICS", "headlines", "render"]

BY_COST: Final = True
STATISTICS: Final = "text"


def headlines(report: Report) -> Iterator[str]:
    """The line that names a finding, for each."""
    color, sources = report.color, report.sources
    before: Path | None = None
    shown, in_cells = "", False
    said: dict[str, str] = {}  # many say the same
    for finding in report.findings:
        path, span, code, name, message, *_ = finding
        if path is not before:  # those of a file follow each other
            before, in_cells = path, is_notebook(path)
            shown = paint(on_one_line(str(path)), "bold", color=color)
        place = where(finding, sources) if in_cells else f"{span[0]}:{span[1]}"
        code = paint(code, "red", color=True) if color else code
        text = said.get(message) or said.setdefault(message, on_one_line(message))
        yield f"{shown}:{place}: {code} {name} {text}"


def render(report: Report) -> str:
    """All findings, one a line, then the summary."""
    labels = [heat.label for heat in Heat]  # by number: to hash a member of an enum is a call
    pairs = zip(headlines(report), report.findings, strict=True)
    cost = report.cost
    lines = [f"{line} [{cost(f).tier.value}, {labels[f.warmth.heat]}]" for line, f in pairs]
    return "".join(f"{line}\n" for line in [*lines, *summary(report)])
