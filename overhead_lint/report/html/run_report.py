"""Evidence of runs, as reports show it: with a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.measure import evidence
from overhead_lint.support.versioned_json import Format

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence

__all__ = ["FORMAT", "Run"]


@dataclass(frozen=True, slots=True)
class Run:
    """A run.

    Attributes:
        name: what to call it: its file's name.
        evidence: what was measured.
    """

    name: str
    evidence: Evidence


def _run(name: str, content: Mapping[str, Any]) -> Run:
    return Run(name, evidence.FORMAT.parse(name, content))


FORMAT: Final = Format(evidence.FORMAT.what, evidence.FORMAT.newest, evidence.FORMAT.sign, _run)
