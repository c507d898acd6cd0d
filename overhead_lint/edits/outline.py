"""Where the statements of a file lie, and which physical lines an edit needs.

libcst parses whole lines, so an edit's *region* is the smallest run of lines that holds its
statement and parses by itself: neighbours joined by ``;`` belong to it, a body on the line of its
header climbs to the header, ``elif`` climbs to its ``if``. Of a compound statement of which only
the header is edited, only the header is taken, with ``pass`` for a body.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.syntax.grammar import TEMPLATES
from overhead_lint.syntax.text_parsing import parse_text

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

__all__ = ["Outline", "Place", "Region", "first_line", "outline", "parse"]

# Statements whose header can be parsed apart from their body.
_HEADED = (
    ast.AsyncFor,
    ast.AsyncFunctionDef,
    ast.AsyncWith,
    ast.ClassDef,
    ast.For,
    ast.FunctionDef,
    ast.If,
    ast.While,
    ast.With,
)
Position = tuple[int, int]
Span = tuple[Position, Position]
Key = tuple[type[ast.expr], Span]

_LONE_CR = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Place:
    """A statement with its surroundings."""

    stmt: ast.stmt
    siblings: list[ast.stmt]
    parent: Place | None

    @property
    def index(self) -> int:
        """Position among the siblings."""
        return next(i for i, sibling in enumerate(self.siblings) if sibling is self.stmt)

    @property
    def is_only(self) -> bool:
        """Whether the body holds nothing else."""
        return len(self.siblings) == 1


@dataclass(frozen=True, slots=True)
class Region:
    """A run of lines, as it goes to the parser: ``prefix + text + suffix``."""

    start: int
    text: str
    indent: str
    prefix: str
    suffix: str
    first_line: int
    place: Place
    climbed: bool
    """Whether the region is that of a statement around the edited one."""

    @property
    def code(self) -> str:
        """What the parser gets."""
        return self.prefix + self.text + self.suffix

    @property
    def line_shift(self) -> int:
        """What to add to a line of the file to get a line of `code`."""
        return (1 if self.prefix else 0) + 1 - self.first_line

    @property
    def whole_lines(self) -> bool:
        """Whether the region holds one statement and nothing else."""
        place = self.place
        lines = range(first_line(place.stmt), (place.stmt.end_lineno or 0) + 1)
        others = (s for s in place.siblings if s is not place.stmt)
        return not self.climbed and not any(
            first_line(s) in lines or (s.end_lineno or 0) in lines for s in others
        )


def parse(text: str, what: str) -> ast.Module:
    """`ast.parse`, with every way that it fails turned into one.

    Raises:
        CannotFix: the text does not parse.
    """
    try:
        return parse_text(text)
    except SyntaxError as error:
        raise CannotFix(f"{what} does not parse: {error.msg} (line {error.lineno})") from error
    except (RecursionError, MemoryError) as error:
        raise CannotFix(f"{what} is nested too deeply") from error
    except ValueError as error:
        raise CannotFix(f"{what} does not parse: {error}") from error


@functools.lru_cache(maxsize=4)
def outline(source: Source) -> Outline:
    """The outline of a source; the last few are kept, since a file's findings are fixed together.

    Raises:
        CannotFix: the source does not parse, or its lines end in a lone carriage return.
    """
    if _LONE_CR.search(source.text):
        raise CannotFix("the file has lines that end in a lone carriage return; convert its line ends first")
    return Outline(source, parse(source.text, "the file"))


class Outline:
    """The statements of a file and its layout."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self.newline = "\r\n" if "\r\n" in source.text[:4096] else "\n"
        self._indent: str | None = None
        self._known: set[Key] | None = None
        self._lying: set[Key] = set()
        self._kept: set[Key] = set()

    @property
    def indent(self) -> str:
        """One level of indentation, as the file has it."""
        if self._indent is None:
            self._indent = next(self._indents(), " " * 4)
        return self._indent

    def _indents(self) -> Iterator[str]:
        for stmt in ast.walk(self.tree):
            body = getattr(stmt, "body", None)
            if isinstance(stmt, ast.stmt) and isinstance(body, list) and stmt.lineno < first_line(body[0]):
                outer, inner = self.leading(stmt.lineno), self.leading(first_line(body[0]))
                if inner.startswith(outer) and inner != outer and not inner[len(outer) :].strip():
                    yield inner[len(outer) :]

    def leading(self, line: int) -> str:
        """Blanks and tabs at the start of a line."""
        text = self.source.line_text(line)
        return text[: len(text) - len(text.lstrip(" \t"))]

    def indent_of(self, node: ast.expr | ast.stmt) -> str:
        """Blanks and tabs before the innermost statement that holds a node.

        Raises:
            CannotFix: as `find`.
        """
        return self.leading(first_line(self.find(node).stmt))

    def find(self, node: ast.expr | ast.stmt) -> Place:
        """The innermost statement that holds a node of this file (of any parse of it).

        Raises:
            CannotFix: no statement is there, or the node's position cannot be trusted.
        """
        start, end = _span(node)
        place: Place | None = None
        bodies = [self.tree.body]
        while bodies:
            body = bodies.pop()
            for stmt in body:
                first, last = _span(stmt)
                if (first <= start and end <= last) or _in_decorators(stmt, start, end):
                    place = Place(stmt, body, place)
                    bodies = list(_bodies(stmt))
                    break
        if place is None:
            raise CannotFix("its place in the file was not found")
        if isinstance(node, ast.expr):
            self._check_expression(node)
        elif type(place.stmt) is not type(node) or _span(place.stmt) != (start, end):
            raise CannotFix("its statement was not found")
        return place

    def _check_expression(self, node: ast.expr) -> None:
        if self._known is None:
            self._known, self._lying = _positions(self.tree)
            self._kept = _in_templates(self.tree)
        key = type(node), _span(node)
        if key in self._kept:
            raise CannotFix("it is inside a t-string, which keeps the text of what it holds")
        if key in self._lying:
            raise CannotFix("it is inside an f-string; only Python 3.12 and newer say where")
        if key not in self._known:
            raise CannotFix("its expression was not found")

    def region(self, place: Place, header_of: ast.expr | ast.stmt | None = None) -> Region:
        """The lines to parse for an edit at a place.

        Args:
            place: the statement.
            header_of: the node to edit, if it lies (or means an edit) in the header of the statement.

        Raises:
            CannotFix: the lines hold something that libcst does not give back as it was.
        """
        climbed = False
        while True:
            first, last = _shared_lines(place)
            if self._starts_line(place, first):
                break
            if place.parent is None:
                raise CannotFix("its line does not start with its statement")
            place, climbed = place.parent, True
        header = None if climbed or header_of is None else self._header_end(place.stmt, header_of)
        starts = self.source.starts
        last = header or last
        start = starts[first - 1]
        end = starts[last] if last < len(starts) else len(self.source.text)
        text = self.source.text[start:end]
        if "\f" in text:
            raise CannotFix("its lines hold a form feed")
        indent = self.leading(first)
        prefix = f"if 1:{self.newline}" if indent else ""
        suffix = f"{indent}{self.indent}pass{self.newline}" if header else ""
        return Region(start, text, indent, prefix, suffix, first, place, climbed)

    def _starts_line(self, place: Place, first: int) -> bool:
        """Whether nothing but blanks stands before the first statement of these lines."""
        if self.source.line_text(first - 1).endswith("\\"):
            return False
        head = next(s for s in place.siblings if first_line(s) == first)
        text = self.source.line_text(first)
        if getattr(head, "decorator_list", None):
            return text.lstrip(" \t").startswith("@")
        indent = len(self.leading(first))
        return head.col_offset == indent and not text.startswith("elif", indent)

    def _header_end(self, stmt: ast.stmt, node: ast.AST) -> int | None:
        """Last line before the body, if only the header is edited and the body starts on a new line."""
        if not isinstance(stmt, _HEADED):
            return None
        body = first_line(stmt.body[0])
        if isinstance(node, ast.expr) and (node.end_lineno or 0) >= body:
            return None
        if self.source.line_text(body - 1).endswith("\\"):
            return None
        own = self.source.line_text(body)[: stmt.body[0].col_offset]
        return body - 1 if body > stmt.lineno and not own.strip(" \t@") else None


