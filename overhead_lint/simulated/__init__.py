"""A ``cuda`` device for a torch without CUDA: unchanged CUDA code runs, and its overhead is counted.

Kernels run at once on the CPU; streams and events exist only as calls of torch's GPU trace points.
So results are the CPU's, and the numbers of events, waits, synchronisations and copies are those of
the program and of torch's own autograd engine. docs/events.md says what differs from a GPU.

Where torch is built for CUDA, `simulated_accelerator` gives a reduced form, which `torch.accelerator`
finds.
"""

from __future__ import annotations

from overhead_lint.simulated.reduced import simulated_accelerator
from overhead_lint.simulated.switch import disable, enable, is_enabled, simulated_cuda

__all__ = ["disable", "enable", "is_enabled", "simulated_accelerator", "simulated_cuda"]
