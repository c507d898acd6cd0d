"""The walk over a tree: which nodes are below which, in which order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overhead_lint.project.scan import scan, walk

SOURCE = Path(ast.__file__).read_text(encoding="utf-8")
"""A long module with all kinds of statements."""

CLASSES = (
    (ast.Name,),
    (ast.Call, ast.For),
    (ast.stmt,),
    (ast.expr, ast.arg),
    (),
)


def expected(node: ast.AST, classes: tuple[type[ast.AST], ...]) -> set[ast.AST]:
    """What `ast.walk` finds below a node, operators and contexts left out."""
    left_out = (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)
    below = [one for one in ast.walk(node) if one is not node and not isinstance(one, left_out)]
    return {one for one in below if isinstance(one, classes or ast.AST)}


@pytest.mark.parametrize("classes", CLASSES)
def test_nodes_below_a_node_are_those_that_ast_finds(classes: tuple[type[ast.AST], ...]) -> None:
    tree = ast.parse(SOURCE)
    scanned = scan(tree)
    holders = [tree, *(node for node in ast.walk(tree) if isinstance(node, (ast.stmt, ast.arguments)))][:400]
    for holder in holders:
        found = scanned.within(holder, *classes)
        assert set(found) == expected(holder, classes)
        places = [(n.lineno, n.col_offset) for n in found if isinstance(n, ast.stmt)]
        assert places == sorted(places)


def test_items_that_are_none_are_passed_over() -> None:
    tree = ast.parse("f({**a, 'b': c}, lambda *, d, e=1: d)")
    names = [one.id for one in scan(tree).within(tree, ast.Name)]
    assert names == ["f", "a", "c", "d"]
    assert [one.id for one in walk(tree) if isinstance(one, ast.Name)].count("a") == 1
