"""Layers that each hold a float."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Scale(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scales = nn.ModuleList([Scale(0.5 + k) for k in range(12)])

    def forward(self, x: Tensor) -> Tensor:
        for scale in self.scales:
            x = scale(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager", fullgraph=True)
    for _ in range(2):
        net(torch.ones(2))
