"""How APIs are called: parameters in order, their types and defaults, and what a call writes to.

The signatures of torch are written down by benchmarks/api_signatures.py, from its schemas, stubs and
functions.
"""

from __future__ import annotations

import enum
import functools
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.frozen.effects import SIGNATURES
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "Form",
    "Parameter",
    "Signature",
    "Type",
    "add",
    "canonical",
    "members",
    "parsed",
    "signatures",
]


class Type(enum.Enum):
    """Types of parameters and results, as far as stubs and schemas tell them."""

    TENSOR = "T"
    TENSORS = "L"
    SHARING_TENSOR = "A"
    """Of a result: it is an argument again, or may be another look at its memory."""
    SHARING_TENSORS = "M"
    TENSOR_OR_NUMBER = "N"
    INTEGER = "i"
    FLOAT = "f"
    NUMBER = "n"
    BOOL = "b"
    TEXT = "s"
    SIZES = "z"
    DTYPE = "D"
    DEVICE = "V"
    FUNCTION = "C"
    NONE = "0"
    UNKNOWN = ""


class Form(enum.Enum):
    """How a parameter is given."""

    BY_PLACE = "by place alone"
    EITHER = "by place or by name"
    BY_NAME = "by name alone"
    MORE_PLACES = "takes all further arguments by place"
    MORE_NAMES = "takes all further arguments by name"


class Parameter(NamedTuple):
    """One parameter.

    Attributes:
        name: its name, without stars.
        type: its type, if it is known.
        default: its default as Python writes it; "" where it is no number, text or None; None without one.
        writes: whether a call writes to what it is given.
        writes_if: the parameter that must be true for that; "" if none must.
        form: how it is given.
    """

    name: str
    type: Type = Type.UNKNOWN
    default: str | None = None
    writes: bool = False
    writes_if: str = ""
    form: Form = Form.EITHER


class Signature(NamedTuple):
    """One way to call an API.

    Attributes:
        parameters: in order; that for ``self`` is the first of a method.
        returns: the types of its results; several for a tuple, none where they are not known.
    """

    parameters: tuple[Parameter, ...]
    returns: tuple[Type, ...] = ()


_PARAMETER: Final = re.compile(r"(\*{0,2})([^:!=]*)(?::(\w))?(?:(!)(\w*))?(?:=(.*))?")
_STARRED: Final = {"*": Form.MORE_PLACES, "**": Form.MORE_NAMES}


def parsed(text: str) -> Signature:
    """A signature from its text: ``input:T dim:i=0 * out:T!=None -> T``.

    A parameter is a name with a letter for its type (`Type`), ``!`` where the call writes to it
    (``!training``: if that is true) and its default; ``*`` and ``/`` stand as they do in Python.

    Raises:
        ValueError: a part is no parameter, or a letter no type.
    """
    given, _, returned = text.partition(" -> ")
    found: list[Parameter] = []
    form = Form.EITHER
    for part in given.split():
        if part == "/":
            found = [one._replace(form=Form.BY_PLACE) for one in found]
            continue
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no parameter")
        stars, name, kind, writes, condition, default = match.groups()
        if name:
            own = _STARRED.get(stars, form)
            found.append(Parameter(name, Type(kind or ""), default, bool(writes), condition or "", own))
        form = Form.BY_NAME if stars else form
    return Signature(tuple(found), tuple(map(Type, returned)))


@functools.cache
def _scope(name: str) -> Mapping[str, str]:
    """The signatures of a scope as text, by the names of its members; nothing for what is no scope."""
    if name == "torch.ops.aten":
        from overhead_lint.analysis.effects.frozen.aten_signatures import OPERATORS

        return _by_name(OPERATORS)
    from overhead_lint.analysis.effects.frozen import torch_signatures

    return _by_name(torch_signatures.SIGNATURES.get(name, ""))


def _by_name(text: str) -> Mapping[str, str]:
    return {name: told for name, _, told in (line.partition(" ") for line in text.splitlines())}


def members(scope: str) -> Iterable[str]:
    """The names that torch has in a module or class."""
    return _scope(scope).keys()


@functools.cache
def canonical(api: str) -> str:
    """The name under which an API is known: ``torch.distributed.all_reduce`` of that of a module below it.

    Returns:
        The qualified name; the same where it is no other's alias, or not known.
    """
    scope, _, name = api.rpartition(".")
    told = _scope(scope).get(name, "")
    return told[1:] if told.startswith("=") else api


_OF_PACKS: Final[dict[str, str]] = {}


def add(api: str, text: str) -> None:
    """Note the signature of an API, from a table of a pack."""
    _OF_PACKS[api] = text
    signatures.cache_clear()


@functools.cache
def signatures(api: str) -> tuple[Signature, ...]:
    """The ways to call an API; none where it is not known.

    Args:
        api: its qualified name (``torch.nn.functional.pad``); of a method of tensors ``torch.Tensor.add_``;
            of an operator ``torch.ops.aten.add_``, with or without an overload.
    """
    if api.startswith("torch.ops.aten."):
        return _of_operator(api.removeprefix("torch.ops.aten."))
    told = _OF_PACKS.get(api) or SIGNATURES.get(api) or _of_torch(canonical(api))
    return tuple(map(parsed, told.split("|"))) if told else ()


def _of_torch(api: str) -> str:
    scope, _, name = api.rpartition(".")
    return _scope(scope).get(name, "")


def _of_operator(name: str) -> tuple[Signature, ...]:
    known = _scope("torch.ops.aten")
    name = name.removesuffix(".default")
    if name in known and "." in name:
        return (parsed(known[name]),)
    return tuple(parsed(told) for full, told in known.items() if full.partition(".")[0] == name)
