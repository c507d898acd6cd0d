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
    def inner(
    ):
        pass

    async def last():
        return 2'''
RETURNS = "        return (", "            x)", "    return [x,", "        1]"


def test_heads_are_found_by_their_names_in_paths() -> None:
    assert function_heads(TEXT) == {
        ".Net": 1,
        ".Net.forward": 2,
        ".Net.short": 11,
        ".outer": 14,
        ".outer.<locals>.inner": 15,
        ".outer.<locals>.last": 19,
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (2, ("def forward(self, x):", '    """Text."""', "    if x:", *RETURNS)),
        (11, ("def short(self): return 1",)),
        (15, ("def inner(", "):", "    pass")),
        (19, ("async def last():", "    return 2")),
        (99, ()),
    ],
)
def test_the_code_of_a_function_ends_with_its_block(line: int, code: tuple[str, ...]) -> None:
    assert code_at(TEXT, line) == code


def test_comments_empty_lines_and_indentation_of_all_are_no_code_but_blocks_are() -> None:
    code = code_at("def f(x):\n    while x:\n        g()\n    h('#')\n", 1)
    inside = "class A:\n\tdef f(x):  # why\n\n\t    while x:\n\t        g()\n# so\n\t    h('#')\n"
    assert code == code_at(inside, 2)
    assert code != code_at("def f(x):\n    while x:\n        g()\n        h('#')\n", 1)
    assert code != code_at("def f(x):\n    while x:\n        g()\n    h('#1')\n", 1)
