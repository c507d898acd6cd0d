"""From a source to `ast`, with what is wrong told as it is of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.syntax.source_error import SourceError
from overhead_lint.syntax.text_parsing import TOO_DEEP, parse_text, syntax_error

if TYPE_CHECKING:
    import ast

    from overhead_lint.syntax.source import Source

__all__ = ["parse"]


def parse(source: Source) -> ast.Module:
    """Parse a source with this Python's grammar.

    Raises:
        SourceError: it does not parse.
    """
    if source.notebook is not None and source.notebook.error is not None:
        raise source.notebook.error
    try:
        return parse_text(source.text)
    except SyntaxError as error:
        raise SourceError(source.path, error.lineno or 1, error.offset or 1, syntax_error(error)) from error
    except (RecursionError, MemoryError) as error:  # what the parser raises depends on the Python version
        raise SourceError(source.path, 0, 0, TOO_DEEP) from error
    except ValueError as error:  # half of a surrogate pair from an editor; up to Python 3.11 a null byte
        raise SourceError(source.path, 1, 1, f"cannot be parsed: {error}") from error
