"""The section of docs/performance.md that `benchmarks/shards.py` writes outlives the rest of the page."""

from __future__ import annotations

from shards import BEGIN, END, kept_section, with_section


def test_a_section_is_added_and_takes_the_place_of_the_one_before() -> None:
    page = with_section("# Page\n", "first \\1\n")
    assert page == f"# Page\n\n{BEGIN}first \\1\n{END}"
    assert with_section(page, "second\n") == f"# Page\n\n{BEGIN}second\n{END}"


def test_the_section_is_kept_when_the_rest_is_written_anew() -> None:
    page = with_section("# Page\n", "measured\n")
    assert "# New\n" + kept_section(page) == with_section("# New\n", "measured\n")
    assert kept_section("# Page\n") == ""
