"""Work that forked processes share: what they give, and how it ends where one of them does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest

from overhead_lint.workspace.processes import ProcessError, shared

if sys.platform == "win32":
    pytest.skip("no processes are forked on Windows", allow_module_level=True)

LARGE = b"x" * 300_000  # more than a pipe takes at once


@pytest.fixture(autouse=True)
def all_ended() -> Iterator[None]:
    """Fails a test that leaves a process; those that earlier tests of this run left are not its own."""
    before = {process.pid for process in multiprocessing.active_children()}
    yield
    assert not {process.pid for process in multiprocessing.active_children()} - before


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("batch", [1, 3, 50])
def test_every_item_is_done_once(jobs: int, batch: int) -> None:
    found = list(shared(lambda item: (item, LARGE), range(20), jobs, batch))
    assert sorted(item for item, _ in found) == list(range(20))


def test_the_work_is_done_elsewhere() -> None:
    assert os.getpid() not in list(shared(lambda _: os.getpid(), range(4), 2, 1))


def test_an_exception_is_raised_here_with_its_traceback() -> None:
    def work(item: int) -> int:
        if item == 7:
            raise KeyError("seven")
        return item

    with pytest.raises(KeyError, match="seven") as raised:
        list(shared(work, range(1000), 2, 1))
    assert "in work" in str(raised.value.__cause__)


def test_a_process_that_is_killed_ends_the_work_with_one_line() -> None:
    def work(item: int) -> bytes:
        if item == 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return LARGE

    with pytest.raises(ProcessError, match=r"was killed by SIGKILL; -j 1 does without"):
        list(shared(work, range(1000), 2, 1))


def test_a_process_that_exits_is_told_with_its_status() -> None:
    with pytest.raises(ProcessError, match="ended with status 3"):
        list(shared(lambda _: os._exit(3), range(10), 2, 1))


def test_who_wants_no_more_waits_for_nobody() -> None:
    def work(item: int) -> bytes:
        if item > 3:
            time.sleep(60)
        return LARGE

    started = time.monotonic()
    results = shared(work, range(1000), 2, 1)
    next(results)
    results.close()
    assert time.monotonic() - started < 30
