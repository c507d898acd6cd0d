"""Imports that nothing uses any more after a fix."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits.lines import splice
from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import outline
from overhead_lint.rule import TextEdit

if TYPE_CHECKING:
    from overhead_lint.source import Source

__all__ = ["removals"]


def removals(before: Source, after: Source) -> list[TextEdit]:
    """Edits of `after` that remove imports whose last use went away since `before`.

    Only imports at module level go, and only if the name stands nowhere else in the
    file, be it in ``__all__``, a string or a comment. As part of a module that is imported under
    another name (``import torch.nn as nn``), and as an attribute, it does not count. Packages'
    ``__init__.py`` files keep theirs, since others import from there.
    """
    if after.path.name == "__init__.py":
        return []
    out = outline(after)
    lost = _read(outline(before).tree) - _read(out.tree)
    edits: list[TextEdit] = []
    for stmt in out.tree.body:
        if (
            not isinstance(stmt, (ast.Import, ast.ImportFrom))
            or getattr(stmt, "module", None) == "__future__"
        ):
            continue
        gone = [_is_unused(alias, stmt, lost, out.tree, after) for alias in stmt.names]
        if not all(gone):
            edits += _names(stmt, gone, after)
            continue
        try:
            region = out.region(out.find(stmt))
        except CannotFix:
            continue
        if region.whole_lines and region.text.strip() == after.slice(stmt):
            end = region.start + len(region.text)
            above = splice(after.text[: region.start], edits)
            edits.append(TextEdit(region.start, _past_blank(above, after.text, end), ""))
    return edits


def _read(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _is_unused(
    alias: ast.alias, stmt: ast.stmt, lost: Container[str], tree: ast.Module, after: Source
) -> bool:
    """Whether an import's name is among those that lost their last use, and stands nowhere else either."""
    name = alias.asname or alias.name
    if name not in lost:
        return False
    start, end = after.offsets(stmt)
    word = re.compile(rf"\b{re.escape(name)}\b")
    text = _without_namesakes(name, tree, after)
    return not word.search(text, 0, start) and not word.search(text, end)


def _names(stmt: ast.Import | ast.ImportFrom, gone: Sequence[bool], source: Source) -> Iterator[TextEdit]:
    """Edits that take some names out of an import, each run of them with its commas, but no comment."""
    spans = [source.offsets(alias) for alias in stmt.names]
    for unused, run in itertools.groupby(range(len(gone)), key=lambda index: gone[index]):
        if not unused:
            continue
        indices = list(run)
        first, last = indices[0], indices[-1]
        if last + 1 < len(spans):
            start, end = spans[first][0], spans[last + 1][0]
        else:
            start, end = spans[first - 1][1], spans[last][1]
        if "#" not in source.text[start:end]:
            yield TextEdit(start, end, "")


def _without_namesakes(name: str, tree: ast.Module, source: Source) -> str:
    """The text with blanks, as many, in place of attributes of the name and imports that do not bind it."""
    text = source.text
    for stmt in ast.walk(tree):
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            bound = {alias.asname or alias.name.partition(".")[0] for alias in stmt.names}
            if name not in bound:
                start, end = source.offsets(stmt)
                text = text[:start] + " " * (end - start) + text[end:]
        elif isinstance(stmt, ast.Attribute) and stmt.attr == name:
            end = source.offsets(stmt)[1]
            start = end - len(name)
            if text[start:end] == name:  # before Python 3.12 what stands in an f-string has no position
                text = text[:start] + " " * len(name) + text[end:]
    return text


def _past_blank(above: str, text: str, end: int) -> int:
    """`end`, or the end of the blank line there if what is left above ends in one, or is nothing."""
    above = above.replace("\r\n", "\n")
    if above and not above.endswith("\n\n"):
        return end
    blank = re.compile(r"[ \t]*\r?\n").match(text, end)
    return blank.end() if blank else end
