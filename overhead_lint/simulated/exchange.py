"""Copies between devices that DataParallel asks ``torch._C`` for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch

from overhead_lint.simulated.streams import device_index

__all__ = ["exchange_functions"]


def exchange_functions(native: ModuleType) -> dict[str, Callable[..., Any]]:
    """``_scatter``, ``_broadcast``, ``_broadcast_coalesced`` and ``_gather`` of ``torch._C``."""

    def broadcast(tensor: torch.Tensor, devices: Sequence[int]) -> list[torch.Tensor]:
        return [tensor.to(torch.device("cuda", device)) for device in devices]

    def broadcast_coalesced(
        tensors: Sequence[torch.Tensor], devices: Sequence[int], buffer_size: int
    ) -> list[list[torch.Tensor]]:
        return [[tensor.to(torch.device("cuda", device)) for tensor in tensors] for device in devices]

    def scatter(
        tensor: torch.Tensor,
        devices: Sequence[int],
        chunk_sizes: list[int] | None = None,
        dim: int = 0,
        streams: object = None,
    ) -> tuple[torch.Tensor, ...]:
        chunks = torch.split(tensor, chunk_sizes, dim) if chunk_sizes else tensor.chunk(len(devices), dim)
        return tuple(
            chunk.to(torch.device("cuda", device)) for chunk, device in zip(chunks, devices, strict=False)
        )

    def gather(tensors: Sequence[torch.Tensor], dim: int = 0, destination: int | None = None) -> torch.Tensor:
        on_cpu = destination == -1
        target = torch.device("cpu") if on_cpu else torch.device("cuda", device_index(native, destination))
        return torch.cat([tensor.to(target) for tensor in tensors], dim)

    return {
        "_broadcast": broadcast,
        "_broadcast_coalesced": broadcast_coalesced,
        "_scatter": scatter,
        "_gather": gather,
    }
