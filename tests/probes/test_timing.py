"""The times of very short calls."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter_ns

import pytest

from overhead_lint.probes import timing

torch = pytest.importorskip("torch")

TABLE = 512 * 1024
"""Bytes that stay in the caches of any processor that runs torch."""


def least(flush: Callable[[], object]) -> int:
    """Nanoseconds that reading a table takes at least, each time after a flush."""
    table, times = bytearray(b"a" * TABLE), []
    for _ in range(15):
        table.find(b"b")
        flush()
        start = perf_counter_ns()
        table.find(b"b")
        times.append(perf_counter_ns() - start)
    return min(times)


def test_the_spread_of_times_is_that_of_their_quartiles() -> None:
    assert timing.spread([5.0, 1.0, 3.0, 2.0, 4.0]) == (3.0, (2.0, 4.0))
    assert timing.spread([7.0]) == (7.0, (7.0, 7.0))
    random = Random(20)
    for count in range(2, 12):
        times = [random.random() for _ in range(count)]
        lower, median, upper = statistics.quantiles(times, n=4, method="inclusive")
        assert timing.spread(times) == (median, (lower, upper))


CALLED_SO = """\
import html, statistics
from overhead_lint.report.html.text import escaped
from overhead_lint.probes.timing import spread

print(escaped("<"), spread([1.0, 3.0]).median, html.__file__, statistics.__file__)
"""


def test_a_file_beside_the_tests_may_be_called_as_what_is_imported_when_it_is_needed(tmp_path: Path) -> None:
    for name in ("statistics", "html"):
        (tmp_path / f"{name}.py").touch()
    command = [sys.executable, "-c", CALLED_SO]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = f"&lt; 2.0 {tmp_path / 'html.py'} {tmp_path / 'statistics.py'}\n"
    assert done.stdout == found, done.stderr


@pytest.mark.usefixtures("whole_flush")
def test_a_flush_leaves_nothing_in_the_caches() -> None:
    walked = torch.ones(4 * max(timing.LEAST_FLUSH, timing.last_level_cache_bytes()), dtype=torch.uint8)
    parts, shares = [], []
    with timing.flushing() as flush:
        for _ in range(3):  # the machine may be busy in one of them
            warm, flushed, cold = least(lambda: None), least(flush), least(lambda: walked.add_(1))
            parts.append((flushed - warm) / (cold - warm))
            shares.append(warm / cold)
            if parts[-1] > 0.5 >= shares[-1]:
                break
    if min(shares) > 0.5:
        pytest.skip("this machine reads memory as fast as its caches")
    assert max(parts) > 0.5


def test_each_cold_call_comes_after_a_flush_and_no_warm_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(timing._Flush, "__call__", lambda _: done.append("flush"))
    timing.cold_seconds(lambda: done.append("call"), repeats=3)
    assert done == ["flush", "call"] * 3
    done.clear()
    timing.hot_seconds(lambda: done.append("call"))
    assert set(done) == {"call"}


def test_a_cold_time_is_the_median_of_single_calls() -> None:
    calls: list[int] = []

    def call() -> None:
        calls.append(0)
        if len(calls) == 2:
            for _ in range(1_000_000):  # one that is held up says nothing
                pass

    with timing.flushing() as flush:
        flush()
        seconds = timing.cold_seconds(call, repeats=5)
    assert len(calls) == 5
    assert 0 < seconds < 1e-3
