"""Imports that nothing uses any more after a fix."""

from __future__ import annotations

import ast
import io
import itertools
import re
from collections import Counter
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

    Only imports at module level go, and only if the name stands nowhere else in the file, be it in
    ``__all__``, another string, a docstring with examples to run, or a type comment. As part of a module
    that is imported under another name (``import torch.nn as nn``), as an attribute, and in what is told to
    readers, it does not count. Packages' ``__init__.py`` files keep theirs, since others import from there,
    and notebooks too, whose cells run in any order.
    """
    if after.path.name == "__init__.py" or after.notebook is not None:
        return []
    out = outline(after)
    lost = _read(outline(before).tree) - _read(out.tree)
    edits: list[TextEdit] = []
    tree = outline(before).tree
    repeated = {
        name for name in _repeated(out.tree) if _read_above(name, tree) and not _read_above(name, out.tree)
    }
    if not lost and not repeated:
        return edits
    text = _without_prose(out.tree, after)
    for stmt in out.tree.body:
        if (
            not isinstance(stmt, (ast.Import, ast.ImportFrom))
            or getattr(stmt, "module", None) == "__future__"
        ):
            continue
        gone = [
            (alias.asname or alias.name) in repeated or _is_unused(alias, stmt, lost, text, out.tree, after)
            for alias in stmt.names
        ]
        repeated.difference_update(alias.asname or alias.name for alias in stmt.names)  # only the first goes
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


def _repeated(tree: ast.Module) -> Iterator[str]:
    """Names that more than one import of the module binds, to the same."""
    bound: Counter[tuple[str | None, str, str | None]] = Counter(
        (getattr(stmt, "module", None), alias.name, alias.asname)
        for stmt in tree.body
        if isinstance(stmt, (ast.Import, ast.ImportFrom))
        for alias in stmt.names
    )
    return (asname or name for (_, name, asname), count in bound.items() if count > 1)


def _read_above(name: str, tree: ast.Module) -> bool:
    """Whether a name is used above the last import of the module that binds it."""
    last = max(
        (
            stmt.lineno
            for stmt in tree.body
            if isinstance(stmt, (ast.Import, ast.ImportFrom))
            and name in {alias.asname or alias.name for alias in stmt.names}
        ),
        default=0,
    )
    return any(
        isinstance(node, ast.Name) and node.id == name and node.lineno < last for node in ast.walk(tree)
    )


def _is_unused(
    alias: ast.alias, stmt: ast.stmt, lost: Container[str], text: str, tree: ast.Module, after: Source
) -> bool:
    """Whether an import's name is among those that lost their last use, and stands nowhere else in a text."""
    name = alias.asname or alias.name
    if name not in lost:
        return False
    start, end = after.offsets(stmt)
    word = re.compile(rf"\b{re.escape(name)}\b")
    text = _without_namesakes(name, text, tree, after)
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


def _without_prose(tree: ast.Module, source: Source) -> str:
    """The text with blanks, as many, in place of comments and docstrings, but for those that are code."""
    text = source.text
    for start, end in (*_docstrings(tree, source), *_comments(source)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _docstrings(tree: ast.Module, source: Source) -> Iterator[tuple[int, int]]:
    """Where strings stand that nothing uses; without those that doctest would run."""
    for stmt in ast.walk(tree):
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant):
            start, end = source.offsets(stmt.value)
            if ">>>" not in source.text[start:end]:
                yield start, end


def _comments(source: Source) -> Iterator[tuple[int, int]]:
    """Where comments stand that no type checker reads."""
    import tokenize

    starts = source.starts
    lines = io.StringIO(source.text, newline=None)  # counts lines as the tokenizer of Python does
    try:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT and not token.string.startswith("# type:"):
                start = starts[token.start[0] - 1] + token.start[1]
                yield start, start + len(token.string)
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few texts that the parser takes; what came before holds.
        return


def _without_namesakes(name: str, text: str, tree: ast.Module, source: Source) -> str:
    """A text with blanks, as many, in place of attributes of the name and imports that do not bind it."""
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
