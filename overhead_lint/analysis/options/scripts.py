"""Options that shell scripts pass to the programs that they run: ``python train.py --amp --depth 12``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.options.tables import UNKNOWN, Leaf

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["script_leaves"]

_CONTINUED: Final = re.compile(r"\\\r?\n")
_PROGRAM: Final = re.compile(r"(?:\.py|\s-m\s+[\w.]+)(?=\s)")
"""What options of the program follow: those before it are for what starts it."""
_END: Final = re.compile(r"[;&|>#]")
_PASSED: Final = re.compile(r"(?<!\S)--([A-Za-z][\w-]*)(?:(?:=|[ \t]+(?!-{1,2}[A-Za-z]))(\S+))?")
_WORDS: Final[dict[str, object]] = {"false": False, "none": None, "null": None, "true": True}
_NUMBER: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)


def script_leaves(text: str) -> Iterator[Leaf]:
    """Yield the options that a script passes to Python programs, each with its value; True for a flag."""
    for line in _CONTINUED.sub(" ", text).splitlines():
        program = _PROGRAM.search(line) if "--" in line else None
        if program is not None and not line.lstrip().startswith("#"):
            for passed in _PASSED.finditer(_END.split(line[program.end() :], maxsplit=1)[0]):
                yield (passed[1],), True if passed[2] is None else _value(passed[2].strip("\"'"))


def _value(text: str) -> object:
    """Return the constant that an argument is, or `UNKNOWN` where a run decides."""
    if "$" in text or "`" in text:
        return UNKNOWN
    if _NUMBER.fullmatch(text):
        return float(text)
    return _WORDS.get(text.lower(), text)
