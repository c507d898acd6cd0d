"""Colours of the text formats, and where they may be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

__all__ = ["may_color", "paint", "painted_diff"]

_CODES: Final = {"bold": "1", "red": "1;31", "green": "32", "blue": "1;34", "dim": "2", "cyan": "36"}
_DIFF: Final = (("---", "bold"), ("+++", "bold"), ("@@", "cyan"), ("-", "red"), ("+", "green"))
"""How lines of a diff begin, and their styles."""


def may_color(stream: TextIO, environ: Mapping[str, str], wanted: str = "auto") -> bool:
    """Whether to colour what goes to a stream.

    What is `wanted` decides, "always" or "never"; where it is "auto", this does:
    ``NO_COLOR`` turns colours off, else ``FORCE_COLOR`` turns them on (either set to anything but
    an empty string), else a terminal has them unless it calls itself dumb.
    """
    if wanted != "auto":
        return wanted == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def paint(text: str, style: str, *, color: bool) -> str:
    """A text in a style, or as it is when there is no colour."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if color and text else text


def painted_diff(text: str, *, color: bool) -> str:
    """A unified diff with the colours that git gives its lines, or as it is when there is no colour."""
    return "\n".join(map(_painted, text.split("\n"))) if color else text


def _painted(line: str) -> str:
    content = line.rstrip("\r")
    style = next((style for start, style in _DIFF if content.startswith(start)), "")
    return paint(content, style, color=True) + line[len(content) :] if style else line
