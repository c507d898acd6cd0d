"""Rotary positions in a buffer, norms with an epsilon, gated layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

import torch.nn.functional as F


class Norm(nn.Module):
    def __init__(self, width: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))

    def _norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x: Tensor) -> Tensor:
        return self._norm(x.float()).type_as(x) * self.weight


class FeedForward(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w1 = nn.Linear(width, 2 * width, bias=False)
        self.w2 = nn.Linear(2 * width, width, bias=False)
        self.w3 = nn.Linear(width, 2 * width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.head_dim = width // heads
        self.wq = nn.Linear(width, width, bias=False)
        self.wk = nn.Linear(width, width, bias=False)
        self.wv = nn.Linear(width, width, bias=False)
        self.wo = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor, freqs: Tensor) -> Tensor:
        b, t, c = x.shape
        q = self.wq(x).view(b, t, self.heads, self.head_dim) * freqs
        k = self.wk(x).view(b, t, self.heads, self.head_dim) * freqs
        v = self.wv(x).view(b, t, self.heads, self.head_dim)
        y = F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True
        )
        return self.wo(y.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, layer: int, width: int, heads: int) -> None:
        super().__init__()
        self.layer = layer
        self.attention = Attention(width, heads)
        self.feed_forward = FeedForward(width)
        self.attention_norm = Norm(width)
        self.ffn_norm = Norm(width)

    def forward(self, x: Tensor, freqs: Tensor) -> Tensor:
        h = x + self.attention(self.attention_norm(x), freqs)
        return h + self.feed_forward(self.ffn_norm(h))


class Transformer(nn.Module):
    def __init__(self, depth: int, width: int, heads: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(16, width)
        self.layers = nn.ModuleList()
        for layer in range(depth):
            self.layers.append(Block(layer, width, heads))
        self.norm = Norm(width)
        self.output = nn.Linear(width, 16, bias=False)
        self.register_buffer("freqs", torch.ones(4, 1, width // heads), persistent=False)

    @torch.compile(backend="eager")
    def forward(self, tokens: Tensor) -> Tensor:
        h = self.embed(tokens)
        freqs = self.freqs[: tokens.shape[1]]
        for layer in self.layers:
            h = layer(h, freqs)
        return self.output(self.norm(h)).float()


def run() -> None:
    model = Transformer(depth=4, width=8, heads=2)
    with torch.no_grad():
        for _ in range(2):
            model(torch.ones(1, 4, dtype=torch.long))
