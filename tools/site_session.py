"""Renders a recorded terminal session as HTML that plays by itself, without a script.

The recording is asciicast's, as `record_session` writes it. Waits are shortened, and commands are typed.
Readers who ask for less motion, or tick the box, have all of it at once.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["CLASSES", "Line", "lines_of", "played", "with_session"]

CLASSES: Final = {
    1: "bold",
    2: "dim",
    31: "red",
    32: "green",
    33: "yellow",
    34: "blue",
    36: "cyan",
}
"""The class that the style sheet has for a parameter of an escape sequence."""
_BRIGHT: Final = frozenset({1, 2})
_PART: Final = re.compile(r"\x1b\[([\d;]*)m")
_A_CHARACTER: Final = 0.04
"""Seconds that typing one takes."""
_LONGEST_WAIT: Final = 1.2
"""Seconds between what is typed and what is printed, where the recording has more."""
_READING: Final = 0.25
"""Seconds that a printed line is given to be read before the next command."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the session.

    Attributes:
        at: seconds from the beginning when it appears, or begins to be typed.
        text: what it shows, with escape sequences.
        takes: seconds that typing it takes; 0 for what is printed.
    """

    at: float
    text: str
    takes: float = 0.0


def lines_of(recorded: str) -> tuple[int, list[Line]]:
    """Return the rows of the terminal, and the lines that a recording shows with their times.

    Args:
        recorded: a header, and an event of time, kind (``i`` for what was typed) and text a line.

    Raises:
        ValueError: it is none, or of another version.
    """
    header, *events = (json.loads(line) for line in recorded.splitlines())
    if header.get("version") != 2:
        raise ValueError("no recording of version 2")
    made: list[Line] = []
    now = before = 0.0
    unread = 0
    for seconds, kind, text in events:
        typed = kind == "i"
        shown = text.removesuffix("\n").split("\n")
        now += min(seconds - before, _LONGEST_WAIT) + (unread * _READING if typed else 0.0)
        takes = len(shown[0]) * _A_CHARACTER if typed else 0.0
        made += [Line(round(now, 2), line, round(takes, 2)) for line in shown]
        unread = 0 if typed else unread + len(shown)
        now, before = now + takes, seconds
    return int(header["height"]), made


def played(recorded: str) -> str:
    """Return a recording as HTML.

    Raises:
        ValueError: it is none, or of another version.
        KeyError: a style that no rule of the style sheet is for.
    """
    height, lines = lines_of(recorded)
    end = lines[-1].at + lines[-1].takes
    label = html.escape(f"A session: {'; '.join(_typed(lines))}", quote=True)
    return (
        f"<style>@keyframes session-roll {{ {_rolled(lines, height, end)} }}</style>\n"
        '<div class="session">\n'
        '<input type="checkbox" id="session-still">'
        '<label for="session-still">Stop, and show all of it</label>\n'
        f'<pre class="terminal" tabindex="0" role="region" aria-label="{label}" '
        f'style="--rows: {height}; --end: {end:.2f}s"><span class="screen"><span class="roll">'
        f"{''.join(map(_line, lines))}</span></span></pre>\n</div>\n"
    )


def with_session(text: str, session: str) -> str:
    """Return a page with a session below its first paragraph.

    Raises:
        ValueError: the page has no heading and paragraph.
    """
    heading, first, rest = text.split("\n\n", 2)
    if not heading.startswith("# "):
        raise ValueError("no page that begins with its heading")
    return f"{heading}\n\n{first}\n\n{session}\n{rest}"


def _typed(lines: Iterable[Line]) -> list[str]:
    return [line.text for line in lines if line.takes]


def _rolled(lines: Sequence[Line], height: int, end: float) -> str:
    """Key frames that move the lines up when there are more than fit."""
    frames = {0.0: 0}
    for number, line in enumerate(lines, 1):
        frames[100 * line.at / end] = max(0, number - height)
    return " ".join(
        f"{share:.3f}% {{ transform: translateY(-{1.5 * up}em) }}" for share, up in frames.items()
    )


def _line(line: Line) -> str:
    if line.takes:
        text, style = html.escape(line.text), f"--at: {line.at}s; --for: {line.takes}s; --n: {len(line.text)}"
        return f'<span class="line" style="{style}"><b>$ </b><span class="typed">{text}</span>\n</span>'
    return f'<span class="line" style="--at: {line.at}s">{_styled(line.text)}\n</span>'


def _styled(text: str) -> str:
    """Return a line as HTML; its styles end with it."""
    first, *rest = _PART.split(text)
    made, style = [html.escape(first)], frozenset[int]()
    for codes, part in zip(rest[::2], rest[1::2], strict=True):
        for code in (int(code or 0) for code in codes.split(";")):
            style = _with(style, code)
        names = " ".join(f"t-{CLASSES[code]}" for code in sorted(style))
        escaped = html.escape(part)
        made.append(f'<span class="{names}">{escaped}</span>' if names and part else escaped)
    return "".join(made)


def _with(style: frozenset[int], code: int) -> frozenset[int]:
    """A style after one more parameter: a colour takes the place of another, and 0 ends all."""
    if code == 0:
        return frozenset()
    kept = style if code in _BRIGHT else style & _BRIGHT
    return kept | {code}
