"""The parts of a run on a GPU: each a process of its own, with its share of the time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from case_records import Lines
from case_study import HERE, Study

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Part", "parts", "run_all"]

TIMING_SECONDS: Final = 9.0
"""For the rounds of a study."""
STUDY_SECONDS: Final = 70.0
"""For all that one process does: it loads, warms up, times and counts."""
LEAST_SECONDS: Final = 5.0
"""A part is not started with less."""


@dataclass(frozen=True, slots=True)
class Part:
    """A process.

    Attributes:
        name: for the records.
        command: without the interpreter.
        seconds: after which it is ended.
        study: that it measures, if it does.
    """

    name: str
    command: tuple[str, ...]
    seconds: float
    study: Study | None = None


def parts(studies: Sequence[Study], work: Path, results: Path, *, small: bool) -> list[Part]:
    """Return all parts, in their order.

    Args:
        studies: to measure.
        work: where their stages lie.
        results: what records are added to.
        small: for a dry run.
    """
    less = ("--small",) if small else ()
    patience = 10 if small else 1  # a dry run may share its machine with others
    timing = "0" if small else str(TIMING_SECONDS)
    given = ("--work", str(work), "--out", str(results))
    some = [
        Part(
            study.name,
            (str(HERE / "case_rounds.py"), study.name, *given, "--seconds", timing, *less),
            STUDY_SECONDS * patience,
            study,
        )
        for study in studies
    ]
    ours = (str(HERE / "case_command.py"),)
    table = results.parent / "reference_costs.json"
    bench = (
        *ours,
        "bench",
        "--blocks",
        "20" if small else "200",
        "--write-reference",
        str(table),
    )
    runtime = (str(HERE / "case_runtime.py"), "--out", str(results), *less)
    # Built before anything is timed: a study that waited for the compiler would use up its share.
    native = Part("native", (*ours, "native", "build"), 150 * patience)
    # The table comes before the studies, whose savings are predicted by it.
    return [native, Part("bench", bench, 90 * patience), *some, Part("runtime", runtime, 120 * patience)]


def run_all(some: Sequence[Part], results: Path, seconds: float) -> int:
    """Run parts one after another until the time is used up; 1 where one failed or was left out.

    Args:
        some: the parts.
        results: what records are added to; each part adds its own.
        seconds: in all.
    """
    begun = time.monotonic()
    status = 0
    for part in some:
        lines = Lines(results, part.name)
        left = begun + seconds - time.monotonic()
        if left < LEAST_SECONDS:
            lines.add("part", seconds=0.0, status=None, said="no time was left")
            status = 1
            continue
        ended, said, took = _run(part, results, min(left, part.seconds))
        lines.add("part", seconds=took, status=ended, said=said)
        print(f"{part.name}: {took:.0f} s" + (f", status {ended}: {said}" if ended else ""), flush=True)
        status |= ended != 0
    print(f"{time.monotonic() - begun:.0f} of {seconds:.0f} s")
    return status


def _run(part: Part, results: Path, seconds: float) -> tuple[int | None, str, float]:
    """The status of a part, None where its time was up; the last line that it said; and its seconds."""
    begun = time.monotonic()
    # What the linter keeps of this machine is not to be taken from, or given to, the user's other runs.
    environment = {**os.environ, "OVERHEAD_LINT_COSTS": str(results.parent / "costs.json")}
    try:
        done = subprocess.run(
            [sys.executable, *part.command],
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"ended after {seconds:.0f} s", time.monotonic() - begun
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode, said[-1] if said and done.returncode else "", time.monotonic() - begun
