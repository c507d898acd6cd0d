"""From declarative edits to text edits: expressions and headers, on a libcst tree of their lines."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from overhead_lint.edits import arguments
from overhead_lint.edits.lines import splice, statement_edit
from overhead_lint.edits.model import (
    AddBase,
    AddDecorator,
    AnyEdit,
    CannotFix,
    InsertStatements,
    PackParameters,
    RemoveArgument,
    RemoveDecorator,
    RemoveElements,
    RemoveStatement,
    ReplaceExpression,
    ReplaceStatement,
    SetArgument,
    UnwrapCall,
)
from overhead_lint.edits.narrow import narrowed
from overhead_lint.edits.outline import Region, outline, parse
from overhead_lint.edits.precedence import binding, required
from overhead_lint.edits.syntax import Change, Syntax, comments, needs_new_f_strings
from overhead_lint.edits.templates import Filler, parenthesized
from overhead_lint.rule import TextEdit

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

__all__ = ["text_edits"]

_STATEMENT_EDITS = (InsertStatements, RemoveStatement, ReplaceStatement)


def text_edits(
    edits: Iterable[AnyEdit], names: Mapping[str, str], source: Source, *, keep_comments: bool
) -> list[TextEdit]:
    """The text edits that carry out the edits of one fix.

    Args:
        edits: edits on nodes of any parse of `source`, disjoint from each other.
        names: what each import of the fix is called in this file, by placeholder.
        source: the file.
        keep_comments: refuse where a comment would be lost.

    Returns:
        Edits in order, not overlapping.

    Raises:
        CannotFix: some edit cannot be carried out, so none is.
    """
    out = outline(source)
    filler = Filler(out, names)
    groups: dict[tuple[int, int], tuple[Region, list[AnyEdit]]] = {}
    for edit in edits:
        header = None if isinstance(edit, _STATEMENT_EDITS) else edit.node
        region = out.region(out.find(edit.node), header)
        groups.setdefault((region.start, len(region.text)), (region, []))[1].append(edit)
    result: list[TextEdit] = []
    for region, group in groups.values():
        result += _region_edits(region, group, filler, keep_comments=keep_comments)
    return _ordered(result)


def _ordered(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits in the order of the file, those of one place in the order in which they come.

    Raises:
        CannotFix: two of them change the same text.
    """
    result = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for before, after in itertools.pairwise(result):
        if before.end > after.start:
            raise CannotFix("its edits overlap")
    return result


def _region_edits(
    region: Region, edits: Sequence[AnyEdit], filler: Filler, *, keep_comments: bool
) -> list[TextEdit]:
    """The edits of one region."""
    syntax = Syntax(region, filler.outline)
    result = [statement_edit(edit, filler) for edit in edits if isinstance(edit, _STATEMENT_EDITS)]
    inner = [edit for edit in edits if not isinstance(edit, _STATEMENT_EDITS)]
    if inner:
        _refuse_nested(inner, filler)
        result += narrowed(region.text, _rewritten(syntax, inner, filler), region.start)
    result = _ordered(result)
    after = splice(region.text, result, region.start)
    code = region.prefix + after + region.suffix if after.strip() else ""  # all of it was removed
    parse(code, "the result")
    if needs_new_f_strings(code) and not needs_new_f_strings(region.code):
        raise CannotFix("it is inside an f-string, which Python before 3.12 could not read then")
    lost = _lost(comments(region.code), comments(code))
    removes = any(isinstance(edit, (RemoveStatement, PackParameters, RemoveElements)) for edit in edits)
    if lost and (keep_comments or removes):
        raise CannotFix(f"a comment would be lost: {lost[0]}")
    return result


def _refuse_nested(edits: Sequence[AnyEdit], filler: Filler) -> None:
    """Raise `CannotFix` where one edit replaces what another one changes inside."""
    spans = [filler.outline.source.offsets(edit.node) for edit in edits]
    for edit, (start, end) in zip(edits, spans, strict=True):
        within = sum(start <= inner and last <= end for inner, last in spans)
        if isinstance(edit, ReplaceExpression) and within > 1:
            raise CannotFix("its edits overlap")


def _lost(before: list[str], after: list[str]) -> list[str]:
    left = list(after)
    lost = []
    for comment in before:
        if comment in left:
            left.remove(comment)
        else:
            lost.append(comment)
    return lost


def _rewritten(syntax: Syntax, edits: Sequence[AnyEdit], filler: Filler) -> str:
    """The region's text after edits of expressions and headers.

    The tree decides the layout; the meaning is checked apart from it, since what is parsed from
    the text with every part in parentheses must be the same.
    """
    region = syntax.region
    replacements = [edit for edit in edits if isinstance(edit, ReplaceExpression)]
    if len(replacements) < len(edits):
        return _by_tree(syntax, edits, filler)
    meaning = _dump(
        region, [_piece(edit, f"({filler.text(edit.template, edit.parts)})", filler) for edit in replacements]
    )
    for way in (_by_tree, _by_text):
        try:
            text = way(syntax, replacements, filler)
            if ast.dump(parse(region.prefix + text + region.suffix, "the result")) == meaning:
                return text
        except CannotFix:
            if way is _by_text:
                raise
    raise CannotFix("the result would mean something else")


