"""JSON lines: the objects of the JSON format, one a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from overhead_lint.report.json_format import objects

if TYPE_CHECKING:
    from overhead_lint.report import Report

__all__ = ["render"]


def render(report: Report) -> str:
    """All findings, one object a line, with the edits of their fixes."""
    return "".join(json.dumps(one) + "\n" for one in objects(report))
