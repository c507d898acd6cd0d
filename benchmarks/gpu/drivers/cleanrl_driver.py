"""Runs CleanRL's PPO on four pole-balancing environments, whose physics gymnasium computes on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from case_scripts import Run, between_steps, modules_in_place, run_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    import torch

WARM = 1
UPDATES = 16


class _Writer:
    """A log that keeps nothing; the program has read the values by then."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def add_scalar(self, name: str, value: float, step: int) -> None:
        """Take a value."""

    def add_text(self, name: str, text: str) -> None:
        """Take a text."""

    def close(self) -> None:
        """End."""


def session(program: Path, *, small: bool) -> Run:
    """Return what trains an agent anew each time.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    rounds = 16 if small else 128

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        def arguments(kind: Callable[..., Any]) -> Any:
            return kind(exp_name="ppo", num_steps=rounds, total_timesteps=4 * rounds * (WARM + steps))

        ours: dict[str, dict[str, object]] = {
            "tyro": {"cli": arguments},
            "torch.utils.tensorboard": {"SummaryWriter": _Writer},
        }
        with modules_in_place(ours), between_steps(meter, steps, warm=WARM, each=UPDATES):
            ended = run_script(program / "cleanrl" / "ppo.py", [])
        return [ended["loss"].detach(), *(one.detach() for one in ended["agent"].parameters())]

    return run
