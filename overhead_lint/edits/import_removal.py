"""Edits that take names out of an import, or all of it."""

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
    from overhead_lint.edits.outline import Place
    from overhead_lint.syntax.source import Source

__all__ = ["removal"]


def removal(
    stmt: ast.Import | ast.ImportFrom,
    gone: Sequence[bool],
    after: Source,
    above: Sequence[TextEdit],
    removed: set[ast.stmt],
) -> Iterator[TextEdit]:
    """The edits that take names out of an import, or all of it.

    Args:
        stmt: the import.
        gone: for each of its names, whether it goes.
        after: the source.
        above: the edits made above it.
        removed: the statements that went already.
    """
    if not all(gone):
        yield from _without_names(stmt, gone, after)
        return
    out = outline(after)
    try:
        place = _without_effect(out.find(stmt), removed)
        if place is None:
            return
        region = out.region(place)
    except CannotFix:
        return
    if not region.whole_lines:
        span = _within_line(place, after, removed)
        if span is not None:
            removed.add(place.stmt)
            yield TextEdit(*span, "")
    elif region.text.strip() == after.slice(place.stmt) and "#" not in region.text:
        removed.add(place.stmt)
        end = region.start + len(region.text)
        head = splice(after.text[: region.start], above)
        yield TextEdit(region.start, _past_blank(head, after.text, end), "")


def _within_line(place: Place, source: Source, removed: Container[ast.stmt]) -> tuple[int, int] | None:
    """Return what goes with a statement that shares its line with others: it and one semicolon.

    None where the line goes on, has a comment, or another statement of it went already.
    """
    stmt, siblings, at = place.stmt, place.siblings, place.index
    line = source.line_text(stmt.lineno)
    sharing = [other for other in siblings if stmt.lineno in (other.lineno, other.end_lineno)]
    if (
        stmt.end_lineno != stmt.lineno
        or "#" in line
        or line.endswith("\\")
        or any(map(removed.__contains__, sharing))
    ):
        return None
    start, end = source.offsets(stmt)
    rest = source.text[end:].splitlines()[:1]
    if at + 1 < len(siblings) and siblings[at + 1] in sharing:
        end = source.offsets(siblings[at + 1])[0]
        return (start, end) if source.text[start:end].strip().endswith(";") else None
    if at == 0 or siblings[at - 1] not in sharing or "".join(rest).strip(" \t;"):
        return None
    return source.offsets(siblings[at - 1])[1], end + len("".join(rest).rstrip())


def _without_effect(place: Place, removed: Container[ast.stmt]) -> Place | None:
    """What may go with an import: it, or an ``if`` around it alone; None if its block would be left empty."""
    if any(other is not place.stmt and other not in removed for other in place.siblings):
        return place
    around = place.parent
    if around is None or not place.is_only or not _asks_again(around):
        return None
    return _without_effect(around, removed)


def _asks_again(place: Place) -> bool:
    """Whether a statement is an ``if`` with no other branch, whose names its function asks for again."""
    stmt, around = place.stmt, place.parent
    while around is not None and not isinstance(around.stmt, (ast.FunctionDef, ast.AsyncFunctionDef)):
        around = around.parent
    if around is None or not isinstance(stmt, ast.If) or stmt.orelse:
        return False
    plain = (ast.Name, ast.Attribute, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.Not, ast.expr_context)
    if not all(isinstance(part, plain) for part in ast.walk(stmt.test)):
        return False
    asked = ast.dump(stmt.test)
    return any(
        isinstance(other, (ast.If, ast.IfExp, ast.While))
        and other is not stmt
        and ast.dump(other.test) == asked
        for other in ast.walk(around.stmt)
    )


def _without_names(
    stmt: ast.Import | ast.ImportFrom, gone: Sequence[bool], source: Source
) -> Iterator[TextEdit]:
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


def _past_blank(above: str, text: str, end: int) -> int:
    """`end`, or the end of the blank line there below another one, the head of a block, or nothing."""
    above = above.replace("\r\n", "\n")
    if above and not above.endswith(("\n\n", ":\n")):
        return end
    blank = re.compile(r"[ \t]*\r?\n").match(text, end)
    return blank.end() if blank else end
