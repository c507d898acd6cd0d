"""A module with one layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.proj = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(x)


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2, 4))
