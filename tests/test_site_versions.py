"""The sites of all versions lie side by side, and ``latest`` leads to the newest release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import site_versions

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def _site(folder: Path, text: str) -> Path:
    for page in ("index.html", "rules/OVH101/index.html", "404.html"):
        path = folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _listed(published: Path) -> list[tuple[str, list[str]]]:
    found = json.loads((published / "versions.json").read_text(encoding="utf-8"))
    return [(one["version"], one["aliases"]) for one in found]


def test_versions_are_listed_the_newest_first_and_latest_is_a_release(tmp_path: Path) -> None:
    published = tmp_path / "published"
    for version in ("0.9.0", "0.10.0", "0.11.0.dev1", "0.2.0"):
        latest = site_versions.add(_site(tmp_path / version, version), published, version)
    assert latest == "0.10.0"
    assert _listed(published) == [("0.11.0.dev1", []), ("0.10.0", ["latest"]), ("0.9.0", []), ("0.2.0", [])]


def test_latest_leads_to_the_same_page_of_the_newest_release(tmp_path: Path) -> None:
    published = tmp_path / "published"
    site_versions.add(_site(tmp_path / "site", "one"), published, "0.2.0")
    assert 'href="../0.2.0/"' in (published / "latest" / "index.html").read_text(encoding="utf-8")
    page = (published / "latest" / "rules" / "OVH101" / "index.html").read_text(encoding="utf-8")
    assert 'href="../../../0.2.0/rules/OVH101/"' in page
    assert "location.hash" in page
    assert 'href="../0.2.0/404.html"' in (published / "latest" / "404.html").read_text(encoding="utf-8")
    assert 'href="latest/"' in (published / "index.html").read_text(encoding="utf-8")


def test_a_version_that_is_there_is_replaced_whole(tmp_path: Path) -> None:
    published = tmp_path / "published"
    first = _site(tmp_path / "first", "one")
    (first / "gone.html").write_text("one", encoding="utf-8")
    site_versions.add(first, published, "0.2.0")
    site_versions.add(_site(tmp_path / "second", "two"), published, "0.2.0")
    assert (published / "0.2.0" / "index.html").read_text(encoding="utf-8") == "two"
    assert not (published / "0.2.0" / "gone.html").exists()
    assert not (published / "latest" / "gone.html").exists()
    assert sorted(found.name for found in published.iterdir()) == [
        "0.2.0",
        "index.html",
        "latest",
        "versions.json",
    ]


def test_what_is_no_version_or_no_site_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = _site(tmp_path / "site", "one")
    published = tmp_path / "published"
    assert site_versions.main([str(published), "--built", str(site), "--version", "../out"]) == 2
    assert capsys.readouterr().err == "site_versions: ../out is not a version such as 0.2.0\n"
    assert site_versions.main([str(published), "--built", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.endswith("holds no site: run make docs\n")
    assert not published.exists()
