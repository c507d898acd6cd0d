"""What messages say of how often a place runs: no more than its heat, whatever that is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from page_runs import RULES, read_page, source_of, without_marks

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Heat, Warmth

_CLAIMS = re.compile(r"\b(in a loop in |on |in |of )?(every|each) step\b")
_RULES = [loaded.rule for loaded in RULES.values()]


def functions(node: ast.AST, above: str = "") -> Iterator[str]:
    """The functions of a module as the project names them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{above}.{child.name}"
            yield from functions(child, f"{above}.{child.name}.<locals>")
        elif isinstance(child, ast.ClassDef):
            yield from functions(child, f"{above}.{child.name}")
        else:
            yield from functions(child, above)


def test_no_message_claims_that_a_place_runs_more_often_than_its_heat_says() -> None:
    claimed: set[tuple[str, Heat]] = set()
    for code in sorted(RULES):
        text = without_marks(code, read_page(code).code("Example"))
        linter = Linter([RULES[code].rule], Settings(min_heat=Heat.COLD), _RULES)
        for heat in Heat:
            warmths = {name: Warmth(heat, "told") for name in functions(ast.parse(text))}
            for found in linter.lint(source_of(text), warmths=warmths):
                for said in _CLAIMS.finditer(f"{found.message}; {found.help}"):
                    least = Heat.LOOP if said[1] == "in a loop in " else Heat.STEP
                    assert found.warmth.heat >= least, (code, heat, found.warmth, found.message)
                    claimed.add((code, found.warmth.heat))
    assert {heat for _, heat in claimed} == {Heat.STEP, Heat.LOOP}
    assert len({code for code, _ in claimed}) >= 8, sorted(claimed)


def test_no_summary_of_a_rule_claims_more_than_the_rule_asks_for() -> None:
    for rule in _RULES:
        if _CLAIMS.search(rule.summary):
            assert rule.heat >= Heat.STEP, (rule.code, rule.summary)
