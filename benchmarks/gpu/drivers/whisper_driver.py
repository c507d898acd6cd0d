"""Decodes a random spectrogram with Whisper: random weights, the size of its base model, timestamps."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from case_scripts import modules_in_place

if TYPE_CHECKING:
    from case_scripts import Run

FRAMES = 3000
VOCABULARY = 51865
"""Of the multilingual models."""


def _unchanged(**_: object) -> Callable[[Any], Any]:
    """In place of a compiler that only the times of words need."""
    return lambda function: function


def session(program: Path, *, small: bool) -> Run:
    """Return what decodes, a step a token.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    with modules_in_place({"numba": {"jit": _unchanged}}):
        given = importlib.import_module("whisper")
    width, heads, layers = (64, 2, 1) if small else (512, 8, 6)
    context = FRAMES // 2
    dims = given.ModelDimensions(80, context, width, heads, layers, VOCABULARY, 448, width, heads, layers)
    model = given.Whisper(dims).cuda().eval()
    with torch.no_grad():
        for parameter in model.parameters():  # its positions are left as memory was
            parameter.normal_(0, 0.02)

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        mel = torch.randn(1, 80, FRAMES, device="cuda")
        options = given.DecodingOptions(language="en", sample_len=steps, fp16=not small)
        with meter:
            (result,) = given.decode(model, mel, options)
        return [torch.tensor(result.tokens), torch.tensor(result.avg_logprob)]

    return run
