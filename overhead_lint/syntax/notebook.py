"""Jupyter notebooks: their code cells as one text of Python, and such a text put back into the cells.

The text is what the rest of the linter sees. A comment stands above each cell, and what only IPython
understands (``%matplotlib inline``, ``!ls``, ``x?``) is kept behind ``pass  #``. A cell that is indented as
a whole, from which IPython takes the indentation, stands below an ``if True:``.
"""

from __future__ import annotations

import bisect
import json
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import TextEdit
from overhead_lint.syntax.notebook_json import CodeCell, NotANotebook, code_cells, encoded
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.syntax.text_parsing import parse_text, syntax_error
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Notebook", "read"]

_MARK: Final = "# overhead-lint: notebook cell "
_SPLIT: Final = re.compile(rf"^{_MARK}\d+\n", re.MULTILINE)
_LINE: Final = re.compile(r"\b(on |at )?line (\d+)\b")
_KEPT: Final = "pass  # IPython: "
_INDENTED: Final = "if True:"
"""What stands in the line above an indented cell; above others it is empty."""
_MASKED: Final = re.compile(rf"^[ \t]*{_KEPT}", re.MULTILINE)
_MAGIC: Final = re.compile(
    r"""\s*(?:[%!?]|[,;/][A-Za-z_])|.*\?\s*$|[^#'"]*=\s*[%!]|\s*(cat|cd|conda|cp|echo|ls|mkdir|mv|pip|pwd|rm|time|timeit|wget)\b"""
)
_PROMPT: Final = re.compile(r"\s*(?:>>>|In \[\d+\]:)")
"""What begins a cell that was copied from a shell: IPython takes its prompts off, as nothing here does."""
_PYTHON_CELLS: Final = frozenset({"%%time", "%%timeit", "%%capture", "%%prun", "%%memit"})
"""Magics that run the rest of a cell as it is, among the others: `%%python` starts a process of its own."""


