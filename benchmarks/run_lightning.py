"""A program for ``overhead-lint run``: pytorch-lightning's Trainer. ``run_lightning.py cpu``, or ``gpu``.

Its module has some overhead: an indexed list, an autocast built in each step, a loss that is logged as
a number.
"""

from __future__ import annotations

import sys

import pytorch_lightning as lightning
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(lightning.LightningModule):  # type: ignore[misc]  # without types where it is not installed
    def __init__(self, kind: str) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(32, 32) for _ in range(4)])
        self.scale = 0.5
        self.kind = kind

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(len(self.layers)):
            x = torch.relu(self.layers[i](x)) * self.scale
        return x

    def training_step(self, batch: list[torch.Tensor], position: int) -> torch.Tensor:
        x, y = batch
        with torch.autocast(self.kind, dtype=torch.bfloat16):
            loss = torch.nn.functional.mse_loss(self(x).float(), y)
        self.log("loss", loss.item())
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


def main(accelerator: str) -> None:
    data = TensorDataset(torch.randn(2048, 32), torch.randn(2048, 32))
    trainer = lightning.Trainer(
        max_epochs=1,
        accelerator=accelerator,
        devices=1,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Net("cuda" if accelerator == "gpu" else "cpu"), DataLoader(data, batch_size=8))


if __name__ == "__main__":
    main(sys.argv[1])
