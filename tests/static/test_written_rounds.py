"""How many rounds a loop has, where the source says so."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from overhead_lint.engine.written_rounds import branches_around, rounds_around


def rounds(text: str) -> int:
    """The rounds around the call of ``here`` in a module."""
    return rounds_around(*_here(text))


def _here(text: str) -> tuple[ast.AST, Callable[[ast.AST], ast.AST | None]]:
    """The call of ``here`` in a module, and what gives the node around another."""
    tree = ast.parse(text)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    (here,) = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "here")
    return here, above.get


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("for i in range(4):\n    here()", 4),
        ("for i in range(2, 10, 3):\n    here()", 3),
        ("for i, x in enumerate((a, b)):\n    if x:\n        here()", 2),
        ("for i in range(100):\n    for x in [a, b, c]:\n        here()", 3),
        ("[here() for x in range(5)]", 5),
        ("[x for x in here()]", 0),
        ("for i in range(n):\n    here()", 0),
        ("for i in range(1, n):\n    here()", 0),
        ("for i in range(1, 5, 0):\n    here()", 0),
        ("for x in (a, *b):\n    here()", 0),
        ("for x in loader:\n    here()", 0),
        ("for x in here():\n    pass", 0),
        ("for i in range(4):\n    while x:\n        here()", 0),
        ("for i in range(4):\n    def f():\n        here()", 0),
        ("for i in range(4):\n    pass\nelse:\n    here()", 0),
        ("here()", 0),
    ],
)
def test_rounds_are_those_of_the_innermost_loop(text: str, number: int) -> None:
    assert rounds(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("here()", 0),
        ("if a:\n    here()", 1),
        ("if a:\n    pass\nelse:\n    here()", 1),
        ("if here():\n    pass", 0),
        ("if a:\n    for x in y:\n        z = here() if b else c", 2),
        ("try:\n    here()\nexcept E:\n    pass", 0),
        ("try:\n    pass\nexcept E:\n    here()", 1),
        ("match a:\n    case 1:\n        here()", 1),
        ("if a:\n    def f():\n        if b:\n            here()", 1),
    ],
)
def test_branches_are_those_of_the_function(text: str, number: int) -> None:
    assert branches_around(*_here(text)) == number
