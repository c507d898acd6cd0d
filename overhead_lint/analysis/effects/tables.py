"""Reads tables of effects from TOML: ours, to freeze them, and those of rule packs.

A table is a list of ``[[api]]``. Each names APIs (`in`, the module or class, and `names` in it, where ``*``
stands for anything) and says what they do, in columns that are called like the fields of `Effect`.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from overhead_lint.analysis.effects.effect import (
    NOTHING_KNOWN,
    Effect,
    Lands,
    Mask,
    Result,
    Tells,
)
from overhead_lint.tuples import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Row", "TableError", "combined", "read", "read_file"]


class TableError(ValueError):
    """A table that cannot be read; the message says where and why."""


class Row(NamedTuple):
    """What some APIs of one scope do.

    Attributes:
        scope: the module or class, by its qualified name.
        names: their names in it; with ``*`` or ``[...]`` a pattern as for files.
        effect: what they do.
    """

    scope: str
    names: tuple[str, ...]
    effect: Effect


def read_file(path: Path) -> tuple[Row, ...]:
    """The rows of a TOML file.

    Raises:
        TableError: it is no TOML, or no such table.
        OSError: it cannot be read.
    """
    try:
        return read(path.read_text(encoding="utf-8"))
    except (TableError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TableError(f"{path.name}: {error}") from error


def read(text: str) -> tuple[Row, ...]:
    """The rows of a table as text.

    Raises:
        TableError: an entry that is no row, or a column of another kind.
    """
    return tuple(_row(entry) for entry in tomllib.loads(text).get("api", []))


def _row(entry: Mapping[str, Any]) -> Row:
    scope, names = entry.get("in"), entry.get("names")
    if not isinstance(scope, str) or not isinstance(names, str) or not names.split():
        raise TableError(f"an [[api]] without the texts `in` and `names`: {dict(entry)}")
    values = {}
    for column, value in entry.items():
        if column in ("in", "names", "why", "example"):
            continue
        try:
            values[column] = _COLUMNS[column](value)
        except KeyError:
            raise TableError(f"{scope}: {names.split()[0]}: no column is called {column!r}") from None
        except (TypeError, ValueError) as error:
            raise TableError(f"{scope}: {names.split()[0]}: {column}: {error}") from None
    return Row(scope, tuple(names.split()), NOTHING_KNOWN._replace(**values))


def combined(first: Effect, second: Effect) -> Effect:
    """What two rows say of one API, the second above the first where both say something."""
    found: dict[str, Any] = {}
    one: Any
    other: Any
    for field, one, other, nothing in zip(Effect._fields, first, second, NOTHING_KNOWN, strict=True):
        if isinstance(one, (Tells, frozenset)):
            found[field] = one | other
        elif isinstance(one, tuple) and not hasattr(one, "_fields"):
            found[field] = (*one, *(each for each in other if each not in one))
        else:
            found[field] = one if other == nothing else other
    return Effect(**found)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"expected a list of texts, not {value!r}")
    return tuple(value)


def _of(kind: type[Any]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not isinstance(value, kind):
            raise ValueError(f"expected {kind.__name__}, not {value!r}")
        return value

    return check


def _member(kind: type[enum.Enum]) -> Callable[[Any], Any]:
    def find(value: Any) -> Any:
        try:
            return kind[str(value).upper().replace(" ", "_")]
        except KeyError:
            known = ", ".join(one.name.lower().replace("_", " ") for one in kind)
            raise ValueError(f"{value!r} is none of: {known}") from None

    return find


def _flags(value: Any) -> Tells:
    found = Tells.NOTHING
    for one in _texts(value):
        found |= _member(Tells)(one)
    return found


_COLUMNS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "returns": _member(Result),
    "lands": _member(Lands),
    "mask": _member(Mask),
    "tells": _flags,
    "writes": lambda value: frozenset(_texts(value)),
    "writes_if": _of(str),
}
