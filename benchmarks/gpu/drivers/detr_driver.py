"""Trains DETR on random images and boxes, with a few convolutions for a backbone."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import itertools
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from case_scripts import modules_in_place
from torch import nn

if TYPE_CHECKING:
    from case_scripts import Run

SHRINKS = 32
CLASSES = 91
OPTIONS = {
    "hidden_dim": 256,
    "dropout": 0.0,
    "nheads": 8,
    "dim_feedforward": 2048,
    "enc_layers": 6,
    "dec_layers": 6,
    "pre_norm": False,
    "position_embedding": "sine",
    "num_queries": 100,
    "aux_loss": True,
    "set_cost_class": 1.0,
    "set_cost_bbox": 5.0,
    "set_cost_giou": 2.0,
    "weights": {"loss_ce": 1.0, "loss_bbox": 5.0, "loss_giou": 2.0},
}
"""As main.py has them, without dropout."""
SMALL = {"hidden_dim": 32, "dim_feedforward": 32, "enc_layers": 1, "dec_layers": 2, "num_queries": 8}


def _area(boxes: torch.Tensor) -> torch.Tensor:
    sizes = boxes[:, 2:] - boxes[:, :2]
    return sizes[:, 0] * sizes[:, 1]


class _Backbone(nn.Module):
    """Five convolutions of stride two, in place of a network whose weights are downloaded."""

    num_channels = 64

    def __init__(self, nested: Any) -> None:
        super().__init__()
        self.nested = nested
        channels = (3, 16, 32, 32, 64, 64)
        self.body = nn.Sequential(
            *(nn.Conv2d(*pair, 3, stride=2, padding=1) for pair in itertools.pairwise(channels))
        )

    def forward(self, images: Any) -> dict[str, Any]:
        """Return features with their mask, by name."""
        masked = images.mask[:, ::SHRINKS, ::SHRINKS]
        return {"0": self.nested(self.body(images.tensors), masked)}


def _batches(nested: Any, number: int, size: int) -> list[tuple[Any, list[dict[str, torch.Tensor]]]]:
    """Two images a batch, with three to nine boxes in each."""
    made = []
    for _ in range(number):
        targets = []
        for _ in range(2):
            boxes = int(torch.randint(3, 10, ()))
            centres, sizes = torch.rand(boxes, 2), 0.05 + 0.3 * torch.rand(boxes, 2)
            labels = torch.randint(CLASSES, (boxes,))
            targets.append({"labels": labels, "boxes": torch.cat([centres, sizes], dim=1)})
        images = torch.rand(2, 3, size, size)
        made.append((nested(images, torch.zeros(2, size, size, dtype=torch.bool)), targets))
    return made


def _places() -> dict[str, dict[str, object]]:
    """Stand-ins for what the training step imports and never calls, and for the area of a box."""
    return {
        "torchvision": {"__version__": "0.20", "_is_tracing": lambda: False},
        "torchvision.models": {},
        "torchvision.models._utils": {"IntermediateLayerGetter": None},
        "torchvision.ops": {},
        "torchvision.ops.boxes": {"box_area": _area},
        "PIL": {"Image": None},
        "datasets": {},
        "datasets.coco_eval": {"CocoEvaluator": None},
        "datasets.panoptic_eval": {"PanopticEvaluator": None},
    }


def session(program: Path, *, small: bool) -> Run:
    """Return what trains on.

    Args:
        program: the checkout.
        small: for a machine without a GPU.
    """
    options: dict[str, Any] = OPTIONS | (SMALL if small else {})
    given = argparse.Namespace(**options)
    with modules_in_place(_places()):
        engine, detr = importlib.import_module("engine"), importlib.import_module("models.detr")
        backbone, position = (
            importlib.import_module(f"models.{n}") for n in ("backbone", "position_encoding")
        )
    nested = detr.NestedTensor
    joined = backbone.Joiner(_Backbone(nested), position.build_position_encoding(given))
    joined.num_channels = _Backbone.num_channels
    model = detr.DETR(
        joined, detr.build_transformer(given), CLASSES, given.num_queries, given.aux_loss
    ).cuda()
    weights = dict(given.weights)
    for layer in range(given.dec_layers - 1):
        weights |= {f"{name}_{layer}": value for name, value in given.weights.items()}
    losses = ["labels", "boxes", "cardinality"]
    criterion = detr.SetCriterion(CLASSES, detr.build_matcher(given), weights, 0.1, losses).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)

    def run(steps: int, meter: AbstractContextManager[Any]) -> list[torch.Tensor]:
        batches = _batches(nested, steps, 64 if small else 128)
        with contextlib.redirect_stdout(io.StringIO()), meter:
            said = engine.train_one_epoch(model, criterion, batches, optimizer, "cuda", 0, 0.1)
        return [torch.tensor(said["loss"]), *(one.detach() for one in model.parameters())]

    return run
