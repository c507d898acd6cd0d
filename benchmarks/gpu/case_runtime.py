"""What the runtime saves on this machine's GPU: its calls one by one, and a decoder from end to end.

    python benchmarks/gpu/case_runtime.py --out results.jsonl [--seconds S] [--small]

The rows of `benchmarks/runtime.py` that are about devices; the model of `benchmarks/dispatch.py` that has the
guards of a decoder; and a decoder of twelve layers on the device, by compiler and by what evaluates guards.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks that this one is made of

import runtime as calls
from case_decoder import compilers, decoder
from case_records import Lines
from dispatch_models import MODELS, Model
from dispatch_variants import STOCK, time_model
from runtime_cases import CASES, forms

from overhead_lint.native import NativeUnavailable, load
from overhead_lint.simulated import simulated_cuda

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CALLS: Final = ("autocast, built", "EventPool", "wait_stream", "const_tensor", "device_properties")
"""How the names of rows begin."""
VARIANTS: Final = {"eager", STOCK, "torch.compile, recursive tags", "full", "token"}


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


def time_guards(lines: Lines, seconds: float) -> None:
    """Add a line for each way to call the decoder whose computation costs nothing."""
    (model,) = (model for model in MODELS if model.name == "decoder")
    _add(lines, model, "the guards of a decoder", seconds)


def time_decoder(lines: Lines, seconds: float, *, small: bool) -> None:
    """Add a line for each compiler and each way to evaluate guards: a decoder on the device."""
    for title, how in compilers(small=small):
        model = decoder(how, small=small)
        try:
            _add(lines, model, title, seconds)
        except (
            Exception
        ) as error:  # a compiler that is not there or fails on this machine is no failure of ours
            lines.add("decoder", compiler=title, why=f"{type(error).__name__}: {str(error)[:200]}")


def _add(lines: Lines, model: Model, title: str, seconds: float) -> None:
    for name, timed in time_model(model, seconds, VARIANTS).items():
        lines.add("decoder", compiler=title, variant=name, microseconds=timed.microseconds)


@contextlib.contextmanager
def _device() -> Iterator[str]:
    """The name of the GPU, or the simulated device put in its place."""
    if torch.cuda.is_available():
        yield torch.cuda.get_device_name()
        return
    with simulated_cuda():
        yield "simulated device"


def main() -> int:
    """Time all parts; a part that fails is recorded, and the rest goes on."""
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
    seconds = 0.0 if asked.small else asked.seconds
    failed = 0
    with _device() as device:
        lines = Lines(asked.out, "runtime", device)
        steps: tuple[Callable[[], Any], ...] = (
            lambda: time_calls(lines, seconds / 10),
            lambda: time_guards(lines, seconds),
            lambda: time_decoder(lines, seconds, small=asked.small),
        )
        for step in steps:
            try:
                step()
            except Exception as error:  # what is measured next does not depend on it
                lines.add("failure", why=f"{type(error).__name__}: {str(error)[:300]}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
