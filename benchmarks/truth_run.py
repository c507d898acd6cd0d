"""Runs a program on the simulated device, and notes by source line of one folder what it cost the host.

    python benchmarks/truth_run.py JOB

Started by ``truth.py``, once a program. JOB is a pickled `Job`. What it writes is a pickled `Noted`.
"""

from __future__ import annotations

import os
import pickle
import sys
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.dynamic import counting_dynamo
from overhead_lint.dynamic.counting import counter
from overhead_lint.dynamic.importing import after_import, watch_code
from overhead_lint.dynamic.program import Kind, Program, load, run
from overhead_lint.probes.measure import measure
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from overhead_lint.rule import Finding, Span

__all__ = ["METRICS", "WAITS", "Job", "Line", "Noted"]

WAITS: Final = ("stream_sync", "device_sync", "event_sync")
METRICS: Final = (*WAITS, "copies_h2d", "copies_d2h", "dispatches")
_OF_LINES: Final = ("forward", "Python code in backward")
"""Labels of what the line itself does; others are work of autograd's engine."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to run, and what to note.

    Attributes:
        words: the program and its arguments, or ``-m``, a module and its arguments.
        folder: whose files count.
        findings: whose places are counted, by the real paths of their files.
        devices: how many to simulate.
        output: where the notes go.
    """

    words: tuple[str, ...]
    folder: Path
    findings: Mapping[str, Sequence[Finding]]
    devices: int
    output: Path


@dataclass(slots=True)
class Line:
    """What one line did.

    Attributes:
        amounts: by metric.
        operators: the operators that waited, as Python called them.
    """

    amounts: Counter[str] = field(default_factory=Counter)
    operators: Counter[str] = field(default_factory=Counter)

    @property
    def waits(self) -> int:
        """How often the host waited for the device."""
        return sum(self.amounts[metric] for metric in WAITS)

    def add(self, other: Line) -> None:
        """Count what the same line did in another run, too."""
        self.amounts.update(other.amounts)
        self.operators.update(other.operators)


@dataclass(slots=True)
class Noted:
    """What a run showed.

    Attributes:
        lines: of the folder's files, by path and line.
        executions: of the places of findings, by path and span; those that cannot be counted are left out.
        status: of the program.
        error: the type and text of what ended it, or "".
        seconds: processor time of the process.
    """

    lines: dict[tuple[str, int], Line] = field(default_factory=dict)
    executions: Counter[tuple[str, Span]] = field(default_factory=Counter)
    status: int = 0
    error: str = ""
    seconds: float = 0.0

    def add(self, other: Noted) -> None:
        """Count what another run of the same package showed, too."""
        for place, line in other.lines.items():
            self.lines.setdefault(place, Line()).add(line)
        self.executions.update(other.executions)
        self.seconds += other.seconds


class _Places:
    """Counts how often places are executed, file by file as the program loads them."""

    def __init__(self, findings: Mapping[str, Sequence[Finding]]) -> None:
        self._findings = findings
        self._counter = counter()
        self._paths: list[str] = []

    def watch(self, path: str, code: types.CodeType) -> types.CodeType:
        """The code to run for a file's code."""
        real = os.path.realpath(path)
        found = self._findings.get(real, ())
        if not found:
            return code
        watched = self._counter.watch(code, Source.read(Path(real)), found)
        added = len(self._counter.findings) - len(self._paths)
        self._paths += [real] * added
        return watched

    def executions(self) -> Counter[tuple[str, Span]]:
        """How often each place was executed; those that cannot be counted are left out."""
        counted: Counter[tuple[str, Span]] = Counter()
        counts = self._counter.counts()
        for path, finding, count in zip(self._paths, self._counter.findings, counts, strict=True):
            counted[path, finding.span] = max(count, counted[path, finding.span])
        return counted


def _run(job: Job) -> Noted:
    is_module = job.words[0] == "-m"
    words = job.words[1:] if is_module else job.words
    program = load(Program(Kind.MODULE if is_module else Kind.SCRIPT, words[0], tuple(words[1:])))
    places = _Places(job.findings)
    dynamo: dict[str, Callable[[types.ModuleType], None]] = {}
    if sys.version_info < (3, 12):
        dynamo[counting_dynamo.MODULE] = counting_dynamo.read_without
    from overhead_lint.simulated import simulated_cuda

    with (
        simulated_cuda(job.devices),
        watch_code(places.watch),
        after_import(dynamo),
        measure(METRICS, attribute=True) as measured,
    ):
        ending = run(program, lambda _path, code: code)
    folder = f"{job.folder}{os.sep}"
    lines: dict[tuple[str, int], Line] = {}
    for metric, causes in measured.causes.items():
        for cause in causes:
            path = os.path.realpath(cause.path) if cause.path else ""
            if path.startswith(folder) and cause.label.startswith(_OF_LINES):
                line = lines.setdefault((path, cause.line), Line())
                line.amounts[metric] += int(cause.amount)
                if metric in WAITS:
                    line.operators.update(dict(cause.operators))
    error = f"{type(ending.error).__name__}: {ending.error}" if ending.error is not None else ""
    return Noted(lines, places.executions(), ending.status, error, sum(os.times()[:2]))


def main() -> int:
    """Run the job that the command line names."""
    job: Job = pickle.loads(Path(sys.argv[1]).read_bytes())
    noted = _run(job)
    job.output.write_bytes(pickle.dumps(noted))
    sys.stdout.flush()
    # Objects on the device that outlive it, and threads of the program, have nothing more to say.
    os._exit(0)


if __name__ == "__main__":
    import truth_run  # by its name, which pickles say; `__main__` becomes the program

    truth_run.main()
