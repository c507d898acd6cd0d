"""Tests for a version of torch whose outcome is known: branches for those that nobody uses any more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import CALL, COMPARE
from overhead_lint.analysis.ir.queries import bound, constant

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["certain"]

Version = tuple[int, ...]

_OLDEST: Final[Version] = (2, 0)
"""What is older has no `torch.compile`; the `target-torch` of a project is 2.4 unless it says otherwise."""

_NAMES: Final = frozenset({"torch.__version__", "torch.version.__version__"})
_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_MIRRORED: Final = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_FOLLOWED: Final = 4


def certain(names: Names, place: int, test: int) -> tuple[bool, str] | None:
    """Return what a test for a version of torch comes out as, with that version; None where it hangs on it.

    Args:
        names: the names of the file.
        place: the function that asks.
        test: the test.
    """
    place, test = names.source(place, test)
    record = names.functions[place]
    if record.code[test] != COMPARE:
        return None
    others, words = record.extra[test]
    word = words[0]
    if len(words) != 1 or word not in _MIRRORED:
        return None
    asked, version = record.operand[test], _version(record, others[0])
    if version is None:
        asked, word, version = others[0], _MIRRORED[word], _version(record, asked)
    if version is None or version > _OLDEST or not _is_torchs(names, place, asked):
        return None
    if version == _OLDEST and word in (">", "<="):
        return None
    return word in (">", ">="), ".".join(map(str, version))


def _is_torchs(names: Names, place: int, value: int) -> bool:
    """Whether an expression is torch's version, itself or made comparable: ``Version(torch.__version__)``."""
    for _ in range(_FOLLOWED):
        place, value = names.source(place, value)
        record = names.functions[place]
        if record.code[value] != CALL or len(record.extra[value][0]) != 1:
            break
        value = record.extra[value][0][0]
    return names.qualified(place, value) in _NAMES


def _version(record: FunctionIR, value: int) -> Version | None:
    """Return the version that an expression is written as: ``"1.6"``, ``Version("1.6")``; None for others."""
    value = bound(record, value)
    if record.code[value] == CALL and len(record.extra[value][0]) == 1:
        value = record.extra[value][0][0]
    text = constant(record, value)
    found = _NUMBERS.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    major, *others = (int(one) for one in found.groups() if one is not None)
    while len(others) > 1 and not others[-1]:
        others.pop()
    return (major, *(others or (0,)))
