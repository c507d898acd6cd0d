"""The short page of a rule fits a screen, and says what a user asks first."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.engine.short_page import short_page

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*/*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_it_fits_a_screen(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    short = short_page(page)
    title = page.partition("\n")[0]
    assert short.startswith(f"{title}\n")
    assert len(short.splitlines()) < 60
    assert ("Before:" in short) == ("After:" in short) == ("python before" in page)
    headings = [line for line in short.splitlines() if line.startswith("## ")]
    assert headings == ["## Why it costs", "## Fix safety", "## When not to use it"]
    assert "\n-\n" not in short, "a section has no sentence"
    assert f"overhead-lint rule {title.split()[1]} --full" in short


def test_a_page_of_another_form_is_shown_whole() -> None:
    assert short_page("# ABC101 x\n\nText.\n") == "# ABC101 x\n\nText.\n"
