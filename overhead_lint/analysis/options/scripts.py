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
_GIVEN: Final = re.compile(r"(?<!\S)(?:(?:for|read)[ \t]+(\w+)|(\w+)\+?=(\"[^\"\s]*\"|'[^'\s]*'|[^\"'\s]+)?)")
"""What gives a variable a value; the value is empty where it is not one word that is written there."""
_VARIABLE: Final = re.compile(r"\$\{?(\w+)\}?")
_WORDS: Final[dict[str, object]] = {"false": False, "none": None, "null": None, "true": True}
_NUMBER: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)


def script_leaves(text: str) -> Iterator[Leaf]:
    """Yield the options that a script passes to Python programs, each with its value; True for a flag."""
    given: dict[str, set[str]] = {}
    for counter, name, value in _GIVEN.findall(text):
        given.setdefault(counter or name, set()).add(value)
    for line in _CONTINUED.sub(" ", text).splitlines():
        program = _PROGRAM.search(line) if "--" in line else None
        if program is not None and not line.lstrip().startswith("#"):
            for passed in _PASSED.finditer(_END.split(line[program.end() :], maxsplit=1)[0]):
                yield (passed[1],), True if passed[2] is None else _value(passed[2], given)


def _value(text: str, given: dict[str, set[str]]) -> object:
    """Return the constant that an argument is, or its variable; `UNKNOWN` where a run decides."""
    variable = _VARIABLE.fullmatch(text := text.strip("\"'"))
    values = given.get(variable[1], ()) if variable is not None else ()
    text = ("".join(values).strip("\"'") if len(values) == 1 else "") or text
    if "$" in text or "`" in text:
        return UNKNOWN
    if _NUMBER.fullmatch(text):
        return float(text)
    return _WORDS.get(text.lower(), text)
