"""Edits of sampled places in installed packages: what is wrapped is wrapped, and nothing else moves."""

from __future__ import annotations

import ast
import functools
import random
import re
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.edits import (
    CannotFix,
    add_base,
    add_decorator,
    insert_after,
    insert_before,
    remove_statement,
    replace,
    replace_statement,
    set_argument,
)
from overhead_lint.edits.apply import text_edits
from overhead_lint.edits.lines import splice
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

if TYPE_CHECKING:
    from overhead_lint.edits.model import AnyEdit

SITE = Path(sysconfig.get_paths()["purelib"])
FILES = 40
PLACES = 5
REASONS = re.compile("f-string|recursion|deep|comment would be lost|an elif is no|form feed")


@functools.cache
def installed() -> list[Path]:
    """Python files of moderate size in the site packages."""
    return sorted(path for path in SITE.rglob("*.py") if 500 < path.stat().st_size < 20_000)


def sampled_sources(seed: int) -> Iterator[tuple[Source, ast.Module, random.Random]]:
    """Files of moderate size from all installed packages, the same ones for the same seed."""
    rng = random.Random(seed)
    paths = installed()
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
    assert done > 100
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
    assert done > 20  # how many there are depends on what is installed


def edited(source: Source, edit: AnyEdit) -> str | None:
    """The text after an edit; None if it was refused for a good reason."""
    try:
        return splice(source.text, text_edits([edit], {}, source, keep_comments=True))
    except CannotFix as reason:
        assert REASONS.search(str(reason)), (source.path, edit.node.lineno, str(reason))
        return None


def bodies(tree: ast.Module) -> list[tuple[list[ast.stmt], ast.stmt]]:
    """Every statement with the list that holds it; docstrings and future imports left out."""
    found = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                found += [(body, stmt) for stmt in body if isinstance(stmt, ast.stmt)]
    return [(body, stmt) for body, stmt in found if not is_fixed(stmt)]


def is_fixed(stmt: ast.stmt) -> bool:
    """Whether nothing may be put before a statement."""
    return (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)) or (
        isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"
    )


NEW = ast.parse("zz = f(1)").body[0]


MAKERS: dict[str, Callable[[ast.stmt], AnyEdit]] = {
    "before": lambda stmt: insert_before(stmt, "zz = f(1)"),
    "after": lambda stmt: insert_after(stmt, "zz = f(1)"),
    "replace": lambda stmt: replace_statement(stmt, "zz = f(1)"),
    "remove": remove_statement,
}


@pytest.mark.parametrize("kind", MAKERS)
def test_editing_a_statement_changes_its_list_only(kind: str) -> None:
    done = 0
    for source, tree, rng in sampled_sources(4):
        statements = bodies(tree)
        for body, stmt in rng.sample(statements, min(2, len(statements))):
            after = edited(source, MAKERS[kind](stmt))
            if after is None:
                continue
            i = body.index(stmt)
            kept = body[:]
            new = {"before": [NEW, stmt], "after": [stmt, NEW], "replace": [NEW], "remove": []}
            body[i : i + 1] = new[kind]
            if not body and body is not tree.body:
                body.append(ast.Pass())
            assert ast.dump(ast.parse(after)) == ast.dump(tree), (source.path, stmt.lineno)
            body[:] = kept
            done += 1
    assert done > 20  # how many there are depends on what is installed


def test_editing_arguments_and_headers_does_that_only() -> None:
    done = 0
    for source, tree, rng in sampled_sources(5):
        nodes = [
            node for node in ast.walk(tree) if isinstance(node, (ast.Call, ast.ClassDef, ast.FunctionDef))
        ]
        for node in rng.sample(nodes, min(4, len(nodes))):
            before = ast.dump(tree)
            if isinstance(node, ast.Call):
                after = edited(source, set_argument(node, "zz", "f(1)"))
                node.keywords.append(ast.keyword("zz", ast.parse("f(1)", mode="eval").body))
            elif isinstance(node, ast.ClassDef):
                after = edited(source, add_base(node, "zz.f"))
                node.bases.insert(0, ast.parse("zz.f", mode="eval").body)
            else:
                after = edited(source, add_decorator(node, "zz.f"))
                node.decorator_list.insert(0, ast.parse("zz.f", mode="eval").body)
            if after is not None:
                assert ast.dump(ast.parse(after)) == ast.dump(tree), (source.path, node.lineno)
                done += 1
            for names in ("keywords", "bases", "decorator_list"):
                items = getattr(node, names, [])
                items[:] = [item for item in items if "zz" not in ast.dump(item)]
            assert ast.dump(tree) == before
    assert done > 100
