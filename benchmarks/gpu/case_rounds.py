"""Measures the stages of one study in one process, and writes what it finds as JSON lines.

    python benchmarks/gpu/case_rounds.py STUDY --work FOLDER --out FILE [--seconds S] [--small]

On the GPU that there is, else on the simulated device, where counts and equality hold and times do not.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import math
import random
import sys
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from case_forms import Form
from case_meters import Counting, Meter, Profiling, Timing
from case_records import Lines
from case_stages import BEFORE, Stage, StageError, read_stages
from case_study import Study, by_name

from overhead_lint.simulated import simulated_cuda

if TYPE_CHECKING:
    from collections.abc import Sequence

    from case_scripts import Run

AGAIN: Final = "again"
"""The program as it was once more: how far two equal forms differ is what no difference can be told from."""
LEAST_ROUNDS: Final = 3
PROFILED: Final = (BEFORE, "safe", "unsafe", "hand")
"""Forms whose profile is worth the seconds that reading it takes."""


@dataclass(slots=True)
class Measured:
    """A form, and what was measured of it.

    Attributes:
        form: its modules.
        run: runs its steps.
        seconds: a step, by round.
        equal: rounds whose outcome was that of `BEFORE`, bit by bit.
        difference: the largest between a number of an outcome and that of `BEFORE`; None where there is none,
            as shapes differ, or something is no number.
    """

    form: Form
    run: Run
    seconds: list[float] = field(default_factory=list)
    equal: int = 0
    difference: float | None = 0.0


def load(study: Study, folder: Path, stages: Sequence[Stage], *, small: bool) -> list[Measured]:
    """Return the forms that differ, and that of `BEFORE` twice."""
    own = [(stage.name, stage.tree) for stage in stages if stage.tree == stage.name]
    forms: list[Measured] = []
    for name, tree in [*own, (AGAIN, BEFORE)]:
        form = Form(name, folder / tree, folder / tree / study.root)
        spec = importlib.util.spec_from_file_location(f"{study.name}_driver_{len(forms)}", study.driver)
        assert spec is not None
        assert spec.loader is not None
        driver = importlib.util.module_from_spec(spec)
        with form.active():
            spec.loader.exec_module(driver)
            seed(0)
            forms.append(Measured(form, driver.session(form.folder, small=small)))
    return forms


def seed(number: int) -> None:
    """Start all random numbers anew."""
    torch.manual_seed(number)
    np.random.seed(number)
    random.seed(number)


def block(measured: Measured, steps: int, meter: Meter, number: int) -> list[torch.Tensor]:
    """Run a block of steps; gives its outcome, on the host."""
    with measured.form.active():
        seed(number)
        outcome = measured.run(steps, meter)
        return [one.detach().cpu().clone() for one in outcome]


def compare(measured: Measured, outcome: Sequence[torch.Tensor], expected: Sequence[torch.Tensor]) -> None:
    """Note how an outcome differs from that of the program as it was."""
    if [one.shape for one in outcome] != [one.shape for one in expected]:
        measured.difference = None
        return
    if all(map(_same_bits, outcome, expected)):
        measured.equal += 1
    elif measured.difference is not None:
        apart = [(a.double() - b.double()).abs().max().item() for a, b in zip(outcome, expected, strict=True)]
        largest = max(measured.difference, *apart)
        measured.difference = largest if all(map(math.isfinite, apart)) else None


def _same_bits(left: torch.Tensor, right: torch.Tensor) -> bool:
    return left.dtype == right.dtype and left.numpy().tobytes() == right.numpy().tobytes()


def rounds(forms: Sequence[Measured], steps: int, seconds: float) -> int:
    """Time all forms in turn until the time is used up, `LEAST_ROUNDS` times at least; gives how often."""
    for measured in forms:  # programs that train on must do so from the same numbers
        block(measured, steps, Timing(), 0)
    done, latest = 0, time.perf_counter() + seconds
    while done < LEAST_ROUNDS or time.perf_counter() < latest:
        done += 1
        outcomes = {}
        order = [(done + place) % len(forms) for place in range(len(forms))]
        for place in order:
            meter = Timing()
            outcomes[place] = block(forms[place], steps, meter, done)
            forms[place].seconds.append(meter.seconds / steps)
        for place, measured in enumerate(forms):
            compare(measured, outcomes[place], outcomes[0])
    return done


def count(measured: Measured, steps: int, lines: Lines) -> None:
    """Write what a block of a form asks of the device, and of `PROFILED` ones how busy a GPU was."""
    counting = Counting()
    block(measured, steps, counting, 1)
    values = {name: value / steps for name, value in counting.values.items()}
    lines.add("counts", form=measured.form.name, per_step=values, unavailable=counting.unavailable)
    if torch.version.cuda is None or measured.form.name not in PROFILED:
        return
    profiling = Profiling()
    block(measured, steps, profiling, 1)
    if (busy := profiling.busy) is not None:
        lines.add(
            "device",
            form=measured.form.name,
            busy_seconds=busy.busy_seconds / steps,
            launches=busy.launches / steps,
            kernels=busy.kernels / steps,
            memcpys=busy.memcpys / steps,
        )


def measure(study: Study, work: Path, lines: Lines, seconds: float, *, small: bool) -> None:
    """Measure a study.

    Raises:
        StageError: its stages are not prepared.
    """
    folder = work / study.name
    stages = read_stages(folder)
    for stage in stages:
        lines.add_stage(stage)
    forms = load(study, folder, stages, small=small)
    steps = min(study.steps, 3) if small else study.steps
    done = rounds(forms, steps, seconds)
    for measured in forms:
        lines.add(
            "times",
            form=measured.form.name,
            steps=steps,
            seconds=measured.seconds,
            equal=measured.equal,
            rounds=done,
            difference=measured.difference,
        )
    for measured in forms:
        count(measured, steps, lines)


def measure_on_device(study: Study, work: Path, out: Path, seconds: float, *, small: bool) -> int:
    """Measure a study on the device that there is; 2 where a module or its stages are missing."""
    gpu = torch.cuda.is_available()
    lines = Lines(out, study.name, torch.cuda.get_device_name() if gpu else "simulated device")
    lines.add_machine()
    if lacking := missing(study):
        lines.add("left_out", why=f"no module {', '.join(lacking)} here")
        return 2
    with contextlib.nullcontext() if gpu else simulated_cuda():
        try:
            measure(study, work, lines, seconds, small=small)
        except StageError as error:
            lines.add("left_out", why=str(error))
            return 2
    return 0


def missing(study: Study) -> list[str]:
    """Return the modules that a study needs and that are not there."""
    return [name for name in study.needs if importlib.util.find_spec(name) is None]


def main() -> int:
    """Measure the study that the command line names; 2 where it cannot be run here."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("study")
    parser.add_argument("--work", type=Path, required=True, help="where the stages lie")
    parser.add_argument("--out", type=Path, required=True, help="what lines are added to")
    parser.add_argument("--seconds", type=float, default=20.0, help="of timing (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="small sizes and few steps, for a dry run")
    asked = parser.parse_args()
    (study,) = by_name([asked.study])
    sys.path.append(str((asked.work / "site").resolve()))
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    return measure_on_device(study, asked.work, asked.out, asked.seconds, small=asked.small)


if __name__ == "__main__":
    sys.exit(main())
