"""Where the code of a Jupyter notebook stands in its JSON, so that a changed cell changes nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from overhead_lint.tuples import NamedTuple

__all__ = ["CodeCell", "NotANotebook", "code_cells", "encoded"]

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


class NotANotebook(ValueError):
    """A text that is no notebook that can be read.

    Args:
        message: what is wrong, in one line.
        offset: where, in characters.
    """

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class CodeCell(NamedTuple):
    """A cell with code.

    Attributes:
        number: its place among all cells of the notebook, from 1.
        text: its code.
        start: offset in the JSON of the value that holds the code: a string, or a list of lines.
        end: where that value ends.
    """

    number: int
    text: str
    start: int
    end: int


def code_cells(text: str) -> list[CodeCell]:
    """The cells with Python code; none if the notebook is in another language.

    Raises:
        NotANotebook: no JSON, or not in the form of a notebook since format 4.
    """
    if not text.strip():
        raise NotANotebook("is no notebook: it is empty")
    if text.startswith("\ufeff"):
        raise NotANotebook("is no notebook: it begins with a byte order mark; save it without one")
    try:
        whole = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotANotebook(f"is no notebook: {error.msg}", error.pos) from error
    except RecursionError as error:
        raise NotANotebook("is no notebook: it is nested too deeply") from error
    except ValueError as error:  # a number of more digits than Python converts
        raise NotANotebook("is no notebook: it holds a number that is too long to be read") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("cells"), list):
        old = isinstance(whole, dict) and "worksheets" in whole
        raise NotANotebook(
            "is a notebook of format 3: convert it" if old else "is no notebook: it has no cells"
        )
    if not _is_python(whole):
        return []
    # Of a key that stands there twice the last one counts, as in what was decoded.
    start = {key: start for key, start, _ in _members(text, _past_blank(text, 0))}["cells"]
    cells = []
    for number, (begin, _) in enumerate(_elements(text, start), 1):
        cell = whole["cells"][number - 1]
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        code = cell.get("source", "")
        lines = code if isinstance(code, list) else [code]
        if not all(isinstance(line, str) for line in lines):
            raise NotANotebook(f"is no notebook: the source of cell {number} is no text", begin)
        members = {key: (value, end) for key, value, end in _members(text, begin)}
        if "source" in members:
            cells.append(CodeCell(number, "".join(lines), *members["source"]))
    return cells


def _is_python(whole: dict[str, Any]) -> bool:
    metadata = whole.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        about = named.get(key)
        if isinstance(about, dict) and isinstance(about.get(name), str):
            return bool(about[name].lower() in ("python", "ipython"))
    return True


def encoded(cell: CodeCell, code: str, text: str) -> str:
    """The JSON for other code in a cell, laid out as its value is now; unchanged lines stay as they are.

    Args:
        cell: the cell.
        code: its new code.
        text: the notebook.
    """
    plain = any(char > "\x7f" for char in text)  # else characters beyond ASCII are written as escapes
    if text[cell.start] == '"':
        return json.dumps(code, ensure_ascii=not plain)
    spans = list(_elements(text, cell.start))
    written = [text[start:end] for start, end in spans]
    before = [json.loads(one) for one in written]
    # Jupyter splits lines also at what ends none in Python, such as a form feed; other editors do not.
    after = _LINE.findall(code) if before == _LINE.findall(cell.text) else code.splitlines(keepends=True)
    known = dict(zip(before, written, strict=True))
    lines = [known.get(line) or json.dumps(line, ensure_ascii=not plain) for line in after]
    head, gap, tail = "[", ", ", "]"
    if spans:
        head, tail = text[cell.start : spans[0][0]], text[spans[-1][1] : cell.end]
        indent = head[1:]
        gap = (
            text[spans[0][1] : spans[1][0]]
            if len(spans) > 1
            else f",{indent}"
            if indent.strip("\r\n")
            else ", "
        )
    return head + gap.join(lines) + tail if lines else "[]"


def _past_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Keys of the object that begins at an offset, with where their values begin and end."""
    at = _past_blank(text, at + 1)
    while text[at] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _past_blank(text, _past_blank(text, at) + 1)  # the colon
        _, end = _DECODER.raw_decode(text, at)
        yield key, at, end
        at = _past_blank(text, end)
        if text[at] != ",":
            return
        at = _past_blank(text, at + 1)


def _elements(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where the elements of the list that begins at an offset begin and end."""
    at = _past_blank(text, at + 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = _past_blank(text, end)
        if text[at] == ",":
            at = _past_blank(text, at + 1)
