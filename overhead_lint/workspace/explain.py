"""Tells why a place is as hot as it is, call by call."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.function_names import generator_of, label
from overhead_lint.discovery.files import Target
from overhead_lint.discovery.project_file import File
from overhead_lint.project.marked_names import mark
from overhead_lint.project.scan import NAMED_FUNCTIONS
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.examiner import facts_in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.graph.graph import Graph
    from overhead_lint.syntax.notebook import Notebook

__all__ = ["explained"]

_MOST_CALLERS: Final = 10
_NAMED_LINE: Final = re.compile("(\0([^\0]+\\.ipynb)\0):([0-9]+)")


def explained(file: File, line: int, graph: Graph, root: Path | None) -> Iterator[str]:
    """Why the statement on a line is as hot as it is; names of files are marked.

    The head of a function that is defined at import, with its decorators, stands for what the function runs.
    Lines of notebooks are told by their cells.

    Args:
        file: the file.
        line: from 1.
        graph: of the project.
        root: the project's folder, which names of files in the graph are counted from.

    Raises:
        SourceError: the file cannot be read or parsed, or no statement stands on the line.
    """
    in_cells = _Cells(root)
    for text in _chain(file, line, graph, root):
        yield in_cells(text, file.name)


def _chain(file: File, line: int, graph: Graph, root: Path | None) -> Iterator[str]:
    source = Source.read(file.target.path)
    warmths, told = graph.warmths(f"{file.name}:") or None, graph.told(f"{file.name}:")
    facts = facts_in_project(source, file, root, warmths, told)
    statement = _statement(facts.scan.tree, line)
    if statement is None:
        raise SourceError(file.target.path, line, 1, "no statement stands on this line")
    if isinstance(statement, NAMED_FUNCTIONS) and not facts.heat.standing(statement).function:
        statement = statement.body[0]  # what is found at a function's head is about its calls
    warmth, standing = facts.heat.warmth(statement), facts.heat.standing(statement)
    yield f"{mark(file.name)}:{line} {warmth.heat.label}: {warmth.why}"
    key = graph.key(f"{file.name}:", standing.function)
    if warmths is None or facts.cold:
        return
    line_of = _Lines(root)
    for link in graph.chain(key):
        module, function = graph.name_of(graph.key_at(link.function))
        name = module.removesuffix(":")
        place = "" if link.text.startswith(mark(name)) else f"{mark(name)}:{line_of(name, function)} "
        yield f"    {place}{link.shown}"
    if warmth.heat is Heat.COLD and not graph.chain(key):
        yield from _callers(key, graph, line_of)


def _statement(tree: ast.Module, line: int) -> ast.stmt | None:
    """The first statement that begins on a line; else one that goes on there, with its head."""
    going_on = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            if node.lineno == line:
                return node
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            first = min((one.lineno for one in decorators), default=node.lineno)
            body: list[ast.stmt] = getattr(node, "body", [])
            last = body[0].lineno - 1 if body else node.end_lineno or 0
            if first <= line <= last:
                going_on = node
    return going_on


def _callers(key: str, graph: Graph, line_of: _Lines) -> Iterator[str]:
    callers = graph.callers(key)
    if not callers:
        yield "    no caller is known"
    for caller, gated in callers[:_MOST_CALLERS]:
        module, function = graph.name_of(caller)
        name = module.removesuffix(":")
        shown = label(function) if function else "the top level"
        line = line_of(name, function)
        yield f"    called by {shown} ({mark(name)}:{line})" + (", only behind a gate" if gated else "")
    if len(callers) > _MOST_CALLERS:
        yield f"    and by {len(callers) - _MOST_CALLERS} others"


class _Cells:
    """Puts cells in the place of lines of notebooks, which count through all their cells."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._of_file = cache(self._read)

    def __call__(self, text: str, asked: str) -> str:
        """A text with marked names, those of the file that is asked about where none stands by a line."""
        if ".ipynb\0" not in text and not asked.endswith(".ipynb"):
            return text
        text = _NAMED_LINE.sub(lambda match: f"{match[1]}:{self._told(match[2], int(match[3]))}", text)
        notebook = self._of_file(asked)
        return notebook.retold(text) if notebook is not None else text

    def _told(self, name: str, line: int) -> str:
        notebook = self._of_file(name)
        return notebook.told(line) if notebook is not None else str(line)

    def _read(self, name: str) -> Notebook | None:
        try:
            return Source.read((self._root or Path()) / name).notebook
        except SourceError:  # it has changed since it was summed up
            return None


class _Lines:
    """Lines of functions: summaries have none, so that moving code does not change them."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._of_file = cache(self._read)

    def __call__(self, name: str, function: str) -> int:
        return self._of_file(name).get(generator_of(function), 1)

    def _read(self, name: str) -> dict[str, int]:
        path = (self._root or Path()) / name
        try:
            facts = facts_in_project(
                Source.read(path), File(name, Target(str(path), ""), checked=False), self._root
            )
        except SourceError:  # it has changed since it was summed up
            return {}
        functions = facts.functions
        return {facts.definitions.identity(node): node.lineno for node in functions}  # type: ignore[attr-defined]
