"""`CachedRepr`, `cached_repr`, `cached_hash`: texts and hashes of configs that are used as keys, made once.

A cached text is handed out only after a look at every attribute that it depends on: each must still be the
very object that it was. So no write can go unnoticed, however it was made, and nothing has to be hooked.
The look is a generated function of one identity test an attribute.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

from torch.compiler import disable
from torch.compiler import is_dynamo_compiling as is_compiling

from ._generated import formatter, generated_hash_fields, generated_repr_fields, reader
from ._keeper import SLOTS, Keeper, Method
from ._snapshots import CACHED, is_transparent

__all__ = ["CachedRepr", "cached_hash", "cached_repr", "hash_once"]

T = TypeVar("T")

_ONCE = "__overhead_once__"
"""Attribute of a hash that is made once for each object."""


class CachedRepr:
    """Mixin: ``repr()``, and so ``str()`` and f-strings, of the class and its subclasses is cached.

    For dataclasses (mutable, frozen, slots, inherited) and plain classes. A generated dataclass repr is the
    same text as without the mixin. A ``__repr__`` written in the class body is called for the text, and must
    be a function of the instance's own attributes.

    The text is kept as long as every attribute that it depends on is the same object, and is made anew each
    time if one of them could change without being replaced: a list, a dict, a tensor, an object of a class
    that isn't known. Numbers, strings, None, dtypes, devices, paths, enum members, classes, functions, tuples
    and frozensets of these, and other cached classes are fine. Pickles and copies hold no text.
    """

    __slots__ = tuple(SLOTS.values())

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # A method that is there already is one that dataclass leaves alone.
        cls.__repr__ = _late(cls)  # type: ignore[method-assign]

    def __reduce_ex__(self, protocol: Any) -> Any:
        for slot in SLOTS.values():
            try:
                object.__delattr__(self, slot)
            except AttributeError:
                pass  # Nothing was kept.
        # Protocols 0 and 1 take the same answer; their own refuses a class with slots, as this one is.
        return super().__reduce_ex__(max(protocol, 2))


def cached_repr(cls: type[T]) -> type[T]:
    """Class decorator: caches ``repr()`` by the rules of `CachedRepr`. Goes above ``@dataclass``.

    For a class that cannot have another base. Subclasses are not covered: decorate them too. A class with a
    base that holds more than attributes (a dict, a list, an exception) is left as it is, unless its text
    shows fields alone.

    Args:
        cls: the class; it is changed in place.

    Returns:
        The same class.

    Raises:
        TypeError: not a class, or its instances have neither a slot for the text nor weak references.
    """
    _check_class(cls, "cached_repr")
    if not issubclass(cls, CachedRepr) and not cls.__weakrefoffset__:
        raise TypeError(
            f"cached_repr: cls {cls.__qualname__} has slots and no weak references: "
            "use dataclass(slots=True, weakref_slot=True) or the CachedRepr base"
        )
    fields = generated_repr_fields(cls)
    if not hasattr(cls.__dict__.get("__repr__"), CACHED) and (fields is not None or is_transparent(cls)):
        Keeper(cls, "__repr__", cls.__repr__, fields).install()
    return cls


def cached_hash(cls: type[T], keep_once: Callable[[Any], Any] | None = None) -> type[T]:
    """Class decorator: caches ``hash()`` of a class with the base `CachedRepr`. Goes above ``@dataclass``.

    With it an object is a dictionary key in its own right, and no text is needed. The hash of a frozen
    dataclass is made once for each object: a hash never changes in an object's life, by Python's rules. Any
    other hash is kept by the rules of `CachedRepr`. Subclasses are not covered: decorate them too (a hash
    written by hand over a base whose hash is made once is left as it is).

    Args:
        cls: the class; it is changed in place.
        keep_once: makes, of a method, one that keeps its result in the slot of `CachedRepr`.

    Returns:
        The same class.

    Raises:
        TypeError: not a class, unhashable, or without the base.
    """
    _check_class(cls, "cached_hash")
    if cls.__hash__ is None:
        raise TypeError(f"cached_hash: cls {cls.__qualname__} is unhashable (a dataclass needs frozen=True)")
    if not issubclass(cls, CachedRepr):
        raise TypeError(f"cached_hash: cls {cls.__qualname__} needs CachedRepr as a base, for its slot")
    if hasattr(cls.__dict__.get("__hash__"), CACHED):
        return cls
    fields = generated_hash_fields(cls)
    once = any(hasattr(base.__dict__.get("__hash__"), _ONCE) for base in cls.__mro__)
    if once and fields is None:
        return cls  # Made of the base's hash, as like as not, which has the slot.
    if fields is not None and cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        _keep_hash_once(cls, keep_once or hash_once)
    else:
        Keeper(cls, "__hash__", getattr(cls, "__hash__"), fields).install()  # noqa: B009
    return cls


def _keep_hash_once(cls: Any, once: Callable[[Any], Any]) -> None:
    plain = cls.__hash__
    method = once(plain)
    setattr(method, CACHED, plain)
    setattr(method, _ONCE, True)
    cls.__hash__ = method


def hash_once(plain: Any) -> Any:
    """Make a ``__hash__`` that keeps the result of another in the slot of `CachedRepr`."""
    keep = CachedRepr.__dict__["_hash_state"].__set__

    def __hash__(self: Any) -> int:  # noqa: N807 - it becomes the class's method
        try:
            return self._hash_state  # type: ignore[no-any-return]
        except AttributeError:
            made: int = plain(self)
            keep(self, made)
            return made

    return __hash__


def _check_class(cls: Any, caller: str) -> None:
    if not isinstance(cls, type):
        raise TypeError(f"{caller}: cls must be a class, got {type(cls).__name__}")


def _late(cls: type) -> Method:
    """A ``__repr__`` that makes the real one at its first call, when a dataclass decorator has run."""
    body = cls.__dict__.get("__repr__")
    body = getattr(body, CACHED, body)

    def make(self: Any) -> str:
        keeper = Keeper(cls, "__repr__", *_resolve(cls))
        if cls.__dict__.get("__repr__") is __repr__:
            keeper.install(body)
        text: str = keeper.miss(self)
        return text

    def __repr__(self: Any) -> str:  # noqa: N807 - it becomes the class's method
        if not is_compiling():
            return make(self)
        if body is not None:
            return str(body(self))
        # Nothing of `make` can be traced: Dynamo of torch 2.11 fails on it, where it should break the graph.
        text: str = disable(make)(self)
        return text

    setattr(__repr__, CACHED, body)
    return __repr__


def _resolve(cls: type) -> tuple[Method, tuple[str, ...] | None]:
    """What makes the text, and the fields it is made of if a dataclass decorator would have made it."""
    for base in cls.__mro__:
        method = base.__dict__.get("__repr__")
        if method is not None and not hasattr(method, CACHED):
            return method, None
        body = getattr(method, CACHED, None)
        if body is not None:
            return body, None
        parameters = base.__dict__.get("__dataclass_params__")
        if parameters is not None and parameters.repr:
            names = tuple([field.name for field in dataclasses.fields(base) if field.repr])
            return _plain_format(names), names
    raise AssertionError("object has a __repr__")


def _plain_format(names: tuple[str, ...]) -> Method:
    read, write = reader(names), formatter(names)
    return lambda obj: write(obj, read(obj))
