"""Guards of the tutorial model, and what they cost a call.

    python benchmarks/guards.py

The model runs n submodules, each with one integer attribute, one after the other; the compiled code
does nothing (a backend that returns its input), so the call is all overhead: what Python and Dynamo do
around the guards, and the guards themselves. Shares hold on other machines, microseconds do not.

Then: 32 layers that read a value of a configuration in each call, and the same with the value read once, in
the constructor; and what the probe itself costs a compiled training step while it only counts.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import NamedTuple

import torch
from tabulate import tabulate
from torch import Tensor, nn

from overhead_lint.probes import measure, timing

SIZES = (1, 10, 100, 1000)
BLOCKS = 60
BLOCK_NS = 1_000_000


class Scale(nn.Module):
    """A multiplication by a Python number, which Dynamo guards on."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = 2

    def forward(self, x: Tensor) -> Tensor:
        """Scale `x`."""
        return x * self.scale


class Tutorial(nn.Module):
    """`n` submodules one after the other; guards grow by four for each."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Scale() for _ in range(n)])

    def forward(self, x: Tensor) -> Tensor:
        """Run all."""
        for layer in self.layers:
            x = layer(x)
        return x


class Row(NamedTuple):
    """One size; times in microseconds."""

    n: int
    guards: int
    hot: float
    cold: float
    call: float
    cold_call: float

    def cells(self) -> list[object]:
        """What the table shows."""
        return [
            self.n,
            self.guards,
            f"{self.hot:.2f}",
            f"{self.cold:.1f}",
            f"{self.call:.1f}",
            f"{self.hot / self.call:.0%}",
            f"{self.cold_call:.1f}",
            f"{self.cold / self.cold_call:.0%}",
        ]


def nothing(graph: torch.fx.GraphModule, inputs: list[Tensor]) -> Callable[..., tuple[Tensor, ...]]:
    """A backend whose code returns its first input."""
    return lambda *arguments: (arguments[0],)


def call_us(call: Callable[[], object]) -> float:
    """Microseconds of a call: the minimum over 60 short blocks."""
    start = perf_counter_ns()
    call()
    repeats = max(1, min(200, BLOCK_NS // max(1, perf_counter_ns() - start)))
    best = min(_block(call, repeats) for _ in range(BLOCKS))
    return best / repeats / 1000


def _block(call: Callable[[], object], repeats: int) -> int:
    start = perf_counter_ns()
    for _ in range(repeats):
        call()
    return perf_counter_ns() - start


def row(n: int) -> Row:
    """Compile the model of one size and measure it."""
    torch.compiler.reset()
    model, x = torch.compile(Tutorial(n), backend=nothing), torch.ones(3)
    with torch.inference_mode():
        for _ in range(3):
            model(x)
        whole = call_us(lambda: model(x))
        cold = timing.cold_seconds(lambda: model(x))
        with measure(["guards", "guard_time_hot", "guard_time_cold"]) as m:
            model(x)
    values = m.values
    return Row(
        n,
        int(values["guards"]),
        values["guard_time_hot"] * 1e6,
        values["guard_time_cold"] * 1e6,
        whole,
        cold * 1e6,
    )


class Config:
    """A value, and two more one level down."""

    def __init__(self, depth: int) -> None:
        self.scale, self.shift = 2, 1
        if depth:
            self.inner = Config(depth - 1)


class Reads(nn.Module):
    """Reads a configuration in each call."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config

    def forward(self, x: Tensor) -> Tensor:
        """Scale and shift `x`."""
        return x * self.config.scale + self.config.inner.shift


class Keeps(nn.Module):
    """Reads it once."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.scale, self.shift = config.scale, config.inner.shift

    def forward(self, x: Tensor) -> Tensor:
        """Scale and shift `x`."""
        return x * self.scale + self.shift


def config_reads() -> list[list[object]]:
    """What dropping the read of a configuration brings, in guards and in whole calls."""
    x, models = torch.ones(3), []
    for layer in (Reads, Keeps):
        torch.compiler.reset()
        net = nn.Sequential(*[layer(Config(1)) for _ in range(32)])
        models.append(torch.compile(Chain(net), backend=nothing))
    values = []
    with torch.inference_mode():
        for model in models:
            model(x)
            with measure(["guards", "guard_time_hot", "guard_time_cold"]) as m:
                model(x)
            values.append(m.values)
        calls = timing.hot_seconds_of([functools.partial(model, x) for model in models])
    counts = [int(one["guards"]) for one in values]
    hot, cold = ([one[f"guard_time_{name}"] for one in values] for name in ("hot", "cold"))
    return [
        ["guards", *counts, f"{counts[0] / counts[1]:.1f}x"],
        ["hot us", *(f"{one * 1e6:.2f}" for one in hot), f"{hot[0] / hot[1]:.1f}x"],
        ["cold us", *(f"{one * 1e6:.1f}" for one in cold), f"{cold[0] / cold[1]:.1f}x"],
        ["whole call us", *(f"{one * 1e6:.1f}" for one in calls), f"{calls[0] / calls[1]:.1f}x"],
    ]


class Chain(nn.Module):
    """Runs layers one after the other, in a frame of its own."""

    def __init__(self, layers: nn.Sequential) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor) -> Tensor:
        """Run all."""
        for layer in self.layers:
            x = layer(x)
        return x


def probe_cost() -> tuple[float, float]:
    """Microseconds that counting adds to a compiled call, and microseconds of a compiled training step."""
    torch.compiler.reset()
    model, x = torch.compile(Tutorial(1), backend=nothing), torch.ones(3)
    best = [float("inf"), float("inf")]
    for _ in range(3):
        model(x)
    for _ in range(2 * BLOCKS):
        best[0] = min(best[0], _block(lambda: model(x), 20) / 20_000)
        with measure(["guards", "recompiles", "graph_breaks"], attribute=False):
            model(x)  # the first call in a block is read, later ones are counted
            best[1] = min(best[1], _block(lambda: model(x), 20) / 20_000)
    return best[1] - best[0], _training_step_us()


def _training_step_us() -> float:
    width = 256
    net = nn.Sequential(*[nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(3)])
    trained, optimizer = torch.compile(net), torch.optim.SGD(net.parameters(), lr=1e-3)
    batch = torch.randn(64, width)

    def step() -> None:
        optimizer.zero_grad()
        trained(batch).sum().backward()
        optimizer.step()

    for _ in range(5):
        step()
    return call_us(step)


def main() -> int:
    """Print the table; 1 when a count is not what docs/guards.md says."""
    rows = [row(n) for n in SIZES]
    headers = ["submodules", "guards", "hot us", "cold us", "whole call us", "guards' share, hot"]
    headers += ["cold call us", "guards' share, cold"]
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(tabulate([one.cells() for one in rows], headers, disable_numparse=True, stralign="right"))
    print("\n32 layers that read a configuration in each call, or once")
    print(
        tabulate(config_reads(), ["", "each call", "once", "ratio"], disable_numparse=True, stralign="right")
    )
    torch.set_num_threads(1)  # kernels that wait for each other would drown the difference
    cost, step = probe_cost()
    print(
        f"\ncounting adds {cost:.1f} us to a compiled call: {cost / step:.1%} of a training step of "
        f"{step:.0f} us (three layers of 256, inductor, one thread)"
    )
    wrong = [one.n for one in rows if one.guards != 17 + 4 * one.n]
    if wrong:
        print(f"17 + 4n guards is not true here for n = {wrong}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
