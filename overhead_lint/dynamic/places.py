"""Which node of a file's tree to count for a finding."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.analysis.parameters import all_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Span
    from overhead_lint.syntax.source import Source

__all__ = ["Counted", "counted_nodes"]

Counted = ast.expr | ast.stmt
"""A node whose evaluations are counted; of a statement the beginnings."""

_NO_VALUES: Final = (ast.FormattedValue, ast.Slice, ast.Starred)


def counted_nodes(tree: ast.Module, source: Source, spans: Iterable[Span]) -> dict[Span, Counted]:
    """The node to count for each span that a finding marks.

    That is the node with that span, or the statement around what is no value of its own: the target of
    an assignment, a slice. For a function, what decorates it or a parameter, it is the first statement of
    the body, since what is wrong with a function costs when it is called. A span without an answer is left
    out: a class, a function without a body to speak of, an annotation, a comment.

    Args:
        tree: the file's tree.
        source: its text, with which the tree's positions are turned into spans.
        spans: the places of findings.
    """
    wanted = set(spans)
    lines = {span.line for span in wanted}
    found: dict[Span, Counted] = {}
    for node, around in _walk(tree):
        if node.lineno in lines:
            span = source.span(node)
            if span in wanted and span not in found:
                counted = _counted(node, around)
                if counted is not None:
                    found[span] = counted
    return found


class _Around(NamedTuple):
    """What holds a node."""

    statement: ast.stmt | None = None
    decorated: ast.AST | None = None
    """The function that it decorates, or is a parameter of."""
    is_pattern: bool = False


def _walk(tree: ast.Module) -> Iterator[tuple[Counted | ast.arg, _Around]]:
    """Statements, parameters, and expressions but annotations, each after what holds it."""
    stack: list[tuple[ast.AST, _Around]] = [(tree, _Around())]
    while stack:
        node, around = stack.pop()
        if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
            yield node, around
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from ((parameter, _Around(node, node)) for parameter in _parameters(node.args))
        if isinstance(node, ast.stmt):
            around = _Around(node)
        elif isinstance(node, ast.pattern):
            around = around._replace(is_pattern=True)
        decorators = getattr(node, "decorator_list", ())
        annotations = (getattr(node, "annotation", None), getattr(node, "returns", None))
        for child in reversed(list(ast.iter_child_nodes(node))):
            if child in decorators and _is_function(node):
                stack.append((child, _Around(around.statement, node)))
            elif child not in annotations:
                stack.append((child, around))


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    starred = [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
    return [*all_parameters(arguments), *starred]


def _counted(node: Counted | ast.arg, around: _Around) -> Counted | None:
    if around.decorated is not None or isinstance(node, ast.arg) or _is_function(node):
        return _first_statement(around.decorated or node)
    is_value = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    if isinstance(node, _NO_VALUES) or not is_value or around.is_pattern:
        return around.statement
    return None if isinstance(node, ast.ClassDef) else node


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _first_statement(function: ast.AST) -> ast.stmt | None:
    body: list[ast.stmt] = getattr(function, "body", [])
    first = body[0] if body else None
    is_docstring = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return (body[1] if len(body) > 1 else None) if is_docstring else first
