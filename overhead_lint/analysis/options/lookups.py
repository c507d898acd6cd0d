"""Calls that look up a setting with a default, and what tests of types say of a default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import ARGUMENT, SETTING, Option
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BUILD, CONSTANT, PARAMETER
from overhead_lint.analysis.ir.queries import is_getattr, uncopied

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names

__all__ = ["is_instance", "looked_up"]

_TYPES: Final[dict[str, type]] = {"bool": bool, "float": float, "int": int, "str": str}


def looked_up(names: Names, place: int, call: int) -> tuple[object, Option] | None:
    """Return the default and the option that ``__init__`` reads from settings: ``getattr(config, "x", 0)``.

    Settings are what is passed to it, whatever they are called. What it takes out of its own ``**kwargs``
    is passed by keyword, as other parameters are: ``kwargs.pop("causal", False)``.
    """
    record = names.functions[place]
    called, (given, by_name) = uncopied(record, record.operand[call]), record.extra[call]
    if record.code[called] == ATTRIBUTE and record.extra[called] in ("get", "pop"):
        given = (record.operand[called], *given)
    elif not is_getattr(record, call):
        return None
    if record.name != "__init__" or by_name or len(given) != 3:
        return None
    settings, name, default = (uncopied(record, one) for one in given)
    key, value = record.extra[name], record.extra[default]
    if record.code[settings] != PARAMETER or record.code[default] != CONSTANT or not isinstance(key, str):
        return None
    if record.code[name] != CONSTANT:
        return None
    parameter = record.parameters[record.operand[settings]]
    if parameter.kind == "**":
        return value, Option(ARGUMENT, names.path(place), key, repr(value))
    return value, Option(SETTING, parameter.name, key, repr(value))


def is_instance(names: Names, place: int, value: Any, asked: int) -> bool:
    """Whether a constant is of one of the types that ``isinstance`` is asked about: no tensor ever is.

    Args:
        names: the names of the file.
        place: the function that asks.
        value: the constant.
        asked: the type, or several of them.
    """
    record = names.functions[place]
    asked = uncopied(record, asked)
    types = record.extra[asked][1:] if record.code[asked] == BUILD else (asked,)
    return any(isinstance(value, _TYPES.get(names.last_name(place, one), ())) for one in types)
