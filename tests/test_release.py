"""One version stands everywhere: what a release needs is written once, and told alike."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import owner
import pytest
import yaml

import overhead_runtime
from overhead_lint._version import __version__

ROOT = Path(__file__).parent.parent
TOLD = {
    "docs/ci.md": r"overhead_lint-(\d[\d.]*\d)-|^overhead-lint (\d\S*)",
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


def test_what_only_an_owner_can_name_is_shown_alike() -> None:
    names = owner.named(ROOT)
    assert [
        place.file for place in owner.PLACES if place.told(names) not in (ROOT / place.file).read_text()
    ] == []
    blanks = {place.file for place in owner.PLACES if "OWNER" in place.told(names)}
    pages = (ROOT / "README.md", ROOT / "action.yml", *ROOT.glob("docs/*.md"))
    assert {
        page.relative_to(ROOT).as_posix() for page in pages if "OWNER" in page.read_text("utf-8")
    } == blanks


NAMES = """
[project.urls]
Repository = "https://github.com/{0}/overhead-lint"
Documentation = "https://{0}.github.io/overhead-lint"

"""
AUTHORS = 'authors = [{ name = "Ada Example" }]\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What an owner's names are written to, without any."""
    if owner.named(ROOT) is not None:
        pytest.skip("the names are given, so there is nothing that shows none")
    for name in {"pyproject.toml", "overhead_lint/_version.py", *(place.file for place in owner.PLACES)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def give(checkout: Path, who: str, authors: str = AUTHORS) -> None:
    """Put the names into the metadata, as the page on releases says."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    head, mark, rest = text.partition("\n[project.optional-dependencies]\n")
    (checkout / "pyproject.toml").write_text(
        f"{head}{authors}{NAMES.format(who)}{mark}{rest}", encoding="utf-8"
    )


def test_an_owner_s_names_are_written_to_all_places(checkout: Path) -> None:
    for who in ("ada", "grace"):  # the first names, and others in their place
        give(checkout, who)
        assert owner.main(["--check"], checkout) == 1
        assert owner.main([], checkout) == 0
        texts = {place.file: (checkout / place.file).read_text(encoding="utf-8") for place in owner.PLACES}
        assert owner.main(["--check"], checkout) == owner.main([], checkout) == 0
        for file, text in texts.items():
            assert text == (checkout / file).read_text(encoding="utf-8")
            assert "OWNER" not in text and "not on a package index" not in text, file
        assert (
            f"- repo: https://github.com/{who}/overhead-lint\n  rev: v{__version__}\n" in texts["README.md"]
        )
        assert f"- uses: {who}/overhead-lint@v{__version__}\n" in texts["docs/ci.md"]
        assert yaml.safe_load(texts["mkdocs.yml"])["extra"]["social"][0]["link"].endswith(
            f"/{who}/overhead-lint"
        )
        extension = json.loads(texts["editors/vscode/package.json"])
        assert extension["repository"]["url"] == f"https://github.com/{who}/overhead-lint.git"
        for folder in ("overhead_runtime", "overhead_native"):
            metadata = texts[f"{folder}/pyproject.toml"]
            assert metadata.count(AUTHORS) == metadata.count(NAMES.format(who)[1:-1]) == 1


def test_the_readme_leads_into_the_repository_from_the_page_of_an_index(checkout: Path) -> None:
    """Where the repository has an address; there are no files beside it there."""
    for name in ("setup.py", "LICENSE"):
        shutil.copy(ROOT / name, checkout)

    def described() -> list[str]:
        command = [sys.executable, "setup.py", "-q", "--long-description"]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
        return re.findall(r"\]\(([^)]*)\)", done.stdout)

    before = described()
    assert "docs/heat.md" in before
    give(checkout, "ada")
    base = f"https://github.com/ada/overhead-lint/blob/v{__version__}/"
    assert described() == [link if ":" in link or link[0] == "#" else f"{base}{link}" for link in before]


@pytest.mark.parametrize(
    ("who", "authors", "told"),
    [
        (None, "", "neither authors nor [project.urls]"),
        ("ada", "", "needs authors"),
        ("ada lovelace", AUTHORS, 'needs Repository = "https://github.com/'),
    ],
)
def test_names_that_are_missing_or_wrong_are_told_in_one_line(
    checkout: Path, who: str | None, authors: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if who is not None:
        give(checkout, who, authors)
    assert owner.main(["--check"], checkout) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


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
