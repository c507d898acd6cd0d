"""What a command says beside its report: one line each, on stderr."""

from __future__ import annotations

import sys

from overhead_lint.errors import on_one_line

__all__ = ["complain"]


def complain(line: str) -> None:
    """Say something that is no part of a report, in one line."""
    print(on_one_line(line), file=sys.stderr)
