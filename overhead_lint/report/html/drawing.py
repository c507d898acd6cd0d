"""What all pictures share: the frame, text in it, and how it stays readable in a narrow window."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from overhead_lint.report.html.text import escaped, shortened
from overhead_lint.support.units import seconds

__all__ = ["WIDTH", "figure", "fitting", "label", "svg", "time_axis"]

WIDTH: Final = 960
"""Of a picture, in its own units; text is 13 of them high."""
_TICKS: Final = 6
_NARROW: Final = frozenset("ijltfrI.,:;'|/()[]! ")
_WIDE: Final = frozenset("mwMW@%…")


def svg(alternative: str, height: float, parts: Iterable[str]) -> str:
    """A picture, which scrolls by itself where the window is narrow.

    Args:
        alternative: what it shows, for those who don't see it.
        height: with `WIDTH` as its width.
        parts: SVG elements.
    """
    text = escaped(alternative)
    return (
        '<div class="scroll picture" role="group" tabindex="0" aria-label="Picture">\n'
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{text}">\n'
        f"{''.join(parts)}</svg>\n</div>\n"
    )


def figure(caption: str, body: str) -> str:
    """Pictures or other HTML under a caption."""
    return f"<figure>\n<figcaption>{escaped(caption)}</figcaption>\n{body}</figure>\n"


def label(x: float, y: float, text: str, anchor: str = "start") -> str:
    """Text whose baseline begins, ends (``end``) or is centred (``middle``) there."""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{side}>{escaped(text)}</text>\n'


def time_axis(start: float, end: float, left: float, right: float, top: float, bottom: float) -> list[str]:
    """Lines from `top` to `bottom` at round times between `start` and `end` (in seconds), named above."""
    step = _round_step((end - start) / _TICKS)
    parts = []
    for number in range(math.ceil(start / step), math.floor(end / step) + 1):
        x = left + (right - left) * (number * step - start) / (end - start)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 5}" y2="{bottom}"/>\n')
        parts.append(label(x, top, seconds(number * step) if number else "0", "middle"))
    return parts


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, ... nanoseconds."""
    size = 1e-9
    while True:
        for factor in (1, 2, 5):
            if size * factor >= least:
                return size * factor
        size *= 10


def fitting(text: str, width: float) -> str:
    """As much of a text as fits, its middle left out; "" where that says nothing."""
    most = len(text)
    while most > 3 and _width(shortened(text, most)) > width:
        most -= max(1, most // 20)
    fits = _width(shortened(text, most)) <= width
    return shortened(text, most) if fits and most >= min(4, len(text)) else ""


def _width(text: str) -> float:
    """At most so wide is a text in common fonts."""
    return sum(
        5.5 if c in _NARROW else 13.5 if c in _WIDE or not c.isascii() else 9.5 if c.isupper() else 8.4
        for c in text
    )
