"""From a template and its parts to libcst nodes, and to plain text for checking them."""

from __future__ import annotations

import functools
import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import libcst as cst

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.precedence import binding, is_bracketed, required
from overhead_lint.edits.syntax import Change, Rewriter
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import ast

    from overhead_lint.edits.outline import Outline

__all__ = ["Filler", "parenthesized"]


class _Text(NamedTuple):
    """The text of a part, and how far its statement is indented."""

    text: str
    indent: str


def parenthesized(node: Any) -> Any:
    """The expression in one more pair of parentheses."""
    return node.with_changes(lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()])


class _BareEmptyLines(cst.CSTTransformer):
    """Has empty lines hold nothing where the statements around them are indented."""

    def leave_EmptyLine(  # noqa: N802 - libcst calls it
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine:
        return updated_node if updated_node.comment else updated_node.with_changes(indent=False)


class Filler:
    """Fills templates with parts of one file.

    Args:
        outline: the file.
        names: what each import of the fix is called in it, by placeholder.
    """

    def __init__(self, outline: Outline, names: Mapping[str, str]) -> None:
        self.outline = outline
        self.names = names
        self.config = cst.PartialParserConfig(default_newline=outline.newline)

    def expression(self, template: str, parts: Mapping[str, ast.expr]) -> cst.BaseExpression:
        """The template as a tree, each part with parentheses where it needs them.

        Raises:
            CannotFix: a placeholder without a part, or a template that is no expression.
        """
        code, texts = self._numbered(template, parts)
        try:
            tree = cst.parse_expression(code)
        except cst.ParserSyntaxError as error:
            raise CannotFix(f"the template {template!r} is no expression") from error
        # A placeholder alone has no parent to ask; an argument takes anything.
        return self._filled(cst.Arg(tree), texts).value  # type: ignore[no-any-return]

    def statements(self, template: str, parts: Mapping[str, ast.expr]) -> list[cst.BaseStatement]:
        """The template as a list of statements, see `expression`."""
        code, texts = self._numbered(template, parts)
        try:
            tree = cst.parse_module(code.rstrip() + "\n", cst.PartialParserConfig(default_indent=" " * 4))
        except cst.ParserSyntaxError as error:
            raise CannotFix(f"the template {template!r} does not parse") from error
        filled = self._filled(tree.visit(_BareEmptyLines()), texts)
        first, *others = filled.body
        return [first.with_changes(leading_lines=[*filled.header, *first.leading_lines]), *others]

    def text(self, template: str, parts: Mapping[str, ast.expr]) -> str:
        """The template as text with each part in parentheses: right in meaning, whatever the layout."""
        pieces = []
        for literal, name in _fields(template):
            pieces.append(literal)
            if name is not None:
                pieces.append(f"({self._source(name, parts)})")
        return "".join(pieces)

    def _source(self, name: str, parts: Mapping[str, ast.expr]) -> str:
        """Text of a placeholder."""
        if name in parts:
            self.outline.find(parts[name])
            return self.outline.source.slice(parts[name])
        if name in self.names:
            return self.names[name]
        raise CannotFix(f"the template names {{{name}}}, which is neither a part nor an import of the fix")

    def _numbered(self, template: str, parts: Mapping[str, ast.expr]) -> tuple[str, dict[str, _Text]]:
        """The template with a fresh name for each placeholder, and what each name stands for."""
        texts: dict[str, _Text] = {}
        code = []
        for literal, name in _fields(template):
            code.append(literal)
            if name is not None:
                fresh = f"_part_{len(texts)}_"
                text = self._source(name, parts)
                indent = self.outline.indent_of(parts[name]) if name in parts and "\n" in text else ""
                texts[fresh] = _Text(text, indent)
                code.append(fresh)
        return "".join(code), texts

    def _filled(self, tree: Any, texts: Mapping[str, _Text]) -> Any:
        changes: dict[int, list[Change]] = {}
        stack = [tree]
        while stack:
            parent = stack.pop()
            for child in parent.children:
                stack.append(child)
                if isinstance(child, cst.Name) and child.value in texts:
                    part = self._part(texts[child.value], parent, child)
                    changes[id(child)] = [functools.partial(_given, part)]
        return tree.visit(Rewriter(changes))

    def _part(self, part: _Text, parent: cst.CSTNode, placeholder: cst.Name) -> Any:
        """A part as a tree, in parentheses if it needs them for a child of `parent`."""
        text = part.text
        try:
            node = self._parsed(part)
        except cst.ParserSyntaxError as error:
            raise CannotFix(f"a part of it cannot be moved: {text!r}") from error
        node = node.with_changes(
            lpar=[*placeholder.lpar, *node.lpar[1:]], rpar=[*node.rpar[:-1], *placeholder.rpar]
        )
        loose = not is_bracketed(parent) and not node.lpar and self._is_loose(text)
        if loose or binding(node) < required(parent, placeholder, node):
            return parenthesized(node)
        return node

    def _parsed(self, part: _Text) -> Any:
        """A part as a tree, in parentheses, whose lines know how far they are indented of their own."""
        code = f"({part.text})"
        if not part.indent:
            return cst.parse_expression(code, self.config)
        newline = self.outline.newline
        tree: Any = cst.parse_module(f"if 1:{newline}{part.indent}{code}{newline}", self.config)
        return tree.body[0].body.body[0].body[0].value

    def _is_loose(self, text: str) -> bool:
        """Whether the text spans lines outside brackets of its own."""
        if "\n" not in text:
            return False
        try:
            cst.parse_expression(text, self.config)
        except cst.ParserSyntaxError:
            return True
        return False


def _fields(template: str) -> list[tuple[str, str | None]]:
    """Literal texts, each with the placeholder after it, if there is one."""
    return [(literal, name) for literal, name, _, _ in string.Formatter().parse(template)]


def _given(node: Any, _: Any) -> Any:
    return node
