"""Layers that read a shared configuration."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from dataclasses import dataclass


@dataclass
class Config:
    width: int = 4
    scale: int = 2
    causal: bool = True
    kind: str = "plain"


class Block(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config

    def forward(self, x: Tensor) -> Tensor:
        if self.config.causal and self.config.kind == "plain":
            x = x * self.config.scale
        return x + self.config.width


class Net(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(config) for _ in range(12)])

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x


def run() -> None:
    net = torch.compile(Net(Config()), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
