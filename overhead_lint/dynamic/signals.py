"""Reports before a signal ends the process that Python does nothing about by itself."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
import types
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from overhead_lint.dynamic.untraced import untraced

__all__ = ["at_once", "put_off", "reporting_on_death", "waiting"]

_NAMES: Final = ("SIGTERM", "SIGHUP")
_getsignal, _signal = signal.getsignal, signal.signal
"""As they are without `_unseen`."""
_noted: list[int] = []
"""A signal that came where it could not be reported."""
_blocks: list[None] = []
"""The `put_off` blocks that the main thread is in."""


def _numbers() -> list[int]:
    if threading.current_thread() is not threading.main_thread():
        return []  # only that one may set handlers
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@untraced
def _note(number: int, frame: types.FrameType | None) -> None:
    if _noted:  # a second one waits for nothing
        _signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    _noted.append(number)


@contextlib.contextmanager
def waiting() -> Iterator[None]:
    """Put off death by such a signal to the end of the block, or to where `reporting_on_death` can report it.

    Signals that something handles or ignores are left alone. A second one ends the process at once.
    """
    ours = [number for number in _numbers() if _getsignal(number) is signal.SIG_DFL]
    for number in ours:
        _signal(number, _note)
    try:
        yield
    finally:
        for number in ours:
            if _getsignal(number) is _note:
                _signal(number, signal.SIG_DFL)
        if _noted:
            signal.raise_signal(_noted.pop())


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Let such a signal end the process in a part of `waiting` that may take long."""
    ours = [number for number in _numbers() if _getsignal(number) is _note]
    for number in ours:
        _signal(number, signal.SIG_DFL)
    if ours and _noted:
        signal.raise_signal(_noted.pop())
    try:
        yield
    finally:
        for number in ours:
            if _getsignal(number) is signal.SIG_DFL:
                _signal(number, _note)


@contextlib.contextmanager
def put_off() -> Iterator[None]:
    """Report and die behind the block: in it, modules that a report needs may be half imported."""
    if threading.current_thread() is not threading.main_thread():
        yield  # which handles no signals
        return
    _blocks.append(None)
    try:
        yield
    finally:
        _blocks.pop()
        if _noted and not _blocks:
            signal.raise_signal(_noted.pop())


@contextlib.contextmanager
def reporting_on_death(report: Callable[[int], None]) -> Iterator[None]:
    """Call `report` when such a signal is about to end this process, then let it.

    Signals that something handles or ignores are left alone, and a program that sets a handler of its own
    in the block has that one. Where it asks before, there is none. Forked children die of the signals as
    ever. What came before the block, while `waiting`, is reported behind the first block of `put_off`.

    Args:
        report: given the exit status that a shell shows for the signal. What it raises is dropped.
    """
    before = {number: _getsignal(number) for number in _numbers()}
    ours = [number for number, handler in before.items() if handler in (signal.SIG_DFL, _note)]
    # What is registered for forks is kept until the interpreter ends. It must not keep the program alive as
    # well: the globals of one that is still referred to by then are None where its objects are finalized.
    kept = [report]

    @untraced
    def handle(number: int, frame: types.FrameType | None) -> None:
        if _blocks:
            _note(number, frame)
            return
        seen()
        _signal(number, signal.SIG_DFL)  # a second one ends even a report that hangs
        with contextlib.suppress(Exception):  # the process has to end, whatever is wrong with the report
            kept[0](128 + number)
        os.kill(os.getpid(), number)

    def handled() -> list[int]:
        return [number for number in ours if _getsignal(number) in (handle, _note)]

    def let_die() -> None:
        for number in handled():
            _signal(number, signal.SIG_DFL)

    for number in ours:
        _signal(number, handle)
    seen = _unseen(ours, handle)
    if ours and hasattr(os, "register_at_fork"):
        _keep_for_children(handled, let_die)
    try:
        yield
    finally:
        seen()
        for number in ours:
            if _getsignal(number) is handle:
                _signal(number, before[number])
        kept.clear()


def _unseen(numbers: Collection[int], handle: Any) -> Callable[[], None]:
    """Have `signal` show the default in place of `handle`, and take the default of `numbers` for it.

    A program may add to the handler that it finds, or restore that one later. Forked children have the
    default.

    Returns:
        what ends it.
    """
    process, shown = os.getpid(), False

    def is_on() -> bool:
        return not shown and os.getpid() == process

    def seen() -> None:
        nonlocal shown
        shown = True
        for name, ours, before in (("getsignal", getsignal, _getsignal), ("signal", set_signal, _signal)):
            if getattr(signal, name, None) is ours:
                setattr(signal, name, before)

    @untraced
    @functools.wraps(_getsignal)
    def getsignal(signalnum: Any) -> Any:
        handler = _getsignal(signalnum)
        return signal.SIG_DFL if handler is handle and is_on() else handler

    @untraced
    @functools.wraps(_signal)
    def set_signal(signalnum: Any, handler: Any) -> Any:
        is_default = isinstance(handler, int) and handler == signal.SIG_DFL and signalnum in numbers
        before = _signal(signalnum, handle if is_default and is_on() else handler)
        return signal.SIG_DFL if before is handle and is_on() else before

    vars(signal).update(getsignal=getsignal, signal=set_signal)
    return seen


def _keep_for_children(handled: Callable[[], Collection[int]], let_die: Callable[[], None]) -> None:
    """Let forked children die of the signals `handled` also where they get them before `let_die` is called.

    While a process forks the signals wait: a handler's own would be forgotten, as Python drops in a child
    what its parent was still to handle.
    """
    masks: dict[int, set[int]] = {}  # by thread: several may fork at a time

    @untraced
    def hold() -> None:
        masks[threading.get_ident()] = set(signal.pthread_sigmask(signal.SIG_BLOCK, handled()))

    @untraced
    def let_through() -> None:
        mask = masks.pop(threading.get_ident(), None)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    @untraced
    def begin_child() -> None:
        let_die()
        let_through()

    os.register_at_fork(before=hold, after_in_parent=let_through, after_in_child=begin_child)
