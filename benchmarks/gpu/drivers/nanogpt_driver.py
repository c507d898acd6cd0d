"""Trains nanoGPT on random tokens: the baby model of its configuration for Shakespeare, on short contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from case_scripts import Run, between_steps, run_script

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    import torch

WARM = 3
VOCABULARY = 50304


def session(program: Path, *, small: bool) -> Run:
    """Return what trains.

    Args:
        program: the checkout; a folder of data is put into it.
        small: for a machine without a GPU.
    """
    data = program / "data" / "random"
    data.mkdir(parents=True, exist_ok=True)
    tokens = np.random.default_rng(0).integers(0, 300, 20_000, dtype=np.uint16)
    for name in ("train.bin", "val.bin"):
        tokens.tofile(data / name)
    sizes = {"n_layer": 2, "n_head": 2, "n_embd": 32, "batch_size": 2, "block_size": 16} if small else {}
    options: dict[str, object] = {"batch_size": 12, "block_size": 64, "dropout": 0.0, **sizes}
    options |= {"dataset": "random", "compile": False, "dtype": "bfloat16", "eval_iters": 1}

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        given = {**options, "max_iters": WARM + steps, "eval_interval": 10_000}
        arguments = [
            "config/train_shakespeare_char.py",
            *(f"--{key}={value}" for key, value in given.items()),
        ]
        with between_steps(meter, steps, warm=WARM):
            ended = run_script(program / "train.py", arguments)
        return [ended["loss"].detach(), *(one.detach() for one in ended["model"].parameters())]

    return run
