"""Guards of the tutorial model, and what they cost a call.

    python benchmarks/guards.py

The model runs n submodules, each with one integer attribute, one after the other; the compiled code
does nothing (a backend that returns its input), so the call is all overhead: what Python and Dynamo do
around the guards, and the guards themselves. Shares hold on other machines, microseconds do not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import NamedTuple

import torch
from tabulate import tabulate
from torch import Tensor, nn

from overhead_lint.probes import measure

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
    """`n` submodules one after the other."""

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

    def cells(self) -> list[object]:
        """What the table shows."""
        return [
            self.n,
            self.guards,
            f"{self.hot:.2f}",
            f"{self.cold:.1f}",
            f"{self.call:.1f}",
            f"{self.hot / self.call:.0%}",
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
        with measure(["guards", "guard_time_hot", "guard_time_cold"]) as m:
            model(x)
    values = m.values
    return Row(
        n, int(values["guards"]), values["guard_time_hot"] * 1e6, values["guard_time_cold"] * 1e6, whole
    )


def main() -> int:
    """Print the table; 1 when a count is not what docs/guards.md says."""
    rows = [row(n) for n in SIZES]
    headers = ["submodules", "guards", "hot us", "cold us", "whole call us", "guards' share, hot"]
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(tabulate([one.cells() for one in rows], headers, disable_numparse=True, stralign="right"))
    wrong = [one.n for one in rows if one.guards != 17 + 4 * one.n]
    if wrong:
        print(f"17 + 4n guards is not true here for n = {wrong}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
