"""Optimized drop-ins that fixes rewrite to.

Imports torch and nothing else of this project, so that the folder can be copied into another package.
"""

from __future__ import annotations

from .amp import autocast
from .compile import compile, compile_stats
from .grad import enable_grad, inference_mode, no_grad
from .keys import CachedRepr, cached_hash, cached_repr
from .precision import fp32_precision
from .ranges import NULL_CONTEXT, nvtx_range, record
from .streams import wait_stream

__all__ = [
    "NULL_CONTEXT",
    "CachedRepr",
    "autocast",
    "cached_hash",
    "cached_repr",
    "compile",
    "compile_stats",
    "enable_grad",
    "fp32_precision",
    "inference_mode",
    "no_grad",
    "nvtx_range",
    "record",
    "wait_stream",
]
