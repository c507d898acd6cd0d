"""Lines of a function that move into methods of a class, with their comments; local names become slots."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["CannotMove", "Lines", "comments"]

_WORD = re.compile(r"[^\W\d]\w*")


def comments(lines: Sequence[str]) -> list[str]:
    """Return the comments in lines that hold whole statements."""
    tokens = tokenize.generate_tokens(io.StringIO("\n".join([*lines, ""])).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


class CannotMove(Exception):
    """What would not mean the same, or not stand as written, in another place."""


class _Change(NamedTuple):
    """Bytes of a line that a text takes the place of."""

    start: int
    end: int
    text: str


class Lines:
    """The lines of a function and its decorators.

    Args:
        node: the function.
        ctx: its file.
    """

    def __init__(self, node: ast.FunctionDef, ctx: Context) -> None:
        self.first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        self.last = node.end_lineno or node.lineno
        self._lines = ctx.lines(self.first, self.last)
        self._fixed = ""
        documented = ast.get_docstring(node, clean=False) is not None
        self.comments = dict(self._comments(node.body[0].lineno if documented else 0))

    def _comments(self, docstring: int) -> Iterator[tuple[int, str]]:
        """The comments, each with its line; notes what keeps lines from being moved.

        Args:
            docstring: the line of the docstring, which is written anew; 0 for none.
        """
        text = "\n".join([*self._lines, ""])
        if "\t" in text:
            self._fixed = "a tab indents"
        opened: list[int] = []
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind, line = tokenize.tok_name[token.type], token.start[0] + self.first - 1
            if kind == "COMMENT":
                yield line, token.string
            elif kind in {"FSTRING_START", "TSTRING_START"}:
                opened.append(line)
            elif (kind in {"FSTRING_END", "TSTRING_END"} and opened.pop() != line) or (
                kind == "STRING" and token.end[0] > token.start[0] and line != docstring
            ):
                self._fixed = "a string has several lines"

    def text(self, line: int) -> str:
        """Return a line by its number in the file, without its end."""
        return self._lines[line - self.first]

    def notes(self, first: int, last: int, without: Container[int] = ()) -> list[str]:
        """Return the comments from one line to another, but for those on some lines."""
        kept = [line for line in range(first, last + 1) if line in self.comments and line not in without]
        return [self.comments[line] for line in kept]

    def line_of(self, word: str, first: int, last: int) -> int:
        """Return the line from one to another that begins with a keyword and a colon.

        Raises:
            CannotMove: there is none.
        """
        for line in range(first, last + 1):
            if re.match(rf"\s*{word}\s*:", self.text(line)):
                return line
        raise CannotMove(f"`{word}:` shares its line")

    def moved(self, body: Sequence[ast.stmt], first: int, last: int, slots: Mapping[str, str]) -> list[str]:
        """Return the lines from one to another, which hold statements, indented as if they stood outermost.

        Args:
            body: the statements.
            first: the line where they, or comments above them, begin.
            last: the line where they end.
            slots: what is an attribute of ``self`` in the new place, by the name that it has here.

        Raises:
            CannotMove: the lines hold something else, or would not mean the same there.
        """
        if any(line < first or end > last for line, end in map(_extent, body)):
            raise CannotMove("it shares a line with something else")
        depth = body[0].col_offset if body else max(map(len, self._lines))
        lines = []
        for line in self._changed(body, first, last, slots):
            indent = len(line) - len(line.lstrip())
            lines.append(line[min(indent, depth) :])
        while lines and not lines[0].strip():
            del lines[0]
        while lines and not lines[-1].strip():
            del lines[-1]
        _check("\n".join(lines), body, slots)
        return lines

    def expression(self, node: ast.expr, slots: Mapping[str, str]) -> list[str]:
        """Return the lines of an expression, those below the first with their own indentation only.

        Raises:
            CannotMove: it would not mean the same there.
        """
        first, last = _extent(node)
        lines = self._changed([node], first, last, slots, end=node.end_col_offset)
        start = node.col_offset
        lines[0] = lines[0].encode()[start:].decode()
        depth = len(self.text(first)) - len(self.text(first).lstrip())
        lines[1:] = [line[min(len(line) - len(line.lstrip()), depth) :] for line in lines[1:]]
        text = "\n".join(lines)
        _check(f"({text})", [ast.Expr(node)], slots)
        return lines

    def _changed(
        self,
        nodes: Iterable[ast.AST],
        first: int,
        last: int,
        slots: Mapping[str, str],
        end: int | None = None,
    ) -> list[str]:
        """Return lines in which names are attributes; the last one up to a byte, if one is given."""
        if self._fixed:
            raise CannotMove(self._fixed)
        changes: dict[int, list[_Change]] = {}
        for line, change in self._changes(nodes, slots):
            changes.setdefault(line, []).append(change)
        result = []
        for line in range(first, last + 1):
            data = self.text(line).encode()
            if line == last:
                data = data[:end]
            for change in sorted(changes.get(line, ()), reverse=True):
                data = data[: change.start] + change.text.encode() + data[change.end :]
            result.append(data.decode())
        return result

    def _changes(self, nodes: Iterable[ast.AST], slots: Mapping[str, str]) -> Iterator[tuple[int, _Change]]:
        """Yield where names become attributes. In f-strings old Pythons do not know where names stand."""
        stack = list(nodes)
        while stack:
            node = stack.pop()
            if isinstance(node, ast.JoinedStr):
                yield from self._changes_in_string(node, slots)
                continue
            if isinstance(node, ast.Name) and node.id in slots:
                end = node.end_col_offset or 0
                yield node.lineno, _Change(node.col_offset, end, f"self.{slots[node.id]}")
            stack.extend(ast.iter_child_nodes(node))

    def _changes_in_string(
        self, node: ast.JoinedStr, slots: Mapping[str, str]
    ) -> Iterator[tuple[int, _Change]]:
        first, last = _extent(node)
        for number in range(first, last + 1):
            line = self.text(number)
            start = len(line.encode()[: node.col_offset].decode()) if number == first else 0
            stop = len(line.encode()[: node.end_col_offset].decode()) if number == last else len(line)
            for word in _words_in_braces(line, start, stop):
                name = word.group()
                if name in slots and line[word.start() - 1] != ".":
                    place = len(line[: word.start()].encode())
                    text = f"self.{slots[name]}"
                    yield number, _Change(place, place + len(name.encode()), text)


def _words_in_braces(line: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """Yield the words between the braces of f-strings in a part of a line; not those of strings in them."""
    depth, position = 0, start
    while position < stop:
        sign = line[position]
        if depth == 0 and line.startswith(("{{", "}}"), position):
            position += 2
            continue
        if depth and sign in "'\"":
            closing = line.find(sign, position + 1, stop)
            position = closing if closing >= 0 else stop - 1
        depth += (sign == "{") - (sign == "}")
        word = _WORD.match(line, position, stop) if depth else None
        if word is not None:
            yield word
        position = word.end() if word is not None else position + 1


def _extent(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return the first and the last line of a node."""
    return node.lineno, node.end_lineno or node.lineno


def _check(text: str, body: Sequence[ast.stmt], slots: Mapping[str, str]) -> None:
    """Raise `CannotMove` unless a moved text means the statements with names as attributes."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise CannotMove("it shares a line with something else") from error
    back = _Back({slot: name for name, slot in slots.items()})
    if [ast.dump(back.visit(item)) for item in tree.body] != [ast.dump(item) for item in body]:
        raise CannotMove("it would mean something else")


class _Back(ast.NodeTransformer):
    """Makes names of attributes of ``self`` again."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return the name that an attribute stands for."""
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id == "self" and node.attr in self._names:
            return ast.Name(self._names[node.attr], node.ctx)
        return self.generic_visit(node)
