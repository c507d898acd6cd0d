"""``overhead-lint report A.json [B.json ...] -o out.html``: what tests or runs measured, in one page."""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from overhead_lint.cli.parser import Parser
from overhead_lint.errors import Complaint
from overhead_lint.report.comment import comment, in_short
from overhead_lint.report.count_changes import changed_counts
from overhead_lint.report.html import run_page, run_report, tests_page, tests_report
from overhead_lint.report.html.run_report import Run
from overhead_lint.report.html.tests_report import Saved
from overhead_lint.support import atomic
from overhead_lint.support.plurals import count
from overhead_lint.support.versioned_json import Format, UnusableFile, load

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0.

    Raises:
        Complaint: a report cannot be used, or the page cannot be written.
    """
    found = _parser().parse_args(arguments)
    if atomic.is_one_of(found.output, (*found.reports, *([found.against] if found.against else []))):
        raise Complaint(f"{found.output}: is read, and the page would take its place")
    if why := atomic.why_not(found.output):
        raise Complaint(f"{found.output}: {why}")
    if found.output.suffix not in (".html", ".htm", ".md"):
        raise Complaint(f"{found.output}: name it *.html or, with --against, *.md")
    make = _comment if found.output.suffix == ".md" else _page
    text, shown = make(found.reports, found.against)
    try:
        atomic.write(found.output, text.encode())
    except OSError as error:
        raise Complaint(f"{found.output}: cannot be written: {error.strerror or error}") from error
    print(f"{found.output}: written, {shown}")
    return 0


def _comment(paths: Sequence[Path], against: Path | None) -> tuple[str, str]:
    """What the last of the reports changed, as a comment, and what that holds in a few words."""
    if against is None:
        raise Complaint("a comment (*.md) is about what changed: say with --against OLD.json from what")
    new, old = (load(path, tests_report.FORMAT) for path in (paths[-1], against))
    return comment(old, new), in_short(changed_counts(old, new))


def _page(paths: Sequence[Path], against: Path | None) -> tuple[str, str]:
    """The page, and what it shows in a few words."""
    stems = Counter(path.stem for path in (*paths, *([against] if against is not None else [])))
    found = [_load(path, stems) for path in paths]
    old = _load(against, stems) if against is not None else None
    reports = [one for one in found if isinstance(one, Saved)]
    runs = [one for one in found if isinstance(one, Run)]
    if len(reports) == len(found) and not isinstance(old, Run):
        return tests_page.render(reports, Path.cwd(), old), count(len(reports[-1].tests), "test")
    if len(runs) == len(found) and not isinstance(old, Saved):
        return run_page.render(runs, old), count(len(runs[-1].evidence.findings), "finding")
    other = next(
        path
        for path, one in zip([*paths, against], [*found, old], strict=True)
        if path is not None and type(one) is not type(found[0])
    )
    kinds = {Saved: tests_report.FORMAT.what, Run: run_report.FORMAT.what}
    raise UnusableFile(f"{other}: is no {kinds[type(found[0])]}, as {paths[0]} is: one page shows one kind")


def _load(path: Path, stems: Mapping[str, int]) -> Saved | Run:
    """What a file holds, by the name of the file; by its path where others have the same name."""
    formats: tuple[Format[Saved | Run], ...] = (tests_report.FORMAT, run_report.FORMAT)
    found = load(path, *formats)
    return found if stems[path.stem] == 1 else dataclasses.replace(found, name=str(path))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint report",
        description="Show reports of `pytest --overhead-report PATH.json`, or evidence files of "
        "`overhead-lint run`, as one HTML file; with --against also what changed, as a comment in Markdown.",
    )
    parser.add_argument(
        "reports",
        nargs="+",
        type=Path,
        metavar="REPORT.json",
        help="the oldest first: several give a history, and the last is shown in full",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT",
        help="what to write: *.html or, with --against, *.md",
    )
    parser.add_argument(
        "--against", type=Path, metavar="OLD.json", help="compare the last report with this one"
    )
    return parser
