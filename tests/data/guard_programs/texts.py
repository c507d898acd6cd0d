"""Layers that choose by a text and a flag."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Act(nn.Module):
    def __init__(self, kind: str, inplace: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.inplace = inplace

    def forward(self, x: Tensor) -> Tensor:
        if self.inplace:
            return x
        if self.kind == "relu":
            return x.relu()
        return x.tanh()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.acts = nn.ModuleList(Act("relu" if k % 2 else "tanh") for k in range(10))

    def forward(self, x: Tensor) -> Tensor:
        for act in self.acts:
            x = act(x)
        return x


def run() -> None:
    net = Net()
    net = torch.compile(net, backend="eager")
    for _ in range(2):
        net(torch.ones(2))
