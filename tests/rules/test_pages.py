"""Each rule's page is its test: what it shows is linted, fixed and run."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import pytest
from behaviour import behaviour
from page_runs import (
    RULES,
    findings,
    fixed_by,
    linter,
    places_of,
    read_page,
    source_of,
    told,
    without_marks,
)

from overhead_lint.config.run_settings import RuntimeUse, Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Applicability, Span

if TYPE_CHECKING:
    from pathlib import Path


HEADINGS = [
    "Why it costs",
    "Example",
    "Fixed",
    "Fix safety",
    "When not to use it",
    "Quiet",
    "References",
]
OPTIONAL = ["Timing", "What it finds"]
"""What a page may have between the first section and the second."""


def marks(code: str, text: str) -> list[int]:
    """The lines that end in the mark of a rule, once for each mark."""
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        for _ in re.findall(rf"\b{code}\b", line.rpartition("#")[2] if "#" in line else "")
    ]


each_rule = pytest.mark.parametrize("code", sorted(RULES))


@each_rule
def test_page_has_title_summary_and_the_fixed_headings(code: str) -> None:
    page, rule = read_page(code), RULES[code].rule
    assert page.title == f"# {code} {rule.name}"
    assert page.summary and "\n\n" not in page.summary
    assert len(page.summary) < 700, "what is found case by case goes below What it finds"
    assert [heading for heading in page.sections if heading not in OPTIONAL] == HEADINGS
    optional = [heading for heading in OPTIONAL if heading in page.sections]
    assert list(page.sections)[1 : 1 + len(optional)] == optional
    assert all(text.strip() for text in page.sections.values())


@each_rule
def test_module_and_page_are_named_after_the_rule(code: str) -> None:
    page = RULES[code].page
    assert page is not None and page.stem == RULES[code].rule.name.replace("-", "_")


@pytest.mark.parametrize("code", sorted(code for code in RULES if not code.startswith("OVH0")))
def test_why_it_costs_names_a_figure_and_the_command_behind_it(code: str) -> None:
    page = read_page(code)
    text = page.sections["Why it costs"]
    assert re.search(r"\d", text)
    assert f"$ overhead-lint bench {code}\n" in text if page.timing_cases() else "```console\n$ " in text


@each_rule
def test_example_is_flagged_on_the_marked_lines_and_no_others(code: str) -> None:
    example = read_page(code).code("Example")
    expected = marks(code, example)
    assert expected, "the example marks no line"
    assert [finding.span.line for finding in findings(RULES[code].rule, example)] == expected


@each_rule
def test_no_two_rules_speak_of_one_span_unless_a_page_says_which_yields(code: str) -> None:
    rules = [loaded.rule for loaded in RULES.values()]
    every = Linter(rules, Settings(), rules)
    page = read_page(code)
    for text in (page.code("Example"), page.code("Quiet"), page.code("Fixed")):
        spoken: dict[Span, set[str]] = {}
        for finding in every.lint(source_of(text)):
            spoken.setdefault(finding.span, set()).add(finding.code)
        for span, codes in spoken.items():
            notes = [read_page(one).sections["When not to use it"] for one in codes]
            said = {one for one in codes for note in notes if one in note}
            assert len(codes) - len(said) <= 1, f"{span}: {sorted(codes)}"


@each_rule
def test_every_finding_says_how_hot_its_place_is_and_what_to_write(code: str) -> None:
    for finding in findings(RULES[code].rule, read_page(code).code("Example")):
        assert finding.warmth.why
        first = finding.message.split()[0]
        assert not first[0].isupper() or first in read_page(code).code("Example")
        assert not finding.message.endswith(".") and not finding.help.endswith(".")
        assert finding.help


@each_rule
def test_look_alikes_are_not_flagged(code: str) -> None:
    quiet = read_page(code).code("Quiet")
    assert quiet.strip()
    assert [(item.span.line, item.message) for item in findings(RULES[code].rule, quiet)] == []


@each_rule
def test_fixed_block_is_what_the_fixer_writes_and_lints_clean(code: str) -> None:
    page, rule = read_page(code), RULES[code].rule
    example = without_marks(code, page.code("Example"))
    fixed = page.code("Fixed")
    assert findings(rule, fixed) == []
    result = fix_file(source_of(example), linter(rule).lint, unsafe=True)
    assert not result.failures
    if result.changed:
        assert result.after_text == fixed
    else:
        assert "There is no automatic fix." in page.sections["Fixed"]


@each_rule
def test_safe_fixes_alone_leave_only_what_the_page_calls_unsafe(code: str) -> None:
    page, rule = read_page(code), RULES[code].rule
    example = source_of(without_marks(code, page.code("Example")))
    safe = fix_file(example, linter(rule).lint, unsafe=False)
    left = [item for item in safe.remaining if item.fix is not None]
    assert not left or "nsafe" in page.sections["Fix safety"]
    assert all(item.fix is None or item.fix.applicability is Applicability.UNSAFE for item in left)


observed = functools.cache(behaviour)
"""Each block runs once, whatever the settings say of the runtime."""


@pytest.mark.parametrize("use", [RuntimeUse.WHERE_FOUND, RuntimeUse.NEVER])
@each_rule
def test_a_project_without_the_runtime_gets_what_the_page_shows_for_it(
    code: str, use: RuntimeUse, tmp_path: Path
) -> None:
    page, rule = read_page(code), RULES[code].rule
    example = without_marks(code, page.code("Example"))
    after, shown = fixed_by(rule, example, tmp_path, use), page.code("Fixed", "without-runtime")
    if shown:
        assert after == shown
        place = places_of(example)[0]
        assert told(code, observed(example, place), observed(after, place)) == []
    elif "from overhead_lint" in page.code("Fixed"):
        assert after == example
        assert "needs the runtime" in page.sections["Fix safety"]
    else:
        assert after in (example, page.code("Fixed"))
    assert "from overhead_lint" not in after


@each_rule
def test_a_project_that_declares_the_runtime_gets_the_fixed_block(code: str, tmp_path: Path) -> None:
    page, rule = read_page(code), RULES[code].rule
    example = without_marks(code, page.code("Example"))
    (tmp_path / "requirements.txt").write_text("overhead-lint\n")
    after = fixed_by(rule, example, tmp_path, RuntimeUse.WHERE_FOUND)
    if "There is no automatic fix." in page.sections["Fixed"]:
        assert after == example
    else:  # whether the runtime is a package of the project decides where its import stands
        assert sorted(after.split()) == sorted(page.code("Fixed").split())


@each_rule
def test_a_file_that_imports_the_runtime_gets_nothing_of_it_where_the_settings_say_so(
    code: str, tmp_path: Path
) -> None:
    page, rule = read_page(code), RULES[code].rule
    example = without_marks(code, page.code("Example"))
    _, body = example.split("import", 1)
    example = f"from overhead_lint import runtime\nimport{body}"
    after = fixed_by(rule, example, tmp_path, RuntimeUse.NEVER)
    assert after.count("runtime.") == example.count("runtime.")
