"""The session of the home page is recorded, and plays in lines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import demo
import pytest
import record_session
import site_session
import site_terminal

ROOT = Path(__file__).parent.parent
RECORDED = (ROOT / "docs" / "site" / "session.cast").read_text(encoding="utf-8")


def cast(*events: tuple[float, str, str]) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in ({"version": 2, "height": 2}, *events))


def outputs() -> dict[int, list[str]]:
    """What each command of the recording printed, in lines without colours."""
    found: dict[int, list[str]] = {}
    number = -1
    for line in RECORDED.splitlines()[1:]:
        _, kind, text = json.loads(line)
        if kind == "i":
            number += 1
            assert text == f"{record_session.COMMANDS[number]}\n"
        else:
            found.setdefault(number, []).extend(site_terminal.plain(text).splitlines())
    return found


def test_what_was_recorded_of_the_linter_is_what_it_says_now(tmp_path: Path) -> None:
    copy = shutil.copytree(
        demo.EXAMPLE, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", ".overhead*")
    )
    recorded = outputs()
    for number, command in enumerate(record_session.COMMANDS):
        program, *arguments = command.split()
        if program == "overhead-lint":
            done = demo.command(copy, "overhead_lint", *arguments)
            assert (done.stdout + done.stderr).splitlines() == recorded[number]
    assert len(recorded) == 4


def test_what_was_recorded_of_pytest_fails_before_and_passes_after() -> None:
    before, _, _, after = outputs().values()
    assert before[-1].startswith("1 failed, ") and after[-1].startswith("1 passed, ")
    assert "event_record 2 > 0, event_wait 2 > 0" in before


def test_waits_are_shortened_and_typing_takes_time() -> None:
    height, lines = site_session.lines_of(
        cast((0, "i", "ab\n"), (9, "o", "1\n2\n"), (9.5, "o", "3\n"), (9.5, "i", "c\n"))
    )
    assert height == 2
    assert [(line.text, line.at, line.takes) for line in lines] == [
        ("ab", 0.0, 0.08),
        ("1", 1.28, 0.0),
        ("2", 1.28, 0.0),
        ("3", 1.78, 0.0),
        ("c", 2.53, 0.04),
    ]


def test_lines_that_do_not_fit_roll_up_and_styles_are_classes() -> None:
    page = site_session.played(
        cast((0, "i", "a<b\n"), (1, "o", "\x1b[31m\x1b[1mx\x1b[0m y\nz\n"), (2, "o", "&\n"))
    )
    assert '<span class="typed">a&lt;b</span>' in page
    assert '<span class="t-bold t-red">x</span> y\n' in page
    assert "&amp;\n" in page
    assert "0.000% { transform: translateY(-0.0em) }" in page
    assert "100.000% { transform: translateY(-3.0em) }" in page


def test_every_style_that_was_recorded_has_a_rule_of_the_style_sheet() -> None:
    sheet = (ROOT / "docs" / "site" / "extra.css").read_text(encoding="utf-8")
    assert [name for name in site_session.CLASSES.values() if f".t-{name} " not in sheet] == []
    assert 'class="t-' in site_session.played(RECORDED)
    with pytest.raises(KeyError):
        site_session.played(cast((1, "o", "\x1b[35mx\n")))


def test_what_is_no_recording_or_no_page_is_an_error() -> None:
    with pytest.raises(ValueError, match="version 2"):
        site_session.lines_of(json.dumps({"version": 1}))
    with pytest.raises(ValueError, match="heading"):
        site_session.with_session("a\n\nb\n\nc", "")
    assert site_session.with_session("# a\n\nb\n\nc", "s\n") == "# a\n\nb\n\ns\n\nc"
