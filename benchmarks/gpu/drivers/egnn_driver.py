"""Trains EGNN to predict where five charged particles go, by random numbers in place of a simulation."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from case_scripts import Run

NODES = 5


class _Loader(list[list[torch.Tensor]]):
    """Batches, with the dataset that the program asks for edges."""

    dataset: Any


def session(program: Path, *, small: bool) -> Run:
    """Return what trains on.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    before, sys.argv = sys.argv, ["main_nbody.py"]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            given = importlib.import_module("main_nbody")
    finally:
        sys.argv = before
    dataset = given.NBodyDataset.__new__(given.NBodyDataset)  # its constructor reads files
    pairs = [(i, j) for i in range(NODES) for j in range(NODES) if i != j]
    dataset.partition, dataset.edges = "train", [[i for i, _ in pairs], [j for _, j in pairs]]
    width = 16 if small else 64
    model = given.EGNN_vel(
        in_node_nf=1, in_edge_nf=2, hidden_nf=width, device="cuda", n_layers=4, recurrent=True
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4, weight_decay=1e-12)
    size = 4 if small else 100

    def batch() -> list[torch.Tensor]:
        sizes = [(NODES, 3), (NODES, 3), (len(pairs), 1), (NODES, 1), (NODES, 3)]
        return [torch.randn(size, *one) for one in sizes]

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        loader = _Loader(batch() for _ in range(steps))
        loader.dataset = dataset
        with contextlib.redirect_stdout(io.StringIO()), meter:
            given.train(model, optimizer, 0, loader)
        return [one.detach() for one in model.parameters()]

    return run
