"""Has the native core notice every write to an object, and finds out by writing whether it does.

Interpreters differ in which writes they number or tell: one that keeps attributes in the object itself may
tell of none that goes past its dict, until that dict is a table of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .places import Places

# More than the interpreter needs to put specialized forms of the writes in place.
TIMES = 64


class _Full:
    """Its descriptor of ``__dict__`` is one of the table for classes that have weak references, too."""


class _Weak:
    __slots__ = ("__weakref__",)


class DictOnly(_Weak):
    """Its descriptor of ``__dict__`` is one of the table for classes that have nothing else."""


def steps_between(core: Any) -> bool:
    """Have the core be told, from now on, of objects that are given another ``__dict__`` or class.

    Args:
        core: The native core.

    Returns:
        Whether it is told of all.
    """
    notice = getattr(core, "notice_replacements", None)
    if notice is None:
        return False
    dicts = (vars(_Full)["__dict__"], vars(DictOnly)["__dict__"])
    return bool(notice(torch.nn.Module, dicts, vars(object)["__class__"]))


class _Probe:
    """An object without anything of its own."""


class _Mixed(DictOnly, _Probe):
    """The first descriptor of ``__dict__`` is not the one of its base."""


class _Other(_Mixed):
    """Another class for one of them."""


def probe(one: Any) -> Any:
    """Give an object the attributes that are written to."""
    one.first = one.second = -1
    return one


def _assign(one: Any, value: object) -> None:
    one.first = value


def _assign_last(one: Any, value: object) -> None:
    one.second = value


def _assign_by_name(one: Any, value: object) -> None:
    setattr(one, "first", value)  # noqa: B010 - another way into the interpreter


def _delete(one: Any, value: object) -> None:
    del one.first


def _restore(one: Any, value: object) -> None:
    one.first = value


def _add(one: Any, value: object) -> None:
    setattr(one, f"added_{id(value)}", value)


def _item(one: Any, value: object) -> None:
    one.__dict__["first"] = value


def _update(one: Any, value: object) -> None:
    one.__dict__.update(second=value)


def _clear(one: Any, value: object) -> None:
    one.__dict__.clear()


def _replace(one: Any, value: object) -> None:
    one.__dict__ = {"first": value, "second": value}


def _become(one: Any, value: object) -> None:
    one.__class__ = _Other


# In this order on one object: each but the last leaves something for the next to change.
WRITES: tuple[Callable[[Any, object], None], ...] = (
    *(_assign, _assign_last, _assign_by_name, _delete, _restore, _add, _item, _update, _clear, _replace),
)


def notices_writes(core: Any) -> bool:
    """Have the core notice all writes to objects, if this interpreter lets it.

    Args:
        core: The native core.

    Returns:
        Whether it does.
    """
    make_tables = getattr(core, "make_tables", None)
    if make_tables is None:
        return _notices(core.FlatState)
    steps_between(core)
    for wanted in (False, True):
        make_tables(wanted)
        if _notices(core.FlatState):
            core.trust_watchers()
            return True
    return False


def _notices(state_of: Any) -> bool:
    """Whether a state that was noted holds until, and only until, each of the writes."""
    for _ in range(TIMES):
        one = probe(_Mixed())
        for write in (*WRITES, _become):
            state = _state(state_of, one)
            if not state.holds(()):
                return False
            write(one, object())
            if state.holds(()):
                return False
    return True


def _state(state_of: Any, one: object) -> Any:
    places = Places()
    places.add(one, "probe")
    return state_of(places.lists(), ())
