"""Renders what a command printed on a terminal, recorded as text with its colours, as HTML for a page."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["STYLES", "plain", "rendered", "with_picture"]

STYLES: Final = {
    "1": "bold",
    "1;31": "red",
    "32": "green",
    "1;34": "blue",
    "2": "dim",
    "36": "cyan",
}
_PART: Final = re.compile(r"\x1b\[([\d;]*)m")
"""What begins or ends a style."""
_BLOCK: Final = re.compile(r"^```console\n(\$ overhead-lint [^\n]*)\n.*?^```\n", re.DOTALL | re.MULTILINE)


def rendered(command: str, recorded: str) -> str:
    """Return a terminal's window as HTML.

    Args:
        command: what was typed, with its prompt.
        recorded: what was printed, with escape sequences for colours.

    Raises:
        KeyError: a style that no rule of the style sheet is for.
    """
    made, style = [f'<span class="t-bold">{html.escape(command)}</span>\n'], "0"
    text, *rest = _PART.split(recorded)
    for code, part in ((style, text), *zip(rest[::2], rest[1::2], strict=True)):
        escaped = html.escape(part)
        made.append(escaped if code in {"", "0"} else f'<span class="t-{STYLES[code]}">{escaped}</span>')
    label = html.escape(f"What {command.removeprefix('$ ')} prints", quote=True)
    return f'<pre class="terminal" tabindex="0" role="region" aria-label="{label}">{"".join(made)}</pre>\n'


def plain(recorded: str) -> str:
    """Return what was printed, without its colours."""
    return _PART.sub("", recorded)


def with_picture(text: str, recorded: str) -> str:
    """Return a page with its first report on a terminal in colours.

    Args:
        text: of the page, which has the report as a block of text.
        recorded: the same with its colours.

    Raises:
        ValueError: the page has no such block.
    """
    found = _BLOCK.search(text)
    if found is None:
        raise ValueError("no report to show")
    return text[: found.start()] + rendered(found[1], recorded) + text[found.end() :]
