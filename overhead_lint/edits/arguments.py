"""Changes to the lists that calls, functions, classes and tuples hold, with the layout that they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from overhead_lint.edits.model import CannotFix

if TYPE_CHECKING:
    from overhead_lint.edits.model import PackParameters

__all__ = ["add_base", "pack_parameters", "remove_argument", "remove_elements", "set_argument", "unwrapped"]

_EQUAL = cst.AssignEqual(
    whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")
)


def set_argument(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """The call with the keyword argument set, or added after all others."""
    for i, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return call.with_changes(
                args=[*call.args[:i], arg.with_changes(value=value), *call.args[i + 1 :]]
            )
    new = cst.Arg(value, keyword=cst.Name(name), equal=_EQUAL)
    args = list(call.args)
    if len(args) == 1 and isinstance(args[0].value, cst.GeneratorExp) and not args[0].value.lpar:
        value = args[0].value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        args = [args[0].with_changes(value=value)]
    return call.with_changes(args=_appended(args, new, call.whitespace_before_args))


def unwrapped(changed: Any, chain: Any, inner: cst.BaseExpression) -> Any:
    """What a chain of calls begins with, in the parentheses of the chain.

    Args:
        changed: the chain with what is changed in it.
        chain: the chain as it was.
        inner: what it begins with, in `chain`.

    Raises:
        CannotFix: the chain does not begin so.
    """
    left, right = chain.lpar, chain.rpar
    while chain is not inner:
        if isinstance(chain, cst.Call):
            chain, changed = chain.func, changed.func
        elif isinstance(chain, cst.Attribute):
            chain, changed = chain.value, changed.value
        else:
            raise CannotFix("its chain of calls was not found")
    return changed.with_changes(lpar=[*left, *changed.lpar], rpar=[*changed.rpar, *right])


def remove_argument(call: cst.Call, key: str | int) -> cst.Call:
    """The call without one argument.

    Raises:
        CannotFix: there is no such argument.
    """
    args = list(call.args)
    if isinstance(key, str):
        found = [i for i, arg in enumerate(args) if arg.keyword is not None and arg.keyword.value == key]
    else:
        positional = [i for i, arg in enumerate(args) if arg.keyword is None and arg.star != "**"]
        found = positional[key : key + 1]
    if not found:
        raise CannotFix(f"the call has no argument {key!r}")
    gone = args.pop(found[0])
    if args and found[0] == len(args):  # it was the last: what stood before the bracket still does
        comma: Any = gone.comma
        if isinstance(comma, cst.Comma):
            args[-1] = args[-1].with_changes(comma=comma)
        else:
            args[-1] = args[-1].with_changes(
                comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=gone.whitespace_after_arg
            )
    return call.with_changes(args=args)


def remove_elements(node: cst.Tuple, indexes: frozenset[int]) -> cst.Tuple:
    """The tuple without some of its elements."""
    elements = [element for index, element in enumerate(node.elements) if index not in indexes]
    comma: Any = node.elements[-1].comma
    if len(elements) == 1 and not isinstance(comma, cst.Comma):
        comma = cst.Comma()
    elements[-1] = elements[-1].with_changes(comma=comma)
    return node.with_changes(elements=elements)


def pack_parameters(
    function: cst.FunctionDef, edit: PackParameters, annotation: cst.BaseExpression | None
) -> cst.FunctionDef:
    """The function with one parameter in place of several.

    Raises:
        CannotFix: one of them is not among its plain positional parameters.
    """
    before = function.params.params
    gone = [param for param in before if param.name.value in edit.packed]
    if len(gone) != len(edit.packed):
        raise CannotFix("a parameter was not found")
    new = cst.Param(
        cst.Name(edit.name),
        cst.Annotation(annotation) if annotation is not None else None,
        comma=gone[0].comma,
        whitespace_after_param=gone[0].whitespace_after_param,
    )
    after = [new if param is gone[0] else param for param in before if param is gone[0] or param not in gone]
    if before[-1] in gone:  # what stood before the bracket still does
        after[-1] = after[-1].with_changes(
            comma=before[-1].comma, whitespace_after_param=before[-1].whitespace_after_param
        )
    return function.with_changes(params=function.params.with_changes(params=after))


def add_base(cls: cst.ClassDef, base: cst.BaseExpression, *, first: bool) -> cst.ClassDef:
    """The class with one more base, before or after those that it has."""
    new = cst.Arg(base)
    bases = list(cls.bases)
    if not bases:
        if cls.keywords:
            new = new.with_changes(comma=_comma())
        return cls.with_changes(bases=[new], **_brackets(cls))
    if first:
        comma: Any = bases[0].comma
        separator = comma.whitespace_after if len(bases) > 1 and isinstance(comma, cst.Comma) else None
        new = new.with_changes(comma=_comma(_without_comments(separator) if separator else None))
        return cls.with_changes(bases=[new, *bases])
    if cls.keywords:
        return cls.with_changes(bases=[*bases, new.with_changes(comma=_comma())])
    return cls.with_changes(bases=_appended(bases, new, cst.SimpleWhitespace("")))


def _brackets(cls: cst.ClassDef) -> dict[str, Any]:
    if isinstance(cls.lpar, cst.LeftParen):
        return {}
    return {"lpar": cst.LeftParen(), "rpar": cst.RightParen()}


def _comma(after: Any = None) -> cst.Comma:
    return cst.Comma(whitespace_after=after or cst.SimpleWhitespace(" "))


def _appended(args: Sequence[cst.Arg], new: cst.Arg, lead: Any) -> list[cst.Arg]:
    """The arguments and one more, on a line of its own if the last one has that.

    Args:
        args: the arguments so far.
        new: one without comma or blanks.
        lead: whitespace between the opening bracket and the first argument.
    """
    if not args:
        return [new]
    *before, last = args
    comma: Any = last.comma
    trailing = comma.whitespace_after if isinstance(comma, cst.Comma) else last.whitespace_after_arg
    if isinstance(trailing, cst.ParenthesizedWhitespace):
        previous: Any = before[-1].comma if before else None
        separator = previous.whitespace_after if previous is not None else lead
        between: Any = cst.SimpleWhitespace(" ")
        if isinstance(separator, cst.ParenthesizedWhitespace):
            between = trailing.with_changes(indent=separator.indent, last_line=separator.last_line)
        elif trailing.first_line.comment or trailing.empty_lines:
            between = trailing
        tail = _without_comments(trailing)
    else:
        between, tail = cst.SimpleWhitespace(" "), trailing
    if isinstance(comma, cst.Comma):
        new = new.with_changes(comma=comma.with_changes(whitespace_after=tail))
    else:
        new = new.with_changes(whitespace_after_arg=tail)
    last = last.with_changes(comma=_comma(between), whitespace_after_arg=cst.SimpleWhitespace(""))
    return [*before, last, new]


def _without_comments(space: Any) -> Any:
    """The whitespace with its line ends and indentation, but no comments or empty lines."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return space
    return space.with_changes(
        first_line=space.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace("")),
        empty_lines=[],
    )
