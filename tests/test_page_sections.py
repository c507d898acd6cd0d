"""Sections of docs/performance.md that several commands write outlive the rest of the page."""

from __future__ import annotations

from page_sections import kept_sections, with_section


def test_a_section_is_added_and_takes_the_place_of_the_one_before() -> None:
    page = with_section("# Page\n", "shards", "first \\1\n")
    assert page == "# Page\n\n<!-- shards -->\nfirst \\1\n<!-- end of shards -->\n"
    assert with_section(page, "shards", "second\n") == page.replace("first \\1", "second")


def test_a_section_leaves_those_of_other_names_as_they_are() -> None:
    page = with_section(with_section("# Page\n", "bars", "one\n"), "shards", "two\n")
    assert with_section(page, "bars", "three\n") == page.replace("one", "three")


def test_all_sections_are_kept_when_the_rest_is_written_anew() -> None:
    page = with_section(with_section("# Page\n", "bars", "one\n"), "shards", "two\n")
    new = with_section(with_section("# New\n", "bars", "one\n"), "shards", "two\n")
    assert "# New\n" + kept_sections(page) == new
    assert kept_sections("# Page\n") == ""
