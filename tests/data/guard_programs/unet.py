"""Layers down and up, with what was kept on the way."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Double(nn.Module):
    def __init__(self, a: int, b: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(2, b), nn.SiLU())

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class UNet(nn.Module):
    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        self.depth = depth
        self.inc = Double(3, 4)
        self.downs = nn.ModuleList([Double(4, 4) for _ in range(depth)])
        self.ups = nn.ModuleList([Double(8, 4) for _ in range(depth)])
        self.pool = nn.MaxPool2d(2)
        self.out = nn.Conv2d(4, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.inc(x)
        kept = []
        for down in self.downs:
            kept.append(x)
            x = self.pool(down(x))
        for up, skip in zip(self.ups, reversed(kept)):
            x = nn.functional.interpolate(x, scale_factor=2.0)
            x = up(torch.cat([x, skip], dim=1))
        return self.out(x)


def run() -> None:
    net = UNet().eval()
    net = torch.compile(net, backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(1, 3, 16, 16))