def first_line(stmt: ast.stmt) -> int:
    """Return the line that a statement begins in: that of its first decorator, if it has one."""
    decorators: list[ast.expr] = getattr(stmt, "decorator_list", [])
    return min([stmt.lineno, *(d.lineno for d in decorators)])


def _span(node: ast.AST) -> Span:
    """Start and end of a node that has a position, as `ast` counts."""
    start = (node.lineno, node.col_offset)  # type: ignore[attr-defined]
    return start, (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def _positions(tree: ast.Module) -> tuple[set[Key], set[Key]]:
    """Classes and positions of all expressions, and those that cannot be trusted.

    Inside an f-string, positions are those of the expression alone before Python 3.12.
    """
    known: set[Key] = set()
    lying: set[Key] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            known.add((type(node), _span(node)))
        if sys.version_info < (3, 12) and isinstance(node, ast.JoinedStr):
            inner = (child for value in node.values for child in ast.walk(value))
            # A format specification has the class and the position of the f-string itself.
            lying |= {
                (type(child), _span(child))
                for child in inner
                if isinstance(child, ast.expr) and _span(child) != _span(node)
            }
    return known, lying


def _in_templates(tree: ast.Module) -> set[Key]:
    """Classes and positions of the expressions in t-strings, whose text programs may read."""
    templates = (node for node in ast.walk(tree) if isinstance(node, TEMPLATES))
    inner = (child for node in templates for child in ast.walk(node) if child is not node)
    return {(type(child), _span(child)) for child in inner if isinstance(child, ast.expr)}


def _in_decorators(stmt: ast.stmt, start: Position, end: Position) -> bool:
    spans = (_span(d) for d in getattr(stmt, "decorator_list", []))
    return any(first <= start and end <= last for first, last in spans)


def _bodies(stmt: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists directly inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        if body := getattr(stmt, name, None):
            yield body
    for name in ("handlers", "cases"):
        for clause in getattr(stmt, name, ()):
            yield clause.body


def _shared_lines(place: Place) -> tuple[int, int]:
    """First and last line of a statement and of all that share a line with it, however far that goes."""
    index = low = high = place.index
    siblings = place.siblings
    while low > 0 and siblings[low - 1].end_lineno == first_line(siblings[low]):
        low -= 1
    while high + 1 < len(siblings) and first_line(siblings[high + 1]) == siblings[high].end_lineno:
        high += 1
    assert low <= index <= high
    return first_line(siblings[low]), siblings[high].end_lineno or 0
