"""Counts the tensors that autograd keeps for backward, and their bytes.

The native core looks at each autograd node that is made in the block, once, without hooks: saved-tensor
hooks replace what is kept, and change what ``torch.func`` and checkpointing do. Importing this module
imports neither torch nor the native core.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from overhead_lint.probes.api import Metric, MetricKind
from overhead_lint.probes.counters import CounterProbe
from overhead_lint.probes.hiding import HIDING, UNHEARD

__all__ = ["METRICS", "PROBE", "SavedProbe"]

METRICS: tuple[Metric, ...] = (
    Metric(
        "saved_tensors", MetricKind.COUNT, "tensors that autograd nodes keep for backward", recorded=False
    ),
    Metric("saved_bytes", MetricKind.COUNT, "bytes of those tensors", recorded=False, unit="bytes"),
)


class SavedProbe(CounterProbe):
    """Counts what the autograd nodes keep that are made while a block runs.

    A tensor counts once for each node that keeps it, parameters and inputs too. Where saved-tensor
    hooks packed it, the tensors that they returned count.
    """

    _hidden_before: int
    _heard: bool

    def begin(self, counters: ModuleType, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        self._hidden_before = HIDING.start()
        self._heard = counters.start_saved()

    def end(self, counters: ModuleType, metrics: frozenset[str]) -> Mapping[str, str]:
        """See `CounterProbe`."""
        stopped = counters.stop_saved(_contexts())
        why = dict(zip(("saved_tensors", "saved_bytes"), stopped, strict=True))
        if HIDING.stop(self._hidden_before) or not self._heard:
            why = dict.fromkeys(why, UNHEARD)
        return {metric: reason for metric, reason in why.items() if reason}


def _contexts() -> list[Any]:
    """The living contexts of autograd.Functions: no operator led to a node whose result is not used yet."""
    import torch

    # type(), since isinstance() asks the object for __class__, which runs code in lazy proxies. There are
    # some hundred thousand objects of a few thousand types, and mostly none of these.
    objects = gc.get_objects()
    wanted = {one for one in set(map(type, objects)) if issubclass(one, torch._C._FunctionBase)}
    return [one for one in objects if type(one) in wanted] if wanted else []


PROBE = SavedProbe
