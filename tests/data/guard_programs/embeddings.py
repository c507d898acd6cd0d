"""A language model of embeddings, blocks and a head."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.body = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.drop(self.body(self.norm(x)))


class LM(nn.Module):
    def __init__(self, vocabulary: int, width: int, depth: int) -> None:
        super().__init__()
        self.width = width
        self.tokens = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.tokens(ids) * self.width
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def run() -> None:
    model = torch.compile(LM(16, 8, 6).eval(), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            model(torch.ones(1, 3, dtype=torch.long))
