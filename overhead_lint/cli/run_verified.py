"""``overhead-lint run --fix --verify``: what fixes of a copy save, predicted and measured side by side."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.cli.run_refused import Refused
from overhead_lint.measure import evidence
from overhead_lint.support.versioned_json import UnusableFile

if TYPE_CHECKING:
    import argparse

    from overhead_lint.dynamic.program import Program

__all__ = ["run_verified"]


def run_verified(program: Program, found: argparse.Namespace) -> int:
    """Measure a program, then run it with and without fixes in turn; each run is a process of its own.

    Args:
        program: what to run.
        found: the options of ``overhead-lint run``.

    Returns:
        The exit status of the measured run.

    Raises:
        Refused: that run failed, or there is nothing to compare.
    """
    from overhead_lint.dynamic.verify import Comparison, compared, render

    child = [sys.executable, "-m", "overhead_lint", "run", *_options(found)]
    status = subprocess.call([*child, "-o", str(found.output), *program.command])
    if status != 0:
        raise Refused(f"the program ended with status {status}, so nothing was verified")
    try:
        measured = evidence.read(found.output)
    except UnusableFile as error:
        raise Refused(str(error)) from error

    def run(overlay: Path | None, numbers: Path) -> None:
        own = ["--bare", "-q", "-o", str(numbers)]
        if overlay is not None:
            own += ["--overlay", str(overlay)]
        quiet = subprocess.DEVNULL
        subprocess.call([*child, *own, *program.command], stdin=quiet, stdout=quiet, stderr=quiet)

    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as folder:
        result = compared(
            measured, found.output, Path(folder), run, runs=found.verify_runs, unsafe=found.unsafe_fixes
        )
    if not isinstance(result, Comparison):
        raise Refused(f"nothing was verified: {result}")
    evidence.write(found.output, dataclasses.replace(measured, verified=result.as_object()))
    sys.stderr.write(render(result))
    return status


def _options(found: argparse.Namespace) -> list[str]:
    """The options that runs of the same program share."""
    options = ["--warmup", str(found.warmup), "--device", found.device]
    for name in ("steps", "duration", "step_function"):
        if getattr(found, name) is not None:
            options += [f"--{name.replace('_', '-')}", str(getattr(found, name))]
    for folder in found.source:
        options += ["--source", str(folder)]
    return [*options, *(["--exit"] if found.exit else [])]
