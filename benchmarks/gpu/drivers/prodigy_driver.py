"""Trains a small encoder of our own with the Prodigy optimizer of pytorch-optimizer, on random numbers."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

if TYPE_CHECKING:
    from case_scripts import Run


def session(program: Path, *, small: bool) -> Run:
    """Return what trains on.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    given = importlib.import_module("pytorch_optimizer.optimizer.prodigy")
    width, layers = (16, 1) if small else (128, 6)
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
    model = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).cuda()
    optimizer = given.Prodigy(model.parameters(), lr=1.0, weight_decay=0.01)

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        inputs = torch.randn(steps, 8, 16, width, device="cuda")
        with meter:
            for batch in inputs.unbind():
                loss = (model(batch) - batch).square().mean()
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return [loss.detach(), *(one.detach() for one in model.parameters())]

    return run
