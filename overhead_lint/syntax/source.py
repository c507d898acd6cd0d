"""One file's text: encoding, newlines, and the way from ``ast`` positions to characters."""

from __future__ import annotations

import bisect
import codecs
import os
import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Span
from overhead_lint.syntax.source_error import NotSource, SourceError

if TYPE_CHECKING:
    import ast
    from pathlib import Path

    from overhead_lint.syntax.notebook import Notebook

__all__ = ["NEWLINE", "Source", "check_size"]

_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BUFFER: Final = 4096
"""For a file that is read at once: from Python 3.14 on Python would make room for 128 KiB."""
_LARGEST: Final = 5_000_000
"""Bytes: sixteen times the largest of the 6,000 files that fixes are tried on."""
_LARGEST_NOTEBOOK: Final = 50_000_000
"""Bytes: notebooks hold pictures."""

# What Python's tokenizer takes for the end of a line. str.splitlines() knows eight more.
NEWLINE: Final = re.compile(r"\r\n|\n|\r")
_NEWLINE_IN_BYTES: Final = re.compile(rb"\r\n|\n|\r")


def check_size(path: Path, size: int) -> None:
    """See that a text is not so large that nobody wrote it.

    Raises:
        NotSource: it is.
    """
    limit = _limit(path)
    if size > limit:
        raise NotSource(path, 0, 0, f"is larger than {limit // 10**6} MB; split it")


def _limit(path: Path) -> int:
    return _LARGEST_NOTEBOOK if path.suffix == ".ipynb" else _LARGEST


