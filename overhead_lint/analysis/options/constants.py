"""Constants as the defaults of options: those that turn something off or on, words, and others."""

from __future__ import annotations

import re
from typing import Final

from overhead_lint.analysis.graph.option import VALUE, WORD, Default, ValueKind

__all__ = ["default_of", "is_word"]

_WORDS: Final = re.compile(r"[\w .+/-]{0,32}")
_OTHER: Final = Default(VALUE)
_ZERO: Final = Default(int(ValueKind.ZERO))
_NONE: Final = Default(int(ValueKind.NONE))
_TRUE: Final = Default(int(ValueKind.TRUE))
_FALSE: Final = Default(int(ValueKind.FALSE))


def is_word(text: str) -> bool:
    """Whether a text may be one of the words that an option has."""
    return _WORDS.fullmatch(text) is not None


def default_of(value: object) -> Default:
    """Return what a constant is as a default: one of four that turn something off or on, a word, or other."""
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, str):
        return Default(WORD, value) if is_word(value) else _OTHER
    return _ZERO if isinstance(value, (int, float)) and not value else _OTHER
