"""``python -m overhead_lint.simulated train.py ...``: run a CUDA program without a GPU, and count.

The program runs as ``python train.py ...`` would run it; what it cost the host is printed to
standard error after it, also when it ends by an exception or ``sys.exit``.
"""

from __future__ import annotations

import argparse
import contextlib
import runpy
import sys
from pathlib import Path

from overhead_lint.cli.parser import Parser
from overhead_lint.native import NativeUnavailable
from overhead_lint.probes.api import Measurement, ProbeUnavailable
from overhead_lint.probes.measure import measure
from overhead_lint.probes.metrics import UnknownMetric

DEFAULT = "event_record,event_wait,event_sync,stream_sync,device_sync,copies_h2d,copies_d2h,dispatches"
CAUSES_SHOWN = 5
REDUCED = (
    "python -m overhead_lint.simulated: reduced: the device is called `simulated`, and "
    "torch.accelerator finds it; what a program does with `cuda` is not simulated"
)


def main(arguments: list[str] | None = None) -> int:
    """Run the program named in `arguments`; gives the exit status, 2 for a wrong use."""
    parser = Parser(prog="python -m overhead_lint.simulated", description=__doc__)
    parser.add_argument("--devices", type=int, default=1, help="how many devices to show (1 to 8)")
    parser.add_argument("--metrics", default=DEFAULT, help="what to count, by commas (%(default)s)")
    parser.add_argument(
        "--reduced",
        action="store_true",
        help="give the program a device that torch.accelerator finds, and not cuda; where torch is built "
        "for CUDA it is given that anyway",
    )
    parser.add_argument("--lines", action="store_true", help="show the lines that cost most, too")
    parser.add_argument("program", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    asked = parser.parse_args(arguments)
    if not asked.program.is_file():
        parser.error(f"{asked.program}: no such file")
    try:
        return _run(asked)
    except (NativeUnavailable, ProbeUnavailable, UnknownMetric) as error:
        parser.error(str(error))


def _run(asked: argparse.Namespace) -> int:
    import torch

    from overhead_lint.simulated import simulated_accelerator, simulated_cuda

    reduced = asked.reduced or torch.version.cuda is not None
    if reduced:
        print(REDUCED, file=sys.stderr)
    sys.argv = [str(asked.program), *asked.arguments]
    sys.path.insert(0, str(asked.program.resolve().parent))
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context((simulated_accelerator if reduced else simulated_cuda)(asked.devices))
        except (ValueError, RuntimeError) as error:
            print(f"python -m overhead_lint.simulated: error: {error}", file=sys.stderr)
            return 2
        measured = Measurement()
        try:
            with measure(asked.metrics.split(","), attribute=asked.lines) as measured:
                runpy.run_path(str(asked.program), run_name="__main__")
        finally:
            if measured.values:
                print(_report(measured, lines=asked.lines), file=sys.stderr)
    return 0


def _report(measured: Measurement, *, lines: bool) -> str:
    rows: list[str] = []
    for metric, value in sorted(measured.values.items()):
        rows.append(f"{metric:14} {value:12,}")
        for cause in measured.causes.get(metric, ())[:CAUSES_SHOWN] if lines else ():
            place = f"{cause.path}:{cause.line}" if cause.path else ""
            rows.append(f"{'':14} {cause.amount:12,}  {cause.told()}  {place}".rstrip())
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
