"""Which rule a measured line is a case of: so that a report speaks in the linter's own codes."""

from __future__ import annotations

from typing import Final

__all__ = ["code_of"]

_CONTEXTS: Final = {
    "autocast": "OVH101",
    "no_grad": "OVH105",
    "enable_grad": "OVH105",
    "inference_mode": "OVH105",
    "set_grad_enabled": "OVH105",
    "record_function": "OVH107",
    "nullcontext": "OVH108",
    "cuda.device": "OVH110",
}
_METRICS: Final = {
    "guards": "OVH307",
    "guard_time_hot": "OVH307",
    "guard_time_cold": "OVH307",
    "graph_breaks": "OVH311",
    "recompiles": "OVH303",
    "event_record": "OVH401",
    "event_wait": "OVH401",
    "event_sync": "OVH405",
    "device_sync": "OVH405",
    "stream_sync": "OVH404",
    "copies_d2h": "OVH404",
    "copies_h2d": "OVH408",
}


def code_of(metric: str, label: str) -> str:
    """The rule that is about such a thing, "" where there is none.

    It says what kind of overhead it is and where to read on, not that the rule finds the line.

    Args:
        metric: what was counted.
        label: what happened at the line.
    """
    return _CONTEXTS.get(label, "") if metric == "contexts" else _METRICS.get(metric, "")
