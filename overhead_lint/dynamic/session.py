"""One run: watches, lets the program run, and writes what was measured however it ends."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
import types
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.dynamic import program, shadowed, workers
from overhead_lint.dynamic.assemble import Instruments, assemble
from overhead_lint.dynamic.closeup import CloseUp
from overhead_lint.dynamic.compiling import CompileLog
from overhead_lint.dynamic.module_calls import MODULE, ModuleCalls
from overhead_lint.dynamic.recorder import Limits, Recorder
from overhead_lint.dynamic.steps import Source, watch_steps
from overhead_lint.dynamic.watching import FileWatch, StepMarks
from overhead_lint.measure import evidence as evidence_file
from overhead_lint.native import NativeUnavailable, load
from overhead_lint.support.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.measure.evidence import Evidence

__all__ = ["Session", "Wanted"]

_CHECKPOINT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a run.

    Attributes:
        output: the evidence file.
        limits: how much to measure.
        function: a step function, as ``pkg.module:name``.
        sources: folders whose files are linted, besides the current one and the script's.
        exit_when_done: end the program once enough was measured.
        progress: show steps on stderr.
        overlay: a folder with other texts of some files.
        bare: only time steps: count nothing, look at nothing closely.
        tests: where pytest puts the numbers of each test; None for a program that is no run of pytest.
    """

    output: Path
    limits: Limits = field(default_factory=Limits)
    function: str = ""
    sources: tuple[Path, ...] = ()
    exit_when_done: bool = False
    progress: bool = False
    overlay: Path | None = None
    bare: bool = False
    tests: Path | None = None


