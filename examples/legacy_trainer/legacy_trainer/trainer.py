"""The training loop."""

import torch
from torch import nn

from legacy_trainer.config import TrainConfig
from legacy_trainer.data import DeviceLoader
from legacy_trainer.model import ModelConfig, Network
from legacy_trainer.recipe import DelayedScaling, Recipe


def set_up_precision() -> None:
    """Allow TF32 wherever the hardware has it."""
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True


class Trainer:
    """Trains a `Network`, and keeps a running average of its weights."""

    def __init__(self, config: TrainConfig, recipe: Recipe | None = None, device: str | None = None):
        torch.manual_seed(config.seed)
        set_up_precision()
        self.config = config
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        sizes = ModelConfig(
            config.vocabulary, config.width, config.layers, config.context, config.compile_backend
        )
        self.model = Network(sizes, recipe or DelayedScaling()).to(self.device)
        self.autocast = torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=config.amp)
        self.parameters = list(self.model.parameters())
        self.average = [parameter.detach().clone() for parameter in self.parameters]
        self.optimizer = torch.optim.SGD(self.parameters, lr=config.learning_rate, momentum=0.9, foreach=True)
        self.step = 0
        self.losses = []
        self.norms = []

    def train(self, loader) -> list:
        """Train on every batch of the loader, and give the losses."""
        self.model.train()
        for batch in DeviceLoader(loader, self.device, self.config.copy_stream):
            self.training_step(batch)
        return self.losses

    def training_step(self, batch) -> None:
        tokens, targets = batch
        self.optimizer.zero_grad(set_to_none=True)
        with self.autocast:
            logits = self.model(tokens)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.update_average()
        self.log(loss, norm)

    def update_average(self) -> None:
        with torch.no_grad():
            torch._foreach_lerp_(self.average, self.parameters, 1.0 - self.config.average_decay)

    def log(self, loss: torch.Tensor, norm: torch.Tensor) -> None:
        self.step += 1
        self.losses.append(loss.item())
        self.norms.append(norm.item())
        if self.step % self.config.log_every == 0:
            print(f"step {self.step}: loss {self.losses[-1]:.3f}, gradient norm {self.norms[-1]:.3f}")

    def evaluate(self, loader) -> float:
        """Mean loss over the loader, without training."""
        self.model.eval()
        total = torch.zeros((), device=self.device)
        with self.autocast, torch.no_grad():
            for tokens, targets in DeviceLoader(loader, self.device, self.config.copy_stream):
                logits = self.model(tokens)
                total += nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return total.item() / len(loader)
