"""Commands that the README and the pages show are commands that there are."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhead_lint.cli.check_parser import check_parser
from overhead_lint.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
FENCED = re.compile(r"^[ ]*```\w*\n(.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^[ ]*(?:\$ )?overhead-lint[ ]+(.*)$", re.MULTILINE)
ENDS = frozenset({"|", ">", "<", ";", "&&", "||", "2>"})


def shown(text: str) -> Iterator[list[str]]:
    """The arguments of each command in the blocks of a page, up to what a shell does with its output."""
    for block in FENCED.findall(text):
        for line in SHOWN.findall(block.replace("\\\n", " ")):
            words = shlex.split(line, comments=True)
            end = next((index for index, word in enumerate(words) if word in ENDS), len(words))
            yield words[:end]


def parser_of(arguments: list[str]) -> tuple[argparse.ArgumentParser, list[str]]:
    """What parses a command, and the arguments that it parses."""
    if arguments and arguments[0] in COMMANDS and arguments[0] != "check":
        return importlib.import_module(COMMANDS[arguments[0]])._parser(), arguments[1:]
    return check_parser(), arguments[1:] if arguments[:1] == ["check"] else arguments


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_parsed(page: Path) -> None:
    for arguments in shown(page.read_text()):
        parser, own = parser_of(arguments)
        try:
            parser.parse_args(own)
        except SystemExit as error:
            assert error.code == 0, shlex.join(arguments)  # --version and --help end it, too


def test_commands_are_found_in_blocks_and_end_where_the_shell_takes_over() -> None:
    text = (
        "```console\n$ overhead-lint src --diff > x  # y\noverhead-lint \\\nrule OVH101\n```\noverhead-lint\n"
    )
    assert list(shown(text)) == [["src", "--diff"], ["rule", "OVH101"]]


def test_an_option_that_is_gone_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    parser, own = parser_of(["fix-report", "--verify-times", "2", "src"])
    with pytest.raises(SystemExit):
        parser.parse_args(own)
    assert "--verify-times" in capsys.readouterr().err
