"""A forward that calls methods of its own."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.scale = 2
        self.mode = "sum"

    def encode(self, x: Tensor) -> Tensor:
        return self.first(x) * self.scale

    def decode(self, x: Tensor) -> Tensor:
        if self.mode == "sum":
            return self.second(x).sum()
        return self.second(x)

    def forward(self, x: Tensor) -> Tensor:
        return self.decode(self.encode(x))


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(2, 4))
