"""Optimized drop-ins that fixes rewrite to.

Imports torch and nothing else of this project, so that the folder can be copied into another package. Where
the compiled forms of some functions were built, those are taken: see `form`.
"""

from __future__ import annotations

from ._native import form, install
from .amp import autocast
from .compile import compile, compile_stats, freeze, thaw
from .constants import clear_const_tensors, const_tensor
from .events import EventPool
from .global_state import GlobalState
from .grad import enable_grad, inference_mode, no_grad
from .keys import CachedRepr, cached_hash, cached_repr
from .precision import fp32_precision
from .queries import cached_signature, device_properties, env_flag, refresh_env_flags
from .ranges import NULL_CONTEXT, nvtx_range, record
from .steps import step
from .streams import wait_stream

__all__ = [
    "NULL_CONTEXT",
    "CachedRepr",
    "EventPool",
    "GlobalState",
    "autocast",
    "cached_hash",
    "cached_repr",
    "cached_signature",
    "clear_const_tensors",
    "compile",
    "compile_stats",
    "const_tensor",
    "device_properties",
    "enable_grad",
    "env_flag",
    "form",
    "fp32_precision",
    "freeze",
    "inference_mode",
    "no_grad",
    "nvtx_range",
    "record",
    "refresh_env_flags",
    "step",
    "thaw",
    "wait_stream",
]

install(globals())
del install
