"""Weights of `overhead_lint.engine.worth`, written by benchmarks/confidence.py."""

from __future__ import annotations

from typing import Final

__all__ = ["BIAS", "READ", "WEIGHTS"]

# Fitted to 179 places in 16 packages.
BIAS: Final = -1.073
WEIGHTS: Final[dict[str, float]] = {
    "OVH101": -0.06,
    "OVH102": -0.261,
    "OVH104": -0.041,
    "OVH105": -0.041,
    "OVH106": -0.041,
    "OVH107": -0.059,
    "OVH205": -0.022,
    "OVH302": -0.271,
    "OVH304": -0.044,
    "OVH403": 0.264,
    "OVH404": -0.191,
    "OVH405": 0.16,
    "OVH407": -0.016,
    "OVH408": 0.31,
    "OVH409": 0.13,
    "OVH410": 0.086,
    "OVH601": -0.025,
    "OVH605": -0.022,
    "OVH607": -0.338,
    "OVH610": -0.062,
    "OVH611": -0.022,
    "OVH701": 0.249,
    "OVH703": 0.19,
    "OVH705": -0.066,
    "OVH706": -0.016,
    "OVH707": -0.063,
    "OVH708": -0.065,
    "OVH802": 0.106,
    "OVH805": 0.231,
    "fix needs-runtime": -0.201,
    "fix none": -0.085,
    "fix safe": -0.085,
    "fix unsafe": 0.371,
    "host": -0.848,
    "phase evaluate": -0.169,
    "phase loop": -0.225,
    "phase other": 0.162,
    "phase train": 0.232,
    "waits": 0.848,
}
READ: Final = frozenset(
    {
        "OVH101",
        "OVH102",
        "OVH104",
        "OVH105",
        "OVH106",
        "OVH107",
        "OVH205",
        "OVH302",
        "OVH304",
        "OVH403",
        "OVH404",
        "OVH405",
        "OVH407",
        "OVH408",
        "OVH409",
        "OVH410",
        "OVH601",
        "OVH605",
        "OVH607",
        "OVH610",
        "OVH611",
        "OVH701",
        "OVH703",
        "OVH705",
        "OVH706",
        "OVH707",
        "OVH708",
        "OVH802",
        "OVH805",
    }
)
"""Rules of which right findings were read."""
