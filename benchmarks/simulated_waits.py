"""Finds waits that the simulated device misses, over samples that torch's own tests have of its operators.

    pip install expecttest
    python benchmarks/simulated_waits.py [--only NAME ...] [--samples 12]

The CPU's kernels read numbers of tensors by operators of their own (``item`` within ``linalg.eig``), and
CUDA's mostly share that code, so that there the host waits. Each sample is computed on the CPU, where such
operators are counted, and on the simulated device, where waits are. Where there are more of the first than of
the second, either the CPU alone reads, which ``THE_CPU_ALONE`` must say, or a wait is missed: the status is
then 1. What only CUDA's own kernels read, and copies to the host that are none on the CPU (``.to("cpu")``),
is not found.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

from simulated_operators import clone, compute, given, on_device
from torch.utils._pytree import tree_map

from overhead_lint.probes import measure
from overhead_lint.simulated import simulated_cuda

READS: Final = {
    "_local_scalar_dense",
    "_unique",
    "_unique2",
    "equal",
    "nonzero",
    "unique_consecutive",
    "unique_dim",
}
"""Operators for which the host waits on CUDA."""
_PIVOTS: Final = "the CPU's library would write anywhere for pivots out of range, so they are looked at"
_ARGMAX: Final = "CUDA spreads the gradient of an extremum over a mask, the CPU over places"
THE_CPU_ALONE: Final = {
    "cholesky_inverse": "CUDA keeps what tells of a failure on the host, where it stays 0",
    "cholesky_solve": "CUDA looks at it in debug builds alone",
    "equal": "sizes or addresses tell",
    "linalg.det": _PIVOTS,
    "linalg.eig": "CUDA has complex eigenvalues at once",
    "linalg.eigvals": "CUDA has complex eigenvalues at once",
    "linalg.inv": _PIVOTS,
    "linalg.inv_ex": _PIVOTS,
    "linalg.ldl_solve": _PIVOTS,
    "linalg.lu_solve": _PIVOTS,
    "linalg.matrix_power": _PIVOTS,
    "linalg.slogdet": _PIVOTS,
    "linalg.solve": _PIVOTS,
    "linalg.solve_ex": _PIVOTS,
    "linalg.tensorinv": _PIVOTS,
    "linalg.tensorsolve": _PIVOTS,
    "logdet": _PIVOTS,
    "lu_solve": _PIVOTS,
    "matrix_exp": "places of norms are looked for on the host",
    "max": _ARGMAX,
    "median": _ARGMAX,
    "min": _ARGMAX,
    "multinomial": "CUDA asserts on the device",
    "nanmedian": _ARGMAX,
    "nanquantile": "quantiles are checked on the CPU only",
    "nn.functional.embedding": "CUDA scales rows without knowing on the host how many there are",
    "nn.functional.embedding_bag": "CUDA scales rows without knowing on the host how many there are",
    "nn.functional.multilabel_margin_loss": "targets are checked on the CPU only",
    "nn.functional.one_hot": "CUDA checks places on the device",
    "nn.functional.rrelu": "bounds are numbers of the host",
    "quantile": "quantiles are checked on the CPU only",
    "std": "the CPU has a kernel of its own for all elements",
    "var": "the CPU has a kernel of its own for all elements",
}


def reads(op: Any, arguments: tuple[Any, ...], mode: str) -> int:
    """How often the CPU reads numbers of tensors in a sample."""
    with measure(["dispatches"]) as measured:
        compute(op, arguments, mode)
    causes = measured.causes["dispatches"]
    return sum(amount for cause in causes for name, amount in cause.operators if name in READS)


def waits(op: Any, arguments: tuple[Any, ...], mode: str) -> int:
    """How often the host waits for the device in a sample."""
    with measure(["stream_sync"], attribute=False) as measured:
        compute(op, arguments, mode)
    return int(measured.values["stream_sync"])


def compared(op: Any, number: int) -> Iterator[tuple[int, int]]:
    """Reads and waits of each sample that both devices compute, forward and with its gradient."""
    for mode, _, _, arguments in given(op, number):
        there = on_device(arguments)
        try:
            yield reads(op, tree_map(clone, arguments), mode), waits(op, there, mode)
        except Exception:  # operators raise all kinds of errors; simulated_operators looks at them
            continue


def main() -> int:
    """Look at what the command line names; 1 when a wait seems to be missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="operators by name (all)")
    parser.add_argument("--samples", type=int, default=12, help="of each operator and mode (%(default)s)")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    samples = 0
    operators = [op for op in op_db if not asked.only or op.name in asked.only]
    with simulated_cuda():
        for op in operators:
            for read, waited in compared(op, asked.samples):
                samples += 1
                if read > waited:
                    found[op.name][read, waited] += 1
    print(f"{len(operators)} operators, {samples} samples")
    for name, differences in found.items():
        for (read, waited), times in differences.items():
            why = THE_CPU_ALONE.get(name, "unexpected")
            print(f"{name}: {times} x the CPU reads {read} times, the device waits {waited} times  [{why}]")
    return 1 if found.keys() - THE_CPU_ALONE.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
