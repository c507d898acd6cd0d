"""The site's pages are laid out from the documentation, the rules' pages and the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import site_build
import site_links

from overhead_lint.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "pages"
    site_build.lay_out(ROOT, made)
    return made


def test_every_page_is_in_the_navigation_or_is_a_rule(folder: Path) -> None:
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {page.relative_to(folder).as_posix() for page in folder.rglob("*.md")}
    assert named <= pages
    assert {page for page in pages - named if not re.fullmatch(r"rules/OVH\d{3}\.md", page)} == set()


def test_every_link_leads_to_a_page(folder: Path) -> None:
    for page in folder.rglob("*.md"):
        text = re.sub(r"^\s*```.*?^\s*```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
        for path in re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", re.sub(r"`[^`\n]+`", "", text)):
            assert (page.parent / path).exists(), (page, path)


def test_rules_are_listed_with_the_fixes_that_their_examples_get(folder: Path) -> None:
    index = (folder / "rules" / "index.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^\| \[OVH", index, re.MULTILINE)) == len(list(ROOT.glob("rules/*/*.md")))
    row = next(line for line in index.splitlines() if line.startswith("| [OVH701]"))
    assert row.endswith("| safe |")


def test_a_rule_shows_both_forms_first_and_folds_its_tests_away(folder: Path) -> None:
    page = (folder / "rules" / "OVH101.md").read_text(encoding="utf-8")
    assert page.startswith("# OVH101 autocast-per-step\n")
    assert page.index('=== "Before"') < page.index('=== "After"') < page.index("## Why it costs")
    assert "Stable since 0.2.0" in page.split("## Why it costs")[0]
    assert "## Example" not in page
    assert '??? note "Example, as tested"' in page


def test_the_command_line_has_the_help_of_every_command(folder: Path) -> None:
    page = (folder / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r"^## overhead-lint (\S+)$", page, re.MULTILINE) == list(COMMANDS)
    assert page.count("usage: ") == len(COMMANDS)


def test_links_are_led_to_pages_and_code_is_left_alone() -> None:
    pages = {Path("docs/a.md"): Path("a.md"), Path("rules/x/y.md"): Path("rules/OVH1.md")}
    text = "[one](../rules/x/y.md#z) [two](b.py) [three](https://c.d) [four](#e)\n```\n[five](b.py)\n```\n"
    assert site_links.led_to_pages(text, Path("docs/a.md"), Path("a.md"), pages) == (
        "[one](rules/OVH1.md#z) two [three](https://c.d) [four](#e)\n```\n[five](b.py)\n```\n"
    )
