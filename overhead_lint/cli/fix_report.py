"""``overhead-lint fix-report``: describes fixes, as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 described, 1 what was to verify the fixes ended otherwise, 2 wrong use or a file that could not be
        checked.
    """
    from overhead_lint.cli import check

    return check.run(arguments, describes=True)


def _parser() -> argparse.ArgumentParser:
    from overhead_lint.cli.check_parser import fix_report_parser

    return fix_report_parser()
