"""Fits and tests a module with pytorch-lightning's Trainer on the accelerator that it finds."""

import pytorch_lightning as lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(lightning.LightningModule):  # type: ignore[misc]  # without types where it is not installed
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 4))

    def training_step(self, batch: list[torch.Tensor], position: int) -> torch.Tensor:
        loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("loss", loss, prog_bar=True)
        return loss

    def test_step(self, batch: list[torch.Tensor], position: int) -> None:
        self.log("accuracy", (self.net(batch[0]).argmax(1) == batch[1]).float().mean())

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.parameters(), lr=1e-2)


data = TensorDataset(torch.randn(64, 16), torch.randint(4, (64,)))
trainer = lightning.Trainer(
    accelerator="gpu",
    devices=1,
    max_epochs=2,
    precision="bf16-mixed",
    logger=False,
    enable_checkpointing=False,
    gradient_clip_val=1.0,
)
model = Classifier()
trainer.fit(model, DataLoader(data, batch_size=8, shuffle=True, pin_memory=True))
trainer.test(model, DataLoader(data, batch_size=8))
assert trainer.strategy.root_device.type == "cuda"
