"""Weights of `overhead_lint.engine.worth`, written by benchmarks/confidence.py."""

from __future__ import annotations

from typing import Final

__all__ = ["BIAS", "READ", "WEIGHTS"]

# Fitted to 891 places in 91 packages.
BIAS: Final = -1.692
WEIGHTS: Final[dict[str, float]] = {
    "OVH101": -0.053,
    "OVH101 loop": -0.053,
    "OVH105": -0.103,
    "OVH105 loop": -0.103,
    "OVH106": -0.162,
    "OVH106 loop": -0.162,
    "OVH107": -0.152,
    "OVH107 loop": -0.152,
    "OVH302": -0.404,
    "OVH302 loop": -0.125,
    "OVH302 step": -0.28,
    "OVH311": -0.051,
    "OVH311 step": -0.051,
    "OVH403": 0.519,
    "OVH403 loop": 0.499,
    "OVH404": -0.191,
    "OVH404 loop": 0.262,
    "OVH404 step": -0.497,
    "OVH405 loop": -0.052,
    "OVH405 step": 0.055,
    "OVH406": -0.051,
    "OVH406 step": -0.051,
    "OVH407": 0.064,
    "OVH407 loop": -0.146,
    "OVH407 step": 0.21,
    "OVH408": 0.373,
    "OVH408 step": 0.374,
    "OVH409": 0.31,
    "OVH409 loop": 0.196,
    "OVH409 step": 0.114,
    "OVH410": -0.281,
    "OVH410 loop": -0.116,
    "OVH410 step": -0.165,
    "OVH607": -0.15,
    "OVH607 loop": -0.086,
    "OVH607 step": -0.065,
    "OVH611": -0.161,
    "OVH611 step": -0.161,
    "OVH701": 0.071,
    "OVH701 loop": 0.055,
    "OVH703": 0.141,
    "OVH703 loop": 0.159,
    "OVH704": -0.06,
    "OVH705": -0.191,
    "OVH705 loop": -0.191,
    "OVH706 step": 0.082,
    "OVH707": -0.098,
    "OVH707 loop": -0.06,
    "OVH802": 0.487,
    "OVH802 loop": 0.069,
    "OVH802 step": 0.418,
    "OVH805": 0.223,
    "OVH805 loop": 0.223,
    "host": -0.803,
    "links 1": -0.278,
    "links 2": 0.312,
    "runs loop by autograd": -0.114,
    "runs loop by hook": 0.101,
    "runs loop by loop": 0.392,
    "runs loop by optimizer": 0.225,
    "runs loop by other": -0.132,
    "runs loop by queue": -0.053,
    "runs loop by round": -0.386,
    "runs presumed by loop": -0.065,
    "runs presumed by other": 0.128,
    "runs step by autograd": -0.087,
    "runs step by data": -0.135,
    "runs step by loop": -0.103,
    "runs step by module": 0.521,
    "runs step by optimizer": -0.112,
    "runs step by other": -0.115,
    "waits": 0.764,
}
_CODES: Final = (
    "OVH101 OVH102 OVH104 OVH105 OVH106 OVH107 OVH109 OVH205 OVH302 OVH304 OVH311 OVH403 OVH404 OVH405 "
    "OVH406 OVH407 OVH408 OVH409 OVH410 OVH501 OVH602 OVH603 OVH606 OVH607 OVH610 OVH611 OVH701 OVH702 "
    "OVH703 OVH704 OVH705 OVH706 OVH707 OVH708 OVH802 OVH805 "
)
READ: Final = frozenset(_CODES.split())
"""Rules of which enough was read."""
