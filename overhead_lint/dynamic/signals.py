"""Reports before a signal ends the process that Python does nothing about by itself."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import types
from collections.abc import Callable, Collection, Iterator
from typing import Final

__all__ = ["reporting_on_death"]

_NAMES: Final = ("SIGTERM", "SIGHUP")


@contextlib.contextmanager
def reporting_on_death(report: Callable[[int], None]) -> Iterator[None]:
    """Call `report` when such a signal is about to end this process, then let it.

    Signals that something handles or ignores are left alone, and a program that sets a handler of its own
    in the block has that one. Forked children die of the signals as ever.

    Args:
        report: given the exit status that a shell shows for the signal. What it raises is dropped.
    """
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []  # only that one may set handlers
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    # What is registered for forks is kept until the interpreter ends. It must not keep the program alive as
    # well: the globals of one that is still referred to by then are None where its objects are finalized.
    kept = [report]

    def handle(number: int, frame: types.FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends even a report that hangs
        with contextlib.suppress(Exception):  # the process has to end, whatever is wrong with the report
            kept[0](128 + number)
        os.kill(os.getpid(), number)

    def give_back() -> None:
        for number in ours:
            if signal.getsignal(number) is handle:
                signal.signal(number, signal.SIG_DFL)

    for number in ours:
        signal.signal(number, handle)
    if ours and hasattr(os, "register_at_fork"):
        _keep_for_children(lambda: [n for n in ours if signal.getsignal(n) is handle], give_back)
    try:
        yield
    finally:
        give_back()
        kept.clear()


def _keep_for_children(handled: Callable[[], Collection[int]], give_back: Callable[[], None]) -> None:
    """Let forked children die of the signals `handled` also where they get them before `give_back` is called.

    While a process forks the signals wait: a handler's own would be forgotten, as Python drops in a child
    what its parent was still to handle.
    """
    masks: dict[int, set[int]] = {}  # by thread: several may fork at a time

    def hold() -> None:
        masks[threading.get_ident()] = set(signal.pthread_sigmask(signal.SIG_BLOCK, handled()))

    def let_through() -> None:
        mask = masks.pop(threading.get_ident(), None)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def begin_child() -> None:
        give_back()
        let_through()

    os.register_at_fork(before=hold, after_in_parent=let_through, after_in_child=begin_child)
