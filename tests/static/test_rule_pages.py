"""What is read out of a rule's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.engine.pages import Page, PageError

HEAD = "# OVH999 some-rule\n\nWhat it sees.\n\n## Why it costs\n\nFor a reason.\n\n"


def block(info: str, code: str) -> str:
    return f"```{info}\n{code}\n```\n\n"


def page(timing: str) -> Page:
    return Page.parse(f"{HEAD}## Timing\n\n{timing}## Example\n\n{block('python', 'x = 1')}", "some_rule.md")


def test_sections_and_their_first_python_block() -> None:
    found = page("")
    assert (found.title, found.summary) == ("# OVH999 some-rule", "What it sees.")
    assert list(found.sections) == ["Why it costs", "Timing", "Example"]
    assert found.code("Example") == "x = 1\n"
    assert found.code("Why it costs") == ""


def test_a_page_without_timing_has_no_cases() -> None:
    assert Page.parse(HEAD, "some_rule.md").timing_cases() == ()


def test_one_case_without_a_title_is_called_after_the_rule() -> None:
    (case,) = page(block("python before", "a()") + block("python after", "b()")).timing_cases()
    assert (case.code, case.title, case.setup, case.metrics) == ("OVH999", "some-rule", "", ())
    assert (case.before, case.after) == ("a()\n", "b()\n")


def test_titled_cases_and_what_they_count() -> None:
    forms = block("python before", "a()") + block("python after", "b()")
    setup = block("python setup counts=event_record,event_wait", "c = 1")
    one, two = page(f"### Alone\n\n{forms}### On a device\n\n{setup}{forms}").timing_cases()
    assert (one.title, two.title) == ("Alone", "On a device")
    assert (one.metrics, two.metrics) == ((), ("event_record", "event_wait"))
    assert two.setup == "c = 1\n"


@pytest.mark.parametrize(
    ("timing", "message"),
    [
        (block("python before", "a()"), "'Timing' has no block ```python after"),
        ("### Named\n\n" + block("python after", "a()"), "'Named' has no block ```python before"),
        (block("python during", "a()"), "unexpected block in 'Timing': ```python during"),
        (block("console", "$ a"), "unexpected block in 'Timing': ```console"),
        (block("python before", "a()") * 2, "unexpected block in 'Timing': ```python before"),
        (block("python before counts=syncs", "a()"), "unexpected 'counts=syncs' after ```python before"),
    ],
)
def test_a_damaged_timing_section_is_an_error_that_names_the_page(timing: str, message: str) -> None:
    with pytest.raises(PageError) as raised:
        page(timing).timing_cases()
    assert str(raised.value) == f"some_rule.md: {message}"


def test_a_page_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff")
    with pytest.raises(PageError, match=r"a\.md: cannot be read: not UTF-8"):
        Page.read(tmp_path / "a.md")
    with pytest.raises(PageError, match=r"b\.md: cannot be read: No such file"):
        Page.read(tmp_path / "b.md")
