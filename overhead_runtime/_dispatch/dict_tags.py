"""Has Dynamo compile with recursive dict tags, which spare most guards of modules."""

from __future__ import annotations

import contextlib
import threading
from contextvars import ContextVar
from typing import Any, ClassVar

import torch

from . import replaced, swaps, watches


def are_trusted() -> bool:
    """Whether tags miss nothing on this Python and torch, and guards that have them can be freed."""
    return replaced.is_noticed() and watches.end_with_guards()


class _TagsWhileCompiling:
    """Has Dynamo build guards that recognise an unchanged tree of modules by its recursive dict tags.

    They hold as much as the others: the one assumption that Dynamo makes for them, that functions keep
    their ``__code__``, ``__defaults__`` and the like, is switched off, and other dicts and classes of
    modules, which tags do not show, are made to show in them; where they cannot be, there are no tags.
    Where the configuration is the process's, it is changed once however many threads compile; where each
    thread has its own, in each.
    """

    _WANTED: ClassVar = {
        "use_recursive_dict_tags_for_guards": True,
        "assume_dunder_attributes_remain_unchanged": False,
    }

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depths: dict[int, int] = {}
        self._before: dict[int, dict[str, Any]] = {}

    def __enter__(self) -> None:
        from torch._dynamo import config

        owner = self._owner(config)
        with self._lock:
            depth = self._depths.get(owner, 0)
            self._depths[owner] = depth + 1
            if depth == 0 and self._miss_nothing():
                self._before[owner] = {name: getattr(config, name) for name in self._WANTED}
                _set_all(config, self._WANTED)

    def __exit__(self, *error: object) -> None:
        from torch._dynamo import config

        owner = self._owner(config)
        with self._lock:
            self._depths[owner] -= 1
            if self._depths[owner] == 0:
                del self._depths[owner]
                _set_all(config, self._before.pop(owner, {}))

    def add(self, manager: Any) -> None:
        """Have the guards of an entry use tags that was compiled without them; they are the same guards.

        Args:
            manager: The entry's guard manager, as Dynamo keeps it.
        """
        mark = getattr(manager, "find_tag_safe_roots", None)
        if mark is None or not self._miss_nothing():
            return
        with self, contextlib.suppress(AssertionError, TypeError):  # a class that was guarded is gone
            mark()

    def _miss_nothing(self) -> bool:
        from torch._dynamo import config

        known = all(hasattr(config, name) for name in self._WANTED)
        return known and not _swaps_parameters() and are_trusted() and swaps.watch()

    @staticmethod
    def _owner(config: Any) -> int:
        """Whose configuration is changed: the thread's, or with 0 the process's."""
        entries = getattr(config, "_config", {})
        kept = [getattr(entry, "user_override", None) for entry in entries.values()]
        return threading.get_ident() if any(isinstance(value, ContextVar) for value in kept) else 0


def _set_all(config: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(config, name, value)


tags_while_compiling = _TagsWhileCompiling()


def _swaps_parameters() -> bool:
    asked = getattr(torch.__future__, "get_swap_module_params_on_conversion", None)
    return asked is not None and bool(asked())
