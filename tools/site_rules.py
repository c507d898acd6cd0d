"""Makes the site's pages of rules from those beside their modules, and the table that lists them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.engine.pages import Page
from overhead_lint.rule import Applicability
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhead_lint.engine.packs import LoadedRule
    from overhead_lint.rule import Rule

__all__ = ["FAMILIES", "rule_index", "rule_page"]

FAMILIES: Final = {
    "OVH0": "Upkeep",
    "OVH1": "Contexts",
    "OVH2": "Keys",
    "OVH3": "Guards and compilation",
    "OVH4": "Streams, events and waits",
    "OVH5": "Float32 precision",
    "OVH6": "Python on the hot path",
    "OVH7": "Tensors",
    "OVH8": "Autograd and optimizers",
}
"""What the first digit of a code stands for."""
_FOLDED: Final = {"Timing": "How it is timed", "Example": "Example, as tested", "Quiet": "What is left alone"}
"""Sections that are tests before all: they come last, and are opened on demand."""


def rule_page(text: str, facts: LoadedRule, rules: Sequence[LoadedRule]) -> str:
    """Return the page that the site shows of a rule.

    Args:
        text: of the page in the repository.
        facts: the rule.
        rules: all of them.
    """
    page = Page.parse(text, facts.rule.code)
    sections = {name: section.strip() for name, section in page.sections.items()}
    fixed = sections.pop("Fixed", "")
    made = [page.title, "", _badges(facts.rule, _kinds_of_fixes(facts, rules, page)), "", page.summary, ""]
    made += _in_short(page)
    folded = [(name, sections.pop(name)) for name in _FOLDED if name in sections]
    for name, section in sections.items():
        made += [f"## {name}", "", section, ""]
    made += ["## In full", ""]
    for name, section in (*folded, ("Fixed", fixed)):
        made += _folded(_FOLDED.get(name, "After the fix, as tested"), section)
    return "\n".join(made).rstrip() + "\n"


def rule_index(rules: Sequence[LoadedRule], pages: dict[str, str]) -> str:
    """Return the page that lists all rules by family.

    Args:
        rules: all of them.
        pages: their pages in the repository, by code.
    """
    lines = ["# Rules", "", "Each page is tested as it is written: `overhead-lint rule CODE` shows it.", ""]
    for start, family in FAMILIES.items():
        of_family = [one for one in rules if one.rule.code.startswith(start)]
        lines += [f"## {family}", "", "| code | name | what it sees | fix |", "|---|---|---|---|"]
        lines += [
            f"| [{one.rule.code}]({one.rule.code}.md) | {one.rule.name} | {one.rule.summary} "
            f"| {_kinds_of_fixes(one, rules, Page.parse(pages[one.rule.code], one.rule.code))} |"
            for one in of_family
        ]
        lines.append("")
    return "\n".join(lines)


def _kinds_of_fixes(facts: LoadedRule, rules: Sequence[LoadedRule], page: Page) -> str:
    """Which fixes a rule has for the example of its page: found out, not read in prose."""
    others = [one.rule for one in rules if not one.rule.preview]
    source = Source.from_bytes(Path("example.py"), page.code("Example").encode())
    found = Linter([facts.rule], Settings(), others).lint(source)
    kinds = {one.fix.applicability for one in found if one.fix is not None}
    return " or ".join(kind.value for kind in (Applicability.SAFE, Applicability.UNSAFE) if kind in kinds)


def _badges(rule: Rule, fix: str) -> str:
    badges = [f"Fix: {fix or 'by hand'}", f"Least heat: {rule.heat.label}"]
    badges += ["Preview: off unless selected"] if rule.preview else []
    badges += [f"Stable since {rule.stable_since}"] if rule.stable_since is not None else []
    return " ".join(f'<span class="badge">{badge}</span>' for badge in badges)


def _in_short(page: Page) -> list[str]:
    """The first two forms that are timed against each other, as tabs."""
    made: list[str] = []
    for label, code in zip(("Before", "After"), page.timed() or (), strict=False):
        made += [f'=== "{label}"', "", *_indented(["```python", *code.rstrip().split("\n"), "```"]), ""]
    return made


def _folded(title: str, text: str) -> list[str]:
    # Headings inside become bold, or they would stand in the table of contents.
    text = re.sub(r"^###+ (.+)$", r"**\1**", text, flags=re.MULTILINE)
    text = re.sub(r"^```(\w+) [^\n]*$", r"```\1", text, flags=re.MULTILINE)
    return [f'??? note "{title}"', "", *_indented(text.split("\n")), ""]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line.strip() else "" for line in lines]
