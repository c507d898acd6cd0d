"""Pictures of the site are those of reports, of a run that was recorded."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
import record_pictures
import site_pictures

EXTRAS = Path(__file__).parent.parent / "docs" / "site"


@pytest.fixture(scope="module")
def drawn() -> tuple[dict[str, str], str]:
    return site_pictures.draw(EXTRAS)


def test_pictures_show_the_recorded_run(drawn: tuple[dict[str, str], str]) -> None:
    pictures, report = drawn
    assert "legacy_trainer/trainer.py:51" in pictures["timeline"]
    assert "Trunk.forward" in pictures["guard-families"]
    assert "_modules" in pictures["guard-families"]
    assert report.startswith("<!DOCTYPE html>")
    for picture in pictures.values():
        assert re.search(r'<svg [^>]*role="img" aria-label="[^"]{80}', picture), "for those who don't see it"
        assert "" not in picture.splitlines(), "Markdown would end the block there"


def test_the_recording_names_no_folder_of_the_machine() -> None:
    text = gzip.decompress(record_pictures.RUN.read_bytes()).decode()
    assert re.findall(r'"(/[^"]*)"', text) == []
    said = '{"a": "/x/lib/site-packages/torch/a.py", "b": "/tmp/e/t.py", "c": "/y/dist-packages/z.py"}'
    assert record_pictures.without_folders(said, Path("/tmp/e")) == (
        '{"a": "site-packages/torch/a.py", "b": "t.py", "c": "dist-packages/z.py"}'
    )


def test_a_comment_becomes_the_picture_that_it_names() -> None:
    text = "a\n\n<!-- picture: b -->\n\n<!-- c -->\n"
    assert site_pictures.with_pictures(text, {"b": "<p>"}) == "a\n\n<p>\n\n<!-- c -->\n"
    with pytest.raises(KeyError):
        site_pictures.with_pictures(text, {})


def test_the_style_is_that_of_reports_below_pictures_alone() -> None:
    sheet = site_pictures.style()
    assert "--wait: #b3001b" in sheet.split("slate")[0]
    assert "--wait: #ff6b7d" in sheet.split("slate")[1]
    for rule in re.findall(r"^([^{@]+)\{", sheet, re.MULTILINE):
        assert all(".report-picture" in one for one in rule.split(",")), rule
