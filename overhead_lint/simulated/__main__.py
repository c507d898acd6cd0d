"""``python -m overhead_lint.simulated train.py ...``: run a CUDA program without a GPU, and count.

The program runs as ``python train.py ...`` would run it, ``-m MODULE`` as ``python -m`` would, a suite of
tests for CUDA by ``-m pytest``; what it cost the host is printed to standard error after it, also when it
ends by an exception or ``sys.exit``.
"""

from __future__ import annotations

import argparse
import contextlib
import sys

from overhead_lint.cli.parser import Parser
from overhead_lint.dynamic.last_words import show
from overhead_lint.dynamic.program import (
    UNCOMPILED,
    Ending,
    Kind,
    Loaded,
    NotImported,
    Program,
    ProgramError,
    end,
    load,
    run,
)
from overhead_lint.native import NativeUnavailable
from overhead_lint.probes.api import Measurement, ProbeUnavailable
from overhead_lint.probes.measure import measure
from overhead_lint.probes.metrics import UnknownMetric

DEFAULT = "event_record,event_wait,event_sync,stream_sync,device_sync,copies_h2d,copies_d2h,dispatches"
CAUSES_SHOWN = 5
_NAME = "python -m overhead_lint.simulated"
REDUCED = (
    f"{_NAME}: reduced: the device is called `simulated`, and "
    "torch.accelerator finds it; what a program does with `cuda` is not simulated"
)


def main(arguments: list[str] | None = None) -> int:
    """Run the program named in `arguments`; gives the exit status, 2 for a wrong use."""
    parser = Parser(
        prog=_NAME,
        usage=f"{_NAME} [options] (SCRIPT | FOLDER | -m MODULE) [ARGS]...",
        description="Run a CUDA program on a simulated device, and count what it costs the host.",
        epilog="Options come before the program; what follows it is its own.",
        allow_abbrev=False,
    )
    parser.add_argument("--devices", type=int, default=1, help="how many devices to show (1 to 8)")
    parser.add_argument("--metrics", default=DEFAULT, help="what to count, by commas (%(default)s)")
    parser.add_argument(
        "--reduced",
        action="store_true",
        help="give the program a device that torch.accelerator finds, and not cuda; where torch is built "
        "for CUDA it is given that anyway",
    )
    parser.add_argument("--lines", action="store_true", help="show the lines that cost most, too")
    rest = argparse.REMAINDER
    parser.add_argument("program", nargs=rest, metavar="SCRIPT", help="a script and its arguments")
    parser.add_argument("-m", dest="module", nargs=rest, metavar="MODULE", help="a module, as python -m does")
    asked = parser.parse_args(arguments)
    words = asked.module if asked.module is not None else asked.program
    if not words:
        parser.error("name a script, or -m MODULE")
    kind = Kind.SCRIPT if asked.module is None else Kind.MODULE
    try:
        return _run(asked, Program(kind, words[0], tuple(words[1:])))
    except NotImported as error:
        show(error.__cause__ or error, (error.__cause__ or error).__traceback__)
        return 1
    except (NativeUnavailable, ProbeUnavailable, ProgramError, UnknownMetric) as error:
        parser.error(str(error))
    except UNCOMPILED as error:  # of the program, as the interpreter would show it
        show(error.with_traceback(None), None)
        return 1


def _run(asked: argparse.Namespace, program: Program) -> int:
    loaded = load(program)
    import torch

    from overhead_lint.simulated import simulated_accelerator, simulated_cuda

    reduced = asked.reduced or torch.version.cuda is not None
    if reduced:
        print(REDUCED, file=sys.stderr)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context((simulated_accelerator if reduced else simulated_cuda)(asked.devices))
        except (ValueError, RuntimeError) as error:
            print(f"{_NAME}: error: {error}", file=sys.stderr)
            return 2
        return _measured(loaded, asked)


def _measured(loaded: Loaded, asked: argparse.Namespace) -> int:
    ending = Ending()
    with measure(asked.metrics.split(","), attribute=asked.lines) as measured:
        ending = run(loaded, lambda _path, code: code)
    if measured.values:
        print(_report(measured, lines=asked.lines), file=sys.stderr)
    if ending.error is not None and not isinstance(ending.error, SystemExit):
        # Shown here: raised, it would have this program's frames, too.
        show(ending.error, ending.error.__traceback__)
    return end(ending)


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
