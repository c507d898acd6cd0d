"""Patches, a class token and blocks of multi-head attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Encoder(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm1(x)
        y, _ = self.attention(y, y, y, need_weights=False)
        x = x + y
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, width: int = 8, heads: int = 2, depth: int = 4) -> None:
        super().__init__()
        self.width = width
        self.patch = nn.Conv2d(3, width, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.zeros(1, 5, width))
        self.encoders = nn.ModuleList([Encoder(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.position
        for encoder in self.encoders:
            x = encoder(x)
        return self.head(self.norm(x)[:, 0])


def run() -> None:
    net = torch.compile(ViT().eval(), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(1, 3, 8, 8))
