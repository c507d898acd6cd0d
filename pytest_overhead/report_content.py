"""All numbers of a session, as plain types and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from overhead_lint.probes import find_metric

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_overhead.session import Session

__all__ = ["report_content", "report_json"]

REPORT_SCHEMA = 1


def report_json(session: Session, root: Path) -> str:
    """All numbers of a session, as `report_content`, as JSON."""
    return json.dumps(report_content(session, root), indent=1, sort_keys=True) + "\n"


def report_content(session: Session, root: Path) -> dict[str, Any]:
    """All numbers of a session.

    Args:
        session: the session.
        root: pytest's root folder.

    Returns:
        ``{"schema", "root", "fingerprint", "metrics": {name: "count", "time" or "ratio"}, "tests": {id:
        {"passed", "verdict", "faults", "device", "others", "values", "limits", "causes", "unavailable",
        "moments"}}}``, and ``garbage`` of tests whose body was measured; times in seconds, ``verdict``
        empty where a budget was kept, ``faults`` the metrics that did not: ``[{"metric", "verdict",
        "message", "limit", "value"}]``, with ``path`` and ``line`` to blame where a line of the project
        is known.
    """
    empty: dict[str, object] = {
        "limits": {},
        "causes": {},
        "unavailable": {},
        "moments": [],
    }  # of a test that measured blocks only
    tests = {
        test: {
            **empty,
            "passed": r.passed,
            "verdict": r.verdict,
            "faults": list(r.faults),
            "device": r.device,
            "others": r.others,
            "values": r.values,
            **r.detail,
        }
        for test, r in session.results.items()
    }
    metrics = {metric for result in session.results.values() for metric in result.values}
    return {
        "schema": REPORT_SCHEMA,
        "root": str(root),
        "fingerprint": session.fingerprint(),
        "metrics": {metric: find_metric(metric).kind.value for metric in metrics},
        "tests": tests,
    }
