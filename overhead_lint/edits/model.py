"""What a rule says about a rewrite: small records that hold `ast` nodes and templates.

Nothing here parses or writes anything; `overhead_lint.fixing.fixer` turns the records into text, with
libcst, and only when a fix is shown or applied.

**Templates** are Python code with placeholders. ``{name}`` stands for the part of that name, or
for the import of that name which the fix asks for, under whatever local name the file gets or
already has for it::

    replace(call, "{runtime}.wait_stream({consumer}, {producer})",
            consumer=call.func.value, producer=call.args[0])

A part keeps its own text, comments and layout included, and is put in parentheses where the
template needs them. A literal brace is written twice, as in `str.format`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from overhead_lint.rule import Import
from overhead_lint.tuples import NamedTuple

__all__ = [
    "AddBase",
    "AddDecorator",
    "AnyEdit",
    "CannotFix",
    "InsertStatements",
    "PackParameters",
    "RemoveArgument",
    "RemoveDecorator",
    "RemoveElements",
    "RemoveStatement",
    "ReplaceExpression",
    "ReplaceStatement",
    "SetArgument",
    "UnwrapCall",
    "add_base",
    "add_decorator",
    "insert_after",
    "insert_before",
    "pack_parameters",
    "remove_argument",
    "remove_decorator",
    "remove_elements",
    "remove_statement",
    "replace",
    "replace_callee",
    "replace_commented",
    "replace_statement",
    "runtime_import",
    "set_argument",
    "unwrap",
]

Parts = Mapping[str, ast.expr]
_NO_PARTS: Final[Parts] = MappingProxyType({})
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class CannotFix(Exception):
    """A fix that cannot be applied to this source; the message says why, for the user."""


class ReplaceExpression(NamedTuple):
    """The expression `node` becomes `template`."""

    node: ast.expr
    template: str
    parts: Parts = _NO_PARTS


class SetArgument(NamedTuple):
    """The keyword argument `name` of the call `node` becomes `template`, or is added at the end."""

    node: ast.Call
    name: str
    template: str
    parts: Parts = _NO_PARTS


class UnwrapCall(NamedTuple):
    """The chain of calls `node` becomes `inner`, what it begins with, which other edits may change."""

    node: ast.Call
    inner: ast.expr


class RemoveArgument(NamedTuple):
    """The call `node` loses one argument: a keyword, or a positional one by its index."""

    node: ast.Call
    key: str | int


class RemoveElements(NamedTuple):
    """The tuple `node` loses elements, by their indexes, but not all."""

    node: ast.Tuple
    indexes: frozenset[int]


class AddBase(NamedTuple):
    """The class `node` gets one more base."""

    node: ast.ClassDef
    template: str
    first: bool = True


class AddDecorator(NamedTuple):
    """The definition `node` gets a decorator: above the others, or next to the definition."""

    node: Definition
    template: str
    outermost: bool = True
    parts: Parts = _NO_PARTS


class RemoveDecorator(NamedTuple):
    """The definition `node` loses one of its decorators."""

    node: Definition
    decorator: ast.expr


class PackParameters(NamedTuple):
    """Parameters of the function `node` become one, where the first of them stood."""

    node: ast.FunctionDef
    packed: tuple[str, ...]
    name: str
    annotation: str = ""
    parts: Parts = _NO_PARTS


class ReplaceStatement(NamedTuple):
    """The statement `node` becomes the statements of `template`."""

    node: ast.stmt
    template: str
    parts: Parts = _NO_PARTS
    with_comment: bool = False
    """Whether the comment at the end of its last line goes, too, which the template has then."""


class InsertStatements(NamedTuple):
    """The statements of `template` are put right before, or right after, the statement `node`."""

    node: ast.stmt
    template: str
    after: bool
    parts: Parts = _NO_PARTS
    blank_lines: int = 0
    """Empty lines between what is put before the statement and the statement."""


class RemoveStatement(NamedTuple):
    """The statement `node` goes away; ``pass`` takes its place in an otherwise empty body."""

    node: ast.stmt


AnyEdit = (
    ReplaceExpression
    | SetArgument
    | UnwrapCall
    | RemoveArgument
    | RemoveElements
    | AddBase
    | AddDecorator
    | RemoveDecorator
    | PackParameters
    | ReplaceStatement
    | InsertStatements
    | RemoveStatement
)


def runtime_import(module: str) -> Import:
    """The import behind ``{runtime}`` in templates.

    Args:
        module: dotted name of the runtime module, as in `Context.runtime_module`.

    Returns:
        An import for `Fix.imports`: ``overhead_lint.runtime`` gives ``from overhead_lint import
        runtime``, ``fast`` gives ``import fast``.
    """
    package, _, name = module.rpartition(".")
    return Import(package, name, "runtime") if package else Import(module, "", "runtime")


def replace(node: ast.expr, template: str, **parts: ast.expr) -> ReplaceExpression:
    """The expression becomes the template; parentheses are added where its surroundings need them.

    Several of these with disjoint nodes may make up one fix, also across statements: a loop's
    target, its iterable, and each use in its body.

    Args:
        node: the expression to replace; a target in ``Store`` context is one too.
        template: an expression, see the module's text.
        **parts: expressions of the same file that the placeholders stand for.
    """
    return ReplaceExpression(node, template, parts)


def replace_callee(call: ast.Call, template: str) -> ReplaceExpression:
    """The call's function becomes the template, such as ``{runtime}.autocast``; arguments stay."""
    return ReplaceExpression(call.func, template)


