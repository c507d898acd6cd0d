"""What a run prints at its end, where to, and its exit status."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from overhead_lint import report as output
from overhead_lint.errors import Complaint
from overhead_lint.report.style import may_color
from overhead_lint.support import atomic
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from overhead_lint.report import Report

__all__ = ["ReportError", "ReportOptions", "add_arguments", "check_place", "check_use", "exit_status", "show"]


class ReportError(Complaint):
    """A report that cannot be made as asked for; the message is one line."""


class ReportOptions(NamedTuple):
    """How a run reports.

    Attributes:
        output_format: the name of a module of `overhead_lint.report`.
        output_file: where the report goes; stdout if None.
        statistics: counts by rule in place of the findings.
        quiet: no summary.
        color: "auto", "always" or "never": whether to colour text on stdout.
        exit_zero: findings do not change the exit status.
        exit_non_zero_on_fix: fixes do.
    """

    output_format: str = "full"
    output_file: Path | None = None
    statistics: bool = False
    quiet: bool = False
    color: str = "auto"
    exit_zero: bool = False
    exit_non_zero_on_fix: bool = False

    @classmethod
    def of(cls, found: argparse.Namespace) -> ReportOptions:
        """The options of a parsed command line that `add_arguments` prepared."""
        return cls(
            found.output_format,
            found.output_file,
            found.statistics,
            found.quiet,
            found.color,
            found.exit_zero,
            found.exit_non_zero_on_fix,
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this module to a parser."""
    group = parser.add_argument_group("how to report")
    group.add_argument(
        "--output-format",
        default="full",
        metavar="FORMAT",
        help=f"one of {', '.join(output.formats())} (default: full)",
    )
    group.add_argument(
        "-o", "--output-file", type=Path, metavar="FILE", help="write the report there, not to stdout"
    )
    group.add_argument("--statistics", action="store_true", help="count findings by rule, do not list them")
    group.add_argument("-q", "--quiet", action="store_true", help="findings and errors only, no summary")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default: on a terminal, unless NO_COLOR is set)",
    )
    status = group.add_mutually_exclusive_group()
    status.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    status.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="exit with 1 if anything was fixed, too"
    )


def check_use(options: ReportOptions, *, diff: bool) -> None:
    """See, before anything is done, that the report can be made.

    Raises:
        ReportError: an unknown format, options that exclude each other, or no place for the file.
    """
    try:
        output.check_format(options.output_format)
    except output.UnknownFormat as error:
        raise ReportError(str(error)) from error
    if diff and (options.output_format != "full" or options.output_file or options.statistics):
        raise ReportError("--diff prints a diff: no --output-format, --output-file or --statistics with it")
    if options.statistics and not output.statistics_form(options.output_format):
        raise ReportError(f"--statistics is text or json, not {options.output_format}")
    file = options.output_file
    if file is not None and (why := atomic.why_not(file)):
        raise ReportError(f"{file}: {why}")


def check_place(options: ReportOptions, inputs: Iterable[Path]) -> None:
    """See, before anything is done, that the report takes the place of nothing that the run reads.

    Raises:
        ReportError: it would.
    """
    file = options.output_file
    if file is not None and atomic.is_one_of(file, inputs):
        raise ReportError(f"{file}: is read by this run, and the report would take its place")


def show(report: Report, options: ReportOptions, stream: TextIO) -> None:
    """Print the report to a stream, or put it into its file.

    Raises:
        ReportError: the file cannot be written.
    """
    file = options.output_file
    color = file is None and may_color(stream, os.environ, options.color)
    report = report._replace(color=color, quiet=options.quiet)
    text = _text(report, options)
    if file is None:
        stream.write(text)
        return
    try:
        atomic.write(file, text.encode("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise ReportError(f"{file}: cannot be written: {error.strerror or error}") from error


def _text(report: Report, options: ReportOptions) -> str:
    if not options.statistics:
        return output.render(options.output_format, report)
    from overhead_lint.report import statistics

    is_json = output.statistics_form(options.output_format) == "json"
    return statistics.as_json(report) if is_json else statistics.as_text(report)


def exit_status(report: Report, options: ReportOptions, *, failed: bool) -> int:
    """0 clean, 1 findings (or `failed`, or fixes where these count), 2 for what could not be checked."""
    if report.errors:
        return 2
    if options.exit_zero:
        return 0
    return int(bool(report.findings) or failed or (options.exit_non_zero_on_fix and report.fixed > 0))
