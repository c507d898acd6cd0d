"""Adds suppression comments to findings, with a reason."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.edits.lines import splice
from overhead_lint.engine.suppression import CODES
from overhead_lint.rule import TextEdit
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.statements import last_lines, same

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from overhead_lint.rule import Finding

__all__ = ["silenced"]

_IGNORE: Final = re.compile(rf"#\s*overhead:\s*ignore(?={CODES})\s*\[", re.IGNORECASE)


def silenced(source: Source, findings: Sequence[Finding], reason: str) -> Source:
    """The source with ``# overhead: ignore[CODES] reason`` on the lines of findings.

    Args:
        source: the file.
        findings: what to silence. One on whose lines no comment can stand gets none.
        reason: why, in one line without a ``#``; "" for none.

    Returns:
        The result, which means the same; the source itself where nothing could be added.
    """
    tree = parse(source)
    edits = _additions(source, tree, findings, reason)
    text = splice(source.text, edits)
    try:
        data = source.encode(text)
        if source.encode(source.text) != source.data:  # an encoding that gives other bytes for the same text
            return source
    except ValueError:  # a reason that the file's encoding lacks
        return source
    after = Source.from_bytes(source.path, data)
    return after if same(parse(after), tree) else source


def _additions(
    source: Source, tree: ast.Module, findings: Sequence[Finding], reason: str
) -> tuple[TextEdit, ...]:
    free = _free_lines(source)
    codes: defaultdict[int, set[str]] = defaultdict(set)
    for finding in findings:
        span = finding.span
        places = (span.line, *last_lines(tree, span.line))
        line = next((place for place in places if place in free), None)
        if line is not None:
            codes[line].add(finding.code)
    return tuple(
        _addition(source, line, free[line], sorted(named), reason) for line, named in sorted(codes.items())
    )


def _addition(source: Source, line: int, comment: int | None, codes: Sequence[str], reason: str) -> TextEdit:
    """The edit for a line, given the column where its comment begins."""
    start, text = source.starts[line - 1], source.line_text(line)
    match = _IGNORE.search(text, comment) if comment is not None else None
    if match is not None:
        first, last = match.end(), text.index("]", match.end())
        before = [code for code in re.split(r"[\s,;]+", text[first:last]) if code]
        both = ", ".join([*before, *(code for code in codes if code not in before)])
        theirs = re.match(r"\][^#]*\w", text[last:])  # a reason of their own stays the only one
        why = f"] {reason}".rstrip() if theirs is None else "]"
        return TextEdit(start + first, start + last + 1, f"{both}{why}")
    end = start + len(text)
    return TextEdit(
        start + len(text.rstrip()), end, f"  # overhead: ignore[{', '.join(codes)}] {reason}".rstrip()
    )


def _free_lines(source: Source) -> dict[int, int | None]:
    """The lines that may end in a comment, not within a string, not continued by a backslash.

    Each with the column where its comment begins; None where it has none.
    """
    import tokenize

    free: dict[int, int | None] = {}
    comments: dict[int, int] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text, newline=None).readline):
            line, column = token.start
            if token.type == tokenize.COMMENT:
                comments[line] = column
            elif token.type in (tokenize.NEWLINE, tokenize.NL):
                free[line] = comments.get(line)
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few texts that the parser takes; what came before holds.
        pass
    return free
