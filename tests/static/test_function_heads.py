"""Where functions begin and what they are made of, without a parser."""

from __future__ import annotations

import pytest

from overhead_lint.syntax.function_heads import code_at, function_heads

TEXT = '''\
class Net:
    def forward(self, x):
        """Text."""
        if x:  # why

            return (
x)
        return [x,
            1]

    def short(self): return 1


def outer():
    def inner():
        pass

    async def last():
        return 2'''


def test_heads_are_found_by_their_names_in_paths() -> None:
    assert function_heads(TEXT) == {
        ".Net": 1,
        ".Net.forward": 2,
        ".Net.short": 11,
        ".outer": 14,
        ".outer.<locals>.inner": 15,
        ".outer.<locals>.last": 18,
    }


@pytest.mark.parametrize(
    ("line", "last"),
    [(2, ["[", "x", ",", "1", "]", "\n"]), (11, ["return", "1", "\n"]), (15, ["pass", "\n"])],
)
def test_the_code_of_a_function_ends_with_its_block(line: int, last: list[str]) -> None:
    code = list(code_at(TEXT, line))
    assert code[-len(last) :] == last or code[-len(last) - 1 :] == [*last, "}"]
    assert code.count("def") == 1


def test_what_stands_at_the_end_of_a_file_has_its_code() -> None:
    assert code_at(TEXT, 18)[:3] == ("async", "def", "last")
    assert code_at("def f(): return 1", 1) == code_at("class A:\n  def f(): return 1\n", 2)


def test_comments_empty_lines_and_indentation_are_no_code_but_blocks_are() -> None:
    code = code_at("def f(x):\n    while x:\n        g()\n    h()\n", 1)
    assert code == code_at("class A:\n  def f(x):  # why\n\n    while x:\n     g()\n    # so\n    h()\n", 2)
    assert code != code_at("def f(x):\n    while x:\n        g()\n        h()\n", 1)
    assert code != code_at("def f(x):\n    while x:\n        g()\n    i()\n", 1)


def test_what_is_no_python_has_none() -> None:
    assert code_at("def f(x):\n    g('\n", 1) == () or code_at("def f(x):\n    g((\n", 1) == ()
    assert code_at("def f(x:\n", 1) == ()
