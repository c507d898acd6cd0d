"""Binds the arguments of a call to parameters, so that each form of the call is one.

``F.pad(x, pad=[1, 1])`` and ``F.pad(x, [1, 1])`` bind the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from overhead_lint.analysis.effects.signatures import Form, Parameter, Signature, Type, signatures
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Bound", "bind", "bound_to"]

T = TypeVar("T")


class Bound(NamedTuple):
    """The arguments of a call, by parameter.

    Attributes:
        signature: the overload that the call fits.
        arguments: what each parameter is given, without those that are left out.
        rest: what a parameter that takes the rest is given.
        is_sure: whether all is seen: no stars hide arguments, and no other overload fits as well.
    """

    signature: Signature
    arguments: Mapping[str, Any]
    rest: Mapping[str, tuple[Any, ...]]
    is_sure: bool


# How torch's functions call some parameters as NumPy does, too.
_ALIASES: Final = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
}


def bind(
    api: str,
    args: Sequence[T],
    keywords: Sequence[tuple[str | None, T]] = (),
    *,
    is_starred: Callable[[T], bool] | None = None,
    fits: Callable[[Type, T], bool] | None = None,
) -> Bound | None:
    """The arguments of a call of an API, by parameter.

    Args:
        api: its qualified name; a method's arguments begin with what it is called on.
        args: what is given by place.
        keywords: what is given by keyword; None as its name for ``**more``.
        is_starred: whether an argument by place is ``*more``.
        fits: whether an argument may be of a type; all may if it is not given. It decides between overloads.

    Returns:
        The first overload that takes such arguments, with them; None where the API is not known or none does.
    """
    found = [
        bound
        for one in signatures(api)
        if (bound := bound_to(one, args, keywords, is_starred=is_starred, fits=fits)) is not None
    ]
    if not found:
        return None
    return found[0] if len(found) == 1 else found[0]._replace(is_sure=False)


def bound_to(
    signature: Signature,
    args: Sequence[T],
    keywords: Sequence[tuple[str | None, T]] = (),
    *,
    is_starred: Callable[[T], bool] | None = None,
    fits: Callable[[Type, T], bool] | None = None,
) -> Bound | None:
    """The arguments of a call by the parameters of one signature; None where it takes no such."""
    call = _Call(signature, fits)
    is_sure = True
    for argument in args:
        if is_starred is not None and is_starred(argument):
            is_sure = False
            break
        if not call.takes(argument):
            return None
    for name, argument in keywords:
        if name is None:
            is_sure = False
        elif not call.takes_named(name, argument):
            return None
    if is_sure and call.lacks_any():
        return None
    return Bound(signature, call.arguments, call.rest, is_sure)


class _Call(Generic[T]):
    """A signature whose parameters are given arguments, one after the other."""

    def __init__(self, signature: Signature, fits: Callable[[Type, T], bool] | None) -> None:
        self.arguments: dict[str, Any] = {}
        self.rest: dict[str, tuple[Any, ...]] = {}
        self._parameters = signature.parameters
        self._fits = fits
        self._places = [one for one in signature.parameters if one.form in _PLACED]

    def takes(self, argument: T) -> bool:
        """Whether there is a place for one more argument, which takes it."""
        index = len(self.arguments)
        if index < len(self._places):
            return self._give(self._places[index], argument)
        return self._more(Form.MORE_PLACES, argument)

    def takes_named(self, name: str, argument: T) -> bool:
        """Whether there is a parameter of a name, or of its other name, which takes an argument."""
        for own in (name, _ALIASES.get(name, name)):
            for one in self._parameters:
                if one.name == own and one.form in _NAMED:
                    return own not in self.arguments and self._give(one, argument)
        return self._more(Form.MORE_NAMES, argument)

    def lacks_any(self) -> bool:
        """Whether a parameter without a default is given nothing."""
        return any(
            one.default is None and one.form not in _MORE and one.name not in self.arguments
            for one in self._parameters
        )

    def _give(self, one: Parameter, argument: T) -> bool:
        if self._fits is not None and not self._fits(one.type, argument):
            return False
        self.arguments[one.name] = argument
        return True

    def _more(self, form: Form, argument: T) -> bool:
        one = next((one for one in self._parameters if one.form is form), None)
        if one is None:
            return False
        self.rest[one.name] = (*self.rest.get(one.name, ()), argument)
        return True


_PLACED: Final = (Form.BY_PLACE, Form.EITHER)
_NAMED: Final = (Form.EITHER, Form.BY_NAME)
_MORE: Final = (Form.MORE_PLACES, Form.MORE_NAMES)
