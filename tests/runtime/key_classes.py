"""Classes that serve as keys, each with a twin without `CachedRepr`, and the ways to write to them."""

from __future__ import annotations

import dataclasses
import enum
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from overhead_runtime import CachedRepr, cached_repr


class Format(enum.Enum):
    """A plain enum."""

    E4M3 = (448, 448)
    HYBRID = (448, 57344)


class Point(NamedTuple):
    """An immutable record."""

    x: int
    y: float


class Plain:
    """No dataclass, a text by hand."""

    def __init__(self, margin: Any = 0, name: Any = "x", fmt: Any = Format.HYBRID) -> None:
        self.margin, self.name, self.fmt = margin, name, fmt

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.margin} {self.name!r} {self.fmt}>"


class Slotted:
    """Slots and a text by hand."""

    __slots__ = ("__weakref__", "fmt", "margin", "name")

    def __init__(self, margin: Any = 0, name: Any = "x", fmt: Any = Format.HYBRID) -> None:
        self.margin, self.name, self.fmt = margin, name, fmt

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.margin} {self.name!r} {self.fmt}>"


def dataclass_of(bases: tuple[type, ...] = (), body: dict[str, Any] | None = None, **options: Any) -> Any:
    namespace = {
        "__annotations__": {"margin": Any, "name": Any, "fmt": Any},
        "__module__": __name__,
        "margin": 0,
        "name": "x",
        "fmt": Format.HYBRID,
        **(body or {}),
    }
    return dataclasses.dataclass(**options)(type("Recipe", bases, namespace))


def inherited(bases: tuple[type, ...] = (), **options: Any) -> Any:
    base = dataclass_of(bases, **options)
    child = type(
        "Child",
        (base,),
        {"__annotations__": {"extra": Any}, "extra": 1.5, "__module__": __name__},
    )
    return dataclasses.dataclass(**options)(child)


def by_hand(self: Any) -> str:
    return f"{self.margin}|{self.name}|{self.fmt}|{getattr(self, 'note', None)}"


SLOTS: dict[str, Any] = {"slots": True}

WEAK = {**SLOTS, "weakref_slot": True} if sys.version_info >= (3, 11) else None

MAKERS: dict[str, Callable[[tuple[type, ...]], Any]] = {
    "mutable": dataclass_of,
    "frozen": lambda bases: dataclass_of(bases, frozen=True),
    "slots": lambda bases: dataclass_of(bases, **SLOTS),
    "frozen slots": lambda bases: dataclass_of(bases, frozen=True, **SLOTS),
    "inherited": inherited,
    "inherited frozen": lambda bases: inherited(bases, frozen=True),
    "by hand": lambda bases: dataclass_of(bases, {"__repr__": by_hand}),
    "by hand, super": lambda bases: dataclass_of(
        (dataclass_of(bases),),
        {"__repr__": lambda self: super(type(self), self).__repr__() + "!"},  # No deeper subclass here.
    ),
    "no repr": lambda bases: dataclass_of((dataclass_of(bases),), repr=False),
    "subclass": lambda bases: type("Sub", (dataclass_of(bases),), {"__module__": __name__}),
    "plain": lambda bases: type("Own", (*bases, Plain), {"__module__": __name__}),
    "plain body": lambda bases: type("Own", bases, {**body_of(Plain), "__module__": __name__}),
    "slotted body": lambda bases: type("Own", bases, {**body_of(Slotted), "__module__": __name__}),
}


def body_of(cls: type) -> dict[str, Any]:
    names = ("__init__", "__repr__", "__slots__")
    return {name: cls.__dict__[name] for name in names if name in cls.__dict__}


def decorated(make: Callable[[tuple[type, ...]], Any]) -> Any:
    return cached_repr(make(()))


def pair(name: str, how: str) -> tuple[Any, Any]:
    """A stock class and the same one with a cached text."""
    make = MAKERS[name]
    if how == "mixin":
        return make(()), make((CachedRepr,))
    return make(()), decorated(make)


def twins(name: str, how: str) -> tuple[Any, Any]:
    stock, cached = pair(name, how)
    return stock(), cached()


# What the decorator refuses is in the test of refusals.
PAIRS = [(name, "mixin") for name in MAKERS]

PAIRS += [(name, "decorator") for name, make in MAKERS.items() if make(()).__weakrefoffset__]


def write(obj: Any, name: str, value: Any) -> None:
    """Assign, around what a frozen class forbids."""
    object.__setattr__(obj, name, value)


def through_dict(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        obj.__dict__[name] = value
    else:
        write(obj, name, value)


def through_update(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        vars(obj).update({name: value})
    else:
        write(obj, name, value)


def through_new_dict(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        write(obj, "__dict__", {**vars(obj), name: value})
    else:
        write(obj, name, value)


def through_setattr(obj: Any, name: str, value: Any) -> None:
    try:
        setattr(obj, name, value)
    except dataclasses.FrozenInstanceError:
        write(obj, name, value)


def through_init(obj: Any, name: str, value: Any) -> None:
    obj.__init__(**{name: value})


WAYS = [through_setattr, write, through_dict, through_update, through_new_dict, through_init]


@dataclasses.dataclass
class Config(CachedRepr):
    """Importable, for pickle."""

    margin: Any = 0
    items: Any = ()