def set_argument(call: ast.Call, name: str, template: str, **parts: ast.expr) -> SetArgument:
    """The keyword argument becomes the template; it is added after the others if there was none."""
    return SetArgument(call, name, template, parts)


def unwrap(call: ast.Call, inner: ast.expr) -> UnwrapCall:
    """Of ``inner(...).half().to(x)`` only what it begins with is left, laid out as it is."""
    return UnwrapCall(call, inner)


def remove_argument(call: ast.Call, key: str | int) -> RemoveArgument:
    """The call loses a keyword argument (by name), or a positional one (by index from 0)."""
    return RemoveArgument(call, key)


def remove_elements(node: ast.Tuple, indexes: Iterable[int]) -> RemoveElements:
    """The tuple loses elements, by their indexes from 0, but not all of them."""
    return RemoveElements(node, frozenset(indexes))


def add_base(cls: ast.ClassDef, template: str, *, first: bool = True) -> AddBase:
    """The class gets a base such as ``{runtime}.CachedRepr``, before or after those that it has."""
    return AddBase(cls, template, first)


def add_decorator(
    node: Definition, template: str, *, outermost: bool = True, **parts: ast.expr
) -> AddDecorator:
    """The function or class gets a decorator; the template comes without ``@``.

    Args:
        node: the definition.
        template: an expression, see the module's text.
        outermost: put it above the others; else right above ``def`` or ``class``.
        **parts: expressions of the same file that the placeholders stand for.
    """
    return AddDecorator(node, template, outermost, parts)


def remove_decorator(node: Definition, decorator: ast.expr) -> RemoveDecorator:
    """The function or class loses this element of its ``decorator_list``."""
    return RemoveDecorator(node, decorator)


def pack_parameters(
    node: ast.FunctionDef, packed: Iterable[str], name: str, *, annotation: str = "", **parts: ast.expr
) -> PackParameters:
    """Positional parameters of a function become one, without a default, where the first of them stood.

    Args:
        node: the function.
        packed: the names of the parameters that go.
        name: what the one in their place is called.
        annotation: a template of its annotation; none by default.
        **parts: the placeholders of the template.
    """
    return PackParameters(node, tuple(packed), name, annotation, parts)


def replace_statement(stmt: ast.stmt, template: str, **parts: ast.expr) -> ReplaceStatement:
    """The statement becomes the template, which may be several lines (nested ones indented by four blanks).

    A comment at the end of the line stays there.
    """
    return ReplaceStatement(stmt, template, parts)


def replace_commented(stmt: ast.stmt, template: str, **parts: ast.expr) -> ReplaceStatement:
    """The statement becomes the template, and so does a comment at the end of its last line."""
    return ReplaceStatement(stmt, template, parts, with_comment=True)


def insert_before(
    stmt: ast.stmt, template: str, *, blank_lines: int = 0, **parts: ast.expr
) -> InsertStatements:
    """The statements of the template are put right before the statement, above its decorators.

    Args:
        stmt: the statement.
        template: the new statements.
        blank_lines: how many empty lines stand between them and the statement.
        **parts: the placeholders of the template.
    """
    return InsertStatements(stmt, template, after=False, parts=parts, blank_lines=blank_lines)


def insert_after(stmt: ast.stmt, template: str, **parts: ast.expr) -> InsertStatements:
    """The statements of the template are put right after the statement."""
    return InsertStatements(stmt, template, after=True, parts=parts)


def remove_statement(stmt: ast.stmt) -> RemoveStatement:
    """The statement goes away. A comment on its lines stops the fix rather than going with it."""
    return RemoveStatement(stmt)
