"""Generates tokens with nanoGPT and random weights: one sequence, the size of GPT-2's smallest model."""

from __future__ import annotations

import contextlib
import importlib
import io
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from pathlib import Path

    from case_scripts import Run

PROMPT = 16


def session(program: Path, *, small: bool) -> Run:
    """Return what generates, a step a token.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    given = importlib.import_module("model")
    sizes = {"n_layer": 2, "n_head": 2, "n_embd": 32, "block_size": 64} if small else {}
    with contextlib.redirect_stdout(io.StringIO()):
        model = given.GPT(given.GPTConfig(**{"dropout": 0.0, "block_size": 256, **sizes}))
    model.to("cuda").eval()

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        prompt = torch.randint(given.GPTConfig.vocab_size, (1, PROMPT), device="cuda")
        with meter, torch.autocast("cuda", torch.bfloat16):
            tokens: torch.Tensor = model.generate(prompt, steps, temperature=0.8, top_k=200)
        return [tokens]

    return run
