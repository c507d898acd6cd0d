"""What a call of a compiled module costs before it reaches compiled code.

Usage: ``python benchmarks/dispatch.py [--submodules 1 10 100 1000] [--seconds 1.0]``

The backend returns a constant, so that the time is guards and dispatch alone. All variants are timed
in short interleaved blocks of one process; a figure is the fastest block, in microseconds a call.
Another process on the machine moves the figures, hardly the ratios. The direct code is the floor: the
compiled code object called without guards, which would be wrong after any change.
"""

from __future__ import annotations

import argparse
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

import torch
from tabulate import tabulate
from torch import nn

from overhead_lint.runtime import compile as fast_compile

Call = Callable[[torch.Tensor], Any]


class Affine(nn.Module):
    """A leaf with two scalar attributes, each of which costs a guard."""

    def __init__(self, gain: int) -> None:
        super().__init__()
        self.gain = gain
        self.shift = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale and shift."""
        return x * self.gain + self.shift


class Chain(nn.Module):
    """``submodules`` leaves one after another."""

    def __init__(self, submodules: int) -> None:
        super().__init__()
        self.leaves = nn.ModuleList([Affine(1) for _ in range(submodules)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the leaves in order."""
        for leaf in self.leaves:
            x = leaf(x)
        return x


def constant_backend(
    graph: torch.fx.GraphModule, example_inputs: Sequence[torch.Tensor]
) -> Callable[..., Any]:
    """A backend whose compiled graph costs nothing: it returns the first result for ever."""
    with torch.no_grad():
        result = graph(*example_inputs)
    return lambda *args: result


def fastest_us(calls: dict[str, Call], x: torch.Tensor, seconds: float, block: int = 40) -> dict[str, float]:
    """Time callables against each other.

    Args:
        calls: The callables by name.
        x: Their argument.
        seconds: How long to measure, all together.
        block: Calls a block.

    Returns:
        Microseconds a call, of the fastest block of each.
    """
    best = dict.fromkeys(calls, float("inf"))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(block):
                call(x)
            best[name] = min(best[name], (time.perf_counter() - start) / block * 1e6)
    return best


def direct_code(module: nn.Module) -> Call:
    """The compiled code of the module's forward without any guard: the floor, and wrong after a change."""
    forward = type(module).forward
    entry = torch._dynamo.eval_frame._debug_get_cache_entry_list(forward.__code__)[0]
    code = types.FunctionType(entry.code, forward.__globals__)
    return lambda x: code(module, x)


def measure(submodules: int, seconds: float) -> list[Any]:
    """One row of the table.

    Args:
        submodules: Leaves of the model.
        seconds: How long to measure.
    """
    x = torch.ones(4)
    figures: dict[str, float] = {}
    for tags in (False, True):
        torch._dynamo.reset()
        with torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=tags):
            module = Chain(submodules)
            stock: Any = torch.compile(module, backend=constant_backend)
            full = fast_compile(module, backend=constant_backend)
            for _ in range(3):
                stock(x)
                full(x)
            calls = {"stock": stock, "full": full, "direct": direct_code(module)}
            timed = fastest_us(calls, x, seconds)
            stats = full.stats()
            if stats.misses + sum(stats.fallbacks.values()) > 1:
                raise SystemExit(f"the calls were not dispatched: {stats}")
        suffix = " + tags" if tags else ""
        figures.update({name + suffix: value for name, value in timed.items()})
    stock_us = figures["stock"]
    return [
        submodules,
        stock_us,
        figures["stock + tags"],
        figures["full"],
        f"{stock_us / figures['full']:.1f}x",
        figures["full + tags"],
        f"{stock_us / figures['full + tags']:.1f}x",
        figures["direct"],
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submodules", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time for each half row")
    arguments = parser.parse_args()
    rows = [measure(submodules, arguments.seconds) for submodules in arguments.submodules]
    headers = ["submodules", "torch.compile", "+ tags", "full", "", "full + tags", "", "direct code"]
    print(f"torch {torch.__version__}, microseconds a call, ratios to torch.compile")
    print(tabulate(rows, headers=headers, floatfmt=".2f"))


if __name__ == "__main__":
    main()
