"""Guards of compiled programs, estimated from their source and counted.

    python benchmarks/guard_estimates.py             # the programs in tests/data/guard_programs
    python benchmarks/guard_estimates.py --layers    # what one layer of torch's own needs

For each program the estimate of ``overhead-lint compile-sites``, the number of leaf guards that Dynamo made
when it ran, and the ratio. The last line says how many are within a quarter.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tabulate import tabulate
from torch import Tensor, nn

from overhead_lint.analysis.compile_sites.estimate import estimate
from overhead_lint.analysis.compile_sites.layer_guards import LAYER_GUARDS
from overhead_lint.analysis.compile_sites.lengths import Lengths
from overhead_lint.analysis.compile_sites.sites import compile_sites
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.values.project import solve
from overhead_lint.probes import measure

PROGRAMS = Path(__file__).parents[1] / "tests" / "data" / "guard_programs"
QUARTER = 0.25


class Row(NamedTuple):
    """A program."""

    name: str
    estimated: int
    counted: int

    @property
    def ratio(self) -> float:
        """The estimate over the count."""
        return self.estimated / self.counted

    @property
    def is_close(self) -> bool:
        """Whether the estimate is within a quarter of the count."""
        return abs(self.ratio - 1) <= QUARTER


def estimated(path: Path) -> int:
    """Return the guards of the one place in a program that compiles something."""
    values = solve({path.stem: lower(ast.parse(path.read_text()))})
    (site,) = compile_sites(values)
    made = estimate(site, values, Lengths(values))
    assert made is not None, f"{path.name}: nobody knows what it compiles"
    return made.guards


def counted(run: Callable[[], object]) -> int:
    """Return the leaf guards of what compiles while a function runs."""
    torch._dynamo.reset()
    with measure(["guards"]) as measurement:
        run()
    return int(measurement.values["guards"])


def program(path: Path) -> Any:
    """Import a program."""
    name = f"guard_programs_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def rows(paths: list[Path]) -> list[Row]:
    """Estimate and count programs."""
    return [Row(path.stem, estimated(path), counted(program(path).run)) for path in paths]


class Chain(nn.Module):
    """Layers of one class, one after the other."""

    def __init__(self, name: str, length: int) -> None:
        super().__init__()
        given, _ = LAYERS.get(name, ((), (2, 4)))
        self.layers = nn.ModuleList([getattr(nn, name)(*given).eval() for _ in range(length)])

    def forward(self, x: Tensor) -> Tensor:
        """Run all."""
        for layer in self.layers:
            y = (
                layer(x, x, x, need_weights=False)[0]
                if isinstance(layer, nn.MultiheadAttention)
                else layer(x)
            )
            x = y if y.shape == x.shape else x
        return x


LAYERS: dict[str, tuple[tuple[Any, ...], tuple[int, ...]]] = {
    "AdaptiveAvgPool2d": ((6,), (1, 4, 6, 6)),
    "AvgPool2d": ((3, 1, 1), (1, 4, 6, 6)),
    "BatchNorm1d": ((4,), (2, 4)),
    "BatchNorm2d": ((4,), (1, 4, 6, 6)),
    "Conv1d": ((4, 4, 3, 1, 1), (1, 4, 6)),
    "Conv2d": ((4, 4, 3, 1, 1), (1, 4, 6, 6)),
    "ConvTranspose2d": ((4, 4, 3, 1, 1), (1, 4, 6, 6)),
    "Flatten": ((0, -1), (2,)),
    "GroupNorm": ((2, 4), (1, 4, 6, 6)),
    "LayerNorm": ((4,), (2, 4)),
    "Linear": ((4, 4), (2, 4)),
    "MaxPool2d": ((3, 1, 1), (1, 4, 6, 6)),
    "MultiheadAttention": ((4, 2), (1, 2, 4)),
    "RMSNorm": ((4,), (2, 4)),
    "Softmax": ((-1,), (2, 4)),
    "Upsample": ((None, 1), (1, 4, 6, 6)),
}
"""What layers are made with, and the shape that they take, where that is not (2, 4)."""


def layer(name: str) -> int:
    """Return what one more layer of a class needs, without the key of the list that holds it."""
    _, shape = LAYERS.get(name, ((), (2, 4)))
    two, six = (_of_chain(Chain(name, length), torch.ones(*shape)) for length in (2, 6))
    return (six - two) // 4 - 1


def _of_chain(chain: Chain, x: Tensor) -> int:
    with torch.no_grad():
        return counted(lambda: torch.compile(chain, backend="eager")(x))


def main() -> None:
    """Print a table."""
    if "--layers" in sys.argv[1:]:
        names = [name for name in LAYER_GUARDS if name not in ("Embedding", "Identity")]
        table = [(name, LAYER_GUARDS[name], layer(name)) for name in names]
        print(tabulate(table, ("layer", "in the table", "counted")))
        return
    found = rows(sorted(PROGRAMS.glob("*.py")))
    table_rows = [(row.name, row.counted, row.estimated, f"{row.ratio:.2f}") for row in found]
    print(tabulate(table_rows, ("program", "counted", "estimated", "ratio")))
    close = sum(row.is_close for row in found)
    print(
        f"{close} of {len(found)} within {QUARTER:.0%} ({close / len(found):.0%}), torch {torch.__version__}"
    )


if __name__ == "__main__":
    main()
