"""The word that is offered for one that is unknown: near ones only."""

from __future__ import annotations

import pytest

from overhead_lint.support.nearest import nearest

FORMATS = ("concise", "full", "github", "gitlab", "grouped", "json", "jsonl", "junit", "sarif", "table")
SHELLS = ("bash", "fish", "zsh")
OPTIONS = ("--fix", "--min-heat", "--no-cache", "--output-format", "--quiet", "--select", "--watch")


@pytest.mark.parametrize(
    ("word", "words", "meant"),
    [
        ("jsno", FORMATS, "json"),
        ("sarf", FORMATS, "sarif"),
        ("gihtub", FORMATS, "github"),
        ("junit-xml", FORMATS, "junit"),
        ("bsh", SHELLS, "bash"),
        ("--selct", OPTIONS, "--select"),
        ("--quite", OPTIONS, "--quiet"),
        ("--format", OPTIONS, "--output-format"),
        ("--heat", OPTIONS, "--min-heat"),
        ("--Min_Heat", OPTIONS, "--min-heat"),
    ],
)
def test_a_slip_or_a_part_of_a_word_is_near(word: str, words: tuple[str, ...], meant: str) -> None:
    assert nearest(word, words) == meant


@pytest.mark.parametrize(
    ("word", "words"),
    [
        *((word, FORMATS) for word in ("tap", "sonar", "none", "config", "unix", "all", "x", "")),
        *((word, SHELLS) for word in ("sh", "ksh", "tcsh", "pwsh", "fix", "list")),
        *((word, OPTIONS) for word in ("--x", "--text", "--test", "--paths", "--init", "--")),
    ],
)
def test_letters_in_common_alone_are_no_reason_to_offer_a_word(word: str, words: tuple[str, ...]) -> None:
    assert nearest(word, words) == ""
