"""Samples from guided-diffusion with random weights: a small U-Net, 50 of 1,000 steps."""

from __future__ import annotations

import importlib
import itertools
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from case_scripts import Run

SPACED = 50


def session(program: Path, *, small: bool) -> Run:
    """Return what samples, from the first step on each time.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    given = importlib.import_module("guided_diffusion.script_util")
    options: dict[str, Any] = given.model_and_diffusion_defaults()
    options |= {
        "image_size": 64,
        "num_channels": 32 if small else 64,
        "num_res_blocks": 1,
        "learn_sigma": True,
    }
    options |= {"timestep_respacing": str(SPACED), "use_fp16": False, "num_heads": 4}
    model, diffusion = given.create_model_and_diffusion(**options)
    model.to("cuda").eval()
    shape = (1, 3, 16, 16) if small else (4, 3, 64, 64)

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        samples = diffusion.p_sample_loop_progressive(model, shape, device=torch.device("cuda"))
        next(samples)
        with meter:
            taken = list(itertools.islice(samples, steps))
        return [taken[-1]["sample"], taken[-1]["pred_xstart"]]

    return run
