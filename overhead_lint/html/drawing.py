"""What all pictures share: the frame, text in it, and how it stays readable in a narrow window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from overhead_lint.html.text import escaped, shortened

__all__ = ["WIDTH", "figure", "fitting", "label", "svg"]

WIDTH: Final = 960
"""Of a picture, in its own units; text is 13 of them high."""
_CHARACTER: Final = 7.8
"""Width of one of the text, more or less."""


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


def fitting(text: str, width: float) -> str:
    """As much of a text as fits, its middle left out; "" where that says nothing."""
    most = int(width / _CHARACTER)
    return shortened(text, most) if most >= min(4, len(text)) else ""
