"""A compiled training step with a loss module and a model of its module."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Loss(nn.Module):
    def __init__(self, weight: float, reduction: str = "mean") -> None:
        super().__init__()
        self.weight = weight
        self.reduction = reduction

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        loss = (x - y).square() * self.weight
        if self.reduction == "mean":
            return loss.mean()
        return loss.sum()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


net = Net()
criterion = Loss(0.5)


def loss_of(x: Tensor, y: Tensor) -> Tensor:
    return criterion(net(x), y)


fast = torch.compile(loss_of, backend="eager")


def run() -> None:
    with torch.no_grad():
        for _ in range(2):
            fast(torch.ones(2, 4), torch.ones(2, 4))
