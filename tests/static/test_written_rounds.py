"""How many rounds a loop has, where the source says so."""

from __future__ import annotations

import ast

import pytest

from overhead_lint.engine.written_rounds import rounds_around


def rounds(text: str) -> int:
    """The rounds around the call of ``here`` in a module."""
    tree = ast.parse(text)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    (here,) = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "here")
    return rounds_around(here, above.get)


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
