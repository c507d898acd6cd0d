"""Times two copies of the example against each other: interleaved short blocks, and the smallest of each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

__all__ = ["Comparison", "Worker", "WorkerError", "compare"]

WORKER = Path(__file__).parent / "demo_worker.py"
BLOCKS = 200
STEPS = {"train": 10, "evaluate": 40}
WARM_UP = 20


class WorkerError(RuntimeError):
    """A worker ended before it was told to."""


class Comparison(NamedTuple):
    """Seconds a step of both copies, the least over all blocks, and the losses of all steps."""

    before: float
    after: float
    losses_before: list[float]
    losses_after: list[float]

    @property
    def ratio(self) -> float:
        """How many times faster the second copy is."""
        return self.before / self.after


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


def compare(before: Path, after: Path, what: str) -> Comparison:
    """Time ``train`` or ``evaluate`` steps of two copies, block by block in turn.

    Raises:
        WorkerError: a worker ended early.
    """
    steps = STEPS[what]
    with Worker(before, what) as first, Worker(after, what) as second:
        for worker in (first, second):
            worker.seconds(WARM_UP)
        times = [(first.seconds(steps), second.seconds(steps)) for _ in range(BLOCKS)]
        least_first, least_second = (min(column) / steps for column in zip(*times, strict=True))
        return Comparison(least_first, least_second, first.losses(), second.losses())
