"""Rounds that are a whole training or a whole epoch, and so no steps."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "rounds that are trainings": (
        """
        def tune(model, iterations):
            for i in range(iterations):
                trainer = Trainer(model)
                trainer.fit(model)
                here()
        """,
        ["cold: nothing shows that it runs in a step"],
    ),
    "loops whose rounds hold a whole training": (
        """
        def train(model, loader):
            model(loader.first)
            for epoch in range(3):
                for batch in loader:
                    model(batch).backward()
        def evolve(model, loader):
            for generation in range(100):
                here()
                train(model, loader)
        """,
        ["presumed: evolve works with tensors and no caller of it is known"],
    ),
    "loops over epochs that step a scheduler": (
        """
        def train(model, loader, optimizer):
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
            for epoch in range(3):
                here()
                for batch in loader:
                    model(batch).backward()
                scheduler.step()
        """,
        ["cold: outside of the hot loop: m.py:5 loop over loader"],
    ),
    "what builds a batch, and what goes over all batches": (
        """
        def pictures(sizes):
            for size in sizes:
                build_validation_batch(size)
                here()
            for size in sizes:
                here(size.is_video_model())
            for size in sizes:
                train_batch(size)
                here()
        class Trainer:
            def train_step(self, model, train_loader):
                here()
                for batch in train_loader:
                    here(model(batch))
            def test_step(self, model, batch):
                here()
            def init_train_step(self, model):
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:7 loop that calls train_batch()",
            "cold: outside of the hot loop: m.py:7 loop that calls train_batch()",
            "step: m.py:7 loop that calls train_batch()",
            "cold: outside of the hot loop: m.py:13 loop over train_loader",
            "step: m.py:13 loop over train_loader",
            "step: Trainer.test_step is a step by its name",
            "cold: Trainer.init_train_step is no step by its name",
        ],
    ),
    "whole generations, which record no gradients, and who asks for them in a loop": (
        """
        class Sampler:
            @torch.no_grad()
            def sample(self, shape):
                here()
                return self._sample(shape)[0]
            @torch.no_grad()
            def _sample(self, shape):
                x = torch.randn(shape)
                return self._denoise(x)
            def _denoise(self, x):
                for t in self.timesteps:
                    x = self.unet(x, t)
                    here()
                return x
            @torch.no_grad()
            def maybe(self, shape):
                here()
                if self.kept is not None:
                    return self.kept
                return self._denoise(shape)
            def anew(self, shape):
                here()
                return self._denoise(shape)
        def evaluate(loader):
            sampler = Sampler()
            for batch in loader:
                here()
                sampler.sample(batch)
                sampler.maybe(batch)
                sampler.anew(batch)
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: m.py:11 loop over self.timesteps",
            "request: m.py:26 loop over loader -> Sampler.maybe; once a request, which takes many steps",
            "request: m.py:26 loop over loader -> Sampler.anew; once a request, which takes many steps",
            "request: m.py:26 loop over loader; once a request, which takes many steps",
        ],
    ),
    "functions that hold a whole training, and who calls them in a loop": (
        """
        class Model(nn.Module):
            def train(self, batch):
                here()
                optimizer = torch.optim.AdamW(self.parameters())
                for _ in range(9):
                    loss = self.loss(batch)
                    loss.backward()
                    optimizer.step()
                    here()
            def update(self, batch):
                here()
                self.optimizer.step()
        def main(model, loader):
            for batch in loader:
                model = Model()
                model.train(batch)
                model.update(batch)
        """,
        [
            "cold: is of a whole training, outside of its steps",
            "loop: m.py:5 loop that calls loss.backward(), in a loop of its own",
            "step: m.py:14 loop over loader -> Model.update",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
