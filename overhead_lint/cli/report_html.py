"""``overhead-lint report A.json [B.json ...] -o out.html``: saved reports of tests as one page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from overhead_lint import atomic
from overhead_lint.html.tests_page import render
from overhead_lint.html.tests_report import FORMAT
from overhead_lint.saved import UnusableFile, load

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, or 2 for a report that cannot be used or a file that cannot be written.
    """
    found = _parser().parse_args(arguments)
    try:
        reports = [load(path, FORMAT) for path in found.reports]
        against = load(found.against, FORMAT) if found.against is not None else None
        atomic.write(found.output, render(reports, Path.cwd(), against).encode())
    except UnusableFile as error:
        print(f"overhead-lint: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"overhead-lint: {found.output}: cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    print(f"{found.output}: written, {len(reports[-1].tests)} tests")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="overhead-lint report",
        description="Show reports of `pytest --overhead-report PATH.json` as one HTML file.",
    )
    parser.add_argument(
        "reports",
        nargs="+",
        type=Path,
        metavar="REPORT.json",
        help="the oldest first: several give a history, and the last is shown in full",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.html", help="what to write")
    parser.add_argument(
        "--against", type=Path, metavar="OLD.json", help="compare the last report with this one"
    )
    return parser
