"""What measuring costs: the time of a training step under each probe, as a ratio to the bare step.

Run with ``python benchmarks/probes.py``. Blocks of the bare step and of each probe alternate, and
the smallest of each is compared, so that load on the machine falls on all alike.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import torch
from tabulate import tabulate
from torch import nn

from overhead_lint.probes.measure import measure
from overhead_lint.simulated import simulated_cuda

BLOCKS = 60
STEPS_IN_BLOCK = 5
EVENTS = ("event_record", "event_wait", "stream_sync")
PROBES: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "bare": contextlib.nullcontext,
    "events": lambda: measure(EVENTS, attribute=False),
    "events, by line": lambda: measure(EVENTS, attribute=True),
    "dispatches": lambda: measure(("dispatches", "autograd_nodes"), attribute=False),
    "dispatches, by line": lambda: measure(("dispatches", "autograd_nodes"), attribute=True),
    "copies": lambda: measure(("copies_h2d", "copies_d2h"), attribute=False),
    "Python calls and contexts": lambda: measure(("python_calls", "contexts"), attribute=False),
}


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


def seconds(step: Callable[[], None], probe: Callable[[], AbstractContextManager[object]]) -> float:
    """Time of a step within one block under a probe, the probe's start and stop left out."""
    with probe():
        start = time.perf_counter()
        for _ in range(STEPS_IN_BLOCK):
            step()
        return (time.perf_counter() - start) / STEPS_IN_BLOCK


def main() -> None:
    with simulated_cuda():
        step = make_step()
        for probe in PROBES.values():
            seconds(step, probe)
        least = dict.fromkeys(PROBES, float("inf"))
        for _ in range(BLOCKS):
            for name, probe in PROBES.items():
                least[name] = min(least[name], seconds(step, probe))
    rows = [(name, f"{1e6 * t:.0f}", f"{t / least['bare']:.3f}") for name, t in least.items()]
    print(tabulate(rows, headers=("probe", "µs a step", "ratio")))


if __name__ == "__main__":
    main()
