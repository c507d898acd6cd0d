"""``overhead-lint merge-reports REPORT...``: make one report of those that shards of a run wrote."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from overhead_lint.cli.parser import Parser
from overhead_lint.errors import Complaint
from overhead_lint.report.merging import merged, read
from overhead_lint.support import atomic
from overhead_lint.support.plurals import count

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 clean, 1 findings, 2 where a report tells of files that could not be checked.

    Raises:
        Complaint: a report cannot be used, or one is missing.
        SystemExit: with status 2 and a message on wrong use, with 0 after ``--help``.
    """
    found = _parser().parse_args(arguments)
    if found.shards is not None and len(found.reports) != found.shards:
        raise Complaint(f"{count(len(found.reports), 'report')} of {count(found.shards, 'shard')}")
    report = merged([read(path) for path in found.reports], list(map(str, found.reports)))
    if found.output_file is None:
        sys.stdout.write(report.text())
    else:
        try:
            atomic.write(found.output_file, report.text().encode())
        except OSError as error:
            raise Complaint(f"{found.output_file}: cannot be written: {error.strerror or error}") from error
    if report.errors:
        return 2
    return int(bool(report.findings) and not found.exit_zero)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint merge-reports",
        description="Make one report of those that shards of a run wrote: overhead-lint --shard K/N "
        "--output-format sarif -o K.sarif. They are all json, all jsonl or all sarif.",
    )
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT")
    parser.add_argument(
        "-o", "--output-file", type=Path, metavar="FILE", help="write the report there, not to stdout"
    )
    parser.add_argument(
        "--shards",
        type=int,
        metavar="N",
        help="how many reports there must be: one that is missing is told of",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    return parser
