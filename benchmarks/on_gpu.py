"""Runs a CUDA program on the GPU, and counts what it costs the host: by our probes, and by CUPTI.

    python benchmarks/on_gpu.py [--metrics a,b] SCRIPT [ARGS]...

What ``python -m overhead_lint.simulated`` is for the simulated device; for ``cuda_programs.py --gpu``. After
the program a line for each count goes to standard error, with CUPTI's number beside it where there is one.
"""

from __future__ import annotations

import argparse
import sys

from cuda_calls import started

from overhead_lint.dynamic.last_words import show
from overhead_lint.dynamic.program import Kind, Program, end, load, run
from overhead_lint.probes import measure


def main() -> int:
    """Run the program that the command line names; gives its exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--metrics", default="event_record,stream_sync,copies_h2d,copies_d2h,dispatches")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    loaded = load(Program(Kind.SCRIPT, asked.program[0], tuple(asked.program[1:])))
    runtime = started()
    before = runtime.counts() if runtime is not None else {}
    with measure(asked.metrics.split(","), attribute=False) as measured:
        ending = run(loaded, lambda _path, code: code)
    called = runtime.since(before) if runtime is not None else {}
    for metric, value in sorted(measured.values.items()):
        print(f"{metric:14} {value:12,} {called.get(metric, '-'):>12}", file=sys.stderr)
    if ending.error is not None and not isinstance(ending.error, SystemExit):
        show(ending.error, ending.error.__traceback__)
    return end(ending)


if __name__ == "__main__":
    sys.exit(main())
