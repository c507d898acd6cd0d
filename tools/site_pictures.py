"""Draws what was recorded of the example as the reports draw it, for the pages of the site."""

from __future__ import annotations

import gzip
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.measure import evidence as evidence_file
from overhead_lint.measure.host_time import segments
from overhead_lint.report.html import run_page
from overhead_lint.report.html.bars import Bar, bars
from overhead_lint.report.html.page import STYLE
from overhead_lint.report.html.run_report import Run
from overhead_lint.report.html.timeline import timeline

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence

__all__ = ["draw", "style", "with_pictures"]

_MARK: Final = re.compile(r"<!-- picture: ([\w-]+) -->")
_TABLE: Final = "The table below has all numbers."
_MOST: Final = 10


def draw(extras: Path) -> tuple[dict[str, str], str]:
    """Return the pictures by name, and the whole report of the run that was recorded.

    Args:
        extras: the folder with the recording.
    """
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as folder:
        path = Path(folder, "overhead.json")
        path.write_bytes(gzip.decompress((extras / "run.json.gz").read_bytes()))
        evidence = evidence_file.read(path)
    pictures = {"timeline": _timeline(evidence), "guard-families": _families(evidence)}
    return pictures, run_page.render([Run("overhead.json", evidence)])


def with_pictures(text: str, pictures: dict[str, str]) -> str:
    """Return a page with a picture at each comment that names one.

    Raises:
        KeyError: there is no picture of that name.
    """
    return _MARK.sub(lambda found: pictures[found[1]], text)


def style() -> str:
    """Return the style sheet of the pictures: that of reports, by the theme's own light and dark."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    rules = re.findall(r"^((?:svg|\.k-|\.legend|\.key|\.picture|\.scroll)[^{]*)(\{.*?\})", STYLE, re.M | re.S)
    flames = re.findall(r"(\.flame\.k-[^{]*)(\{.*?\})", STYLE)
    scoped = [f"{_scoped(selectors)} {body}" for selectors, body in (*rules, *flames)]
    return "\n".join(
        [
            f".report-picture {{{_variables(light)}}}",
            f'[data-md-color-scheme="slate"] .report-picture {{{_variables(dark)}}}',
            *scoped,
            ".md-typeset .report-picture .picture svg { min-width: 30rem; }",
            ".md-typeset .report-picture .legend { font-size: .7rem; margin: .5rem 0; }",
            ".md-typeset .report-picture .legend li { margin: 0; }",
            "",
        ]
    )


def _variables(block: str) -> str:
    return "".join(f"{name}: {value}; " for name, value in re.findall(r"(--[\w-]+): ([^;]+);", block))


def _scoped(selectors: str) -> str:
    return ", ".join(f".md-typeset .report-picture {one.strip()}" for one in selectors.split(","))


def _framed(picture: str) -> str:
    """A picture that Markdown leaves as it is: no line of it is empty."""
    lines = [line for line in picture.splitlines() if line.strip()]
    return "\n".join(['<div class="report-picture">', *lines, "</div>"])


def _timeline(evidence: Evidence) -> str:
    trace = evidence.trace
    if trace is None:
        raise ValueError("the recorded run has no step")
    caption = f"One step of {' '.join(evidence.program)}: host time by source line and kind"
    drawn = timeline(caption, trace, segments(trace), 0, trace.length)
    link = '<p><a href="../reports/run.html">The whole report of this run</a></p>'
    drawn = drawn.replace(_TABLE, "The whole report has all numbers.").replace(
        "are in the table", "are in the report"
    )
    return _framed(f"{drawn}{link}")


def _families(evidence: Evidence) -> str:
    """The guards of the function that has the most: how many look at the same, indices collapsed."""
    entry = max(evidence.compiled, key=lambda one: one["guards"])
    rows = [
        Bar(name, number) for name, number in sorted(entry["by_source"].items(), key=lambda item: -item[1])
    ]
    place = f"{entry['function']}, {entry['file']}:{entry['line']}"
    caption = f"What the {entry['guards']} guards of a call look at: {place}"
    return _framed(bars(caption, "family", rows, is_time=False, most=_MOST))
