"""What the runtime saves on this machine's GPU: its calls one by one, and a decoder from end to end.

    python benchmarks/gpu/case_runtime.py --out results.jsonl [--seconds S] [--small]

The rows of `benchmarks/runtime.py` that are about devices, and a decoder of twelve layers on the device, by
compiler and by what evaluates guards. What guards alone cost needs no GPU: `benchmarks/dispatch.py` tells.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from pathlib import Path
from typing import Final

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks that this one is made of

import runtime as calls
from case_decoder import compilers, decoder
from case_records import Lines
from dispatch_variants import STOCK, time_model
from runtime_cases import CASES, forms

from overhead_lint.native import NativeUnavailable, load
from overhead_lint.simulated import simulated_cuda

CALLS: Final = ("autocast, built", "EventPool", "wait_stream", "const_tensor", "device_properties")
"""How the names of rows begin."""
VARIANTS: Final = {"eager", STOCK, "full", "token"}


def time_calls(lines: Lines, seconds: float) -> None:
    """Add a line for each row and form: nanoseconds of the stock statement and of ours."""
    functions = forms()
    for case in (case for case in CASES if case.name.startswith(CALLS)):
        try:
            results = calls.measure(case, functions, seconds)
        except (NativeUnavailable, RuntimeError) as error:
            lines.add("call", name=case.name, why=str(error))
            continue
        for one in results:
            lines.add("call", name=case.name, form=one.form, reference_ns=one.reference, ours_ns=one.ours)


def time_decoder(lines: Lines, seconds: float, *, small: bool) -> None:
    """Add a line for each compiler and each way to evaluate guards: a decoder on the device."""
    for title, how in compilers(small=small):
        try:
            found = time_model(decoder(how, small=small), seconds, VARIANTS)
        except (RuntimeError, KeyError) as error:  # a compiler is not there, or fails; with it goes stock
            lines.add("decoder", compiler=title, why=f"{type(error).__name__}: {str(error)[:200]}")
            continue
        for name, timed in found.items():
            lines.add("decoder", compiler=title, variant=name, microseconds=timed.microseconds)


def main() -> int:
    """Time all; a compiler that fails is recorded, and the rest goes on."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="what lines are added to")
    parser.add_argument("--seconds", type=float, default=4.0, help="a model (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="for a dry run")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with contextlib.suppress(NativeUnavailable):
        load("dispatch")  # the runtime takes it only where it is
    gpu = torch.cuda.is_available()
    lines = Lines(asked.out, "runtime", torch.cuda.get_device_name() if gpu else "simulated device")
    seconds = 0.05 if asked.small else asked.seconds
    # Some of its rows put the simulated device in place, and take it away again.
    time_calls(lines, seconds / 10)
    with contextlib.nullcontext() if gpu else simulated_cuda():
        time_decoder(lines, seconds, small=asked.small)
    return 0


if __name__ == "__main__":
    sys.exit(main())
