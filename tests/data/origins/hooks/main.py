"""Trains on batches that a prefetcher brings, with hooks that work on a stream of their own."""

from __future__ import annotations

import torch
from torch import nn


class Prefetcher:
    """Copies the next batch to the device while the step works on this one."""

    def __init__(self, batches: list[torch.Tensor], lane: torch.cuda.Stream | None = None) -> None:
        self.batches = iter(batches)
        self.lane = lane or torch.cuda.current_stream()
        self.ready: torch.Tensor | None = None
        self.preload()

    def preload(self) -> None:
        batch = next(self.batches, None)
        if batch is None:
            self.ready = None
            return
        with torch.cuda.stream(self.lane):
            self.ready = batch.cuda(non_blocking=True)

    def next(self) -> torch.Tensor | None:
        torch.cuda.current_stream().wait_stream(self.lane)
        batch = self.ready
        self.preload()
        return batch


class Reducer:
    """Scales gradients as they come, on a stream that may be the step's own."""

    def __init__(self, model: nn.Module, stream: torch.cuda.Stream | None = None) -> None:
        self.stream = stream or torch.cuda.current_stream()
        for parameter in model.parameters():
            parameter.register_hook(self.hook)

    def hook(self, grad: torch.Tensor) -> torch.Tensor:
        current = torch.cuda.current_stream()
        self.stream.wait_stream(current)
        with torch.cuda.stream(self.stream):
            grad = grad / 2
        current.wait_stream(self.stream)
        return grad


def step(model: nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> torch.Tensor:
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


def build() -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).cuda()
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def main() -> None:
    model, optimizer = build()
    Reducer(model)
    prefetcher = Prefetcher([torch.full((2, 4), 1.0 + number) for number in range(12)])
    batch = prefetcher.next()
    while batch is not None:
        loss = step(model, optimizer, batch)
        batch = prefetcher.next()
    print(loss.item())


if __name__ == "__main__":
    main()
