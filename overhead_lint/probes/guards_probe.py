"""Probe of compiled frames: guards, compilations, graph breaks, and the time of a guard evaluation.

`guards_reading` has what it finds out about them. Importing this module imports neither that nor torch: most
tests compile nothing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from overhead_lint.probes import guards_lookout
from overhead_lint.probes.api import Metric, MetricKind, ProbeUnavailable, Reading

if TYPE_CHECKING:
    from overhead_lint.probes.guards_reading import GuardProbe

__all__ = ["METRICS", "PROBE", "LateGuardProbe"]

METRICS: tuple[Metric, ...] = (
    Metric(
        "guards",
        MetricKind.COUNT,
        "leaf guards of the cache entries that were used",
        per_step=True,
        code="OVH307",
    ),
    Metric("recompiles", MetricKind.COUNT, "calls whose guards all failed", code="OVH303"),
    Metric(
        "graph_breaks", MetricKind.COUNT, "places where a compiled frame hands back to Python", code="OVH311"
    ),
    Metric(
        "compiled_frames",
        MetricKind.COUNT,
        "frames that Dynamo compiled, those compiled again among them",
        recorded=False,
        code="OVH303",
    ),
    Metric("compile_time", MetricKind.TIME, "seconds that Dynamo took to compile, its backend among them"),
    Metric(
        "guard_time_hot",
        MetricKind.TIME,
        "one evaluation of those guards, caches warm",
        per_step=True,
        code="OVH307",
    ),
    Metric(
        "guard_time_cold",
        MetricKind.TIME,
        "one evaluation of those guards, caches flushed",
        per_step=True,
        code="OVH307",
    ),
)


class LateGuardProbe:
    """Measures what `GuardProbe` does, and imports Dynamo no sooner than the program.

    Args:
        attribute: give the source lines behind each number.
    """

    def __init__(self, *, attribute: bool = True) -> None:
        self._attribute = attribute
        self._metrics: frozenset[str] = frozenset()
        self._probe: GuardProbe | None = None
        self._wrong = ""

    def start(self, metrics: frozenset[str]) -> None:
        """Begin. Raises `ProbeUnavailable` where Dynamo is imported and lacks what is needed."""
        self._metrics = metrics
        if guards_lookout.is_imported():
            self._read()
        else:
            guards_lookout.wait(self._begin)

    def stop(self) -> Reading:
        """End, and give values and causes; metrics without a value say why."""
        guards_lookout.leave(self._begin)
        if self._probe is not None:
            return self._probe.stop()
        return Reading({}, {}, dict.fromkeys(self._metrics, self._wrong or _why_nothing_was_told()))

    def _begin(self) -> None:
        """The program has imported Dynamo."""
        try:
            self._read()
        except ProbeUnavailable as error:
            self._wrong = error.why

    def _read(self) -> None:
        from overhead_lint.probes.guards_reading import GuardProbe

        probe = GuardProbe(attribute=self._attribute)
        probe.start(self._metrics)
        self._probe = probe


def _why_nothing_was_told() -> str:
    if guards_lookout.is_imported():
        return "torch._dynamo was imported while it was measured, and its import could not be seen"
    if "torch" not in sys.modules:  # perhaps since it cannot be imported
        try:
            guards_lookout.import_dynamo()
        except ProbeUnavailable as error:
            return error.why
    return f"{guards_lookout.NOTHING_RAN}: {guards_lookout.NOTHING_CALLED}"


PROBE = LateGuardProbe
