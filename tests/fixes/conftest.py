"""Short ways to apply edits to a text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.edits.apply import text_edits
from overhead_lint.edits.lines import splice
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from overhead_lint.edits.model import AnyEdit

Rewrite = Callable[..., str]


def find(source: Source, text: str, kind: type[ast.AST] = ast.expr) -> ast.AST:
    """The outermost node of a kind whose own text is `text` (the first such)."""
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, kind) and hasattr(node, "lineno") and source.slice(node) == text:
            return node
    raise AssertionError(f"no {kind.__name__} {text!r}")


@pytest.fixture
def rewrite() -> Rewrite:
    """Apply edits to a text: ``rewrite(text, lambda node: [replace(node("f(x)"), ...)])``."""

    def apply(
        text: str | bytes,
        make: Callable[[Callable[..., ast.AST]], list[AnyEdit]],
        *,
        keep_comments: bool = True,
        **names: str,
    ) -> str:
        data = text.encode() if isinstance(text, str) else text
        source = Source.from_bytes(Path("example.py"), data)
        edits = make(lambda code, kind=ast.expr: find(source, code, kind))
        after = splice(source.text, text_edits(edits, names, source, keep_comments=keep_comments))
        ast.parse(after)
        return after

    return apply