class Source:
    """A file as it was read; made by `read` or `from_bytes`.

    Attributes:
        path: the file, as it was named.
        data: its bytes.
        text: the decoded bytes, without a byte-order mark, newlines as they are.
        encoding: name of the codec that `data` was decoded with.
        bom: whether `data` starts with a UTF-8 byte-order mark.
        notebook: where `text` comes from, if the file is a Jupyter notebook: its code cells.
    """

    __slots__ = ("_lines", "_starts", "bom", "data", "encoding", "notebook", "path", "text")

    def __init__(
        self,
        path: Path,
        data: bytes,
        text: str,
        encoding: str,
        bom: bool,
        notebook: Notebook | None = None,
    ) -> None:
        self.path = path
        self.data = data
        self.text = text
        self.encoding = encoding
        self.bom = bom
        self.notebook = notebook
        self._starts: list[int] = []
        self._lines: list[bytes] = []

    @classmethod
    def read(cls, path: Path) -> Source:
        """Read and decode a file.

        Raises:
            SourceError: it cannot be read or decoded, or is too large.
        """
        try:
            data = _bytes_of(path, _limit(path))
        except OSError as error:
            raise SourceError(path, 0, 0, f"cannot be read: {error.strerror or error}") from error
        check_size(path, len(data))
        return cls.from_bytes(path, data)

    @classmethod
    def from_bytes(cls, path: Path, data: bytes) -> Source:
        """Decode a file's bytes as Python does: byte-order mark, coding cookie, else UTF-8.

        Of a file whose name ends in ``.ipynb`` the text is the code of its cells.

        Raises:
            SourceError: an unknown encoding, bytes that do not decode, null bytes, or no notebook.
        """
        if path.suffix == ".ipynb":
            return cls._from_notebook(path, data)
        bom = data.startswith(codecs.BOM_UTF8)
        encoding = _encoding(path, data)
        body = data[len(codecs.BOM_UTF8) :] if bom else data
        try:
            text = body.decode(encoding)
        except UnicodeDecodeError as error:
            line, column = _position(body[: error.start])
            message = f"is not valid {encoding} ({error.reason}); save it as UTF-8 or declare its encoding"
            raise SourceError(path, line, column, message) from error
        except (LookupError, UnicodeError) as error:
            # A codec that is not a text encoding (rot13, hex), or that fails in a way of its own.
            raise SourceError(path, 1, 1, f"cannot be decoded as {encoding}: {error}") from error
        if "\0" in text:
            line, column = _position(body[: body.find(b"\0")])
            raise NotSource(path, line, column, "contains null bytes, so it is not Python source")
        return cls(path, data, text, encoding, bom)

    @classmethod
    def _from_notebook(cls, path: Path, data: bytes) -> Source:
        from overhead_lint.syntax import notebook  # rare

        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line, column = _position(data[: error.start])
            raise SourceError(path, line, column, f"is not valid utf-8 ({error.reason})") from error
        cells, code = notebook.read(path, text)
        return cls(path, data, code, "utf-8", bom=False, notebook=cells)

    def encode(self, text: str) -> bytes:
        """Encode a text as this file is encoded, byte-order mark included; into the cells of a notebook.

        Raises:
            UnicodeEncodeError: `text` has a character that the encoding lacks.
            ValueError: `text` has not the cells of the notebook.
        """
        if self.notebook is not None:
            return self.notebook.encode(text).encode()
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)

    @property
    def code(self) -> bytes:
        """Its bytes, to look for words in; of a notebook those of its code, however the JSON spells them."""
        return self.data if self.notebook is None else self.text.encode(errors="replace")

    @property
    def starts(self) -> list[int]:
        """Offset in `text` of the first character of each line; not to be changed."""
        starts = self._starts
        if not starts:
            starts.append(0)
            if "\r" in self.text:
                starts.extend(match.end() for match in NEWLINE.finditer(self.text))
            else:
                lengths = [len(line) + 1 for line in self.text.split("\n")]
                starts.extend(accumulate(lengths[:-1]))
        return starts

    def line_text(self, line: int) -> str:
        """A line (from 1) without its newline; empty for a line that does not exist."""
        if not self._starts and self.notebook is None and self.encoding == "utf-8":
            return self._decoded_line(line)
        starts = self.starts
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def _decoded_line(self, line: int) -> str:
        """The same from the bytes: of thousands of files a report shows a few lines each."""
        if not self._lines:
            body = self.data[len(codecs.BOM_UTF8) :] if self.bom else self.data
            self._lines = _NEWLINE_IN_BYTES.split(body) if b"\r" in body else body.split(b"\n")
        return self._lines[line - 1].decode() if 1 <= line <= len(self._lines) else ""

    def offset(self, line: int, col_utf8: int) -> int:
        """Offset in `text` of an ``ast`` position: line from 1, column in bytes of UTF-8."""
        starts = self.starts
        if line > len(starts):
            return len(self.text)
        start = starts[line - 1]
        if self.text.isascii():
            return min(start + col_utf8, len(self.text))
        end = starts[line] if line < len(starts) else len(self.text)
        head = self.text[start:end].encode()[:col_utf8]
        return start + len(head.decode(errors="ignore"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1, in characters) of an offset in `text`."""
        starts = self.starts
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offsets(self, node: ast.AST) -> tuple[int, int]:
        """Start and end offset in `text` of a node; the whole text for a module.

        Raises:
            ValueError: a node without a position (``arguments``, operators, contexts).
        """
        if node.__class__.__name__ == "Module":
            return 0, len(self.text)
        line: int | None = getattr(node, "lineno", None)
        end_line: int | None = getattr(node, "end_lineno", None)
        if line is None or end_line is None:
            raise ValueError(f"ast.{type(node).__name__} has no position")
        col: int = node.col_offset  # type: ignore[attr-defined]
        end_col: int = node.end_col_offset  # type: ignore[attr-defined]
        return self.offset(line, col), self.offset(end_line, end_col)

    def span(self, node: ast.AST) -> Span:
        """Lines and columns of a node; the first character for a module."""
        if node.__class__.__name__ == "Module":
            return Span(1, 1, 1, 1)
        line: int | None = getattr(node, "lineno", None)
        end_line: int | None = getattr(node, "end_lineno", None)
        if line is not None and end_line is not None and self.text.isascii():  # bytes are characters
            return Span(line, node.col_offset + 1, end_line, node.end_col_offset + 1)  # type: ignore[attr-defined]
        start, end = self.offsets(node)
        assert line is not None
        assert end_line is not None
        starts = self.starts
        return Span(line, start - starts[line - 1] + 1, end_line, end - starts[end_line - 1] + 1)

    def between(self, span: Span) -> str:
        """The text of a range, exactly as written; empty for lines that do not exist."""
        starts = self.starts
        if span.end_line > len(starts):
            return ""
        return self.text[
            starts[span.line - 1] + span.column - 1 : starts[span.end_line - 1] + span.end_column - 1
        ]

    def slice(self, node: ast.AST) -> str:
        """The text of a node, exactly as written."""
        start, end = self.offsets(node)
        return self.text[start:end]


def _bytes_of(path: Path, limit: int) -> bytes:
    """What a file holds; of a larger one more than `limit` bytes."""
    with open(path, "rb", _BUFFER) as file:  # noqa: PTH123 - for thousands of files Path.open takes a quarter more
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, limit) + 1)  # room for `limit` bytes takes longer to make than to fill
        if len(data) > size:  # a pipe, or the file has grown
            data += file.read(limit + 1 - len(data))
    return data


def _encoding(path: Path, data: bytes) -> str:
    """Name of the encoding that a byte-order mark or a cookie in the first two lines asks for."""
    second = data.find(b"\n", data.find(b"\n") + 1)
    if b"coding" not in data[: second if second > 0 else len(data)]:
        return "utf-8"
    import tokenize  # rare: only files that may have a cookie pay for it

    first = data.split(b"\n", 2)[:2]
    lines = iter(first)
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines) + b"\n")
    except SyntaxError as error:
        if "invalid or missing" in str(error) or "null bytes" in str(error):
            return _declared(first)  # the first lines do not decode: the caller reports where
        raise SourceError(path, 1, 1, f"{error}; correct its coding comment") from error
    except (LookupError, UnicodeError):  # from Python 3.14 on, of what the caller cannot decode either
        return _declared(first)
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _declared(lines: list[bytes]) -> str:
    """The encoding that a cookie in one of some lines names, whatever that is."""
    cookies = (_COOKIE.match(line) for line in lines)
    return next((found[1].decode() for found in cookies if found), "utf-8")


def _position(before: bytes) -> tuple[int, int]:
    """Line and column (from 1) of the byte that follows `before`."""
    head = before.decode("utf-8", errors="replace")
    ends = [match.end() for match in NEWLINE.finditer(head)]
    return len(ends) + 1, len(head) - (ends[-1] if ends else 0) + 1
