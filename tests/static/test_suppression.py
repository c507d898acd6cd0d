"""Comments that silence findings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Context, Finding, Heat, Rule
from overhead_lint.syntax.source import Source

RULE = Rule("TST101", "test-call", "a call", (b"here",), Heat.COLD)


@RULE.on(ast.Call, ast.With, ast.FunctionDef)
def check(node: ast.AST, ctx: Context) -> Iterator[Finding]:
    """Report calls, with statements and functions that have ``here`` in their first line."""
    if "here" in ctx.text(node).partition("\n")[0]:
        yield ctx.finding(RULE, node, "here")


def lines(text: str) -> list[int]:
    """Lines with findings that are left."""
    source = Source.from_bytes(Path("m.py"), text.encode())
    return [finding.span.line for finding in Linter([RULE], Settings()).lint(source)]


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NOQA",
        "#noqa",
        "# noqa: TST101",
        "# noqa:TST101",
        "# noqa: E501, TST101",
        "# noqa: E501 TST101  because",
        "# noqa : TST101",
        "# noqa:",
        "# noqa: -- why",
        "# noqa: TST1",
        "# why  # noqa: TST101",
        "# NoQA: TST101",
        "# Noqa",
        "# noqa: E501  # noqa: TST101",
        "# overhead: ignore",
        "# Overhead: Ignore[TST101]",
        "# overhead: ignore [TST101]",
        "# overhead: ignore[TST102]  # overhead: ignore[TST101]",
        "# overhead: ignore [a reason]",
        "# overhead: ignore [test-call]",
        "# overhead: ignore [ E501, Test-Call ] why",
        "# overhead: ignore[TST101]",
        "# overhead: ignore[OVH404, TST101]",
        "# noqa: E501  # overhead: ignore[TST101]",
        "# overhead: ignore[test-call]",
        "# overhead: ignore[E501, Test-Call] why",
    ],
)
def test_a_comment_that_names_the_code_silences(comment: str) -> None:
    assert lines(f"here()  {comment}\nhere()\n") == [2]


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: TST102",
        "# noqa : TST102",
        "# noqa: TST1O1",
        "# noqa: TST-101",
        "# noqa: TST101E501",
        "# noqa: 101",
        "# overhead: ignore [other-call]",
        "# overhead: ignore [wanted]",
        "# overhead: ignore [see",
        "# overhead: ignore[TST2]",
        "# overhead: ignore[]",
        "# overhead: ignore[TST102",
        "# overhead: ignore [TST102]",
        "# overhead: ignore [TST102",
        "# overhead: ignore[TST102]because",
        "# noqanything",
        "# overhead: ignored",
        "# overhead: ignore[call]",
        "# overhead: ignore[TST-101]",
        "# noqa: test-call",
        "; '# noqa'",
    ],
)
def test_other_comments_and_strings_do_not(comment: str) -> None:
    assert lines(f"here()  {comment}\n") == [1]


@pytest.mark.parametrize(
    "text",
    [
        "here(  # noqa\n    1,\n)\n",
        "here(\n    1,\n)  # noqa\n",
        "x = [\n    here(),\n    2,\n]  # noqa\n",
        "x = [\n    here(),  # noqa\n    2,\n]\n",
        "with here(\n    1,\n):  # noqa\n    pass\n",
        "def here(\n    a,\n):  # noqa\n    pass\n",
        "@decorated\ndef here():  # noqa\n    pass\n",
        "if x: here()  # noqa\n",
        "for x in y:\n    try:\n        here(1,\n        2)  # noqa\n    except E:\n        pass\n",
        "match x:\n    case 1:\n        here(1,\n        2)  # noqa\n",
    ],
)
def test_the_comment_may_stand_where_the_statement_or_its_header_ends(text: str) -> None:
    assert lines(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "def here():\n    pass  # noqa\n",
        "with here:\n    x = 1\n    y = 2  # noqa\n",
        "# noqa\nhere()\n# noqa\n",
    ],
)
def test_a_comment_inside_of_a_block_is_not_about_its_header(text: str) -> None:
    assert len(lines(text)) == 1


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_comments_are_found_whatever_ends_the_lines(newline: str) -> None:
    assert lines(f"here(){newline}here()  # noqa{newline}here(){newline}") == [1, 3]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# overhead: off\nhere()\nhere()\n# overhead: on\nhere()\n", [5]),
        ("here()  # overhead: off\nhere()\n", []),
        ("here()\n# overhead: off[TST1]\nhere()\n", [1]),
        ("# overhead: off[TST2]\nhere()\n", [2]),
        ("# overhead: off -- measured\nhere()\n", []),
        ("# overhead: off  # see below\nhere()\n", []),
        ("# overhead: off by one\nhere()\n", [2]),
        ("# overhead: offload\nhere()\n", [2]),
        ("# overhead: off\n# overhead: on every step\nhere()\n", []),
        ("# overhead: on\nhere()\n", [2]),
        ("# overhead: off\n# overhead: off[TST1]\nhere()\n# overhead: on\nhere()\n", [5]),
        ("# overhead: off\n# overhead: on\nhere()\n# overhead: off\nhere()\n", [3]),
        ("'# overhead: off'\nhere()\n", [2]),
    ],
)
def test_off_silences_until_on_or_the_end(text: str, left: list[int]) -> None:
    assert lines(text) == left


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# overhead: ignore-file", []),
        ("# overhead: ignore-file[TST101]", []),
        ("# overhead: ignore-file[TST, OVH4] generated", []),
        ("# overhead: ignore-file[OVH404]", [1, 3]),
        ("# overhead: ignore-file[]", [1, 3]),
        ("# overhead: ignore-files", [1, 3]),
    ],
)
def test_a_file_is_silenced_wherever_the_comment_stands(comment: str, left: list[int]) -> None:
    assert lines(f"here()\n{comment}\nhere()\n") == left
    assert lines(f"here()  {comment}\n\nhere()\n") == left
