"""Which of its arguments a call writes to.

Three sources say so: the alias annotations of aten's schemas and what torch's signatures tell (`out`,
`inplace`), which stand in the signatures; tables, for what neither says (running statistics, collectives);
and torch's habit of ending the names of what works in place with an underscore.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeVar

from overhead_lint.analysis.effects.binding import bound_to
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.analysis.effects.signatures import Form, signatures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from overhead_lint.analysis.effects.binding import Bound
    from overhead_lint.analysis.effects.effect import Effect
    from overhead_lint.analysis.effects.signatures import Parameter

__all__ = ["mutated_arguments", "mutated_by_call"]

T = TypeVar("T")

_FALSE: Final = frozenset({"False", "None", "0", "0.0"})
_TENSOR: Final = "torch.Tensor."


def mutated_arguments(
    api: str,
    args: Sequence[T],
    keywords: Sequence[tuple[str | None, T]] = (),
    *,
    is_starred: Callable[[T], bool] | None = None,
    is_false: Callable[[T], bool] | None = None,
) -> tuple[T, ...] | None:
    """The arguments that a call writes to, or may.

    Args:
        api: the qualified name of what is called; of a method of tensors ``torch.Tensor.add_``, of an
            operator ``torch.ops.aten.add_``.
        args: what is given by place; for a method it begins with what that is called on.
        keywords: what is given by keyword; None as its name for ``**more``.
        is_starred: whether an argument by place is ``*more``: such count as written, and so do those behind,
            if anything is written that they may be.
        is_false: whether an argument is certainly false, or None: ``inplace=False``.

    Returns:
        None where nothing is known of the API. What is given for ``out`` may be a tuple.
    """
    told = effect(api)
    ways = signatures(api)
    if not ways:
        if told.writes:  # known by name alone: what stands by keyword
            return tuple(value for name, value in keywords if name is None or name in told.writes)
        return tuple(args[:1]) if _is_in_place(api) else None
    bounds = [
        bound for way in ways if (bound := bound_to(way, args, keywords, is_starred=is_starred)) is not None
    ]
    if not bounds:
        return None  # it is called in a way that torch does not know, or not yet
    starred = _starred(args, is_starred)
    starred_names = tuple(value for name, value in keywords if name is None)
    found: dict[int, T] = {}
    for bound in bounds:
        for one in _written(bound, told):
            hidden = starred_names if one.form is Form.BY_NAME else (*starred, *starred_names)
            condition = told.writes_if if one.name in told.writes else one.writes_if
            if _holds(condition, bound, bool(starred or starred_names), is_false):
                given = (bound.arguments[one.name],) if one.name in bound.arguments else None
                for argument in given or bound.rest.get(one.name, ()) or hidden:
                    found[id(argument)] = argument
    return tuple(found.values())


def mutated_by_call(call: ast.Call, qualified: str | None) -> tuple[ast.expr, ...] | None:
    """The expressions that a call writes to, or may; those in lists and tuples one by one.

    Args:
        call: the call.
        qualified: the qualified name of what it calls; None for a method, which is taken for one of tensors.

    Returns:
        None where nothing is known of what is called.
    """
    args = list(call.args)
    if qualified is None:
        if not isinstance(call.func, ast.Attribute):
            return None
        qualified = _TENSOR + call.func.attr
        args.insert(0, call.func.value)
    keywords = [(item.arg, item.value) for item in call.keywords]
    found = mutated_arguments(qualified, args, keywords, is_starred=_is_starred, is_false=_is_false)
    return None if found is None else tuple(one for argument in found for one in _parts(argument))


def _is_in_place(api: str) -> bool:
    """Whether the name of an API that torch has, or had, says that it works in place."""
    return api.startswith("torch.") and api.endswith("_") and not api.endswith("__")


def _written(bound: Bound, told: Effect) -> Iterator[Parameter]:
    """The parameters that a call writes to, by its signature or by a table."""
    for one in bound.signature.parameters:
        if one.writes or one.name in told.writes:
            yield one


def _holds(condition: str, bound: Bound, hides: bool, is_false: Callable[[T], bool] | None) -> bool:
    """Whether the parameter that a write depends on may be true."""
    if not condition:
        return True
    if condition in bound.arguments:
        return is_false is None or not is_false(bound.arguments[condition])
    default = next((one.default for one in bound.signature.parameters if one.name == condition), None)
    return hides or default not in _FALSE


def _starred(args: Sequence[T], is_starred: Callable[[T], bool] | None) -> tuple[T, ...]:
    """Arguments by place whose parameters do not show: ``*more``, and what stands behind."""
    if is_starred is None:
        return ()
    return tuple(args[next((index for index, one in enumerate(args) if is_starred(one)), len(args)) :])


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple)):
        for one in node.elts:
            yield from _parts(one)
    elif isinstance(node, ast.Starred):
        yield from _parts(node.value)
    else:
        yield node
