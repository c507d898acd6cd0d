"""Settings in YAML files, as leaves: tags, aliases and merges are unknown, and nothing is made of them.

It reads what settings are written in: mappings and lists in blocks and in braces, plain and quoted scalars.
The linter needs no package for YAML that way, and no file can have it make an object or grow without end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.options.tables import UNKNOWN, Leaf
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["scalar", "yaml_leaves"]

_KEY: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[\]{}#&*!|>'"%@`,-][^#:]*|-[^\s#:][^#:]*)\s*:(?:\s+(.*))?$"""
)
_NUMBER: Final = re.compile(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?")
_SET: Final = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
    **dict.fromkeys(("null", "~", ""), None),
}
_AT_RUN_TIME: Final = ("${", "???", "{{")
"""What OmegaConf and templates put in the place of values."""
_LONGEST: Final = 4096
"""Characters of a line, or of what stands in braces: what is longer is data."""
_DEEPEST: Final = 32


class _Line(NamedTuple):
    """A line that says something.

    Attributes:
        column: where its key or value begins, behind dashes.
        indent: where it begins itself.
        text: from its key or value on.
        is_item: whether it begins an item of a list.
    """

    column: int
    indent: int
    text: str
    is_item: bool


def yaml_leaves(text: str) -> Iterator[Leaf]:
    """Yield the constants of a YAML file, each with the keys that lead to it.

    Keys that hold others, and values that are no constants, are `UNKNOWN`.
    """
    lines = list(_lines(text))
    above: list[tuple[int, str]] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.text == "---":
            above.clear()
            continue
        match = _KEY.match(line.text)
        if match is None:
            continue
        while above and above[-1][0] >= line.column:
            above.pop()
        key = _unquoted(match[1].strip())
        path = (*(one for _, one in above), key)
        if len(path) > _DEEPEST:
            continue
        value = _without_anchor((match[2] or "").strip())
        if not value or value[0] == "#":
            holds_more = _holds_more(line, lines[number]) if number < len(lines) else False
            yield path, UNKNOWN if holds_more else None
            above.append((line.column, key))
        elif value[0] in "|>":
            yield path, UNKNOWN
            while number < len(lines) and lines[number].indent > line.indent:
                number += 1
        elif value[0] in "[{":
            held, number = _gathered(value, lines, number)
            yield from _in_braces(held, path)
        else:
            yield path, scalar(value)


def scalar(text: str) -> object:
    """Return the constant that a scalar stands for; `UNKNOWN` where it is an alias, has a tag, or goes on."""
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        rest = text[end + 1 :].lstrip() if end > 0 else ""
        return text[1:end] if end > 0 and (not rest or rest[0] == "#") and "\\" not in text else UNKNOWN
    plain = text.partition(" #")[0].strip()
    if plain[:1] in ("*", "!") or any(mark in plain for mark in _AT_RUN_TIME):
        return UNKNOWN
    lower = plain.lower()
    if lower in _SET:
        return _SET[lower]
    return float(plain.replace("_", "")) if _NUMBER.fullmatch(plain) else plain


def _lines(text: str) -> Iterator[_Line]:
    for raw in text.splitlines():
        if len(raw) > _LONGEST:
            continue
        stripped = raw.strip()
        if not stripped or stripped[0] in "#%":
            continue
        column = indent = len(raw) - len(raw.lstrip())
        is_item = False
        while stripped == "-" or stripped.startswith("- "):
            inner = stripped[1:].lstrip()
            column += len(stripped) - len(inner)
            stripped, is_item = inner, True
        yield _Line(column, indent, "---" if stripped.startswith("--- ") else stripped, is_item)


def _holds_more(line: _Line, after: _Line) -> bool:
    """Whether a line below a key without a value belongs to it."""
    return after.indent > line.column or (after.is_item and after.indent == line.column)


def _without_anchor(value: str) -> str:
    return value.partition(" ")[2].lstrip() if value[:1] == "&" else value


def _unquoted(key: str) -> str:
    return key[1:-1] if key[:1] in ("'", '"') else key


def _gathered(value: str, lines: list[_Line], number: int) -> tuple[str, int]:
    """What stands in braces from a value on, over more lines where it goes on, and the number of the next."""
    held = _uncommented(value)
    while number < len(lines) and len(held) < _LONGEST:
        if sum(held.count(one) for one in "[{") <= sum(held.count(one) for one in "]}"):
            break
        held += f" {_uncommented(lines[number].text)}"
        number += 1
    return held, number


def _uncommented(text: str) -> str:
    return text if "'" in text or '"' in text else text.partition(" #")[0].rstrip()


def _in_braces(text: str, path: tuple[str, ...]) -> Iterator[Leaf]:
    """Yield the leaves of a mapping or list in braces, with that itself."""
    yield path, UNKNOWN
    if len(path) > _DEEPEST:
        return
    for part in _parts(text):
        match = _KEY.match(part) if text[0] == "{" else None
        value = _without_anchor((match[2] or "").strip()) if match is not None else part
        below = (*path, _unquoted(match[1].strip())) if match is not None else path
        if value[:1] in ("[", "{"):
            inner = _in_braces(value, below)
            if match is None:
                next(inner)  # an item has no key of its own
            yield from inner
        elif match is not None:
            yield below, scalar(value)


def _parts(text: str) -> Iterator[str]:
    """Yield what commas part within the outermost braces."""
    depth, start, quote = 0, 1, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}" or (letter == "," and depth == 1):
            if depth == 1 and (part := text[start:at].strip()):
                yield part
            start = at + 1 if depth == 1 else start
            depth -= letter != ","
            if depth == 0:
                return
