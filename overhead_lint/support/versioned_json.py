"""Reads JSON files that this project wrote, with a schema: whole, or one line that says why not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from overhead_lint.errors import Complaint
from overhead_lint.support.existence import why_endless

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["Format", "UnusableFile", "exactly", "load", "number"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class UnusableFile(Complaint):
    """A file that cannot be used; the message names it, in one line."""


@dataclass(frozen=True, slots=True)
class Format(Generic[_T_co]):
    """A kind of file.

    Attributes:
        what: what such a file is, for messages: ``evidence of ...``.
        newest: the newest schema that this version knows; it knows all before, too.
        sign: a key that tells it from other kinds of file with a schema.
        parse: from the name of the file, without suffix, and its content to what it holds; may raise
            `LookupError`, `TypeError`, `ValueError`, `AttributeError` for damaged content.
    """

    what: str
    newest: int
    sign: str
    parse: Callable[[str, Mapping[str, Any]], _T_co]


def load(path: Path, *formats: Format[_T]) -> _T:
    """What a file holds, which is of one of the formats.

    Raises:
        UnusableFile: it cannot be read, is damaged, none of these, or of a newer schema.
    """
    content = _content(path)
    schema = content.get("schema") if isinstance(content, dict) else None
    known = [one for one in formats if isinstance(content, dict) and one.sign in content]
    if type(schema) is not int or schema < 1 or not known:
        raise UnusableFile(f"{path}: is no {' and no '.join(one.what for one in formats)}")
    if schema > known[0].newest:
        raise UnusableFile(f"{path}: was written by a newer overhead-lint (schema {schema}); update yours")
    try:
        return known[0].parse(path.stem, content)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UnusableFile(f"{path}: is damaged: {type(error).__name__}: {error}") from error


def _finite(text: str) -> float:
    """A number; ``NaN`` and those that are too large are none of this project's."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


def _content(path: Path) -> Any:
    import json  # costs start-up

    if why := why_endless(path):
        raise UnusableFile(f"{path}: cannot be read: {why}")
    try:
        return json.loads(path.read_bytes(), parse_constant=_finite, parse_float=_finite)
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UnusableFile(f"{path}: is damaged: no JSON") from error


def number(value: object) -> float:
    """A number of JSON, of its own type. Raises `TypeError` for anything else: `float` takes texts, too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    float(value)  # refuses one that no float can hold
    return value


def exactly(kind: type[_T], value: object) -> _T:
    """A value of JSON of one type, say ``int`` or ``str``. Raises `TypeError` for one of another."""
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
