"""Guards on which function, class or enum member an input is, kept by name where torch would drop them.

Dynamo compares such objects by their address, which means nothing in another process, so torch leaves
these guards out of what it saves. Their names, and for functions their code, say the same there.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from overhead_lint.probes.guards_api import Unsupported, names_in_sources, unsaved_guard_types

__all__ = ["Identities", "Identity", "differing"]

_SINGLETONS: Final = (None, True, False, Ellipsis, NotImplemented)
_SAYS_NOTHING: Final = ("WEAKREF_ALIVE",)
"""What is at hand as an input is alive."""


class Identity(NamedTuple):
    """What an input was when the code was compiled.

    Attributes:
        source: where it is found, as Dynamo words it: ``L['self'].act``.
        what: its kind and name: ``class package.module:Config``.
        path: file of the user line that needs it; "" if Dynamo names none.
        line: that line.
    """

    source: str
    what: str
    path: str
    line: int


class Identities:
    """Chooses the guards to save, as torch does, and keeps the identities among the others."""

    def __init__(self) -> None:
        self._unsaved = unsaved_guard_types()
        self._kept: dict[str, Identity] = {}
        self._nameless: dict[str, object] = {}

    def __call__(self, entries: Sequence[Any]) -> list[bool]:
        """Torch's filter of guards: False drops one."""
        saved = [not one.is_global and one.guard_type not in self._unsaved for one in entries]
        for one, is_saved in zip(entries, saved, strict=True):
            if not (is_saved or one.is_global or one.guard_type in _SAYS_NOTHING):
                self._keep(one)
        return saved

    def _keep(self, entry: Any) -> None:
        source = str(entry.orig_guard.name)
        what = _described(entry.value) if entry.has_value else None
        if what is None:
            self._nameless[source] = entry.value
            return
        stack = getattr(entry.orig_guard, "user_stack", None)
        path, line = (stack[-1].filename, stack[-1].lineno or 0) if stack else ("", 0)
        self._kept[source] = Identity(source, what, path, line)

    def found_in(self, inputs: Mapping[str, object]) -> list[Identity]:
        """What was kept.

        Args:
            inputs: those that were compiled for, by their names in the function.

        Raises:
            Unsupported: an input that the code depends on is nothing that has a name, or is not found again.
        """
        for source, value in self._nameless.items():
            raise Unsupported(
                f"the code depends on which object {source} is, and a {type(value).__name__} has no name "
                "by which another process could tell"
            )
        kept = list(self._kept.values())
        for one in kept:
            if differing([one], inputs):
                raise Unsupported(f"the code depends on which object {one.source} is, and it cannot be found")
        return kept


def differing(identities: Sequence[Identity], inputs: Mapping[str, object]) -> Identity | None:
    """The first of some identities that inputs, given by name, do not have."""
    for one in identities:
        try:
            value = eval(one.source, {**names_in_sources(), "L": inputs})
        except Exception:  # whatever looking for it raises: it is not there
            return one
        if _described(value) != one.what:
            return one
    return None


def _described(value: object) -> str | None:
    """Kind and name; None of what another process could not find or compare."""
    if any(value is one for one in _SINGLETONS):
        return f"constant {value!r}"
    if isinstance(value, enum.Enum):
        owner = _named(type(value))
        return f"member {owner}.{value.name}" if owner and value.name else None
    if isinstance(value, type):
        name = _named(value)
        return f"class {name}" if name else None
    if isinstance(value, FunctionType):
        return f"function {value.__module__}:{value.__qualname__} {_digest(value.__code__)}"
    return f"module {value.__name__}" if isinstance(value, ModuleType) else None


def _named(cls: type) -> str | None:
    """The name by which a class is found in its module, if that is where it is."""
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return f"{cls.__module__}:{cls.__qualname__}" if found is cls else None


@functools.lru_cache(maxsize=256)
def _digest(code: CodeType) -> str:
    return hashlib.sha256(repr(_comparable(code)).encode()).hexdigest()[:16]


def _comparable(value: object) -> object:
    """Code as values that print the same in every process: without files, lines and addresses."""
    if isinstance(value, CodeType):
        signature = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags)
        names = (value.co_name, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        return (*signature, *names, value.co_code, _comparable(value.co_consts))
    if isinstance(value, tuple):
        return tuple(map(_comparable, value))
    if isinstance(value, frozenset):
        return sorted(repr(_comparable(one)) for one in value)
    return (type(value).__name__, repr(value))
