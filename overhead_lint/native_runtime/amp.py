"""`autocast` over the compiled module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from overhead_runtime import amp

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.
    """

    class NativeAutocast(module.AutocastBlock, torch.autocast):  # type: ignore[misc]
        """A `ReentrantAutocast` whose entry and exit are compiled."""

        __slots__ = ()
        custom_backend_name = amp.BackendName()

        def __reduce__(self) -> tuple[Any, ...]:
            # A copy is not inside the block that its original is in, and may go where nothing is compiled.
            arguments = (self.device, self.fast_dtype, self._enabled, self._cache_enabled)
            return amp.ReentrantAutocast, arguments

    class NativeStandIn(amp.Autocast, module.Served):  # type: ignore[misc]
        """An `amp.Autocast` whose calls are compiled; Dynamo traces those of Python."""

    def checked(*args: Any, **kwargs: Any) -> torch.autocast:
        made = amp.autocast(*args, **kwargs)
        for enabled, asks in amp.known_forms(made).items():
            module.accept_autocast(made.device, made.fast_dtype, enabled, asks)
        return made

    amp.own_frames.add(id(checked.__code__))
    autocast = NativeStandIn(torch.autocast)
    module.bind_autocast(autocast, NativeAutocast, checked, amp.ask_again, torch.autocast)
    return {"autocast": autocast}
