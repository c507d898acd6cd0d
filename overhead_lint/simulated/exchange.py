"""Copies between devices that DataParallel asks ``torch._C`` for; the host waits for none of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch

from overhead_lint.simulated.streams import device_index

__all__ = ["exchange_functions"]


def _in_channels_last(tensor: torch.Tensor) -> bool:
    if tensor.dim() != 4 or tensor.is_contiguous():
        return False
    return tensor.is_contiguous(memory_format=torch.channels_last)


def exchange_functions(native: ModuleType) -> dict[str, Callable[..., Any]]:
    """``_scatter``, ``_broadcast``, ``_broadcast_coalesced`` and ``_gather`` of ``torch._C``."""

    def broadcast(tensor: torch.Tensor, devices: Sequence[int]) -> list[torch.Tensor]:
        return [tensor.to(torch.device("cuda", device), non_blocking=True) for device in devices]

    def broadcast_coalesced(
        tensors: Sequence[torch.Tensor], devices: Sequence[int], buffer_size: int
    ) -> list[list[torch.Tensor]]:
        # As torch does it: tensors of one type travel together, in as many copies as the buffer asks for.
        first, *others = devices
        if any(tensor.get_device() != first for tensor in tensors):
            raise RuntimeError("all tensors must be on devices[0]")
        sent: list[dict[int, torch.Tensor]] = [{} for _ in others]
        numbers: dict[int, list[int]] = {}
        for number, tensor in enumerate(tensors):
            numbers.setdefault(id(tensor), []).append(number)
        for chunk in torch._utils._take_tensors(tensors, buffer_size):
            flat = torch._utils._flatten_dense_tensors(chunk)
            places = [numbers[id(tensor)].pop(0) for tensor in chunk]
            for device, found in zip(others, sent, strict=True):
                copy = flat.to(torch.device("cuda", device), non_blocking=True)
                parts = torch._utils._unflatten_dense_tensors(copy, chunk)
                # detached, since parts of one tensor would share the counter that autograd sees changes by
                found.update({place: part.data for place, part in zip(places, parts, strict=True)})
        return [list(tensors), *([found[number] for number in range(len(tensors))] for found in sent)]

    def scatter(
        tensor: torch.Tensor,
        devices: Sequence[int],
        chunk_sizes: list[int] | None = None,
        dim: int = 0,
        streams: Sequence[torch.cuda.Stream | None] | None = None,
    ) -> tuple[torch.Tensor, ...]:
        chunks = torch.split(tensor, chunk_sizes, dim) if chunk_sizes else tensor.chunk(len(devices), dim)
        sent = []
        for chunk, device, stream in zip(chunks, devices, streams or [None] * len(devices), strict=False):
            with torch.cuda.stream(stream):
                sent.append(chunk.to(torch.device("cuda", device), non_blocking=True))
        return tuple(sent)

    def gather(tensors: Sequence[torch.Tensor], dim: int = 0, destination: int | None = None) -> torch.Tensor:
        on_cpu = destination == -1
        target = torch.device("cpu") if on_cpu else torch.device("cuda", device_index(native, destination))
        size = list(tensors[0].shape)
        size[dim] = sum(tensor.size(dim) for tensor in tensors)
        layout = torch.channels_last if all(map(_in_channels_last, tensors)) else torch.contiguous_format
        result = torch.empty(size, dtype=tensors[0].dtype, device=target, memory_format=layout)
        parts = result.split([tensor.size(dim) for tensor in tensors], dim)
        for part, tensor in zip(parts, tensors, strict=True):
            part.copy_(tensor, non_blocking=True)
        return result

    return {
        "_broadcast": broadcast,
        "_broadcast_coalesced": broadcast_coalesced,
        "_scatter": scatter,
        "_gather": gather,
    }
