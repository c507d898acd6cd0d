"""Reads tables of effects from TOML: ours, to freeze them, and those of rule packs.

A table is a list of ``[[api]]``. Each names APIs (`in`, the module or class, and `names` in it, where ``*``
stands for anything) and says what they do, in columns that are called like the fields of `Effect`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.effects.effect import (
    NOTHING_KNOWN,
    Condition,
    Copies,
    Direction,
    Dtype,
    Effect,
    Lands,
    Mask,
    Result,
    Runs,
    Tells,
    Waits,
)
from overhead_lint.analysis.effects.signatures import parsed
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import enum
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["COLUMNS", "Row", "TableError", "combined", "read", "read_file", "read_of_pack"]

_OURS_ALONE: Final = ("tells", "compiles", "dtype", "runs")


class TableError(ValueError):
    """A table that cannot be read; the message says where and why."""


class Row(NamedTuple):
    """What some APIs of one scope do.

    Attributes:
        scope: the module or class, by its qualified name.
        names: their names in it; with ``*`` or ``[...]`` patterns as for files, ``**`` for what lies deeper.
        effect: what they do.
        signature: how they are called, as `signatures.parsed` reads it; "" where another source tells.
    """

    scope: str
    names: tuple[str, ...]
    effect: Effect
    signature: str = ""


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


def read_of_pack(path: Path) -> tuple[Row, ...]:
    """The rows of a rule pack's file.

    Raises:
        TableError: as `read_file`; or a column that only our own tables may have, since it changes what a
            bare name means in every file.
        OSError: it cannot be read.
    """
    rows = read_file(path)
    for row in rows:
        for column in _OURS_ALONE:
            if getattr(row.effect, column) != getattr(NOTHING_KNOWN, column):
                raise TableError(f"{path.name}: {row.scope}: {row.names[0]}: {column} is not for packs")
    return rows


def read(text: str) -> tuple[Row, ...]:
    """The rows of a table as text.

    Raises:
        TableError: an entry that is no row, or a column of another kind.
    """
    return tuple(row for entry in tomllib.loads(text).get("api", []) for row in _rows(entry))


def _rows(entry: Mapping[str, Any]) -> Iterator[Row]:
    """What an entry says, for each of its scopes."""
    scopes, names = entry.get("in"), entry.get("names")
    if not (isinstance(scopes, str) and isinstance(names, str) and scopes.split() and names.split()):
        raise TableError(f"an [[api]] without the texts `in` and `names`: {dict(entry)}")
    values = {}
    for column, value in entry.items():
        if column in _NOT_COLUMNS:
            continue
        try:
            values[column] = COLUMNS[column](value)
        except KeyError:
            raise TableError(f"{scopes}: {names.split()[0]}: no column is called {column!r}") from None
        except (TypeError, ValueError) as error:
            raise TableError(f"{scopes}: {names.split()[0]}: {column}: {error}") from None
    signature = values.pop("signature", "")
    for scope in scopes.split():
        yield Row(scope, tuple(names.split()), NOTHING_KNOWN._replace(**values), signature)


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


def _version(value: Any) -> tuple[int, ...]:
    if not isinstance(value, str) or not all(part.isdigit() for part in value.split(".")):
        raise ValueError(f"expected a version as text, not {value!r}")
    return tuple(map(int, value.split(".")))


def _signature(value: Any) -> str:
    parsed(_of(str)(value))
    return str(value)


def _dictionary(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected {{...}}, not {value!r}")
    return value


def _condition(value: dict[str, Any]) -> Condition:
    told: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}
    wrong = told.keys() - set(Condition._fields)
    if wrong:
        raise ValueError(f"no condition is called {min(wrong)!r}")
    return Condition(**told)


def _waits(value: Any) -> tuple[Waits, ...]:
    told = dict(_dictionary(value))
    return (Waits(told.pop("times", 1), _condition(told)),)


def _copies(value: Any) -> tuple[Copies, ...]:
    told = dict(_dictionary(value))
    direction = _member(Direction)(told.pop("direction", None))
    return (Copies(direction, told.pop("times", 1), told.pop("waits", True), _condition(told)),)


def _runs(value: Any) -> tuple[Runs, ...]:
    told = dict(_dictionary(value))
    return (Runs(_texts(told.pop("operators", None)), _condition(told)),)


# For readers of the table alone; `example` and `without` are what a test runs.
_NOT_COLUMNS: Final = frozenset({"example", "in", "names", "why", "without"})
COLUMNS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "returns": _member(Result),
    "lands": _member(Lands),
    "parts": lambda value: tuple(map(_member(Lands), _texts(value))),
    "mask": _member(Mask),
    "dtype": _member(Dtype),
    "is_attribute": _of(bool),
    "called": _member(Result),
    "is_operator": _of(bool),
    "joins": _of(bool),
    "tells": _flags,
    "runs": _runs,
    "waits": _waits,
    "copies": _copies,
    "launches": _of(bool),
    "writes": lambda value: frozenset(_texts(value)),
    "writes_if": _of(str),
    "signature": _signature,
    "calls": _texts,
    "steps": _texts,
    "once": _of(bool),
    "compiles": _of(bool),
    "compiled": _texts,
    "compiled_if": _texts,
    "asks_compiled": _texts,
    "unless_given": _texts,
    "compiled_methods": _texts,
    "hooks": lambda value: frozenset(_of(str)(value).split()),
    "traces": _of(bool),
    "since": _version,
    "until": _version,
}
"""What reads the value of each column."""
