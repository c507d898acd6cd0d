"""Times the two forms of a rule on this machine, or counts what they ask of a device.

Both forms run in short blocks, in turn with each other, in a thread of their own. The figure of a form is its
fastest block, which is what other work on the machine disturbs least; the spread is that of the
differences between neighbouring blocks. Absolute figures belong to the machine, ratios hold elsewhere.
"""

from __future__ import annotations

import contextlib
import gc
import math
import statistics
import sys
import time
import timeit
import types
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from overhead_lint.errors import class_and_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.engine.pages import TimingCase

__all__ = [
    "BLOCKS",
    "CalibrationError",
    "Counts",
    "NoDevice",
    "Timing",
    "count",
    "device_name",
    "measure",
    "prepare",
]

T = TypeVar("T")

BLOCKS: Final = 200
_BLOCK_SECONDS: Final = 0.0005
_LEAST_BLOCKS: Final = 5
_MODULE: Final = "overhead_lint_timing"
_FORMS: Final = ("before", "after")


class CalibrationError(Exception):
    """A form that does not run here; the message names the case, in one line."""


class NoDevice(CalibrationError):
    """No case can be counted here, for want of a GPU and of a simulated device; the message says why."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What a case takes.

    Attributes:
        before_seconds: an execution of the form that the rule finds.
        after_seconds: an execution of the form that it proposes.
        saving_seconds: what one execution saves: the median of the differences between neighbouring blocks.
        spread_seconds: lower and upper quartile of these differences.
    """

    before_seconds: float
    after_seconds: float
    saving_seconds: float
    spread_seconds: tuple[float, float]

    @property
    def ratio(self) -> float:
        """How many times less the proposed form takes."""
        return self.before_seconds / self.after_seconds


@dataclass(frozen=True, slots=True)
class Counts:
    """What both forms ask of a device, by metric."""

    before: dict[str, float]
    after: dict[str, float]
    simulated: bool


def _alone(work: Callable[[TimingCase], T], case: TimingCase) -> T:
    """Do something with a case in a thread of its own: modes that its code leaves on end there."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(work, case).result()


def prepare(case: TimingCase) -> dict[str, object]:
    """Run the setup of a case, and each form once, in a thread of its own.

    Returns:
        The names that the forms run in.

    Raises:
        CalibrationError: the setup or a form does not run here.
    """
    return _alone(_prepared, case)


def _prepared(case: TimingCase) -> dict[str, object]:
    module = types.ModuleType(_MODULE)
    sys.modules[_MODULE] = module  # dataclasses looks its classes' module up
    try:
        for part in ("setup", *_FORMS):
            _execute(case, part, module.__dict__)
    finally:
        del sys.modules[_MODULE]
    return module.__dict__


def measure(case: TimingCase, blocks: int = BLOCKS, *, seconds: float = math.inf) -> Timing:
    """Time both forms of a case.

    Args:
        case: what to time.
        blocks: number of blocks of each form; a block takes about half a millisecond.
        seconds: after so long fewer blocks will do, five at least: a single execution may take long.

    Raises:
        CalibrationError: a form does not run here.
    """
    return _alone(partial(_measured, blocks=blocks, seconds=seconds), case)


def _measured(case: TimingCase, blocks: int, seconds: float) -> Timing:
    names = _prepared(case)
    timers = [timeit.Timer(getattr(case, form), globals=names) for form in _FORMS]
    sizes = [_block_size(timer) for timer in timers]
    taken: tuple[list[float], list[float]] = ([], [])
    gc.collect()
    latest = time.perf_counter() + seconds
    for block in range(blocks):
        if block >= _LEAST_BLOCKS and time.perf_counter() > latest:
            break
        for index in (0, 1) if block % 2 else (1, 0):
            taken[index].append(timers[index].timeit(sizes[index]) / sizes[index])
    savings = [before - after for before, after in zip(*taken, strict=True)]
    lower, median, upper = statistics.quantiles(savings, n=4) if blocks > 1 else savings * 3
    return Timing(min(taken[0]), min(taken[1]), median, (lower, upper))


def count(case: TimingCase) -> Counts:
    """Count what each form of a case asks of a CUDA device, simulated where there is none.

    Raises:
        NoDevice: there is none, and none can be simulated.
        CalibrationError: a form does not run here, or a metric cannot be measured.
    """
    import torch

    from overhead_lint.simulated import simulated_cuda

    simulated = not torch.cuda.is_available()
    with contextlib.ExitStack() as device:
        if simulated:
            try:
                device.enter_context(simulated_cuda())
            except RuntimeError as error:  # no compiler, or a torch for GPUs
                raise NoDevice(str(error)) from None
        before, after = _alone(_counted, case)
    return Counts(before, after, simulated)


def _counted(case: TimingCase) -> list[dict[str, float]]:
    from overhead_lint.probes.api import ProbeUnavailable
    from overhead_lint.probes.measure import measure as measured
    from overhead_lint.probes.metrics import UnknownMetric

    names = _prepared(case)
    counts = []
    for form in _FORMS:
        try:
            with measured(case.metrics, attribute=False) as found:
                _execute(case, form, names)
        except (ProbeUnavailable, UnknownMetric) as error:
            raise CalibrationError(f"{case.code}, {case.title}: {error}") from error
        counts.append(found.values)
    return counts


def device_name() -> str:
    """The GPU's name, or ``CPU``."""
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"


def _execute(case: TimingCase, form: str, names: dict[str, object]) -> None:
    try:
        exec(compile(getattr(case, form), f"<{case.code} {form}>", "exec"), names)
    except Exception as error:  # whatever the code of a page raises where something is missing
        why = class_and_message(error)
        raise CalibrationError(f"{case.code}, {case.title}: {form} does not run here: {why}") from error


def _block_size(timer: timeit.Timer) -> int:
    once = timer.timeit(1)
    if once > _BLOCK_SECONDS:
        return 1
    timer.timeit(2)
    started = time.perf_counter()
    timer.timeit(10)
    return max(1, int(_BLOCK_SECONDS * 10 / (time.perf_counter() - started)))
