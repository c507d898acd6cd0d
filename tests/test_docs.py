"""The documentation points at what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prose import measured, sentences

from overhead_lint.syntax.text_parsing import _SINCE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "rules").glob("*/*.md"))]
LINK = re.compile(r"\[[^\]]+\]\((?!https?:)(?P<path>[^)#]*)#?(?P<heading>[^)]*)\)")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def _without_blocks(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"`[^`\n]+`", "code", _without_blocks(page))  # brackets in code are no links
    for link in LINK.finditer(prose):
        target = page.parent / link["path"] if link["path"] else page
        assert target.exists(), link.group()
        assert not link["heading"] or link["heading"] in anchors(target), link.group()


ITEM = re.compile(r" *(?:[-*]|\d+\.) ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_paragraph_runs_into_a_list(page: Path) -> None:
    """The site would show the items as its text, where other readers of Markdown show a list."""
    text = re.sub(r"^( *)```.*?^\1```$", r"\1code", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for first, *others in (block.split("\n") for block in re.split(r"\n\s*\n", text)):
        assert ITEM.match(first) or not any(map(ITEM.match, others)), first


def test_the_index_leads_to_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / link["path"]).resolve() for link in LINK.finditer(index)}
    assert set(PAGES) - {ROOT / "docs" / "index.md"} <= linked


def test_the_versions_of_python_that_are_claimed_are_those_that_something_ran_on() -> None:
    """And the oldest is the one that installers ask for; syntax of the newest is told by its name."""
    text = (ROOT / "pyproject.toml").read_text()
    claimed = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    page = (ROOT / "evaluation" / "compatibility-log.md").read_text()
    ran = re.findall(r"^\| (3\.\d+)[.\w]* \|.*\|.*\|.*\|$", page, re.MULTILINE)
    assert claimed == ran
    assert f'requires-python = ">={claimed[0]}"' in text
    newest = max(since for since, _ in _SINCE)
    assert ".".join(map(str, newest)) == claimed[-1]


def test_the_design_names_every_module_and_package() -> None:
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    layout = design.split("## Layout")[1].split("```")[1]
    parts = [part for part in (ROOT / "overhead_lint").iterdir() if not part.name.startswith(("_", "."))]
    names = {f"{part.name}/" if part.is_dir() else part.name for part in parts} - {"py.typed"}
    assert {name for name in names if name not in layout} == set()


def test_the_files_to_copy_are_there() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:overhead_lint|rules|tests|benchmarks)/[\w/.]*)`", page)
    assert named and [name for name in named if not (ROOT / name).exists()] == []


def test_sentences_are_counted_without_what_is_no_prose() -> None:
    prose = "# A head\n\nOne two three four. Five [six seven](a.md) eight!\n- Nine `ten eleven` twelve\n"
    text = f"{prose}\n```\nno prose is here at all\n```\n| a | row of a table |\n"
    assert sentences(text) == ["One two three four.", "Five six seven eight!", "- Nine code twelve"]
    assert measured(text) == (3, 4, 4)


WRITTEN = [
    *(page for page in PAGES if page.parent in (ROOT, ROOT / "docs")),
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md")),
]
"""All pages but those of rules."""


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
def test_pages_have_no_long_sentence(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert measured(text).longest <= 52, max(sentences(text), key=len)


@pytest.mark.parametrize(
    "page", sorted({*PAGES, *WRITTEN}), ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_pages_have_short_sentences(page: Path) -> None:
    found = measured(page.read_text(encoding="utf-8"))
    assert found.number and found.median < 18, found


def test_the_glossary_is_short_enough_to_be_learned() -> None:
    words = re.findall(
        r"^\| (?!word|---)", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert 5 < len(words) <= 15
