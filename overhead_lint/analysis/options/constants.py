"""Constants as the defaults of options: those that turn something off or on, words, and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import MANY, MANY_ROUNDS, VALUE, WORD, Default, ValueKind
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, OUTER
from overhead_lint.analysis.ir.queries import uncopied

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["default_of", "is_comparable", "is_word", "member"]

_WORDS: Final = re.compile(r"[\w .+/-]{0,32}")
_MEMBERS: Final = re.compile(r"[A-Z]\w*\.[A-Z][A-Z0-9_]*")
_NAMED: Final = frozenset({ATTRIBUTE, BIND, OUTER})
_OTHER: Final = Default(VALUE)
_NUMBERS: Final[dict[float, Default]] = {
    -1: Default(int(ValueKind.LESS_THAN_NONE)),
    0: Default(int(ValueKind.ZERO)),
    1: Default(int(ValueKind.ONE)),
}
_NONE: Final = Default(int(ValueKind.NONE))
_TRUE: Final = Default(int(ValueKind.TRUE))
_FALSE: Final = Default(int(ValueKind.FALSE))


def is_word(text: str) -> bool:
    """Whether a text may be one of the words that an option has."""
    return _WORDS.fullmatch(text) is not None


def member(record: FunctionIR, at: int) -> str:
    """Return a member of an enumeration as a word, ``Kind.FAST``, with its class; "" for others."""
    at = uncopied(record, at)
    if record.code[at] != ATTRIBUTE or record.code[record.operand[at]] not in _NAMED:
        return ""
    cls = last_name(record, record.operand[at])
    word = f"{cls}.{record.extra[at]}"
    return word if not cls.isupper() and _MEMBERS.fullmatch(word) and is_word(word) else ""


def is_comparable(words: Iterable[str]) -> bool:
    """Whether words are all members of enumerations, or all none: ``Kind.FAST`` may be equal to "fast"."""
    return len({_MEMBERS.fullmatch(word) is None for word in words}) < 2


def default_of(value: object) -> Default:
    """Return what a constant is as a default: what turns something off or on, a word, a number, or other."""
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, str):
        return Default(WORD, value) if is_word(value) else _OTHER
    if isinstance(value, (int, float)) and value in _NUMBERS:
        return _NUMBERS[value]
    if isinstance(value, (int, float)) and value >= MANY_ROUNDS and value % 1 == 0:
        return Default(MANY, str(int(value)))  # YAML has floats
    return _OTHER
