"""The home page shows the README's report in the colours of a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
import site_terminal

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECORDED = (ROOT / "docs" / "site" / "report.ansi").read_text(encoding="utf-8")


def test_what_was_recorded_is_what_the_readme_shows() -> None:
    """And that is what the linter says: the demo's tests run the README's command."""
    shown = README.split("```console\n$ overhead-lint ")[1].split("```")[0].partition("\n")[2]
    # Lines may end elsewhere: escape sequences take room where a report is as wide as a terminal.
    assert site_terminal.plain(RECORDED).split() == shown.split()
    assert "\x1b[" in RECORDED


def test_colours_become_classes_and_text_stays_text() -> None:
    page = site_terminal.rendered("$ lint <a>", "\x1b[1;31mOVH1\x1b[0m x < y\n\n\x1b[1mz\x1b[0m\n")
    assert page == (
        '<pre class="terminal" tabindex="0" role="region" aria-label="What lint &lt;a&gt; prints">'
        '<span class="t-bold">$ lint &lt;a&gt;</span>\n'
        '<span class="t-red">OVH1</span> x &lt; y\n\n<span class="t-bold">z</span>\n</pre>\n'
    )


def test_a_style_without_a_rule_of_the_style_sheet_is_an_error() -> None:
    with pytest.raises(KeyError):
        site_terminal.rendered("$ lint", "\x1b[95mx\x1b[0m")
    sheet = (ROOT / "docs" / "site" / "extra.css").read_text(encoding="utf-8")
    assert [name for name in site_terminal.STYLES.values() if f".t-{name} " not in sheet] == []


def test_a_page_without_a_report_is_an_error() -> None:
    assert "```console\n$ overhead-lint legacy" not in site_terminal.with_picture(README, RECORDED)
    with pytest.raises(ValueError, match="no report"):
        site_terminal.with_picture("# A page\n", RECORDED)
