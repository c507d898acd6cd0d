"""Describes what a run fixed, for a change's text."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint._version import __version__
from overhead_lint.engine.pages import Page, PageError
from overhead_lint.engine.short_page import first_paragraph
from overhead_lint.errors import Complaint
from overhead_lint.report.fix_report import FixReport, RuleStory, render
from overhead_lint.support import atomic

if TYPE_CHECKING:
    from overhead_lint.cli.options import Options
    from overhead_lint.fixing.trial import Trial
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding

__all__ = ["describe"]


def describe(
    fixed: Sequence[Finding],
    cost: Callable[[Finding], Cost],
    page: Callable[[str], Path | None],
    options: Options,
    trial: Trial | None,
) -> None:
    """Write the description to stdout, or to its file.

    Args:
        fixed: what is fixed; not empty.
        cost: gives what a finding was expected to cost.
        page: gives the file of a rule's page, by its code.
        options: of the run.
        trial: the command that was run with the fixes and without; None for none.

    Raises:
        Complaint: the file cannot be written.
    """
    stories = _stories({finding.code for finding in fixed}, page)
    text = render(FixReport(fixed, cost, stories, _command(options), __version__, trial))
    file = options.report.output_file
    if file is None:
        sys.stdout.write(text)
        return
    try:
        atomic.write(file, text.encode("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise Complaint(f"{file}: cannot be written: {error.strerror or error}") from error


def _stories(codes: Iterable[str], page: Callable[[str], Path | None]) -> dict[str, RuleStory]:
    stories = {}
    for code in codes:
        file = page(code)
        try:
            sections = Page.read(file).sections if file is not None else {}
        except PageError:  # it has gone: the rest is worth telling
            continue
        why, safety = (_prose(sections.get(name, "")) for name in ("Why it costs", "Fix safety"))
        stories[code] = RuleStory(why, safety)
    return stories


def _prose(section: str) -> str:
    """The first paragraph in one line: forges break lines where a page does."""
    return " ".join(first_paragraph(section).split()) if section.strip() else ""


def _command(options: Options) -> str:
    """What makes the same change, without what it was looked at by."""
    words = ["overhead-lint", "--fix"]
    words += ["--unsafe-fixes"] if options.unsafe else []
    for key in ("select", "extend-select", "ignore", "fixable", "unfixable"):
        codes = options.given.get(key)
        words += [f"--{key}", ",".join(codes)] if codes else []
    words += ["--preview"] if options.given.get("preview") else []
    words += ["--min-heat", str(options.given["min-heat"])] if options.given.get("min-heat") else []
    words += (
        ["--target-torch", str(options.given["target-torch"])] if options.given.get("target-torch") else []
    )
    return shlex.join([*words, *map(str, options.paths)])
