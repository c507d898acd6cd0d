"""Imports that nothing uses any more after a fix."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import outline
from overhead_lint.rule import TextEdit

if TYPE_CHECKING:
    from overhead_lint.source import Source

__all__ = ["removals"]


def removals(before: Source, after: Source) -> list[TextEdit]:
    """Edits of `after` that remove imports whose last use went away since `before`.

    Only plain imports of one name at module level go, and only if the name stands nowhere else in the
    file, be it in ``__all__``, a string or a comment. Packages' ``__init__.py`` files keep
    theirs, since others import from there.
    """
    if after.path.name == "__init__.py":
        return []
    out = outline(after)
    used = {n.id for n in ast.walk(outline(before).tree) if isinstance(n, ast.Name)}
    edits = []
    for stmt in out.tree.body:
        if not isinstance(stmt, (ast.Import, ast.ImportFrom)) or len(stmt.names) != 1:
            continue
        alias = stmt.names[0]
        name = alias.asname or alias.name
        if name not in used or getattr(stmt, "module", None) == "__future__":
            continue
        start, end = after.offsets(stmt)
        word = re.compile(rf"\b{re.escape(name)}\b")
        if word.search(after.text, 0, start) or word.search(after.text, end):
            continue
        try:
            region = out.region(out.find(stmt))
        except CannotFix:
            continue
        if region.whole_lines and region.text.strip() == after.slice(stmt):
            end = region.start + len(region.text)
            edits.append(TextEdit(region.start, _past_blank(after.text, region.start, end), ""))
    return edits


def _past_blank(text: str, start: int, end: int) -> int:
    """`end`, or the end of the blank line there if one stands before `start` already."""
    before = text[:start].replace("\r\n", "\n")
    if before and not before.endswith("\n\n"):
        return end
    blank = re.compile(r"[ \t]*\r?\n").match(text, end)
    return blank.end() if blank else end
