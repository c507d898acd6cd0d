"""A training file with two findings, and what a run on it gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TRAIN = """\
import torch
from torch.nn import functional as F


def train(model, loader, optimizer):
    total = 0.0
    for batch, target in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
        total -= read(loss)
    return total

def read(loss):
    return loss.item()
"""


class Done(NamedTuple):
    """What a run printed, and its exit status."""

    out: str
    err: str
    status: int


Lint = Callable[..., Done]


def broken(folder: Path) -> None:
    """Add a file that does not parse."""
    (folder / "broken.py").write_text("def f(:  # autocast\n")
