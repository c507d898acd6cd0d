"""Edits of sampled places in installed packages: what is wrapped is wrapped, and nothing else moves."""

from __future__ import annotations

import ast
import random
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhead_lint.edits import CannotFix, replace
from overhead_lint.edits.apply import text_edits
from overhead_lint.edits.lines import splice
from overhead_lint.source import Source, SourceError

SITE = Path(sysconfig.get_paths()["purelib"])
FILES = 60
PLACES = 5
REASONS = re.compile("f-string|recursion|deep")


def sampled_sources(seed: int) -> Iterator[tuple[Source, ast.Module, random.Random]]:
    """Files of moderate size from all installed packages, the same ones for the same seed."""
    rng = random.Random(seed)
    paths = sorted(path for path in SITE.rglob("*.py") if 500 < path.stat().st_size < 20_000)
    for path in rng.sample(paths, min(FILES, len(paths))):
        try:
            source = Source.read(path)
            yield source, ast.parse(source.text), rng
        except (SourceError, SyntaxError):
            continue  # test data of other projects that is broken on purpose


class Wrap(ast.NodeTransformer):
    """Wraps one call, found by its position, in ``f(...)``."""

    def __init__(self, call: ast.Call) -> None:
        self.key = place(call)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("f", ast.Load()), [node], []) if place(node) == self.key else node


def place(node: ast.expr) -> tuple[int, int, int | None, int | None]:
    """Where a node stands."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def statement_lines(tree: ast.Module, call: ast.Call) -> tuple[int, int]:
    """First and last line of the innermost statement that holds a call, a decorator's included."""
    spans = []
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            starts = [node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]
            span = (min(starts), node.end_lineno or 0)
            if span[0] <= call.lineno and (call.end_lineno or 0) <= span[1]:
                spans.append(span)
    return min(spans, key=lambda span: span[1] - span[0])


@pytest.mark.parametrize("seed", [1])
def test_wrapping_a_call_changes_that_call_only(seed: int) -> None:
    done = refused = 0
    for source, tree, rng in sampled_sources(seed):
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for call in rng.sample(calls, min(PLACES, len(calls))):
            try:
                edits = text_edits([replace(call, "f({x})", x=call)], {}, source, keep_comments=True)
            except CannotFix as reason:
                assert REASONS.search(str(reason)), (source.path, call.lineno, str(reason))
                refused += 1
                continue
            after = splice(source.text, edits)
            expected = Wrap(call).visit(ast.parse(source.text))
            assert ast.dump(ast.parse(after)) == ast.dump(expected), (source.path, call.lineno)
            first, last = statement_lines(tree, call)
            starts = [*source.starts, len(source.text)]
            assert source.text[: starts[first - 1]] == after[: starts[first - 1]]
            tail = len(source.text) - starts[last]
            assert source.text[len(source.text) - tail :] == after[len(after) - tail :]
            done += 1
    assert done > 150
    assert refused < done / 10


@pytest.mark.parametrize("seed", [3])
def test_swapping_operands_keeps_their_meaning(seed: int) -> None:
    """Every sampled operation of two operands, its operands swapped: parentheses must be right."""
    done = 0
    for source, tree, rng in sampled_sources(seed):
        operations = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
        for operation in rng.sample(operations, min(4, len(operations))):
            edit = replace(operation, "{b} * {a}", a=operation.left, b=operation.right)
            try:
                after = splice(source.text, text_edits([edit], {}, source, keep_comments=False))
            except CannotFix as reason:
                assert REASONS.search(str(reason)), (source.path, operation.lineno, str(reason))
                continue
            ast.parse(after)
            done += 1
    assert done > 50
