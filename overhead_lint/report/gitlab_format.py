"""A code quality report of GitLab CI."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.report.cost_texts import told
from overhead_lint.report.place import lines, reason
from overhead_lint.rule import Heat, Tier
from overhead_lint.support.relative_paths import relative_to, root
from overhead_lint.syntax.identity import identities

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.identity import Identity

__all__ = ["render"]

_SEVERITIES: Final = {
    Tier.STALL: "major",
    Tier.CORRECTNESS: "major",
    Tier.HOST: "minor",
    Tier.MINOR: "info",
    Tier.MICRO: "info",
}


def render(report: Report) -> str:
    """All findings as a JSON list; fingerprints stay when lines move."""
    folder = root(os.environ, "CI_PROJECT_DIR")
    named = identities(report.findings, report.sources, folder)
    issues = [
        _issue(finding, identity, folder, report)
        for finding, identity in zip(report.findings, named, strict=True)
    ]
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, identity: Identity, folder: Path, report: Report) -> dict[str, Any]:
    first, last = lines(finding, report.sources)
    why, cost = reason(finding, report.sources), report.cost(finding)
    return {
        "description": f"{finding.message} [{told(cost)}; {finding.warmth.heat.label}: {why}]",
        "check_name": finding.code,
        "fingerprint": _fingerprint(identity),
        "severity": "info" if finding.warmth.heat is Heat.PRESUMED else _SEVERITIES[cost.tier],
        "location": {
            "path": relative_to(finding.path, folder),
            "lines": {"begin": first, "end": last},
        },
    }


def _fingerprint(identity: Identity) -> str:
    text = "\0".join(map(str, identity))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
