"""``overhead-lint rule``: pages and lists of rules, as text and as JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PAGES = sorted(Path(__file__).parents[2].glob("rules/*/*.md"))

Rule = Callable[..., "tuple[str, str, int]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def rule(run_here: Run) -> Rule:
    """Run the command."""

    def run(*arguments: str) -> tuple[str, str, int]:
        done = run_here("rule", *arguments)
        return done.stdout, done.stderr, done.returncode

    return run


def page(name: str) -> str:
    (path,) = [path for path in PAGES if path.stem == name]
    return path.read_text(encoding="utf-8")


def test_a_code_or_a_name_shows_its_page(rule: Rule) -> None:
    assert rule("OVH101", "--full") == (page("autocast_per_step"), "", 0)
    assert rule("OVH001", "--full") == (page("unused_suppression"), "", 0)
    assert rule("unused-suppression") == rule("OVH001")


def test_all_shows_every_page_in_the_order_of_codes(rule: Rule) -> None:
    out, err, status = rule("--all")
    assert all(path.read_text(encoding="utf-8") in out for path in PAGES)
    titles = [line for line in out.splitlines() if line.startswith("# OVH")]
    assert (titles, len(titles)) == (sorted(titles), len(PAGES))
    assert (err, status) == ("", 0)


def test_json_holds_what_a_program_wants_to_know(rule: Rule) -> None:
    one = json.loads(rule("OVH101", "--output-format", "json")[0])
    assert one == {
        "code": "OVH101",
        "name": "autocast-per-step",
        "summary": one["summary"],
        "heat": "step",
        "preview": False,
        "stable_since": "0.2.0",
        "origin": "overhead_lint.rules.contexts.autocast_per_step",
        "page": page("autocast_per_step"),
    }
    everything = json.loads(rule("--all", "--output-format", "json")[0])
    assert one in everything and len(everything) == len(PAGES)
    listed = json.loads(rule("--list", "--output-format", "json")[0])
    assert listed == [{name: value for name, value in item.items() if name != "page"} for item in everything]


def test_the_list_marks_rules_that_are_off_unless_selected(rule: Rule) -> None:
    marked = [line.split()[0] for line in rule("--list")[0].splitlines() if "(off unless selected)" in line]
    assert marked == [
        item["code"] for item in json.loads(rule("--list", "--output-format=json")[0]) if item["preview"]
    ]
    assert "OVH001" in marked


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("OVH19", "unknown rule 'OVH19': did you mean OVH1"),
        ("OVH1013", "unknown rule 'OVH1013': did you mean OVH101?"),
        ("item-per-elements", "unknown rule 'item-per-elements': did you mean item-per-element?"),
        ("OVH999", "unknown rule 'OVH999': `overhead-lint rule --list` shows all"),
        ("OVH1", "OVH1 names more than one rule: give a full code, or --all"),
        ("ALL", "ALL names more than one rule"),
    ],
)
def test_a_code_that_is_none_is_one_line(rule: Rule, code: str, error: str) -> None:
    out, err, status = rule(code)
    assert err.startswith(f"overhead-lint: {error}")
    assert (out, err.count("\n"), status) == ("", 1, 2)


@pytest.mark.parametrize(
    "arguments", [(), ("--all", "--list"), ("OVH101", "--all"), ("--output-format", "xml", "--all")]
)
def test_wrong_use_shows_the_usage(rule: Rule, arguments: tuple[str, ...]) -> None:
    _, err, status = rule(*arguments)
    assert (err.startswith("usage: overhead-lint rule"), status) == (True, 2)


def test_a_page_that_cannot_be_read_is_one_line(
    rule: Rule, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from overhead_lint.engine import packs

    (first, *others) = packs.load()
    gone = first._replace(page=tmp_path / "gone.md")
    monkeypatch.setattr(packs, "load", lambda chosen: (gone, *others))
    expected = f"overhead-lint: {tmp_path}/gone.md: cannot be read: No such file or directory\n"
    assert rule("--all") == ("", expected, 2)
