"""Reports before a program leaves its process without the interpreter's end: ``os._exit``, ``os.exec*``."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from overhead_lint.dynamic.untraced import untraced

__all__ = ["reporting_on_exit"]

_EXECS: Final = ("execv", "execve")
"""All others of ``os`` call one of these."""
_LARGEST_STATUS: Final = 2**31


@contextlib.contextmanager
def reporting_on_exit(report: Callable[[int], None], save: Callable[[], None]) -> Iterator[None]:
    """Call `report` before the program ends by ``os._exit``, and `save` before it becomes another one.

    Forked children do both as ever, and so do other threads: one that ends a program that hangs is not to
    wait for what hangs.

    Args:
        report: given the exit status. What it raises is dropped.
        save: likewise. The program goes on after it, if the other one cannot be started.
    """
    process = os.getpid()
    kept: list[tuple[Callable[[int], None], Callable[[], None]]] = [(report, save)]

    def concerns_us() -> bool:
        return bool(kept) and os.getpid() == process and _is_main_thread()

    def exit_at_once(original: Callable[[Any], NoReturn], status: Any) -> NoReturn:
        try:
            with contextlib.suppress(Exception):
                number = operator.index(status)  # what is none has the original complain
                if concerns_us() and abs(number) < _LARGEST_STATUS:
                    kept[0][0](number % 256)
        finally:  # a second Ctrl-C ends even a report that hangs
            original(status)

    def become(original: Callable[..., NoReturn], *args: Any, **kwargs: Any) -> NoReturn:
        with contextlib.suppress(Exception):
            if concerns_us() and os.path.exists(args[0]):  # noqa: PTH110 - may be a descriptor; a PATH is tried
                kept[0][1]()
        original(*args, **kwargs)

    ours = {"_exit": _as(os._exit, exit_at_once)}
    ours |= {name: _as(getattr(os, name), become) for name in _EXECS if hasattr(os, name)}
    before = {name: getattr(os, name) for name in ours}
    for name, function in ours.items():
        setattr(os, name, function)
    try:
        yield
    finally:
        for name, function in ours.items():
            if getattr(os, name, None) is function:
                setattr(os, name, before[name])
        kept.clear()  # the program may have kept a function


def _as(original: Callable[..., Any], instead: Callable[..., Any]) -> Callable[..., Any]:
    """A function that looks as `original` and calls `instead` with it and with what it was given."""

    @untraced
    @functools.wraps(original)
    def called(*args: Any, **kwargs: Any) -> Any:
        return instead(original, *args, **kwargs)

    # The original names the module in C, where it still is: pickled, ours has to be found.
    called.__module__ = os.__name__
    return called


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
