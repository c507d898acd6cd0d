"""A region as a libcst tree: parsed, checked to come back as it was, and addressed by position."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from overhead_lint.edits.model import CannotFix
from overhead_lint.errors import pass_interrupt_on

if TYPE_CHECKING:
    from overhead_lint.edits.outline import Outline, Region

__all__ = ["Change", "Rewriter", "Syntax", "comments", "needs_new_f_strings"]

Change = Callable[[Any], Any]
"""From a node, its children already rewritten, to what takes its place."""
Key = tuple[int, int, int, int]

# Classes of libcst that stand for a class of ast. Positions alone would confuse an expression
# with the statement or argument that consists of it.
_CLASSES: dict[type[ast.AST], tuple[type[cst.CSTNode], ...]] = {
    ast.Attribute: (cst.Attribute,),
    ast.Await: (cst.Await,),
    ast.BinOp: (cst.BinaryOperation,),
    ast.BoolOp: (cst.BooleanOperation,),
    ast.Call: (cst.Call,),
    ast.Compare: (cst.Comparison,),
    ast.Constant: (
        cst.Integer,
        cst.Float,
        cst.Imaginary,
        cst.SimpleString,
        cst.ConcatenatedString,
        cst.Ellipsis,
        cst.Name,
    ),
    ast.Dict: (cst.Dict,),
    ast.DictComp: (cst.DictComp,),
    ast.GeneratorExp: (cst.GeneratorExp,),
    ast.IfExp: (cst.IfExp,),
    ast.JoinedStr: (cst.FormattedString, cst.ConcatenatedString),
    ast.Lambda: (cst.Lambda,),
    ast.List: (cst.List,),
    ast.ListComp: (cst.ListComp,),
    ast.Name: (cst.Name,),
    ast.NamedExpr: (cst.NamedExpr,),
    ast.Set: (cst.Set,),
    ast.SetComp: (cst.SetComp,),
    ast.Subscript: (cst.Subscript,),
    ast.Tuple: (cst.Tuple,),
    ast.UnaryOp: (cst.UnaryOperation,),
    ast.Yield: (cst.Yield,),
    ast.YieldFrom: (cst.Yield,),
}
# What libcst and its checks raise on code that they cannot do.
_FAILURES = (
    cst.ParserSyntaxError,
    cst.CSTValidationError,
    RecursionError,
    SyntaxError,
    TypeError,  # libcst 1.9 on ``return(lambda: x)``
    ValueError,
)
_NEWLINE = re.compile(r"\r\n|\n")


def comments(code: str) -> list[str]:
    """All comments in a text that parses."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def needs_new_f_strings(code: str) -> bool:
    """Whether f-strings of a text that parses have in their braces what Python reads from 3.12 on only.

    That is their own quotes, backslashes and comments. Older ones read no such text.
    """
    begin, middle, end = (getattr(tokenize, f"FSTRING_{part}", None) for part in ("START", "MIDDLE", "END"))
    if begin is None:
        return False
    quotes: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == end:
            quotes.pop()
        elif token.type in (tokenize.STRING, tokenize.COMMENT, begin, middle):
            around = quotes[:-1] if token.type == middle else quotes
            if around and (token.type == tokenize.COMMENT or "\\" in token.string):
                return True
            if any(quote in token.string for quote in around):
                return True
            if token.type == begin:
                quotes.append(token.string.lstrip("fFrR"))
    return False


class Syntax:
    """The libcst tree of a region.

    Args:
        region: the lines.
        outline: the file's layout.

    Raises:
        CannotFix: libcst does not parse it, or does not give it back as it was.
    """

    def __init__(self, region: Region, outline: Outline) -> None:
        self.region = region
        self.outline = outline
        self.module = _parsed(region.code, outline)
        self.parents: dict[int, cst.CSTNode] = {}
        self._index: dict[Key, list[cst.CSTNode]] = {}
        self._number()

    @property
    def statements(self) -> list[cst.BaseStatement]:
        """The region's own statements (one, or those that share a line are one too)."""
        body: Any = self.module.body
        if self.region.prefix:
            body = body[0].body.body
        return list(body)

    def find(self, node: ast.expr) -> cst.BaseExpression:
        """The expression that stands where the `ast` node stands.

        Raises:
            CannotFix: there is none of the node's class.
        """
        for candidate in self._index.get(self._key(node), ()):
            if isinstance(candidate, _CLASSES.get(type(node), ())):
                assert isinstance(candidate, cst.BaseExpression)
                return candidate
        raise CannotFix(f"its {type(node).__name__} expression was not found by position")

    def rewrite(self, changes: dict[int, list[Change]]) -> cst.Module:
        """The tree with the changes applied, inner nodes first.

        Args:
            changes: functions to apply, by ``id`` of the node in this tree.

        Raises:
            CannotFix: the changed tree is no valid syntax.
        """
        try:
            result = self.module.visit(Rewriter(changes))
        except _FAILURES as error:
            pass_interrupt_on(error)
            raise CannotFix(f"its lines cannot be edited: {_first_line(error)}") from error
        assert isinstance(result, cst.Module)
        return result

    def text(self, module: cst.Module) -> str:
        """The region's text from a rewritten tree, prefix and suffix taken off again.

        Raises:
            CannotFix: the tree lost them.
        """
        region = self.region
        code = module.code
        if not code.startswith(region.prefix) or not code.endswith(region.suffix):
            raise CannotFix("its lines cannot be edited")
        return code[len(region.prefix) : len(code) - len(region.suffix)]

    def _number(self) -> None:
        """Note the parent and the position of every node."""
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        positions: Any = wrapper.resolve(PositionProvider)
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            for child in node.children:
                self.parents[id(child)] = node
                stack.append(child)
            if isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement)):
                span: CodeRange = positions[node]
                if isinstance(node, (cst.Tuple, cst.GeneratorExp)) and node.lpar:
                    # ast counts the parentheses of these as theirs.
                    span = CodeRange(positions[node.lpar[-1]].start, positions[node.rpar[0]].end)
                key = (span.start.line, span.start.column, span.end.line, span.end.column)
                self._index.setdefault(key, []).append(node)

    def _key(self, node: ast.expr | ast.stmt) -> Key:
        """The position of an `ast` node in the parsed code, columns in characters."""
        source, shift = self.outline.source, self.region.line_shift
        start, end = source.offsets(node)
        end_line = node.end_lineno or 0
        starts = source.starts
        return (
            node.lineno + shift,
            start - starts[node.lineno - 1],
            end_line + shift,
            end - starts[end_line - 1],
        )


class Rewriter(cst.CSTTransformer):
    """Applies changes by the identity of nodes, inner nodes first."""

    def __init__(self, changes: dict[int, list[Change]]) -> None:
        super().__init__()
        self.changes = changes

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        """Apply the node's changes, in order."""
        for change in self.changes.get(id(original_node), ()):
            updated_node = change(updated_node)
        return updated_node


def _first_line(error: Exception) -> str:
    return (_NEWLINE.split(str(error)) or [""])[0] or type(error).__name__


def _parsed(code: str, outline: Outline) -> cst.Module:
    """Parse with the file's own indentation and line ends as defaults.

    Raises:
        CannotFix: libcst does not parse it, or does not give it back as it was.
    """
    config = cst.PartialParserConfig(default_indent=outline.indent, default_newline=outline.newline)
    try:
        module = cst.parse_module(code, config)
        same = module.code == code
    except _FAILURES as error:
        pass_interrupt_on(error)
        raise CannotFix(f"its lines cannot be edited: {_first_line(error)}") from error
    if not same:
        raise CannotFix("its lines would not come back as they were")
    return module
