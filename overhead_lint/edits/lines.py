"""Edits of whole statements, which need no tree of what is there: lines come and go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from overhead_lint.edits.model import CannotFix, InsertStatements, RemoveStatement, ReplaceStatement
from overhead_lint.rule import TextEdit

if TYPE_CHECKING:
    import ast

    from overhead_lint.edits.outline import Place, Region
    from overhead_lint.edits.templates import Filler

__all__ = ["splice", "statement_edit"]

_LINE_END: Final = re.compile(r"\r?\n")
_COMMENT: Final = re.compile(r"[ \t]*#[^\r\n]*")


def splice(text: str, edits: Sequence[TextEdit], start: int = 0) -> str:
    """The text with edits applied.

    Args:
        text: a text that begins at offset `start` of its file.
        edits: in order, without overlap.
        start: offset of `text`.
    """
    pieces = []
    position = start
    for edit in edits:
        pieces += [text[position - start : edit.start - start], edit.text]
        position = edit.end
    pieces.append(text[position - start :])
    return "".join(pieces)


def statement_edit(edit: InsertStatements | RemoveStatement | ReplaceStatement, filler: Filler) -> TextEdit:
    """The text edit for an edit of a statement.

    Raises:
        CannotFix: the new statements do not fit on a line shared with others.
    """
    out = filler.outline
    place = out.find(edit.node)
    region = out.region(place)
    if out.source.slice(place.stmt).startswith("elif"):
        raise CannotFix("an elif is no statement of its own")
    if isinstance(edit, RemoveStatement):
        return _removal(place, region, filler)
    new = filler.statements(edit.template, edit.parts)
    if not region.whole_lines:
        return _on_shared_line(edit, _joined(new), filler)
    code = _rendered(new, region, filler)
    if isinstance(edit, ReplaceStatement):
        start, end = region.start + len(region.indent), _end(edit.node, filler)
        if edit.with_comment and (behind := _COMMENT.match(out.source.text, end)) is not None:
            end = behind.end()
        return TextEdit(start, end, code[len(region.indent) : -len(out.newline)])
    if not edit.after:
        return TextEdit(region.start, region.start, code + out.newline * edit.blank_lines)
    end = region.start + len(region.text)
    if region.text.endswith("\n"):
        return TextEdit(end, end, code)
    return TextEdit(end, end, out.newline + code[: -len(out.newline)])


def _rendered(statements: list[cst.BaseStatement], region: Region, filler: Filler) -> str:
    """The statements as lines at the indentation of a region, with the line ends of the file."""
    code = _code(statements, region, filler)
    # The lines of a string are no lines to libcst, which leaves their ends as they are.
    return _LINE_END.sub(filler.outline.newline, code)


def _code(statements: list[cst.BaseStatement], region: Region, filler: Filler) -> str:
    out = filler.outline
    if not region.indent:
        body: Any = statements
        module = cst.Module(body, default_indent=out.indent, default_newline=out.newline)
        return module.code
    block: Any = cst.If(cst.Name("x"), cst.IndentedBlock(statements, indent=region.indent))
    module = cst.Module([block], default_indent=out.indent, default_newline=out.newline)
    return module.code[len("if x:") + len(out.newline) :]


def _joined(statements: list[cst.BaseStatement]) -> str:
    """The statements on one line.

    Raises:
        CannotFix: one of them needs a line of its own.
    """
    small = []
    for statement in statements:
        if not isinstance(statement, cst.SimpleStatementLine) or statement.trailing_whitespace.comment:
            raise CannotFix("its line holds other statements; put it on a line of its own")
        small += [cst.Module([]).code_for_node(part).rstrip("; ") for part in statement.body]
    return "; ".join(small)


def _on_shared_line(edit: InsertStatements | ReplaceStatement, code: str, filler: Filler) -> TextEdit:
    start, end = filler.outline.source.offsets(edit.node)
    if isinstance(edit, ReplaceStatement):
        return TextEdit(start, end, code)
    if edit.after:
        return TextEdit(end, end, f"; {code}")
    return TextEdit(start, start, f"{code}; ")


def _removal(place: Place, region: Region, filler: Filler) -> TextEdit:
    """The edit that takes a statement away, or puts ``pass`` in its place."""
    source = filler.outline.source
    start, end = source.offsets(place.stmt)
    if place.is_only and place.parent is not None:
        if region.whole_lines:
            start = region.start + len(region.indent)  # decorators go too
        return TextEdit(start, end, "pass")
    if region.whole_lines:
        return TextEdit(region.start, region.start + len(region.text), "")
    index = place.index
    if index + 1 < len(place.siblings):
        following = place.siblings[index + 1]
        if following.lineno == place.stmt.end_lineno:
            return TextEdit(start, source.offsets(following)[0], "")
    return TextEdit(source.offsets(place.siblings[index - 1])[1], end, "")


def _end(stmt: ast.stmt, filler: Filler) -> int:
    return filler.outline.source.offsets(stmt)[1]
