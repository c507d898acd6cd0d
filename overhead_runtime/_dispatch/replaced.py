"""Has guards with recursive dict tags notice that a module was given another ``__dict__`` or class.

The tags are the versions of dicts, and neither assignment changes one. Nothing in Python tells of both, so
the native core steps in between: it gives the module's dict another version just before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch._C._dynamo import guards

from . import native, noticing
from .unsupported import Unsupported

_version: Callable[[dict[str, Any]], int] | None = getattr(guards, "dict_version", None)


class _Before(torch.nn.Module):
    pass


class _Written(torch.nn.Module):
    """Its attributes are written as those of any object, as the interpreter writes them fastest."""

    __setattr__: Any = object.__setattr__
    __delattr__: Any = object.__delattr__


class _Mixed(noticing.DictOnly, torch.nn.Module):
    """The first descriptor of ``__dict__`` is not the one of modules."""


class _After(torch.nn.Module):
    pass


def is_noticed() -> bool:
    """Whether the native core tells guards of other dicts and classes of modules, from the first call on.

    False where it is not built, and on a Python or torch where a trial shows nothing.
    """
    try:
        core = native.core()
    except Unsupported:
        return False
    return _does_notice(core)


@functools.cache
def _does_notice(core: Any) -> bool:
    return (
        _version is not None
        and noticing.steps_between(core)
        and _shows(_Before(), _another_dict)
        and _shows(_Before(), _another_class)
        and _shows(_Mixed(), _another_dict)
        and _shows_writes()
    )


def _shows_writes() -> bool:
    """Whether tags show what is written to an object's attributes, however it is written."""
    for _ in range(noticing.TIMES):
        written = noticing.probe(_Written())
        if not all(_shows(written, functools.partial(_write, write)) for write in noticing.WRITES):
            return False
    return True


def _write(write: Callable[[Any, object], None], module: torch.nn.Module) -> None:
    write(module, object())


def _another_dict(module: Any) -> None:
    module.__dict__ = dict(module.__dict__)


def _another_class(module: Any) -> None:
    module.__class__ = _After


def _shows(module: torch.nn.Module, change: Callable[[Any], None]) -> bool:
    assert _version is not None
    held = module.__dict__
    before = _version(held)
    change(module)
    return _version(held) != before
