"""Registers the simulated device's kernels with torch: the last import of a process that others are forked from.

Each of them would take 50 ms for that, and touch 40 MB of what it shares with that process. What the device
is besides, its threads and what is allocated, each still makes for itself. And no collection of garbage there
looks through what they share.
"""

import contextlib
import gc

import torch

from overhead_lint.native import NativeUnavailable, load
from overhead_lint.simulated.arming import register

if torch.version.cuda is None and torch.version.hip is None:
    with contextlib.suppress(NativeUnavailable):
        register(load("simulated"))
gc.freeze()