class Session:
    """Runs a program once.

    Args:
        loaded: the program.
        command: its command line, for the evidence.
        wanted: what is asked for.
    """

    def __init__(self, loaded: program.Loaded, command: tuple[str, ...], wanted: Wanted) -> None:
        self._loaded: program.Loaded | None = loaded
        self._command = command
        self._wanted = wanted
        self._output = wanted.output.absolute()
        folders = (Path.cwd(), Path(loaded.folder), *wanted.sources)
        self._files = FileWatch(folders, wanted.overlay, bare=wanted.bare, marks=self._marks(loaded.path))
        self._compile_log = CompileLog()
        self._close_up = CloseUp(self._compile_log.has_compiled, lambda: self._compile_log.begun)
        self._workers = workers.Workers(self._files.counter)
        self._workers.tell(folders, wanted.overlay, first=loaded.search[0], bare=wanted.bare)
        self._recorder = Recorder(
            self._files.counter.counts,
            wanted.limits,
            None if wanted.bare else self._close_up,
            self._finished,
            self._noticed,
        )
        self._modules = ModuleCalls(self._files.counter, lambda name: self._mark(Source.MODULE, name))
        self._process = os.getpid()
        self._leading: dict[Source, str] = {}
        self._called = False
        self._next_write = time.monotonic() + _CHECKPOINT_SECONDS
        self._progress = Progress() if wanted.progress else None

    def run(self) -> program.Ending:
        """Run the program to its end, once. What it raises is in the result."""
        # What watches torch stays until the interpreter ends, and is not to keep the program alive: the
        # globals of a module that is still referred to by then are None where its objects are finalized.
        loaded, self._loaded = self._loaded, None
        assert loaded is not None, "a session runs once"
        hooks: dict[str, Callable[[types.ModuleType], None]] = {
            workers.MODULE: self._follow,
            workers.POOL: self._workers.watch_pool,
        }
        if self._wanted.tests is None:
            hooks[MODULE] = self._modules.watch
        if not self._wanted.bare:
            hooks["torch._dynamo"] = self._compile_log.start
            hooks["torch"] = self._prepare
        with self._files.watching(hooks), watch_steps(self._mark, self._wanted.function, self._files.counter):
            self._recorder.start()
            ending = program.run(loaded, self._files.watch)
            self.stop()
        return ending

    def stop(self) -> None:
        """Measure no more; in the midst of a program that a signal is about to end, too."""
        self._recorder.stop()
        self._modules.stop()
        self._files.counter.stop()
        self._compile_log.stop()
        if self._progress is not None:
            self._progress.clear()

    @property
    def is_own_process(self) -> bool:
        """False in a forked child that came back from the program's code: it reports nothing."""
        return os.getpid() == self._process

    @property
    def has_steps(self) -> bool:
        """Whether steps were measured."""
        return self._recorder.steps() is not None

    def close(self) -> None:
        """Remove what the run left outside of its output."""
        with shadowed.ours():
            self._workers.close()

    @property
    def failures(self) -> tuple[str, ...]:
        """Files whose findings are not counted, and what was asked for and not found; one line each."""
        function = self._wanted.function
        if function and not self._called:
            why = "no call of it was seen, nor is any of compiled code: mark steps with runtime.step()"
            return (*self._files.candidates.failed.values(), f"--step-function {function}: {why}")
        return tuple(self._files.candidates.failed.values())

    def evidence(self, status: int | None) -> Evidence:
        """What was measured so far; the rules' cases are timed once the program has ended."""
        with shadowed.ours():
            return self._evidence(status)

    def _evidence(self, status: int | None) -> Evidence:
        files = self._files
        found = assemble(
            self._command,
            status,
            self._output.parent,
            Instruments(files.counter, files.candidates, self._recorder, self._close_up, self._compile_log),
            *self._workers.gather(),
            timed=status is not None and not self._wanted.bare,
        )
        if self._wanted.tests is None:
            return found
        passed = _passed(self._wanted.tests)
        return replace(
            found,
            tests={name: test["values"] for name, test in passed.items()},
            test_devices={name: test["device"] for name, test in passed.items() if test["device"]},
        )

    def save(self) -> None:
        """Write the evidence as far as it is; the program goes on."""
        with shadowed.ours():
            evidence_file.write(self._output, self._evidence(None))

    def _prepare(self, torch: types.ModuleType) -> None:
        """Compile the native core, where it is missing, before the first step and not inside of it."""
        del torch  # the core is for the one that was just imported
        with contextlib.suppress(NativeUnavailable):  # what needs it tells why it has no number
            load("counters")

    def _follow(self, module: types.ModuleType) -> None:
        self._workers.watch(module)
        self._workers.start_watched(module)

    def _marks(self, path: str) -> StepMarks:
        """What marks steps in the program's files, of which the given one runs as ``__main__``."""
        module, _, name = self._wanted.function.partition(":")
        return StepMarks(
            functools.partial(self._leading_mark, Source.LOOP),
            functools.partial(self._leading_mark, Source.ROUND),
            functools.partial(self._mark, Source.FUNCTION),
            name if module == "__main__" else "",
            path,
        )

    def _leading_mark(self, source: Source, place: str) -> Callable[[], None]:
        """Marks a step at each round of what began first: others may be inside of it."""

        def mark() -> None:
            if self._leading.setdefault(source, place) == place:
                self._mark(source, place)

        return mark

    def _mark(self, source: Source, place: str = "") -> None:
        # In a run of pytest each test is measured by itself, and one measures with these probes at a time.
        self._called = self._called or source is Source.FUNCTION
        if self.is_own_process and self._wanted.tests is None:
            self._recorder.mark(source, place)
            if source > Source.MODULE:
                self._modules.stop()

    def _noticed(self, step: int) -> None:
        now = time.monotonic()
        if self._progress is not None and self._progress.is_due(now):
            self._progress.show(f"step {step}", now)
        if now >= self._next_write:
            # A full disk may have room at the end, and a defect of ours is told there: not to the program.
            with contextlib.suppress(Exception):
                self.save()
            self._next_write = time.monotonic() + _CHECKPOINT_SECONDS

    def _finished(self) -> None:
        if self._wanted.exit_when_done:
            raise SystemExit(0)


def _passed(report: Path) -> dict[str, dict[str, Any]]:
    """Tests that passed, out of a report of the plugin; none where pytest did not write it."""
    try:
        content = json.loads(report.read_bytes())
    except (OSError, ValueError):
        return {}
    return {name: test for name, test in content["tests"].items() if test["passed"]}
