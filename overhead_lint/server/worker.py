"""A thread that does one thing after the other, while the server goes on answering."""

from __future__ import annotations

import asyncio
import queue
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Worker"]

T = TypeVar("T")


class Worker:
    """Does what takes time, in the order in which it is asked for.

    Its thread is a daemon: what it is at when the server ends is of no use any more.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="overhead-lint worker", daemon=True).start()

    async def do(self, job: Callable[[], T]) -> T:
        """Call a function there; what it gives, or raises."""
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return await asyncio.wrap_future(done)

    def _run(self) -> None:
        while True:
            job, done = self._jobs.get()
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(job())
            except BaseException as error:  # for whoever waits for it
                done.set_exception(error)
