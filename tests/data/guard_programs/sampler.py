"""A sampler whose settings are attributes of a plain object."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Sampler:
    def __init__(self, temperature: float, top: int, greedy: bool) -> None:
        self.temperature = temperature
        self.top = top
        self.greedy = greedy
        self.history = [1, 2, 3]

    @torch.compile(backend="eager", dynamic=False)
    def sample(self, logits: Tensor) -> Tensor:
        if self.greedy:
            return logits.argmax(-1)
        logits = logits / self.temperature
        for shift in self.history:
            logits = logits + shift
        return logits.topk(self.top).indices[..., 0]


def run() -> None:
    sampler = Sampler(0.5, 2, False)
    for _ in range(2):
        sampler.sample(torch.ones(2, 8))
