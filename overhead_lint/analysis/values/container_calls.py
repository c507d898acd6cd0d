"""What methods of texts and containers give, and put into containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.iteration import items_of, keys_of
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOOL,
    BOTTOM,
    INT,
    MAPPING,
    NOTHING,
    OBJECT,
    SEQUENCE,
    TEXT,
    VARIES,
    Value,
    beyond,
    join,
    keys_in,
    of_bits,
)

if TYPE_CHECKING:
    from overhead_lint.analysis.values.arguments import Arguments
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["container_method", "text_method", "update"]

_INTEGER: Final = of_bits(INT | VARIES)
_TEXT: Final = of_bits(TEXT | VARIES)
_TRUTH: Final = of_bits(BOOL | VARIES)
_TEXTS: Final = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "expandtabs",
        "format",
        "format_map",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "replace",
        "rjust",
        "rstrip",
        "strip",
        "swapcase",
        "title",
        "translate",
        "upper",
        "zfill",
    ]
)
_TEXT_LISTS: Final = frozenset(["partition", "rpartition", "rsplit", "split", "splitlines"])
_TEXT_NUMBERS: Final = frozenset(["count", "find", "index", "rfind", "rindex"])


_TAKING: Final = frozenset({"pop", "popitem", "popleft", "setdefault"})
_COMBINING: Final = frozenset({"difference", "intersection", "union"})
_CHANGING: Final = (
    _TAKING
    | _COMBINING
    | {"add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "remove"}
    | {"reverse", "sort", "update"}
)
"""Methods after which a container may hold something else."""


def text_method(engine: Engine, body: Body, at: int, name: str) -> Value:
    """Return what a method of a text gives."""
    if name in _TEXTS:
        return _TEXT
    if name in _TEXT_LISTS:
        return engine.sequence(body, at, "list", _TEXT, 3)
    if name in _TEXT_NUMBERS:
        return _INTEGER
    return of_bits(OBJECT) if name == "encode" else _TRUTH


def container_method(
    engine: Engine, body: Body, at: int, made: Container, name: str, given: Arguments
) -> Value:
    """Return what a method of a container gives, and put into it what the method puts."""
    if name in _CHANGING:
        if engine.commits(body, at):
            _change(engine, body, at, made, name, given)
        if name not in _TAKING:
            return Value(SEQUENCE, (made,)) if name in _COMBINING else NOTHING
    if name in {"count", "index"}:
        return _INTEGER
    if name == "copy":
        return Value(MAPPING if made.kind == "dict" else SEQUENCE, (made,))
    if name in _TAKING or name == "get":
        return _taken(engine, body, at, made, name, given)
    if name == "values":
        return engine.sequence(body, at, "generator", made.element.read(body), 2)
    if name == "keys":
        return engine.sequence(body, at, "generator", keys_of(body, made), 2)
    if name == "items":
        pair = engine.tuple_of(body, at, [keys_of(body, made), made.element.read(body)], 1)
        return engine.sequence(body, at, "generator", pair, 2)
    return ANYTHING


def _change(engine: Engine, body: Body, at: int, made: Container, name: str, given: Arguments) -> None:
    """Put into a container what a method of it puts there."""
    work = engine.work
    if name == "setdefault" or (name == "update" and made.kind == "dict"):
        for one in given.positional:
            if name == "update":
                update(engine, body, at, made, one)
        for key, value in given.named.items():
            engine.put(made, key, value)
        for told in keys_in(given.at(0)) if name == "setdefault" else ():
            engine.put(made, told, given.at(1))
        return
    made.grows.grow(NOTHING, work)
    if name in {"append", "add", "appendleft"}:
        made.element.grow(given.at(0), work)
    elif name == "insert":
        made.element.grow(given.at(1), work)
    elif name in _COMBINING or name in {"extend", "extendleft", "update"}:
        made.element.grow(items_of(engine, body, at, given.at(0)), work)


def _taken(engine: Engine, body: Body, at: int, made: Container, name: str, given: Arguments) -> Value:
    """Return what is taken out of a container, or a default."""
    if made.kind != "dict":
        return made.element.read(body)
    if name == "popitem":
        return engine.tuple_of(body, at, [keys_of(body, made), made.element.read(body)], 1)
    found = BOTTOM
    for key in keys_in(given.at(0)):
        found = join(found, engine.entry(body, made, key))
    default = given.positional[1] if len(given.positional) > 1 else None
    if default is not None:
        return join(found, default)
    return join(found, NOTHING) if name == "get" else found


def update(engine: Engine, body: Body, at: int, made: Container, value: Value) -> None:
    """Put what a mapping, or a sequence of pairs, holds into another."""
    for one in value.references:
        if isinstance(one, Container) and one.kind == "dict":
            made.keys.grow(one.keys.read(body), engine.work)
            for name, slot in list(one.entries.items()):
                engine.put(made, name, slot.read(body))
            rest = one.rest.read(body)
            made.rest.grow(rest, engine.work)
            made.element.grow(rest, engine.work)
        elif isinstance(one, Container):
            pair = one.element.read(body)
            for inner in pair.references:
                if isinstance(inner, Container) and len(inner.parts) == 2:
                    engine.put(made, None, inner.parts[1].read(body))
                    made.keys.grow(inner.parts[0].read(body), engine.work)
                elif isinstance(inner, Container):
                    engine.put(made, None, inner.element.read(body))
    engine.put(made, None, beyond(value.bits))
