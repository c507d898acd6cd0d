"""What is measured around the steps of a study: time, counts, and how busy the GPU was."""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import torch

from overhead_lint.probes import measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

__all__ = ["METRICS", "Busy", "Counting", "Meter", "Profiling", "Timing", "device_use"]

METRICS: Final = (
    "stream_sync",
    "device_sync",
    "event_sync",
    "copies_h2d",
    "copies_d2h",
    "event_record",
    "event_wait",
    "dispatches",
)
_WINDOW: Final = "case study"
_LAUNCHES: Final = ("cudaLaunchKernel", "cuLaunchKernel")
_ON_DEVICE: Final = ("kernel", "gpu_memcpy", "gpu_memset")


class Meter(AbstractContextManager["Meter"]):
    """Entered before the first step that counts, and left after the last."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the measurement."""


class Timing(Meter):
    """Seconds until all that the steps gave the device is done.

    Attributes:
        seconds: of all steps together; 0.0 before the end.
    """

    def __init__(self) -> None:
        self.seconds = self._begun = 0.0

    def __enter__(self) -> Timing:
        """Start the clock when the device has nothing left to do."""
        torch.cuda.synchronize()
        self._begun = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it likewise."""
        torch.cuda.synchronize()
        self.seconds = time.perf_counter() - self._begun


class Counting(Meter):
    """Counts by our probes.

    Attributes:
        values: by metric; without those that cannot be counted here.
        unavailable: why, of those.
    """

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.unavailable: dict[str, str] = {}
        self._running = ExitStack()

    def __enter__(self) -> Counting:
        """Start the probes; what was given to the device before is no part of it."""
        torch.cuda.synchronize()
        self._found = self._running.enter_context(measure(METRICS, attribute=False, strict=False))
        return self

    def __exit__(self, *_: object) -> None:
        """Read them."""
        self._running.close()
        self.values = {name: float(value) for name, value in self._found.values.items()}
        self.unavailable = dict(self._found.unavailable)


class Busy(NamedTuple):
    """What a profile says of the device.

    Attributes:
        busy_seconds: during which at least one kernel or copy ran.
        launches: of kernels, as the host asked for them.
        kernels: that ran.
        memcpys: copies that ran, those within the device too.
    """

    busy_seconds: float
    launches: int
    kernels: int
    memcpys: int


class Profiling(Meter):
    """Asks torch's profiler what ran on the device.

    Attributes:
        busy: what it said; None where there is no GPU.
    """

    def __init__(self) -> None:
        self.busy: Busy | None = None
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        self._profile = torch.profiler.profile(activities=activities)

    def __enter__(self) -> Profiling:
        """Start the profiler."""
        torch.cuda.synchronize()
        self._profile.__enter__()
        self._window = torch.profiler.record_function(_WINDOW)
        self._window.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it, and read its trace."""
        torch.cuda.synchronize()
        self._window.__exit__(None, None, None)
        self._profile.__exit__(None, None, None)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trace.json"
            self._profile.export_chrome_trace(str(file))
            self.busy = device_use(json.loads(file.read_text(encoding="utf-8"))["traceEvents"])


def device_use(events: Iterable[Mapping[str, Any]]) -> Busy | None:
    """Return how busy the device was in the window of a trace; None where nothing ran on one.

    Args:
        events: of a Chrome trace by torch's profiler: times in microseconds.
    """
    spans: list[tuple[float, float, str]] = []
    window: tuple[float, float] | None = None
    launches = 0
    for event in events:
        if event.get("ph") != "X":
            continue
        category, begin = str(event.get("cat", "")), float(event["ts"])
        end = begin + float(event.get("dur", 0))
        if category == "user_annotation" and event["name"] == _WINDOW:
            window = begin, end
        elif category in _ON_DEVICE:
            spans.append((begin, end, category))
        elif category in ("cuda_runtime", "cuda_driver") and str(event["name"]).startswith(_LAUNCHES):
            launches += 1
    if window is None or not spans:
        return None
    kinds = [kind for _, _, kind in spans]
    return Busy(
        busy_seconds=_covered([(begin, end) for begin, end, _ in spans], window) * 1e-6,
        launches=launches,
        kernels=kinds.count("kernel"),
        memcpys=kinds.count("gpu_memcpy"),
    )


def _covered(spans: list[tuple[float, float]], window: tuple[float, float]) -> float:
    """How much of a window at least one span covers."""
    covered, until = 0.0, window[0]
    for begin, end in sorted(spans):
        begin, end = max(begin, until), min(end, window[1])
        if end > begin:
            covered, until = covered + end - begin, end
    return covered
