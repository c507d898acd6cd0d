"""Linear layers whose parameters need gradients."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.first = nn.Linear(4, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.last = nn.Linear(width, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        for layer in self.layers:
            x = layer(x).relu()
        return self.last(x)


def run() -> None:
    net = torch.compile(Net(8, 5), backend="eager")
    for _ in range(2):
        net(torch.ones(2, 4)).sum().backward()
