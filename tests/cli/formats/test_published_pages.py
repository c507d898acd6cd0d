"""Formats that lead to pages of the site lead to a rule's, where the metadata say where the site is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from overhead_lint.report import published_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .format_runs import Lint

PAGE = "https://ada.github.io/overhead-lint/latest/rules/OVH101/"


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    published_pages._site.cache_clear()
    yield
    published_pages._site.cache_clear()


@pytest.fixture(params=[True, False], ids=["a site", "no site"])
def page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Where the page of OVH101 is by the metadata of what is installed; None where these have no site."""
    info = tmp_path / "site-packages" / "overhead_lint-0.2.0.dist-info"
    info.mkdir(parents=True)
    address = "Project-URL: Documentation, https://ada.github.io/overhead-lint/\n" if request.param else ""
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: overhead-lint\nVersion: 0.2.0\n{address}")
    monkeypatch.syspath_prepend(str(info.parent))
    return PAGE if request.param else None


def test_rules_of_sarif_have_the_address_of_their_page(lint: Lint, page: str | None) -> None:
    log = json.loads(lint("--output-format", "sarif", "a b").out)
    rules = {rule["id"]: rule for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["OVH101"].get("helpUri") == page


def test_codes_of_a_review_lead_to_their_page(lint: Lint, page: str | None) -> None:
    shown = json.loads(lint("--output-format", "rdjson", "a b").out)["diagnostics"]
    codes = {one["code"]["value"]: one["code"] for one in shown}
    assert codes["OVH101"].get("url") == page


@pytest.mark.parametrize("page", [True], indirect=True)
def test_the_rules_of_packs_have_no_page_of_ours(page: str) -> None:
    assert published_pages.published_page("OVH101") == page
    assert published_pages.published_page("TEAM101") is None
