"""Imports that nothing uses any more after a fix."""

from __future__ import annotations

import ast
import re
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

    Only plain imports of one name at module level go, and only if the name stands nowhere else in the
    file, be it in ``__all__``, a string or a comment. As part of a module that is imported under
    another name (``import torch.nn as nn``), and as an attribute, it does not count. Packages'
    ``__init__.py`` files keep theirs, since others import from there.
    """
    if after.path.name == "__init__.py":
        return []
    out = outline(after)
    used = {n.id for n in ast.walk(outline(before).tree) if isinstance(n, ast.Name)}
    edits: list[TextEdit] = []
    for stmt in out.tree.body:
        if not isinstance(stmt, (ast.Import, ast.ImportFrom)) or len(stmt.names) != 1:
            continue
        alias = stmt.names[0]
        name = alias.asname or alias.name
        if name not in used or getattr(stmt, "module", None) == "__future__":
            continue
        start, end = after.offsets(stmt)
        word = re.compile(rf"\b{re.escape(name)}\b")
        text = _without_namesakes(name, out.tree, after)
        if word.search(text, 0, start) or word.search(text, end):
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
