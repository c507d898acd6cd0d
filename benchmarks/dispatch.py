"""What a call of a compiled module costs before it reaches compiled code.

Usage: ``python benchmarks/dispatch.py [--submodules 1 10 100 1000] [--seconds 2.0]``

Two models: a chain of submodules with two scalar attributes each, under a backend that returns a
constant, so that guards and dispatch alone are timed; and one with the guards of a decoder (36 layers of
14 small modules, most with a weight, an int width each, a float scale a layer, one plain object that all
read; its graph is one addition), in inference mode.

All variants are timed in short interleaved blocks of one process; a figure is the fastest block, in
microseconds a call. Another process on the machine moves the figures, hardly the ratios. The direct code
is the floor: compiled code called without guards, which would be wrong after any change.
"""

from __future__ import annotations

import argparse
import functools
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


class Shared:
    """A plain object that all layers read."""

    def __init__(self) -> None:
        self.enabled = True


class Part(nn.Module):
    """A small module of a decoder layer."""

    def __init__(self, width: int, shared: Shared, weighted: bool) -> None:
        super().__init__()
        self.width = width
        self.shared = shared
        self.weight = nn.Parameter(torch.ones(width)) if weighted else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Read what is guarded, compute nothing."""
        if not self.shared.enabled or x.shape[-1] != self.width:
            x = x + 1
        return x if self.weight is None or self.weight.shape[0] == self.width else x * 2


class DecoderLayer(nn.Module):
    """Fourteen parts and a float scale."""

    def __init__(self, width: int, shared: Shared) -> None:
        super().__init__()
        self.parts = nn.ModuleList([Part(width, shared, weighted=index % 4 != 0) for index in range(14)])
        self.scale = 0.5

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the parts."""
        for part in self.parts:
            x = part(x)
        return x if self.scale < 1 else x * self.scale


class Decoder(nn.Module):
    """The guards of a 36-layer decoder around one addition."""

    def __init__(self, layers: int = 36, width: int = 4) -> None:
        super().__init__()
        shared = Shared()
        self.layers = nn.ModuleList([DecoderLayer(width, shared) for _ in range(layers)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layers, then add."""
        for layer in self.layers:
            x = layer(x)
        return x + 1


def measure(name: str, make: Callable[[], nn.Module], backend: Any, seconds: float) -> list[Any]:
    """One row of the table.

    Args:
        name: The first cell.
        make: Builds the model.
        backend: The backend.
        seconds: How long to measure, for each half of the row.
    """
    x = torch.ones(4)
    figures: dict[str, float] = {}
    for tags in (False, True):
        torch._dynamo.reset()
        with torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=tags):
            module = make()
            ours = {
                mode: fast_compile(module, backend=backend, guard_eval=mode)
                for mode in ("full", "token")
                if not (tags and mode == "token")
            }
            stock: Any = torch.compile(module, backend=backend)
            calls = {"stock": stock, **ours}
            for _ in range(4):
                for call in calls.values():
                    call(x)
            timed = fastest_us({**calls, "direct": direct_code(module)}, x, seconds)
            for mode, call in ours.items():
                _check_dispatched(mode, call.stats())
        figures.update({key + (" + tags" if tags else ""): value for key, value in timed.items()})
    stock_us = figures["stock"]
    row: list[Any] = [name, stock_us, figures["stock + tags"]]
    for key in ("full", "full + tags", "token"):
        row += [figures[key], f"{stock_us / figures[key]:.1f}x"]
    return [*row, figures["direct"]]


def _check_dispatched(mode: str, stats: Any) -> None:
    """Stop where a figure would not show what its column says."""
    if stats.misses + sum(stats.fallbacks.values()) > 1:
        raise SystemExit(f"{mode}: the calls were not dispatched: {stats}")
    if mode == "token" and stats.not_recognised is not None:
        print(f"token works as full here: {stats.not_recognised}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submodules", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=2.0, help="measuring time for each half row")
    arguments = parser.parse_args()
    rows = [
        measure(f"chain of {count}", functools.partial(Chain, count), constant_backend, arguments.seconds)
        for count in arguments.submodules
    ]
    with torch.inference_mode():
        rows.append(measure("decoder", Decoder, "eager", arguments.seconds))
    headers = ["model", "torch.compile", "+ tags", "full", "", "full + tags", "", "token", "", "direct code"]
    print(f"torch {torch.__version__}, microseconds a call, ratios to torch.compile")
    print(tabulate(rows, headers=headers, floatfmt=".2f"))


if __name__ == "__main__":
    main()
