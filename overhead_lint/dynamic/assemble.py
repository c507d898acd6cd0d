"""Makes evidence of what was counted."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.dynamic.costs import costs
from overhead_lint.dynamic.importing import imported
from overhead_lint.dynamic.place_times import place_time
from overhead_lint.dynamic.workers import place_of
from overhead_lint.measure.evidence import Cause, Evidence, Observed, dearest_first
from overhead_lint.probes.metrics import METRICS
from overhead_lint.support.relative_paths import relative_to
from overhead_lint.syntax.identity import identities
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from overhead_lint.dynamic.candidates import Candidates
    from overhead_lint.dynamic.closeup import CloseUp
    from overhead_lint.dynamic.compiling import CompileLog
    from overhead_lint.dynamic.counting import Counter
    from overhead_lint.dynamic.recorder import Recorder
    from overhead_lint.dynamic.workers import Place
    from overhead_lint.probes import api as probes

__all__ = ["Instruments", "assemble"]

_FAMILY: Final = len("OVH1")
_WAITS: Final = ("device_sync", "event_sync", "stream_sync")


class Instruments(NamedTuple):
    """What measures a program while it runs.

    Attributes:
        counter: executions of places.
        candidates: the findings, counted or not.
        recorder: the steps.
        close_up: what the probes saw.
        compile_log: what was compiled.
    """

    counter: Counter
    candidates: Candidates
    recorder: Recorder
    close_up: CloseUp
    compile_log: CompileLog


def assemble(
    program: tuple[str, ...],
    status: int | None,
    folder: Path,
    instruments: Instruments,
    elsewhere: Mapping[Place, int],
    unfinished: int,
    *,
    timed: bool,
) -> Evidence:
    """Evidence of a run so far.

    Args:
        program: the command line.
        status: how it ended; None while it runs.
        folder: what paths are relative to.
        instruments: what was measured.
        elsewhere: executions in other processes.
        unfinished: how many of these did not tell all that they executed.
        timed: time the rules' cases on this machine, for the costs.
    """
    recorder, close_up = instruments.recorder, instruments.close_up
    for path in {place.path for place in elsewhere}:
        instruments.candidates.load(path)  # only a worker may have run it
    observed = sorted(_observed(instruments, elsewhere, folder, timed=timed), key=dearest_first)
    compilations = instruments.compile_log.causes()
    trace, host_time = close_up.trace(), close_up.host_time()
    return Evidence(
        program=program,
        status=status,
        seconds=recorder.seconds(),
        machine=machine(),
        steps=recorder.steps(),
        metrics={**close_up.metrics(), **{name: _sum(some) for name, some in compilations.items() if some}},
        causes=tuple(_causes({**close_up.causes(), **compilations}, observed, folder)),
        compiled=tuple({**entry, "file": _path(entry["file"], folder)} for entry in close_up.compiled()),
        unavailable=dict(_missing(close_up.unavailable, unfinished)),
        trace=trace.with_paths(lambda path: _path(path, folder)) if trace is not None else None,
        host_time=host_time.with_paths(lambda path: _path(path, folder)) if host_time is not None else None,
        findings=tuple(observed),
        left_out=close_up.left_out,
    )


def _observed(
    instruments: Instruments, elsewhere: Mapping[Place, int], folder: Path, *, timed: bool
) -> Iterator[Observed]:
    """The findings whose places can be executed, with how often they were; see `assemble`."""
    counter, candidates = instruments.counter, instruments.candidates
    measured, total = instruments.recorder.executions()
    of_place = {id(finding): index for index, finding in enumerate(counter.findings)}
    found = [finding for path in sorted(candidates.found) for finding in candidates.found[path]]
    executed = {finding.code for finding, count in zip(counter.findings, measured, strict=False) if count}
    taken = costs(executed, candidates.rules) if timed else {}
    trace, steps = instruments.close_up.trace(), instruments.recorder.steps()
    named = identities(found, candidates.sources, folder)
    for finding, identity in zip(found, named, strict=True):
        index, in_workers = of_place.get(id(finding)), elsewhere.get(place_of(finding), 0)
        if index is None and not in_workers:
            continue  # a class, a comment: nothing to execute
        before, after = taken.get(finding.code, (None, None))
        executions = measured[index] if index is not None and index < len(measured) else 0
        place = place_time(trace, finding, candidates.sources[finding.path]) if trace and executions else None
        observed = Observed(
            path=identity.path,
            line=finding.span.line,
            code=finding.code,
            name=finding.name,
            function=identity.function,
            text=identity.text,
            number=identity.number,
            message=finding.message,
            heat=finding.warmth.heat.label,
            fix=finding.fix.applicability.value if finding.fix is not None else "",
            executions=executions,
            total=total[index] if index is not None else 0,
            before_seconds=before,
            after_seconds=after,
            elsewhere=in_workers,
            tier=finding.tier.value if finding.tier is not None else "",
            compiled=instruments.compile_log.is_compiled(str(finding.path), finding.span.line),
        )
        if place is not None and steps is not None:
            # Where it ran at all it ran once at least, though that may be one step of many.
            seconds = place.share * steps.median_seconds / max(1.0, executions / steps.count)
            observed = replace(observed, place_seconds=seconds, basis=place.basis.value)
        if (observed.cost_seconds or 0.0) > instruments.recorder.seconds():
            # The case works on more than is there, and how much more is not known.
            observed = replace(observed, before_seconds=None, after_seconds=None)
        yield observed


def _missing(unavailable: Mapping[str, str], unfinished: int) -> Iterator[tuple[str, str]]:
    """Why metrics have no number, said for this command."""
    if unfinished:
        yield (
            "workers",
            f"{unfinished} of the processes that multiprocessing started were killed, or ran on: "
            "what they executed is counted up to the last task of a pool's worker, else not at all",
        )
    for metric, why in unavailable.items():
        if why.startswith("no CUDA device;"):  # one can be simulated; pytest asks for it otherwise
            yield metric, "no CUDA device; `--device simulated` gives the program a simulated one"
        elif not why.startswith("no compiled frame ran"):
            yield metric, why


def _sum(causes: Sequence[probes.Cause]) -> float:
    return sum(cause.amount for cause in causes)


def _causes(
    by_metric: Mapping[str, Sequence[probes.Cause]], observed: Sequence[Observed], folder: Path
) -> Iterator[Cause]:
    """Causes with codes: that of the rule about the metric, or of the line's one finding of its family."""
    on_line: dict[tuple[str, int], set[str]] = {}
    for one in observed:
        on_line.setdefault((one.path, one.line), set()).add(one.code)
    waited = {
        (cause.path, cause.line): METRICS[metric].code_of(cause.label)
        for metric in _WAITS
        for cause in by_metric.get(metric, ())
        if cause.path
    }
    for metric, causes in sorted(by_metric.items()):
        for cause in causes:
            path = _path(cause.path, folder)
            code, found = METRICS[metric].code_of(cause.label), on_line.get((path, cause.line), set())
            if metric.startswith("copies_") and code not in found:
                # A copy that the host waits for is one thing, and told by one code.
                code = waited.get((cause.path, cause.line), code)
            related = {other for other in found if code and other[:_FAMILY] == code[:_FAMILY]}
            if code not in related and len(related) == 1:
                code = related.pop()
            operators = ", ".join(name for name, _ in cause.operators)
            yield Cause(metric, code, path, cause.line, cause.label, cause.amount, operators)


def _path(path: str, folder: Path) -> str:
    return relative_to(Path(path), folder) if path else ""


def machine() -> Mapping[str, str]:
    """What the numbers depend on."""
    torch: Any = imported("torch")
    device = "cpu"
    if torch is not None and torch.cuda.is_available():
        simulated = sys.modules.get("overhead_lint.simulated")
        is_simulated = simulated is not None and simulated.is_enabled()
        device = "simulated" if is_simulated else str(torch.cuda.get_device_name())
    return {
        "python": platform.python_version(),
        "torch": str(getattr(torch, "__version__", "none")),
        "device": device,
        "processor": _processor(),
        "cores": str(os.cpu_count()),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.machine())
