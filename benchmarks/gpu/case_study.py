"""Public programs whose host overhead is measured before and after it was mended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["HERE", "STUDIES", "Study", "by_name"]

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Study:
    """A program of others, and how it is run.

    Attributes:
        name: what its files are called here: `drivers/NAME_driver.py`, `patches/NAME.diff`.
        title: for readers.
        kind: what such programs do.
        step: what is timed, in the singular.
        repository: on GitHub, owner and name.
        commit: the state that is measured.
        licence: its licence; nothing of it is kept here but what the context lines of our patch show.
        paths: what is taken out of the repository.
        root: where its modules are imported from, below the checkout.
        needs: modules beyond torch and numpy that must be there.
        wheels: pure Python packages that travel with the stages, as pip names them.
        steps: of a block, which is timed as a whole.
    """

    name: str
    title: str
    kind: str
    step: str
    repository: str
    commit: str
    licence: str
    paths: tuple[str, ...]
    root: str = ""
    needs: tuple[str, ...] = ()
    wheels: tuple[str, ...] = ()
    steps: int = 20

    @property
    def driver(self) -> Path:
        """Our module that makes data and weights, and runs steps."""
        return HERE / "drivers" / f"{self.name}_driver.py"

    @property
    def patch(self) -> Path:
        """What a person changes by what the linter says, as a diff of the checkout."""
        return HERE / "patches" / f"{self.name}.diff"


STUDIES: Final = (
    Study(
        name="nanogpt",
        title="nanoGPT, train.py",
        kind="language-model trainer",
        step="iteration",
        repository="karpathy/nanoGPT",
        commit="3adf61e154c3fe3fca428ad6bc3818b27a3b8291",
        licence="MIT",
        paths=("LICENSE", "model.py", "train.py", "configurator.py", "config"),
        steps=20,
    ),
    Study(
        name="nanogpt_decoder",
        title="nanoGPT, generate",
        kind="decoder, batch 1",
        step="token",
        repository="karpathy/nanoGPT",
        commit="3adf61e154c3fe3fca428ad6bc3818b27a3b8291",
        licence="MIT",
        paths=("LICENSE", "model.py", "sample.py", "configurator.py"),
        steps=40,
    ),
    Study(
        name="guided_diffusion",
        title="guided-diffusion, p_sample_loop",
        kind="diffusion sampler",
        step="denoising step",
        repository="openai/guided-diffusion",
        commit="22e0df8183507e13a7813f8d38d51b072ca1e67c",
        licence="MIT",
        paths=("LICENSE", "setup.py", "guided_diffusion", "scripts"),
        steps=10,
    ),
    Study(
        name="cleanrl",
        title="CleanRL, ppo.py",
        kind="reinforcement learning: PPO in vectorised environments",
        step="iteration of 128 rounds in 4 environments and 16 updates",
        repository="vwxyzjn/cleanrl",
        commit="fe8d8a03c41a7ef5b523e2e354bd01c363e786bb",
        licence="MIT",
        paths=("LICENSE", "cleanrl/ppo.py"),
        root="cleanrl",
        needs=("cloudpickle",),
        wheels=("gymnasium==1.4.0", "farama-notifications==0.0.6"),
        steps=1,
    ),
    Study(
        name="detr",
        title="DETR, train_one_epoch",
        kind="detector's training step with matching",
        step="iteration",
        repository="facebookresearch/detr",
        commit="29901c51d7fe8712168b8d0d64351170bc0f83e0",
        licence="Apache-2.0",
        paths=("LICENSE", "engine.py", "main.py", "models", "util"),
        needs=("scipy", "packaging"),
        steps=4,
    ),
    Study(
        name="egnn",
        title="EGNN, main_nbody.py",
        kind="graph network",
        step="iteration",
        repository="vgsatorras/egnn",
        commit="e9ca6c0c3e1d30a7598efbd66034121b4af8dccc",
        licence="MIT",
        paths=(
            "LICENSE",
            "main_nbody.py",
            "models/__init__.py",
            "models/ae.py",
            "models/gcl.py",
            "n_body_system/__init__.py",
            "n_body_system/dataset_nbody.py",
            "n_body_system/model.py",
        ),
        steps=20,
    ),
    Study(
        name="whisper",
        title="Whisper, decode",
        kind="audio model with an autoregressive loop",
        step="token",
        repository="openai/whisper",
        commit="c0d2f624c09dc18e709e37c2ad90c039a4eb72a2",
        licence="MIT",
        paths=("LICENSE", "whisper"),
        needs=("tiktoken",),
        wheels=("tqdm==4.70.1",),
        steps=40,
    ),
    Study(
        name="prodigy",
        title="pytorch-optimizer, Prodigy",
        kind="optimizer of its own",
        step="training step",
        repository="kozistr/pytorch_optimizer",
        commit="7a076d2f8f09735e82f9ec1d2d389ec2526bbdbb",
        licence="Apache-2.0",
        paths=(
            "LICENSE",
            "pytorch_optimizer/base",
            "pytorch_optimizer/optimizer/foreach_utils.py",
            "pytorch_optimizer/optimizer/prodigy.py",
            "pytorch_optimizer/optimizer/utils.py",
        ),
        steps=20,
    ),
)
"""All studies; those that gain nothing stay."""


def by_name(names: list[str] | None = None) -> list[Study]:
    """Return the studies of these names, or all.

    Raises:
        KeyError: there is no study of a name.
    """
    known = {study.name: study for study in STUDIES}
    return [known[name] for name in names] if names else list(STUDIES)