def _by_tree(syntax: Syntax, edits: Sequence[AnyEdit], filler: Filler) -> str:
    changes: dict[int, list[Change]] = {}
    for edit in edits:
        node, change = _change(syntax, edit, filler)
        changes.setdefault(id(node), []).append(change)
    return syntax.text(syntax.rewrite(changes))


def _by_text(syntax: Syntax, edits: Sequence[ReplaceExpression], filler: Filler) -> str:
    """Each expression cut out and replaced, in parentheses: for what libcst takes to be invalid.

    Its checks of words without blanks between them overlook some parentheses, and a part over
    several lines needs them where the tree shows no precedence.
    """
    pieces = []
    for edit in edits:
        old = syntax.find(edit.node)
        code = syntax.module.code_for_node(filler.expression(edit.template, edit.parts))
        bracketed = len(old.lpar) > _owns_brackets(edit.node, old)
        pieces.append(_piece(edit, code if bracketed else f"({code})", filler))
    return splice(syntax.region.text, sorted(pieces), syntax.region.start)


def _piece(edit: ReplaceExpression, text: str, filler: Filler) -> TextEdit:
    start, end = filler.outline.source.offsets(edit.node)
    return TextEdit(start, end, text)


def _dump(region: Region, pieces: Sequence[TextEdit]) -> str:
    """Dump of the tree of the region with pieces of its text replaced."""
    text = splice(region.text, sorted(pieces), region.start)
    return ast.dump(parse(region.prefix + text + region.suffix, "the result"))


def _change(syntax: Syntax, edit: AnyEdit, filler: Filler) -> tuple[Any, Change]:
    """The node of the tree that an edit is about, and what is done to it."""
    if isinstance(edit, ReplaceExpression):
        old = syntax.find(edit.node)
        new = filler.expression(edit.template, edit.parts)
        new = _fitted(new, old, syntax.parents[id(old)], own=_owns_brackets(edit.node, old))
        return old, lambda _: new
    if isinstance(edit, SetArgument):
        value = filler.expression(edit.template, edit.parts)
        if binding(value) < 1:
            value = parenthesized(value)
        return syntax.find(edit.node), lambda call: arguments.set_argument(call, edit.name, value)
    if isinstance(edit, UnwrapCall):
        chain, inner = syntax.find(edit.node), syntax.find(edit.inner)
        return chain, lambda changed: arguments.unwrapped(changed, chain, inner)
    if isinstance(edit, RemoveArgument):
        return syntax.find(edit.node), lambda call: arguments.remove_argument(call, edit.key)
    if isinstance(edit, RemoveElements):
        return syntax.find(edit.node), lambda node: arguments.remove_elements(node, edit.indexes)
    return _header_change(syntax, edit, filler)


def _header_change(syntax: Syntax, edit: AnyEdit, filler: Filler) -> tuple[Any, Change]:
    """The same for edits of a definition's header."""
    definition: Any = syntax.statements[0]
    if syntax.region.climbed or not isinstance(definition, (cst.ClassDef, cst.FunctionDef)):
        raise CannotFix("its definition was not found")
    if isinstance(edit, AddBase):
        base = filler.expression(edit.template, {})
        return definition, lambda cls: arguments.add_base(cls, base, first=edit.first)
    if isinstance(edit, AddDecorator):
        decorator = cst.Decorator(filler.expression(edit.template, edit.parts))
        return definition, functools.partial(_decorated, decorator, outermost=edit.outermost)
    if isinstance(edit, PackParameters):
        annotation = filler.expression(edit.annotation, edit.parts) if edit.annotation else None
        return definition, lambda function: arguments.pack_parameters(function, edit, annotation)
    if isinstance(edit, RemoveDecorator):
        expression = syntax.find(edit.decorator)
        gone = syntax.parents[id(expression)]
        if not isinstance(gone, cst.Decorator):
            raise CannotFix("its decorator was not found")
        return gone, lambda _: cst.RemoveFromParent()
    raise CannotFix(f"an edit {type(edit).__name__} is not known")


def _decorated(decorator: cst.Decorator, definition: Any, *, outermost: bool) -> Any:
    others = definition.decorators
    if not others:
        # What stood above the definition stays above the decorator.
        decorator = decorator.with_changes(leading_lines=definition.leading_lines)
        return definition.with_changes(decorators=[decorator], leading_lines=[])
    if outermost:
        decorator = decorator.with_changes(leading_lines=others[0].leading_lines)
        others = [others[0].with_changes(leading_lines=[]), *others[1:]]
        return definition.with_changes(decorators=[decorator, *others])
    return definition.with_changes(decorators=[*others, decorator])


def _owns_brackets(node: ast.expr, old: cst.BaseExpression) -> bool:
    """Whether the innermost parentheses belong to the node itself."""
    return isinstance(node, (ast.Tuple, ast.GeneratorExp)) and bool(old.lpar)


def _fitted(new: Any, old: cst.BaseExpression, parent: cst.CSTNode, *, own: bool) -> Any:
    """The new expression with the parentheses around the old one, or with those that it needs."""
    layers = len(old.lpar) - own
    if layers:
        return new.with_changes(lpar=[*old.lpar[:layers], *new.lpar], rpar=[*new.rpar, *old.rpar[own:]])
    if binding(new) < required(parent, old, new):
        return parenthesized(new)
    return new
