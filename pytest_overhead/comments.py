"""Keeps the comments of a budget file when it is written again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["NO_COMMENTS", "Comments", "collect"]

Key = tuple[str, ...]


class Comments(NamedTuple):
    """Comments by what they belong to: a key or table, as the names that lead to it."""

    top: tuple[str, ...]
    """Comments above an empty line at the start of the file."""
    above: Mapping[Key, tuple[str, ...]]
    """Comment lines above a line."""
    beside: Mapping[Key, str]
    """The comment at the end of a line."""
    end: tuple[str, ...]
    """Comments below the last line."""

    def line(self, key: Key, text: str) -> str:
        """The line that sets `key`, with its comments."""
        beside = f"  {self.beside[key]}" if key in self.beside else ""
        return "".join(f"{comment}\n" for comment in self.above.get(key, ())) + f"{text}{beside}\n"


NO_COMMENTS = Comments((), {}, {}, ())


def collect(text: str) -> Comments:
    """The comments of a valid TOML file with one key or table header a line."""
    top: tuple[str, ...] = ()
    above: dict[Key, tuple[str, ...]] = {}
    beside: dict[Key, str] = {}
    table: Key = ()
    pending: list[str] = []
    for line in (raw.strip() for raw in text.splitlines()):
        if line.startswith("#"):
            pending.append(line)
        elif not line:
            if not above:  # nothing but comments so far
                top, pending = (*top, *pending), []
        else:
            key = _key(line, table)
            table = key if line.startswith("[") else table
            above[key] = (*above.get(key, ()), *pending)
            pending = []
            if comment := _comment(line):
                beside[key] = comment
    return Comments(top, above, beside, tuple(pending))


def _key(line: str, table: Key) -> Key:
    """The names that a line sets, from the top of the file."""
    try:
        content: Any = tomllib.loads(line)
    except (RecursionError, ValueError):  # no TOML: a part of a value over several lines
        return table
    names: Key = () if line.startswith("[") else table
    while isinstance(content, dict) and len(content) == 1:
        ((name, content),) = content.items()
        names = (*names, name)
    return names


def _comment(line: str) -> str:
    quote, escaped = "", False
    for place, character in enumerate(line):
        if escaped:
            escaped = False
        elif quote:
            escaped = character == "\\" and quote == '"'
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#":
            return line[place:]
    return ""
