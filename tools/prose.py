"""Measures the sentences of Markdown pages: ``python tools/prose.py docs/*.md`` prints a line a page."""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["Sentences", "measured", "sentences"]

_LEFT_OUT = re.compile(
    r"^ *```.*?^ *```$|^#[^\n]*$|^ *\|[^\n]*$|<!--.*?-->|^<(?P<tag>\w+).*?^</(?P=tag)>",
    re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )")
_END = re.compile(r"(?<=[.!?])[)*]*\s+|(?<=:)\s*$")
_WORD = re.compile(r"\w[\w'.-]*")


class Sentences(NamedTuple):
    """The lengths of a page's sentences, in words."""

    number: int
    median: float
    longest: int


def sentences(text: str) -> list[str]:
    """Return the sentences of a page's prose, in order.

    Headings, tables, HTML and blocks of code have none; code within a sentence is one word.
    """
    prose = _LINK.sub(r"\1", re.sub(r"`[^`\n]+`", "code", _LEFT_OUT.sub("", text)))
    parts = (" ".join(part.split()) for part in _PARAGRAPH.split(prose))
    return [one for part in parts for one in _END.split(part) if len(_WORD.findall(one)) > 2]


def measured(text: str) -> Sentences:
    """Return how long the sentences of a page are; all zero where it has none."""
    lengths = [len(_WORD.findall(one)) for one in sentences(text)]
    return Sentences(len(lengths), statistics.median(lengths or [0]), max(lengths, default=0))


def _main(paths: list[str]) -> None:
    print(f"{'median':>6} {'longest':>7} {'count':>5}  page")
    for path in paths:
        found = measured(Path(path).read_text(encoding="utf-8"))
        print(f"{found.median:6.1f} {found.longest:7d} {found.number:5d}  {path}")


if __name__ == "__main__":
    _main(sys.argv[1:])
