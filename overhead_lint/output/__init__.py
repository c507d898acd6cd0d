"""One module a format; each offers ``render(report) -> str``."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from overhead_lint.rule import Finding, TextEdit
    from overhead_lint.source import Source

__all__ = ["FORMATS", "Report", "render"]

FORMATS: Final = ("full", "concise", "json")


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has to show.

    Attributes:
        findings: what is left, by file and place.
        sources: the files that have findings, as they were linted.
        edits: for JSON, the text edits of findings whose fix could be planned, by ``id()`` of the finding.
        fixed: how many findings were fixed.
        errors: how many files could not be checked.
    """

    findings: Sequence[Finding]
    sources: Mapping[Path, Source]
    edits: Mapping[int, tuple[TextEdit, ...]] = field(default_factory=dict)
    fixed: int = 0
    errors: int = 0


def render(name: str, report: Report) -> str:
    """A report in the named format, with its last newline; empty when there is nothing to show."""
    module = importlib.import_module(f"overhead_lint.output.{name}_format")
    return str(module.render(report))
