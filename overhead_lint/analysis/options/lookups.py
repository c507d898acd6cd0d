"""Calls that look up a setting with a default, and what tests of types say of a default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import ARGUMENT, SETTING, Option
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BUILD, CALL, CONSTANT, ITEM, PARAMETER
from overhead_lint.analysis.ir.queries import constant, is_getattr, uncopied
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.vocabulary import SETTINGS
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = [
    "OF_SETTINGS",
    "attribute_asked",
    "entry_read",
    "is_instance",
    "key_asked",
    "looked_up",
    "switch_asked",
]

_LOOKING_UP: Final = frozenset({"get", "pop"})
OF_SETTINGS: Final = frozenset((word,) for word in SETTINGS)
_TYPES: Final[dict[str, type]] = {"bool": bool, "float": float, "int": int, "str": str}


def looked_up(names: Names, place: int, call: int) -> tuple[object, Option] | None:
    """Return the default and the option that ``__init__`` reads from settings: ``getattr(config, "x", 0)``.

    Settings are what is passed to it, whatever they are called. What any function takes out of its own
    ``**kwargs`` is passed by keyword, as other parameters are: ``kwargs.pop("causal", False)``.
    """
    record = names.functions[place]
    called, (given, by_name) = uncopied(record, record.operand[call]), record.extra[call]
    if record.code[called] == ATTRIBUTE and record.extra[called] in _LOOKING_UP:
        given = (record.operand[called], *given)
    elif not is_getattr(record, call):
        return None
    if by_name or len(given) not in (2, 3):
        return None
    settings, name, *default = (uncopied(record, one) for one in given)
    key, value = constant(record, name), record.extra[default[0]] if default else None
    if record.code[settings] != PARAMETER or not isinstance(key, str):
        return None
    if default and record.code[default[0]] != CONSTANT:
        return None
    parameter = record.parameters[record.operand[settings]]
    if parameter.kind == "**":
        return value, Option(ARGUMENT, names.path(place), key, repr(value))
    is_kept = record.name == "__init__" and default
    return (value, Option(SETTING, parameter.name, key, repr(value))) if is_kept else None


def key_asked(record: FunctionIR, call: int) -> tuple[int, str, int] | None:
    """Return what ``config.get("deep", False)`` asks, its key and the default; `NONE` for no default.

    None for a call that looks nothing up by a key that is written.
    """
    called, (given, by_name) = uncopied(record, record.operand[call]), record.extra[call]
    if record.code[called] != ATTRIBUTE or record.extra[called] not in _LOOKING_UP or by_name:
        return None
    key = constant(record, given[0]) if len(given) in (1, 2) else None
    if not (isinstance(key, str) and key.isidentifier()):
        return None
    return record.operand[called], key, given[1] if len(given) > 1 else NONE


def entry_read(record: FunctionIR, at: int) -> tuple[int, str] | None:
    """Return what an operation reads an entry of, and the key: ``config["deep"]``, ``config.get("deep")``."""
    if record.code[at] == CALL:
        asked = key_asked(record, at)
        return asked[:2] if asked is not None else None
    key = record.extra[at] if record.code[at] == ITEM else NONE
    text = record.extra[key] if key != NONE and record.code[key] == CONSTANT else None
    return (record.operand[at], text) if isinstance(text, str) and text.isidentifier() else None


def switch_asked(record: FunctionIR, call: int) -> bool | None:
    """Return the default of a switch that a call looks up by its key; None for other calls.

    What is looked up with another default may be data as well.
    """
    asked = key_asked(record, call)
    return _switch(record, asked[2]) if asked is not None and asked[2] != NONE else None


def attribute_asked(record: FunctionIR, call: int) -> tuple[str, bool] | None:
    """Return the name and the default of a switch of settings: ``getattr(args, "deep", False)``.

    None for other calls: modules and tensors have switches that frameworks set.
    """
    given, by_name = record.extra[call]
    if len(given) != 3 or by_name or not is_getattr(record, call):
        return None
    default, key = _switch(record, given[2]), constant(record, given[1])
    if default is None or not isinstance(key, str):
        return None
    return (key, default) if words(last_name(record, given[0]))[-1:] in OF_SETTINGS else None


def _switch(record: FunctionIR, value: int) -> bool | None:
    default = constant(record, value)
    return default if isinstance(default, bool) else None


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
