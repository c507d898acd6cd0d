"""Text as HTML, and numbers as text."""

from __future__ import annotations

from typing import Final

from overhead_lint.support.units import seconds

__all__ = ["escaped", "quantity", "shortened"]

# Not by the library's module, since tests and their helpers lie where a file may be called html.py.
_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escaped(text: str) -> str:
    """`text` for use between tags and in quoted attributes; control characters as their code."""
    printable = "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)
    return printable.translate(_MARKUP)


def quantity(value: float, *, is_time: bool) -> str:
    """A value as people write it: counts plain, seconds with the unit that fits."""
    if is_time:
        return seconds(value)
    return str(int(value)) if value == int(value) else f"{value:.3g}"


def shortened(text: str, most: int) -> str:
    """At most `most` characters, the middle left out."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"
