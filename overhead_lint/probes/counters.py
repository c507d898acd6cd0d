"""What the probes on the native counters share: start, stop, counts and causes of a block."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import ModuleType
from typing import ClassVar

from overhead_lint.probes.api import ProbeUnavailable, Reading
from overhead_lint.probes.attribution import Noted, causes_by_metric, folders, moments_of

__all__ = ["CounterProbe", "require_device"]


class CounterProbe(ABC):
    """Counts in the native core while a block runs. Probes nest.

    Args:
        attribute: whether to note the source line of each count too. That takes the interpreter
            lock for each counted thing and each differentiable operator; counts stay the same.
    """

    lines_cost: ClassVar[bool] = True
    """Finding source lines takes time in the block; see `overhead_lint.probes.metrics`."""

    def __init__(self, *, attribute: bool = True) -> None:
        self._attribute = attribute
        self._metrics: frozenset[str] = frozenset()
        self._counts_before: dict[str, int] = {}
        self._noted_before: dict[tuple[object, ...], int] = {}
        self._begun = 0

    def check(self, metrics: frozenset[str]) -> None:  # noqa: B027 - most need nothing but torch
        """Raise `ProbeUnavailable` for a metric that cannot be measured here; torch is there."""

    @abstractmethod
    def begin(self, counters: ModuleType, metrics: frozenset[str]) -> None:
        """Turn on the native counters of `metrics`."""

    @abstractmethod
    def end(self, counters: ModuleType, metrics: frozenset[str]) -> Mapping[str, str]:
        """Turn them off again; gives why a count cannot be relied on, by metric."""

    def start(self, metrics: frozenset[str]) -> None:
        """Begin counting `metrics`.

        Raises:
            ProbeUnavailable: there is no native core, or `check` says so.
        """
        counters = self._load(metrics)
        self._metrics = metrics
        if self._attribute:
            counters.attribute(sorted(metrics), *folders())
            self._noted_before = {_place(n): n.amount for n in _noted(counters)}
        self.begin(counters, metrics)
        self._counts_before = counters.counts()
        self._begun = counters.now()

    def stop(self) -> Reading:
        """End, and give the counts since `start`.

        Raises:
            ProbeUnavailable: none of the counts can be relied on.
        """
        from overhead_lint.native import load

        counters = load("counters")
        why = self.end(counters, self._metrics)
        unreliable = {metric: reason for metric, reason in why.items() if metric in self._metrics}
        counts: dict[str, int] = counters.counts()
        noted: list[Noted] = []
        moments: list[Noted] = []
        if self._attribute:
            moments = [n for n in map(Noted._make, counters.moments()) if n.amount >= self._begun]
            noted = [
                n._replace(amount=n.amount - self._noted_before.get(_place(n), 0)) for n in _noted(counters)
            ]
            counters.stop_attributing()
        counted = sorted(self._metrics - unreliable.keys())
        if not counted:
            raise ProbeUnavailable(*min(unreliable.items()))
        return Reading(
            values={metric: counts[metric] - self._counts_before[metric] for metric in counted},
            causes=causes_by_metric(noted, counted),
            unavailable=unreliable,
            moments=moments_of(moments, counted, self._begun),
        )

    def _load(self, metrics: frozenset[str]) -> ModuleType:
        first = min(metrics)
        try:
            import torch  # noqa: F401 - asked for here, where its lack has a clear answer
        except ImportError as error:
            raise ProbeUnavailable(first, f"torch cannot be imported ({error}): install torch") from None
        self.check(metrics)
        from overhead_lint.native import NativeUnavailable, load  # what builds, where there is much to count

        try:
            return load("counters")
        except NativeUnavailable as error:
            raise ProbeUnavailable(first, error.why) from None


def require_device(metrics: frozenset[str]) -> None:
    """Raise `ProbeUnavailable` for `metrics` where there is no CUDA device, real or simulated."""
    import torch

    reduced = sys.modules.get("overhead_lint.simulated.reduced")
    if torch.cuda.is_available() or (reduced and reduced.is_enabled()):
        return
    why = "no CUDA device; ask for the simulated_cuda fixture or --overhead-device=simulated"
    if torch.version.cuda is not None or torch.version.hip is not None:
        why = "no CUDA device: this torch is built for GPUs and finds none; a CPU-only torch can simulate one"
    raise ProbeUnavailable(min(metrics), why, metrics)


def _noted(counters: ModuleType) -> list[Noted]:
    return [Noted(*fields) for fields in counters.causes()]


def _place(noted: Noted) -> tuple[object, ...]:
    return (noted.kind, noted.origin, noted.path, noted.line, noted.label, noted.operator, id(noted.leaf))
