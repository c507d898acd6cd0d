"""The metrics there are, and the probe that measures each: both found by the names of modules.

``<kind>_probe.py`` offers ``METRICS``, and as ``PROBE`` what makes a probe for one block when it is called
with the keyword ``attribute``: whether to find source lines. To add a probe, copy one.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from overhead_lint.probes import guards_probe

if TYPE_CHECKING:
    from overhead_lint.probes.api import Metric, Probe

__all__ = [
    "METRICS",
    "Attribute",
    "UnknownMetric",
    "find_metric",
    "needs_dynamo",
    "probes_for",
    "register",
    "whose_lines_cost",
]

Attribute = bool | Literal["free"]
"""Whether to find source lines: all, none, or those that cost no time in the block."""

_SUFFIX = "_probe.py"


def _lines_cost(make: Callable[..., Probe]) -> bool:
    return bool(getattr(make, "lines_cost", False))


def _found() -> list[tuple[Callable[..., Probe], tuple[Metric, ...]]]:
    """Probes with their metrics, in the order in which they start."""
    files = sorted(path.name for path in Path(__file__).parent.glob(f"*{_SUFFIX}"))
    modules = [importlib.import_module(f"overhead_lint.probes.{file.removesuffix('.py')}") for file in files]
    # The native counters count whatever runs, and are not to count how the others set themselves up.
    return sorted(((module.PROBE, module.METRICS) for module in modules), key=lambda one: _lines_cost(one[0]))


_PROBES = _found()

_OF_FRAMES = frozenset(metric.name for metric in guards_probe.METRICS)

METRICS: dict[str, Metric] = {metric.name: metric for _, some in _PROBES for metric in some}
"""Every metric by name."""


class UnknownMetric(ValueError):
    """A metric name that nothing measures; the message names the nearest right one."""

    def __init__(self, name: str) -> None:
        from overhead_lint.support.nearest import nearest

        near = nearest(name, METRICS)
        hint = f"did you mean {near!r}?" if near else "known: " + ", ".join(sorted(METRICS))
        super().__init__(f"unknown metric {name!r}; {hint}")
        self.name = name


def register(make: Callable[..., Probe], metrics: Iterable[Metric]) -> Callable[[], None]:
    """Add a probe and its metrics to those there are.

    Args:
        make: makes a probe for one block; called with the keyword ``attribute``.
        metrics: what the probe measures.

    Returns:
        What takes them out again.

    Raises:
        ValueError: a name that is no identifier, or that another metric has.
    """
    added = tuple(metrics)
    for metric in added:
        if metric.name in METRICS or not metric.name.isidentifier():
            raise ValueError(f"metric {metric.name!r}: the name is taken, or no identifier")
    entry = (make, added)
    _PROBES.append(entry)
    METRICS.update((metric.name, metric) for metric in added)
    probes_for.cache_clear()

    def undo() -> None:
        _PROBES.remove(entry)
        for metric in added:
            del METRICS[metric.name]
        probes_for.cache_clear()

    return undo


def find_metric(name: str) -> Metric:
    """The metric of that name. Raises `UnknownMetric`."""
    try:
        return METRICS[name]
    except KeyError:
        raise UnknownMetric(name) from None


def needs_dynamo(metrics: Iterable[str]) -> bool:
    """Whether one of the metrics is about compiled frames, which have to be watched while they compile."""
    return not _OF_FRAMES.isdisjoint(metrics)


def whose_lines_cost(metrics: Iterable[str]) -> frozenset[str]:
    """Those of the metrics whose source lines take time to find while the block runs."""
    costly = {metric.name for make, some in _PROBES if _lines_cost(make) for metric in some}
    return frozenset(costly.intersection(metrics))


@functools.lru_cache(maxsize=64)  # a session asks for the same with each test
def probes_for(
    metrics: frozenset[str], *, attribute: Attribute
) -> tuple[tuple[Callable[[], Probe], frozenset[str]], ...]:
    """For each kind of metric asked for, what makes its probe, and its share of the metrics.

    Raises:
        UnknownMetric: a name that nothing measures.
    """
    wanted = {find_metric(name).name for name in metrics}
    found: list[tuple[Callable[[], Probe], frozenset[str]]] = []
    for make, some in _PROBES:
        share = frozenset(metric.name for metric in some if metric.name in wanted)
        if share:
            lines = not _lines_cost(make) if attribute == "free" else attribute
            found.append((functools.partial(make, attribute=lines), share))
    return tuple(found)
