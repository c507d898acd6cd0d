"""Weights of `overhead_lint.engine.worth`, written by benchmarks/confidence.py."""

from __future__ import annotations

from typing import Final

__all__ = ["BIAS", "READ", "WEIGHTS"]

# Fitted to 250 places in 22 packages.
BIAS: Final = -1.152
WEIGHTS: Final[dict[str, float]] = {
    "OVH101": -0.048,
    "OVH102": -0.236,
    "OVH104": -0.035,
    "OVH105": -0.046,
    "OVH106": -0.045,
    "OVH107": -0.142,
    "OVH205": -0.032,
    "OVH302": -0.289,
    "OVH304": -0.032,
    "OVH403": 0.283,
    "OVH404": -0.324,
    "OVH405": 0.143,
    "OVH407": -0.06,
    "OVH408": 0.683,
    "OVH409": -0.073,
    "OVH410": 0.089,
    "OVH501": -0.06,
    "OVH601": -0.021,
    "OVH605": -0.016,
    "OVH607": -0.333,
    "OVH610": -0.058,
    "OVH611": -0.043,
    "OVH701": 0.156,
    "OVH703": 0.289,
    "OVH704": -0.023,
    "OVH705": -0.054,
    "OVH706": -0.013,
    "OVH707": -0.045,
    "OVH708": -0.048,
    "OVH802": 0.228,
    "OVH805": 0.207,
    "fix needs-runtime": -0.19,
    "fix none": -0.06,
    "fix safe": -0.08,
    "fix unsafe": 0.329,
    "host": -0.986,
    "phase evaluate": -0.117,
    "phase loop": -0.247,
    "phase other": -0.002,
    "phase train": 0.365,
    "waits": 0.986,
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
        "OVH501",
        "OVH601",
        "OVH605",
        "OVH607",
        "OVH610",
        "OVH611",
        "OVH701",
        "OVH703",
        "OVH704",
        "OVH705",
        "OVH706",
        "OVH707",
        "OVH708",
        "OVH802",
        "OVH805",
    }
)
"""Rules of which right findings were read."""
