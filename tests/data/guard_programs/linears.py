"""A list of torch's own layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(16)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(2, 4))
