"""What a finding is called so that it keeps its name when lines move."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.support.relative_paths import relative_to
from overhead_lint.syntax.parsing import parse
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from overhead_lint.rule import Finding, Span
    from overhead_lint.syntax.source import Source

__all__ = ["Identity", "identities"]

# White space after an opening bracket or before an attribute; commas and white space before a closing one.
_LAYOUT: Final = re.compile(r"(?<=[(\[{])\s+|\s+(?=\.[A-Za-z_])|,?\s*(?=[)\]}])")


class Identity(NamedTuple):
    """A finding without its lines.

    Attributes:
        path: the file, relative to a folder, with slashes.
        code: the rule.
        function: qualified name of the function or class around it; "" at module level.
        text: the marked source text without its layout; of a statement that holds others its first line.
        number: how many findings of the same kind stand above it.
    """

    path: str
    code: str
    function: str
    text: str
    number: int


def identities(
    findings: Sequence[Finding], sources: Mapping[Path, Source], folder: Path
) -> tuple[Identity, ...]:
    """The identities of findings, in their order; no two are equal.

    Args:
        findings: by file and place.
        sources: the files that have findings, as they were linted.
        folder: what paths are relative to.
    """
    outlines: dict[Path, _Outline] = {}
    seen: Counter[tuple[str, str, str, str]] = Counter()
    named = []
    for finding in findings:
        source = sources[finding.path]
        if finding.path not in outlines:
            outlines[finding.path] = _Outline(parse(source))
        outline = outlines[finding.path]
        path = relative_to(finding.path, folder)
        key = (path, finding.code, outline.function(finding.span), outline.text(finding.span, source))
        named.append(Identity(*key, seen[key]))
        seen[key] += 1
    return tuple(named)


class _Outline:
    """Where the functions, classes and blocks of a file are."""

    def __init__(self, tree: ast.Module) -> None:
        self._scopes = sorted(_scopes(tree))
        self._blocks = {
            (node.lineno, node.col_offset + 1)
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and hasattr(node, "body")
        }

    def function(self, span: Span) -> str:
        """Qualified name of the innermost function or class that holds a place."""
        around = [name for first, last, name in self._scopes if first <= span.line <= last]
        return around[-1] if around else ""

    def text(self, span: Span, source: Source) -> str:
        """The marked text without its layout."""
        lines = [source.line_text(line) for line in range(span.line, span.end_line + 1)]
        if (span.line, span.column) in self._blocks:
            # Its body changes for other reasons.
            lines = lines[:1]
        elif lines:
            lines[-1] = lines[-1][: span.end_column - 1]
        text = "\n".join(lines)[span.column - 1 :].replace("\\\n", " ")
        return _LAYOUT.sub("", " ".join(text.split()))


def _scopes(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """First line, last line and qualified name of each function and class, in no order."""
    left: list[tuple[ast.AST, str]] = [(tree, "")]
    while left:  # a chain of a thousand `elif` is a thousand blocks deep
        node, above = left.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
                continue
            name = above
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{above}.{child.name}" if above else child.name
                yield child.lineno, child.end_lineno or child.lineno, name
            left.append((child, name))
