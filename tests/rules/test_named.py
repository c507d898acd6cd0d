"""Handlers that are only given the calls of some names find all that they would find among all calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from page_runs import RULES, findings, read_page
from rule_cases import forward, lint

from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from overhead_lint.rule import Rule

NAMED = sorted(code for code, loaded in RULES.items() if loaded.rule.named)


def found_in(rule: Rule, blocks: list[str]) -> list[list[tuple[object, ...]]]:
    """What a rule says about some modules."""
    return [
        [(one.span, one.message, one.help, one.warmth) for one in findings(rule, text)] for text in blocks
    ]


@pytest.mark.parametrize("code", NAMED)
def test_a_rule_misses_nothing_by_the_names_that_it_gives(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule, page = RULES[code].rule, read_page(code)
    blocks = re.findall(r"```python[^\n]*\n(.*?)```", "\n".join(page.sections.values()), re.DOTALL)
    found = found_in(rule, blocks)
    assert any(found)
    monkeypatch.setattr(rule, "named", {})
    assert found_in(rule, blocks) == found


@pytest.mark.parametrize("code", NAMED)
def test_functions_of_other_modules_with_the_same_names_are_silent(code: str) -> None:
    named = frozenset().union(*RULES[code].rule.named.values())
    same = sorted({name.rpartition(".")[2] for name in named if "." in name} - named)
    calls = (
        f"y = other.{name}(x)\nother.{name}(x)\nself.other.{name}()\nx.append({name}(x))" for name in same
    )
    header = "import torch, other\nfrom torch import nn\nfrom another import " + ", ".join(same or ["thing"])
    body = "\n".join([*calls, "return x"])
    assert lint(code, forward(body, header=header), Heat.PRESUMED) == []
