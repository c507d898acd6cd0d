"""Shares work on many items among forked processes.

They have by the fork what the work needs, and are told by numbers alone which items are next. No threads and
no locks: whatever ends a process, or this one, leaves nobody waiting.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from overhead_lint.errors import Complaint
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

__all__ = ["ProcessError", "shared"]

# Told ahead, so that a process need not wait until its results are taken.
_AHEAD: Final = 2

Item = TypeVar("Item")
Result = TypeVar("Result")


class ProcessError(Complaint):
    """A process that did a part of the work ended before it was done; the message is one line."""


class _Elsewhere(Exception):
    """The traceback of an exception in another process."""


class _Failed(NamedTuple):
    """What a process sends where the work raised something."""

    error: Exception
    told: str


def shared(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, batch: int
) -> Generator[Result, None, None]:
    """The results of a function for many items, in the order in which they come.

    Args:
        work: what is to be done; the processes have it by the fork, so it need not be picklable.
        items: what it is done with.
        jobs: how many processes are started.
        batch: how many items a process is given at once.

    Returns:
        The results; each has to be picklable.

    Raises:
        ProcessError: a process was killed, or crashed.
        Exception: what the work raised in a process; its cause holds the traceback there.
    """
    starts = iter(range(0, len(items), batch))
    processes: dict[Connection, ForkProcess] = {}
    try:
        with _not_interrupted():
            for _ in range(jobs):
                _start(work, items, batch, processes)
        for _ in range(_AHEAD):
            for line in processes:
                _tell(line, next(starts, None))
        left = -(-len(items) // batch)
        while left:
            for line in cast("list[Connection]", connection.wait([*processes])):
                results = _heard(line, processes)
                _tell(line, next(starts, None))
                left -= 1
                if isinstance(results, _Failed):
                    raise results.error from _Elsewhere(f"\n{results.told}")
                yield from results
    finally:
        for line, process in processes.items():
            line.close()
            process.terminate()
        for process in processes.values():
            process.join()


def _start(
    work: Callable[[Item], Result], items: Sequence[Item], batch: int, processes: dict[Any, ForkProcess]
) -> None:
    fork = get_context("fork")
    here, there = fork.Pipe()
    held = [*processes, here]  # a process that kept these would not hear of this one's end
    process = fork.Process(target=_work, args=(work, items, batch, there, held), daemon=True)
    process.start()
    there.close()
    processes[here] = process


def _work(
    work: Callable[[Item], Result], items: Sequence[Item], batch: int, line: Any, held: Sequence[Any]
) -> None:
    """Do what the other end asks for, until it is closed."""
    for one in held:
        one.close()
    try:
        while True:
            start = line.recv()
            line.send(_done(work, items[start : start + batch]))
    except (EOFError, OSError):
        pass


def _done(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result] | _Failed:
    try:
        return [work(item) for item in items]
    except Exception as error:  # whatever it is, this process does not know what to do about it
        return _Failed(error, traceback.format_exc())


def _tell(line: Any, start: int | None) -> None:
    if start is not None:
        try:
            line.send(start)
        except OSError:
            pass  # its end is told where results are awaited


def _heard(line: Any, processes: dict[Any, ForkProcess]) -> Any:
    try:
        return line.recv()
    except (EOFError, OSError):
        process = processes[line]
        process.join()
        code = process.exitcode or 0
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        raise ProcessError(f"a process that looked into files {how}; -j 1 does without such") from None


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started.

    A terminal sends it to all processes; this one hears of it, and ends the others.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
