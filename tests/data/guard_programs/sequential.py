"""A chain of torch's own layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(4, 8),
            nn.ReLU(),
            nn.LayerNorm(8),
            nn.Linear(8, 8),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(8, 4),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


def run() -> None:
    net = Net().eval()
    fast = torch.compile(net, backend="eager")
    with torch.no_grad():
        for _ in range(2):
            fast(torch.ones(2, 4))
