"""Times two copies of the example against each other: short blocks that alternate, and the smallest of each.

A busy machine only ever adds to a time, so the smallest of many short blocks is least of all noise. Whether
that is enough is told by doing it several times: where the copies change places, nothing is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

__all__ = ["Comparison", "Worker", "WorkerError", "compare", "counts"]

WORKER = Path(__file__).parent / "demo_worker.py"
ROUNDS = 5
BLOCKS = 120
"""In each round."""
STEPS = {"train": 1, "evaluate": 5}
"""In each block: the shorter it is, the more of them pass without an interruption."""
WARM_UP = 20


class WorkerError(RuntimeError):
    """A worker ended before it was told to."""


class Comparison(NamedTuple):
    """Seconds a step of both copies, the least of each round, and the losses of all steps."""

    before: list[float]
    after: list[float]
    losses_before: list[float]
    losses_after: list[float]

    @property
    def ratio(self) -> float:
        """How many times as fast the second copy is."""
        return min(self.before) / min(self.after)

    @property
    def ratios(self) -> list[float]:
        """The same of each round, the least first."""
        return sorted(first / second for first, second in zip(self.before, self.after, strict=True))

    @property
    def is_told(self) -> bool:
        """Whether the same copy was faster in all rounds; of equal ones that is so in 1 of 16 cases."""
        return self.ratios[0] > 1 or self.ratios[-1] < 1


class Worker:
    """A process that runs steps of one copy on request."""

    def __init__(self, copy: Path, what: str) -> None:
        command = [sys.executable, str(WORKER), what]
        self._process = subprocess.Popen(
            command,
            cwd=copy,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def seconds(self, steps: int) -> float:
        """Run a block of steps; seconds for all of it."""
        return float(json.loads(self._ask(str(steps))))

    def losses(self) -> list[float]:
        """End the work; the losses of all training steps."""
        losses: list[float] = json.loads(self._ask(""))
        return losses

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise WorkerError(f"the worker ended with status {self._process.wait()}")
        return answer


def counts(copy: Path) -> dict[str, int]:
    """Return what training steps of a copy do on a simulated device, by metric; see `demo_worker.py`.

    Raises:
        WorkerError: the worker could not count.
    """
    command = [sys.executable, str(WORKER), "count"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WorkerError(f"the worker could not count: {done.stderr.strip().splitlines()[-1]}")
    counted: dict[str, int] = json.loads(done.stdout)
    return counted


def compare(before: Path, after: Path, what: str) -> Comparison:
    """Time ``train`` or ``evaluate`` steps of two copies, block by block in turn.

    Raises:
        WorkerError: a worker ended early.
    """
    with Worker(before, what) as first, Worker(after, what) as second:
        for worker in (first, second):
            worker.seconds(WARM_UP)
        rounds = [_least(first, second, STEPS[what]) for _ in range(ROUNDS)]
        seconds_first, seconds_second = map(list, zip(*rounds, strict=True))
        return Comparison(seconds_first, seconds_second, first.losses(), second.losses())


def _least(first: Worker, second: Worker, steps: int) -> tuple[float, float]:
    """Seconds a step of two workers, the least over the blocks of a round; each goes first in turn."""
    times: dict[Worker, list[float]] = {first: [], second: []}
    for block in range(BLOCKS):
        for worker in (first, second) if block % 2 else (second, first):
            times[worker].append(worker.seconds(steps))
    return min(times[first]) / steps, min(times[second]) / steps