class Notebook(NamedTuple):
    """A notebook as it was read.

    Attributes:
        json: its text.
        cells: its cells with Python code, and only these.
        starts: for each, the line of the joined text (from 1) that its first line is.
        error: why the text cannot be parsed; told to whoever parses it, as of other files.
    """

    json: str
    cells: Sequence[CodeCell]
    starts: Sequence[int]
    error: SourceError | None = None

    def place(self, line: int) -> tuple[int, int]:
        """Cell (from 1, among all cells of the notebook) and line in it (from 1) of a line of the text."""
        index = max(bisect.bisect_right(self.starts, line) - 1, 0)
        if not self.cells:
            return 1, 1
        return self.cells[index].number, max(line - self.starts[index] + 1, 1)

    def line(self, cell: int, line: int) -> int | None:
        """The line of the text that a line of a cell is, both from 1; None where no such code is."""
        for known, start in zip(self.cells, self.starts, strict=True):
            if known.number == cell and line <= known.text.count("\n") + 1:
                return start + line - 1
        return None

    def told(self, line: int) -> str:
        """A line of the text as people know it: ``cell 3:2``."""
        return "cell {}:{}".format(*self.place(line))

    def retold(self, text: str) -> str:
        """A text about this notebook with its lines told by their cells."""
        return _LINE.sub(lambda match: f"{'in ' if match[1] else ''}{self.told(int(match[2]))}", text)

    def json_line(self, line: int) -> int:
        """The line of the JSON (from 1) where a line of the text stands."""
        index = max(bisect.bisect_right(self.starts, line) - 1, 0)
        if not self.cells:
            return 1
        cell = self.cells[index]
        first = self.json.count("\n", 0, cell.start) + 1
        within = self.json[cell.start : cell.end].count("\n")
        return first + min(line - self.starts[index] + 1, within) if within else first

    def codes(self, text: str) -> list[str]:
        """The code of each cell in a joined text.

        Raises:
            ValueError: the text has not the cells of this notebook.
        """
        pieces = _SPLIT.split(text)[1:]
        if len(pieces) != len(self.cells):
            raise ValueError("the cells of the notebook have changed")
        return [_unmasked(piece) for piece in pieces]

    def changes(self, text: str) -> list[TextEdit]:
        """What a joined text changes in the JSON: the code of cells, each value as a whole.

        Raises:
            ValueError: the text has not the cells of this notebook.
        """
        return [
            TextEdit(cell.start, cell.end, encoded(cell, code, self.json))
            for cell, code in zip(self.cells, self.codes(text), strict=True)
            if code != cell.text
        ]

    def json_position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset in the JSON."""
        return self.json.count("\n", 0, offset) + 1, offset - self.json.rfind("\n", 0, offset)

    def encode(self, text: str) -> str:
        """The JSON with the code of a joined text in place of its own.

        Raises:
            ValueError: the text has not the cells of this notebook.
        """
        done, position = [], 0
        for edit in self.changes(text):
            done += [self.json[position : edit.start], edit.text]
            position = edit.end
        return "".join([*done, self.json[position:]])


def read(path: Path, text: str) -> tuple[Notebook, str]:
    """The notebook in a text, and its code as one text.

    Raises:
        SourceError: it is no notebook.
    """
    try:
        cells = code_cells(text)
    except NotANotebook as error:
        line = text.count("\n", 0, error.offset) + 1
        column = error.offset - (text.rfind("\n", 0, error.offset) + 1) + 1
        raise SourceError(path, line, column, error.message) from error
    pythons, wrong = [], None
    for cell in cells:
        try:
            masked = _masked(path, cell, text)
        except SourceError as error:  # without a word of any rule in it, nobody wants to know
            wrong, masked = wrong or error, f"\n{cell.text}"
        if masked is not None:
            pythons.append((cell, masked))
    pieces, starts, line = [], [], 1
    for cell, code in pythons:
        piece = f"{_MARK}{cell.number}\n{code}\n\n"
        pieces.append(piece)
        starts.append(line + 2)
        line += piece.count("\n")
    return Notebook(text, [cell for cell, _ in pythons], starts, wrong), "".join(pieces)


def _masked(path: Path, cell: CodeCell, text: str) -> str | None:
    """The code of a cell without what only IPython understands, and the line above it.

    None for a cell in another language, or one with prompts.

    Raises:
        SourceError: it is no Python even so.
    """
    lines = cell.text.split("\n")
    first = _first(lines)
    if _PROMPT.match(lines[first]):
        return None
    if lines[first].lstrip().startswith("%%"):
        if lines[first].split()[0] not in _PYTHON_CELLS:
            return None
        # IPython takes the indentation of the code below from that code, not from this line.
        body = lines[_first(lines, first + 1)] if first + 1 < len(lines) else ""
        _mask(lines, first, _indentation(body))
    above = ""
    while True:
        code = "\n".join([above, *lines])
        try:
            parse_text(code)
        except SyntaxError as error:
            if isinstance(error, IndentationError) and not above and _indentation(lines[first]):
                above = _INDENTED
                continue
            number = max((error.lineno or 1) - 1, 1)
            at = _magic_line(lines, number - 1)
            if at is None:
                before = text.count("\n", 0, cell.start) + 1
                place = (cell.number, number)
                raise SourceError(path, before, error.offset or 1, syntax_error(error), cell=place) from error
            _mask(lines, at, _indentation(lines[at]))
        except (RecursionError, MemoryError, ValueError) as error:
            raise SourceError(path, 0, 0, f"cell {cell.number} cannot be parsed: {error}") from error
        else:
            # A mark in a cell would take it apart, and what looks masked would come back as something else.
            return None if _SPLIT.search(code + "\n") or _MASKED.search(cell.text) else code


def _first(lines: Sequence[str], start: int = 0) -> int:
    """The first line, at or below one, that is not blank; that one if all are."""
    return next((at for at in range(start, len(lines)) if lines[at].strip()), start)


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _magic_line(lines: Sequence[str], at: int) -> int | None:
    """The line that IPython alone can be blamed for, at or above an error."""
    for index in range(min(at, len(lines) - 1), -1, -1):
        if _MAGIC.match(lines[index]) and not _MASKED.match(lines[index]):
            return index
    return None


def _mask(lines: list[str], at: int, indent: str) -> None:
    """Put a line, and those that it goes on in, behind ``pass``."""
    while True:
        line = lines[at]
        goes_on = line.endswith("\\") and at + 1 < len(lines)
        # As JSON, since a comment must not hold a character that ends the line.
        lines[at] = f"{indent}{_KEPT}{json.dumps(line)}"
        if not goes_on:
            return
        at += 1


def _unmasked(piece: str) -> str:
    """The code of a cell as IPython has it, from the text between two marks."""
    # What a fix puts above the code of an indented cell stands above that line, too.
    new, _, code = piece.partition("\n" if piece.startswith("\n") else f"{_INDENTED}\n")
    lines = code.removesuffix("\n").removesuffix("\n").split("\n")
    lines = [
        f"{_indentation(lines[_first(lines)])}{line}" if line else "" for line in new.split("\n")[:-1]
    ] + lines
    return "\n".join(
        json.loads(line[match.end() :]) if (match := _MASKED.match(line)) else line for line in lines
    )
