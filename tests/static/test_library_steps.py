"""Steps that users of a library take with it: functions by their names, optimizers, losses."""

from __future__ import annotations

from pathlib import Path

from project_cases import heat, heat_below


def test_what_users_of_a_library_call_in_their_steps_is_told_by_its_name(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "lib.py": """
                import torch
                from torch import Tensor

                def chamfer_loss(x, y):
                    here()
                    return torch.cdist(x, y).min()

                class EdgeLoss:
                    def __call__(self, x):
                        here()
                        return torch.relu(x)

                class Average:
                    def step(self, parameters):
                        here()
                        self.shadow = torch.lerp(self.shadow, parameters, 0.1)

                class PadCollator:
                    def __call__(self, samples):
                        here()
                        return torch.stack(samples)

                def clip_grad_norm_(parameters, most):
                    here()
                    return torch.norm(parameters)

                def grown(x: Tensor):
                    here()
                    return x + 1

                def counted(x: Tensor):
                    here()
                    return len(x)

                class Wizard:
                    def step(self):
                        here()

                def _inner(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                class _Private:
                    def step(self, x):
                        here()
                        return torch.exp(x)

                def check_loss(x: Tensor) -> None:
                    here()
                    if torch.isnan(x):
                        raise ValueError

                def _single(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                def gathered(xs):
                    return multi_apply(_single, xs)

                @registry.register("fast")
                def _fast(x: Tensor) -> Tensor:
                    here()
                    return x + 1

                @torch.no_grad()
                def _alone(x: Tensor) -> Tensor:
                    here()
                    return x + 1
                """,
        },
    )
    assert [place.partition(": ")[2] for place in found] == [
        "step: chamfer_loss is a loss by its name",
        "step: EdgeLoss.__call__ is a loss by the name of its class",
        "step: Average.step is a step by its name",
        "step: PadCollator.__call__ puts batches together by its name",
        "step: clip_grad_norm_ is a step by its name",
        "step: grown is an operator of the library, from tensors to tensors",
        "presumed: counted works with tensors and no caller of it is known",
        "cold: nothing shows that it runs in a step",
        "presumed: _inner works with tensors and no caller of it is known",
        "presumed: _Private.step works with tensors and no caller of it is known",
        "presumed: check_loss works with tensors and no caller of it is known",
        "step: _single is an operator of the library, from tensors to tensors",
        "step: _fast is an operator of the library, from tensors to tensors",
        "presumed: _alone works with tensors and no caller of it is known",
    ]


def test_a_step_of_an_optimizer_is_one_whoever_calls_it(tmp_path: Path) -> None:
    found = heat_below(
        tmp_path,
        {
            "agents.py": """
                import torch

                class Agent:
                    def update(self, batch):
                        here()
                        loss = self.loss_of(batch)
                        loss.backward()
                        self.optimizer.step()

                    def loss_of(self, batch):
                        here()
                        return torch.exp(batch).mean()

                class Scaled:
                    def learn(self, batch):
                        here()
                        self.scaler.scale(torch.exp(batch).mean()).backward()
                        self.scaler.step(self.optimizer)

                class Wrapped:
                    def learn(self, batch):
                        here()
                        critic_loss = self.criterion(torch.exp(batch))
                        self.optim.step(critic_loss, retain_graph=True)

                class Through:
                    def observe(self, state):
                        here()
                        self._train(state)

                    def _train(self, state):
                        here()
                        torch.exp(state).mean().backward()
                        if self.counter % 2 == 0:
                            self.optim.step()

                class Fitted:
                    def improve(self, batch):
                        here()
                        for _ in range(self.rounds):
                            self.rounded.improve_once(torch.exp(batch))

                class Calibrated:
                    def calibrate(self, logits):
                        here()

                        def closed():
                            loss = torch.exp(logits * self.temperature).mean()
                            loss.backward()
                            return loss

                        self.optimizer.step(closed)

                class Whole:
                    def work(self, loader):
                        here()
                        for batch in loader:
                            self.model(batch).backward()
                        self.optimizer.step()
                        torch.cuda.synchronize()

                class Asked:
                    def ask(self, state):
                        here()
                        torch.exp(state)
                        if self.verbose:
                            raise ValueError(self.told(state))

                    def told(self, state):
                        here()
                        torch.exp(state).backward()
                        self.optimizer.step()
                """,
            "other.py": """
                class Rounded:
                    def improve_once(self, batch):
                        here()
                        batch.mean().backward()
                        self.optimizer.step()
                """,
        },
    )
    why = "takes a step of an optimizer each time"
    assert [place.partition(": ")[2] for place in found] == [
        f"step: Agent.update {why}",
        f"step: Agent.update {why} -> Agent.loss_of",
        f"step: Scaled.learn {why}",
        f"step: Wrapped.learn {why}",
        f"step: Through.observe {why}",
        f"step: Through._train {why}",
        "presumed: Fitted.improve works with tensors and no caller of it is known",
        "presumed: Calibrated.calibrate works with tensors and no caller of it is known",
        "cold: outside of the hot loop: agents.py:57 loop over loader",
        "presumed: Asked.ask works with tensors and no caller of it is known",
        "cold: nothing shows that it runs in a step",
        f"step: Rounded.improve_once {why}",
    ]


def test_losses_of_classes_that_a_package_offers(tmp_path: Path) -> None:
    head = """
        import torch
        from torch import Tensor, nn
        """
    loss = """
            def loss(self, x: Tensor, targets) -> dict:
                here()
                return dict(loss=torch.exp(x))
        """
    sources = {
        "pkg/__init__.py": "from .heads import Head as Head\n",
        "pkg/heads/__init__.py": "from .head import *\nfrom .head import _Hidden\n",
        "pkg/heads/head.py": head
        + f"""
        class Head(nn.Module):{loss}
            def get_loss(self, x: Tensor) -> dict:
                here()
                return dict(loss=torch.exp(x))

            def loss_name(self):
                here()
                torch.manual_seed(1)
                return "loss"

            def check_loss(self, x: Tensor):
                here()
                torch.exp(x)

        class Level:
            def loss_by_level(self, x):
                here()
                return torch.nn.functional.relu(x).mean(), None

        class EdgeLoss:
            def loss_with_masks(self, x: Tensor) -> dict:
                here()
                return dict(loss=torch.exp(x))

        class _Hidden:{loss}
        """,
        "pkg/other.py": f"{head}\n        from . import _inner\n\n        class Other(nn.Module):{loss}",
        "pkg/_inner/__init__.py": "from .inner import Inner\n",
        "pkg/_inner/inner.py": f"{head}\n        class Inner(nn.Module):{loss}",
        "pkg/whole/__init__.py": f"{head}\n        class Whole(nn.Module):{loss}",
        "alone.py": f"{head}\n        class Alone(nn.Module):{loss}",
    }
    unknown = "works with tensors and no caller of it is known"
    assert [place.partition(": ")[2] for place in heat(tmp_path, sources)] == [
        "step: Head.loss is a loss by its name, and pkg offers it",
        f"presumed: Head.get_loss {unknown}",
        "cold: nothing shows that it runs in a step",
        f"presumed: Head.check_loss {unknown}",
        "step: Level.loss_by_level is a loss by its name, and pkg.heads offers it",
        f"presumed: EdgeLoss.loss_with_masks {unknown}",
        f"presumed: _Hidden.loss {unknown}",
        f"presumed: Other.loss {unknown}",
        f"presumed: Inner.loss {unknown}",
        "step: Whole.loss is a loss by its name, and pkg.whole offers it",
        f"presumed: Alone.loss {unknown}",
    ]
