"""One version stands everywhere: what a release needs is written once, and told alike."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import overhead_runtime
from overhead_lint._version import __version__

ROOT = Path(__file__).parent.parent
TOLD = {
    "README.md": r"rev: v(\S+)",
    "docs/ci.md": r"(?:rev: |overhead-lint@)v(\d[\w.]*\w)|overhead_lint-(\d[\d.]*\d)-|^overhead-lint (\d\S*)",
    "docs/events.md": r"overhead_native-(\d[\d.]*\d)\+",
    "docs/legacy.md": r"\(overhead-lint (\d[\d.]*\d)\)",
    "overhead_native/README.md": r"overhead_native-(\d[\d.]*\d)\+",
    "action.yml": r"such as (\d[\d.]*\d)",
}
"""Where a page or a file of the repository shows a version, and how."""


@pytest.mark.parametrize("page", TOLD)
def test_what_pages_show_is_this_version(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = {
        version
        for match in re.finditer(TOLD[page], text, re.MULTILINE)
        for version in match.groups()
        if version
    }
    assert shown == {__version__}


def test_what_only_an_owner_can_name_stands_on_one_page() -> None:
    """Elsewhere stands what works from a clone."""
    named = [
        page for page in (ROOT / "README.md", *ROOT.glob("docs/*.md")) if "OWNER" in page.read_text("utf-8")
    ]
    assert named == [ROOT / "docs" / "ci.md"]
    text = named[0].read_text(encoding="utf-8")
    assert text.count("OWNER/overhead-lint") == text.count("OWNER/") > 0
    assert not any(
        "OWNER" in (ROOT / name).read_text("utf-8") for name in ("action.yml", ".pre-commit-hooks.yaml")
    )


def test_distributions_are_of_one_version() -> None:
    from overhead_runtime._version import __version__ as of_runtime

    assert of_runtime == __version__
    assert Path(overhead_runtime.__file__).parent == ROOT / "overhead_runtime"
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "editors" / "vscode" / "package-lock.json").read_text(encoding="utf-8"))
    assert extension["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_the_changelog_begins_with_this_version_and_the_date_that_it_came_out() -> None:
    """Or says that it has not, in the one way that a release looks for."""
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.fullmatch(rf"{re.escape(__version__)} \((unreleased|\d{{4}}-\d\d-\d\d)\)", headings[0])
    assert not any("unreleased" in heading for heading in headings[1:])
