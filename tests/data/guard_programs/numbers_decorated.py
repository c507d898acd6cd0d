"""A compiled method, and layers that each hold two numbers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Affine(nn.Module):
    def __init__(self, scale: int, shift: int) -> None:
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale + self.shift


class Chain(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Affine(1, k) for k in range(length)])

    @torch.compile(backend="eager")
    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    model = Chain(12)
    for _ in range(2):
        model(torch.ones(2))
