"""Counts operators, autograd nodes, copies between host and device, Python calls and contexts.

The first three come from callbacks of ``at::RecordFunction`` in the native core, which leave
``torch.compile`` alone, the last two from a C profile function of the thread that starts the probe.
Importing this module imports neither torch nor the native core.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType

from overhead_lint.probes import profile_slot
from overhead_lint.probes.api import Metric, MetricKind, ProbeUnavailable
from overhead_lint.probes.attribution import folders
from overhead_lint.probes.contexts import context_entries, generator_kinds
from overhead_lint.probes.counters import CounterProbe, require_device
from overhead_lint.probes.hiding import HIDING, UNHEARD

__all__ = ["METRICS", "PROBE", "DispatchProbe"]

METRICS: tuple[Metric, ...] = (
    Metric(
        "dispatches",
        MetricKind.COUNT,
        "operators that passed the dispatcher, backward's among them",
        recorded=False,
        per_step=True,
    ),
    Metric(
        "autograd_nodes",
        MetricKind.COUNT,
        "autograd nodes that backward ran",
        recorded=False,
        per_step=True,
    ),
    Metric(
        "copies_h2d",
        MetricKind.COUNT,
        "copies from the host to a device",
        recorded=False,
        per_step=True,
        code="OVH408",
    ),
    Metric(
        "copies_d2h",
        MetricKind.COUNT,
        "copies from a device to the host",
        recorded=False,
        per_step=True,
        code="OVH404",
    ),
    Metric(
        "copies_pageable",
        MetricKind.COUNT,
        "copies from the host to a device out of memory that is not pinned, with non_blocking=True, too",
        per_step=True,
        code="OVH408",
    ),
    Metric(
        "python_calls",
        MetricKind.COUNT,
        "calls of Python functions that are not torch's, written by it, or Python's",
        recorded=False,
        per_step=True,
    ),
    Metric(
        "contexts",
        MetricKind.COUNT,
        "context managers of torch and contextlib entered",
        recorded=False,
        per_step=True,
        codes=(
            ("autocast", "OVH101"),
            ("no_grad", "OVH105"),
            ("enable_grad", "OVH105"),
            ("inference_mode", "OVH105"),
            ("set_grad_enabled", "OVH105"),
            ("record_function", "OVH107"),
            ("nullcontext", "OVH108"),
            ("cuda.device", "OVH110"),
        ),
    ),
)

_COPIES = frozenset({"copies_h2d", "copies_d2h", "copies_pageable"})
_CALLS = frozenset({"python_calls", "contexts"})
_PARTS = (
    ("dispatches", frozenset({"dispatches"})),
    ("nodes", frozenset({"autograd_nodes"})),
    ("copies", _COPIES),
)


class DispatchProbe(CounterProbe):
    """Counts operators and calls while a block runs.

    ``python_calls`` and ``contexts`` are those of the thread that starts the probe; all others are
    those of all threads. Comprehensions are no calls, as in Python 3.12.
    """

    _hidden_before: int
    _unheard: frozenset[str]

    def check(self, metrics: frozenset[str]) -> None:
        """Copies need a device, calls a thread without another profiler.

        Raises:
            ProbeUnavailable: it is not there.
        """
        if metrics & _COPIES:
            require_device(metrics & _COPIES)
        if metrics & _CALLS and sys.getprofile() is not None:
            raise ProbeUnavailable(
                min(metrics & _CALLS), "another profiler is active in this thread; run without it"
            )

    def begin(self, counters: ModuleType, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        self._hidden_before, self._unheard = HIDING.start(), frozenset()
        for part, of in _PARTS:
            if metrics & of and not getattr(counters, f"start_{part}")():
                self._unheard |= of
        if metrics & _CALLS:
            counters.start_calls(context_entries(), generator_kinds(), *folders())
            profile_slot.take(counters.set_calls_guest)

    def end(self, counters: ModuleType, metrics: frozenset[str]) -> Mapping[str, str]:
        """See `CounterProbe`."""
        unreliable: dict[str, str] = {}
        if metrics & _CALLS:
            profile_slot.give_back()
            if not counters.stop_calls():
                why = "another profiler was used in this thread while the block ran; run without it"
                unreliable = dict.fromkeys(_CALLS, why)
        hidden = HIDING.stop(self._hidden_before)
        for part, of in _PARTS:
            if metrics & of and (not getattr(counters, f"stop_{part}")() or hidden or of & self._unheard):
                unreliable |= dict.fromkeys(of, UNHEARD)
        return unreliable


PROBE = DispatchProbe
