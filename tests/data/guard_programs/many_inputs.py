"""A function of many tensors."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def mix(a: Tensor, b: Tensor, c: Tensor, d: Tensor, scale: float = 1.0) -> Tensor:
    return a * b + c * d


def run() -> None:
    fast = torch.compile(mix, backend="eager")
    for _ in range(2):
        fast(torch.ones(2), torch.ones(2), torch.ones(2), torch.ones(2))
