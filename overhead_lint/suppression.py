"""Comments that silence findings: ``# noqa``, ``# noqa: OVH101``, ``# overhead: ignore[OVH101]``."""

from __future__ import annotations

import ast
import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["Suppressions", "suppressions"]

_TRIGGERS = (b"noqa", b"NOQA", b"overhead:")
_NOQA = re.compile(r"#\s*noqa(?P<codes>:\s*[A-Z]+[0-9]*(?:[\s,]+[A-Z]+[0-9]+)*)?(?=\W|$)", re.IGNORECASE)
_IGNORE = re.compile(r"#\s*overhead:\s*ignore(?P<codes>\[[^\]]*\])?(?=\W|$)", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]*", re.IGNORECASE)

# What a comment names: code prefixes, or the empty prefix that every code has.
_EVERYTHING = ("",)


class Suppressions:
    """The suppression comments of one file.

    Args:
        lines: for each line with such a comment the code prefixes that it silences.
    """

    def __init__(self, lines: Mapping[int, tuple[str, ...]]) -> None:
        self._lines = lines

    def silences(self, finding: Finding, tree: ast.Module) -> bool:
        """Whether a comment on the finding's lines, or where its statement ends, names its code."""
        if not self._lines:
            return False
        span = finding.span
        wanted = {span.line, *_last_lines(tree, span.line, span.column)}
        if span.end_line - span.line < 1 or not _spans_block(tree, span.line):
            wanted.add(span.end_line)
        return any(finding.code.startswith(self._lines.get(line, ())) for line in wanted)


def suppressions(source: Source) -> Suppressions:
    """Find the suppression comments of a file; it is only tokenized when it may hold one."""
    if not any(trigger in source.data for trigger in _TRIGGERS):
        return Suppressions({})
    lines: dict[int, tuple[str, ...]] = {}
    for line, comment in _comments(source.text):
        prefixes = _prefixes(comment)
        if prefixes:
            lines[line] = prefixes
    return Suppressions(lines)


def _comments(text: str) -> Iterable[tuple[int, str]]:
    import tokenize  # rare, and it costs start-up time

    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    try:
        for token in tokens:
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few texts that the parser takes; what came before holds.
        return


def _prefixes(comment: str) -> tuple[str, ...]:
    found: list[str] = []
    for pattern in (_NOQA, _IGNORE):
        match = pattern.search(comment)
        if match is not None:
            codes = match["codes"]
            if codes is None:
                return _EVERYTHING
            found.extend(code.upper() for code in _CODE.findall(codes))
    return tuple(found)


def _innermost(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that holds a line."""
    found: ast.stmt | None = None
    block: list[ast.stmt] = tree.body
    while block:
        inside = [s for s in block if _first_line(s) <= line <= (s.end_lineno or s.lineno)]
        if not inside:
            break
        found = inside[-1]
        block = [s for child in _blocks(found) for s in child]
    return found


def _blocks(statement: ast.stmt) -> Iterable[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(statement, name, ()):
            yield part.body


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", None)
    return int(decorators[0].lineno if decorators else statement.lineno)


def _spans_block(tree: ast.Module, line: int) -> bool:
    statement = _innermost(tree, line)
    return statement is not None and any(_blocks(statement))


def _last_lines(tree: ast.Module, line: int, column: int) -> range:
    """Lines on which the statement at a place ends, or its header does when it holds a block."""
    statement = _innermost(tree, line)
    if statement is None:
        return range(0)
    body = getattr(statement, "body", None)
    if not isinstance(body, list) or not body:
        end = statement.end_lineno or statement.lineno
        return range(end, end + 1)
    first = _first_line(body[0])
    header = [
        child.end_lineno or child.lineno
        for child in ast.walk(statement)
        if isinstance(child, ast.expr) and child.lineno < first
    ]
    return range(max(header, default=statement.lineno), max(first, statement.lineno + 1))
