"""Patterns as in ``.gitignore``, of such a file or of the settings."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Final

from pathspec import GitIgnoreSpec  # costs start-up: this module is imported where there are patterns

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["compiled", "heeded", "verdict"]

_CLASS: Final = re.compile(r"\[:([a-z]+):\]")
_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "digit": "0-9",
    "lower": "a-z",
    "space": " \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""What git's classes of characters stand for, as in ``v[[:digit:]]``; the library does not know them."""

_BELOW: Final = re.compile(r"(?:/|^!?)\*\*(?=/$)|/\*\*$")
"""The end of a pattern for what lies below a folder; to the library it fits that, unless more follows."""
_ABOVE: Final = "ps_d"
"""The library's name for the slash behind a folder that a pattern fits."""


def compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    """What files are asked about.

    Raises:
        ValueError: one of the patterns is none.
    """
    plain = [_CLASS.sub(_characters, pattern) if "[:" in pattern else pattern for pattern in patterns]
    plain = [_BELOW.sub(r"\g<0>/*", pattern) for pattern in plain]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `re`, on what sets of characters may come to mean
        try:
            return GitIgnoreSpec.from_lines(plain)
        except re.error as error:  # of a range that runs backwards, as in `[z-a]`
            raise ValueError(str(error)) from error


def heeded(lines: list[str]) -> GitIgnoreSpec:
    """The patterns of a ``.gitignore``; git passes over one that is none, and heeds the others."""
    try:
        return compiled(lines)
    except ValueError:
        return compiled(filter(_is_pattern, lines))


def verdict(spec: GitIgnoreSpec, path: str) -> bool | None:
    """What the last pattern that fits a path says of it: whether it is left out; None if none fits.

    What patterns say of folders above it does not count: below one that is left out git does not look, so
    that nothing there is taken back in. The library goes by the last pattern that fits any of them.

    Args:
        spec: patterns.
        path: relative to where they stand; that of a folder ends with a slash.
    """
    for pattern in reversed(spec.patterns):
        if pattern.regex is not None and _fits(pattern.regex, path):
            return pattern.include
    return None


def _fits(regex: re.Pattern[str], path: str) -> bool:
    """Whether the regular expression of a pattern is about a path, and not about a folder above it."""
    for match in regex.finditer(path):
        folder = match.groupdict().get(_ABOVE)
        if folder is None or match.end(_ABOVE) == len(path):
            return True
    return False


def _is_pattern(line: str) -> bool:
    try:
        compiled((line,))
    except ValueError:
        return False
    return True


def _characters(found: re.Match[str]) -> str:
    return _CLASSES.get(found[1], found[0])
