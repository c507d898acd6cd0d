"""What measuring costs: the time of a training step under each probe, as a ratio to the bare step.

Run with ``python benchmarks/probes.py``. Times are those of the processor, all threads together. Each step
under a probe follows a bare one, and the median of the ratios of these pairs is told, so that load on the
machine falls on both alike. Ends with status 1 when a probe costs more than it may. Runs on a GPU where
torch finds one, else on the simulated device.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

import torch
from tabulate import tabulate
from torch import nn

from overhead_lint.probes.measure import measure
from overhead_lint.simulated import simulated_cuda

ROUNDS = 100
EVENTS = ("event_record", "event_wait", "stream_sync")
DISPATCH = ("dispatches", "autograd_nodes")
SAVED = ("saved_tensors", "saved_bytes")
COPIES = ("copies_h2d", "copies_d2h")
CALLS = ("python_calls", "contexts")


class Row(NamedTuple):
    """A probe, and the most that it may cost."""

    name: str
    metrics: tuple[str, ...]
    lines: bool
    most: float | None = None

    def probe(self) -> AbstractContextManager[object]:
        return measure(self.metrics, attribute=self.lines)


ROWS = (
    Row("events, waits, synchronisations", EVENTS, lines=False, most=1.05),
    Row("the same, by line", EVENTS, lines=True, most=2.0),
    Row("dispatches, autograd nodes", DISPATCH, lines=False, most=1.25),
    Row("the same, by line", DISPATCH, lines=True, most=2.0),
    Row("saved tensors and bytes", SAVED, lines=False),
    Row("the same, by line", SAVED, lines=True, most=2.0),
    Row("copies", COPIES, lines=False),
    Row("the same, by line", COPIES, lines=True, most=2.0),
    Row("Python calls and contexts", CALLS, lines=False),
    Row("the same, by line", CALLS, lines=True, most=2.0),
)


def make_step() -> Callable[[], None]:
    """A step of a transformer layer of width 16, a side stream and an optimizer."""
    model = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    x = torch.ones(2, 8, 16, device="cuda")
    side = torch.cuda.Stream()

    def step() -> None:
        y = model(x)
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            y = model(y)
        torch.cuda.current_stream().wait_stream(side)
        y.square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def seconds(step: Callable[[], None], probe: AbstractContextManager[object]) -> float:
    """Time of the second step under a probe, the probe's start and stop left out."""
    with probe:
        step()  # the probe's start and the one before it leave cold caches
        start = time.process_time()
        step()
        return time.process_time() - start


def main() -> int:
    """Print the table; gives the exit status."""
    gpu = torch.version.cuda is not None and torch.cuda.is_available()
    pairs: list[list[tuple[float, float]]] = [[] for _ in ROWS]
    with contextlib.nullcontext() if gpu else simulated_cuda():
        step = make_step()
        for _ in range(1 + ROUNDS):
            for row, taken in zip(ROWS, pairs, strict=True):
                bare = seconds(step, contextlib.nullcontext())
                taken.append((seconds(step, row.probe()), bare))
    ratios = [statistics.median(probed / bare for probed, bare in taken[1:]) for taken in pairs]
    shown = [
        (row.name, f"{ratio:.2f}", "" if row.most is None else f"{row.most:.2f}")
        for row, ratio in zip(ROWS, ratios, strict=True)
    ]
    least = min(bare for taken in pairs for _, bare in taken)
    device = torch.cuda.get_device_name() if gpu else "simulated device"
    print(f"torch {torch.__version__}, {device}, bare step {1e3 * least:.1f} ms")
    print(tabulate(shown, headers=("probe", "ratio", "at most")))
    over = [
        row.name for row, ratio in zip(ROWS, ratios, strict=True) if row.most is not None and ratio > row.most
    ]
    if over:
        print(f"too dear: {', '.join(over)}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
