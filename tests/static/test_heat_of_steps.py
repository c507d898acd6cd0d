"""Which functions are steps, and which only look like one."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "what forward generates without gradients takes steps of its own": (
        """
        class Sampler(nn.Module):
            @torch.no_grad()
            def generate(self, x):
                here()
                for _ in range(9):
                    x = self.model.forward(x)
                    here()
                return x
        class Audio(nn.Module):
            @torch.inference_mode()
            def forward(self, x):
                x = self.prepared(x)
                here()
                x = self.generate(x)
                return x
            def prepared(self, x):
                here()
                return x
            def generate(self, x):
                for _ in range(9):
                    x = self.model(x)
                return x
        class Net(nn.Module):
            def forward(self, x):
                here()
                return self.generate(x)
            def generate(self, x):
                for _ in range(9):
                    x = self.model(x)
                return x
        """,
        [
            "cold: outside of the hot loop: m.py:5 loop that calls self.model.forward()",
            "step: m.py:5 loop that calls self.model.forward()",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "step: Net.forward runs on every call of the module",
        ],
    ),
    "a forward that optimizes": (
        """
        class Embedding(nn.Module):
            def forward(self, graph):
                here()
                optimizer = torch.optim.Adam(self.parameters())
                for _ in range(9):
                    loss = self.loss(graph)
                    loss.backward()
                    optimizer.step()
                    here()
        class Inner(nn.Module):
            def forward(self, x):
                here()
                self.loss(x).backward()
        """,
        [
            "cold: outside of the hot loop: m.py:5 loop that calls loss.backward()",
            "step: m.py:5 loop that calls loss.backward()",
            "step: Inner.forward runs on every call of the module",
        ],
    ),
    "an evaluation is no part of a step, but a step may evaluate": (
        """
        def train(model, loader, loss):
            for batch in loader:
                loss(model(batch)).backward()
                run_validation(model, loader)
                evaluate_actions(batch)
        def run_validation(model, loader):
            here()
            for batch in loader:
                model(batch)
                here()
        def evaluate_actions(batch):
            here()
        """,
        [
            "cold: outside of the hot loop: m.py:8 loop over loader",
            "step: m.py:8 loop over loader",
            "step: m.py:2 loop over loader -> evaluate_actions",
        ],
    ),
    "a training that is named after a model is no step": (
        """
        def fit_each(manager, tables):
            for table in tables:
                manager.train_net(table)
                here()
        def call_each(net, tables):
            for table in tables:
                net.train_net(table)
                net(table)
                here()
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: m.py:6 loop that calls net()",
        ],
    ),
    "what steps run each time, whatever it is called": (
        """
        class Trainer:
            def fit(self, loader):
                for epoch in range(9):
                    self.restore(epoch)
                    for batch in loader:
                        x = self.load(batch)
                        self.model(x).backward()
                        self.optimizer.step()
                        if self.shows:
                            self.plot(x)
            def load(self, batch):
                here()
                return self.parse(batch)
            def parse(self, batch):
                here()
                return batch or self.download(batch)
            def download(self, batch):
                here()
            def plot(self, x):
                here()
            def restore(self, epoch):
                here()
        class Net(nn.Module):
            def forward(self, x):
                return self.init_state(x)
            def init_state(self, x):
                here()
        """,
        [
            "step: m.py:5 loop over loader -> Trainer.load",
            "step: m.py:5 loop over loader -> Trainer.load -> Trainer.parse",
            "cold: Trainer.download is no step by its name",
            "cold: Trainer.plot is no step by its name",
            "cold: Trainer.restore is no step by its name",
            "step: Net.forward runs on every call of the module -> Net.init_state",
        ],
    ),
    "what has a model generate is no step": (
        """
        class Speaker:
            def run(self, num_batches):
                for _ in range(num_batches):
                    self.speak(torch.ones(1))
                    self.draw(torch.ones(1))
                    self.own(torch.ones(1))
                    self.may(torch.ones(1))
                    self._forward_batched(torch.ones(1))
            def speak(self, ids):
                here()
                out = self.model.generate(ids, max_new_tokens=9)
                return out
            def draw(self, z):
                here()
                return self.gan.generate(z)
            def own(self, z):
                here()
                return self.generate(z, **z)
            def may(self, z):
                here()
                if z:
                    return self.model.generate(z, **z)
            def _forward_batched(self, z):
                here()
                return self.model.generate(z, max_new_tokens=1)
        def evaluate(model, loader):
            here()
            for batch in loader:
                model.generate(**batch)
                helped(batch)
        def helped(batch):
            here()
        """,
        [
            "cold: Speaker.speak holds a whole generation",
            *(
                f"step: m.py:3 loop over num_batches -> Speaker.{name}"
                for name in ("draw", "own", "may", "_forward_batched")
            ),
            "cold: outside of the hot loop: m.py:28 loop over loader",
            "step: m.py:28 loop over loader -> helped",
        ],
    ),
    "function nobody calls": (
        """
        def f(a):
            here()
        def g(a):
            here()
            return torch.exp(a)
        """,
        [
            "cold: nothing shows that it runs in a step",
            "presumed: g works with tensors and no caller of it is known",
        ],
    ),
    "a step for what the rounds of a loop left over": (
        """
        for steps in runs:
            here()
            for batch in steps:
                model(batch).backward()
                optimizer.step()
            optimizer.step()
        for epoch in things:
            here()
            for chunk in batch.chunk(2):
                model(chunk).backward()
            optimizer.step()
        for part in things:
            here()
            for batch in part:
                d_optimizer.step()
            g_optimizer.step()
        """,
        [
            "cold: outside of the hot loop: m.py:3 loop that calls model(batch).backward()",
            "step: m.py:7 loop that steps optimizer",
            "step: m.py:12 loop that steps g_optimizer",
        ],
    ),
    "a function that tells of a deprecated way": (
        """
        def deprecate(name, version):
            here()
        class Net(nn.Module):
            def forward(self, x, **more):
                here()
                deprecate("more", "2.0")
        """,
        [
            "cold: deprecate tells of a deprecated way, by its name",
            "step: Net.forward runs on every call of the module",
        ],
    ),
    "steps by name and optimizers": (
        """
        class Task:
            def training_step(self, batch):
                here()
            def train_batch(self, batch):
                here()
            def backward(self, loss):
                here()
        def backward(loss):
            here()
        class Lion(torch.optim.Optimizer):
            def step(self):
                here()
        class Walker:
            def step(self):
                here()
        """,
        [
            "step: Task.training_step is a step by its name",
            "step: Task.train_batch is a step by its name",
            "step: Task.backward is a step by its name",
            "cold: nothing shows that it runs in a step",
            "step: Lion.step runs on every step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "steps that are listed": (
        """
        for step, batch in enumerate(loader):
            if step in self.logged_steps:
                here()
            if step in (1, 10, 100):
                here()
            if step not in checked:
                here()
            else:
                here()
            if step in range(2, 1000):
                here()
            if batch in seen:
                here()
        """,
        [
            "cold: runs in few steps, when step is in self.logged_steps (line 2)",
            "cold: runs in few steps, when step is in (1, 10, 100) (line 4)",
            "step: m.py:1 loop over loader",
            "cold: runs in few steps, when step is in checked (line 6)",
            "step: m.py:1 loop over loader",
            "step: m.py:1 loop over loader",
        ],
    ),
    "a step in a function that the loop calls": (
        """
        class Runner:
            def decode_one(self, ids):
                return self.model(ids)
            def many(self, ids):
                for part in ids:
                    self.model(part)
            def load_all(self, path):
                return self.model(path)
            def run(self, ids, rounds):
                for i in range(rounds):
                    here(self.decode_one(ids))
                for i in range(rounds):
                    here(self.many(ids))
                for i in range(rounds):
                    here(self.load_all(ids))
        """,
        [
            "step: m.py:10 loop that calls self.decode_one(), which takes a step",
            "cold: outside of the hot loop: m.py:10 loop that calls self.decode_one(), which takes a step",
            "cold: outside of the hot loop: m.py:10 loop that calls self.decode_one(), which takes a step",
        ],
    ),
    "objects that are made of what a step needs": (
        """
        def replay(records):
            for record in records:
                kept.append(TrainingBatch(record))
                here()
            for record in records:
                kept.append(sampling.ForwardBatch(record))
                here()
            for record in records:
                training_batch(record)
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:8 loop that calls training_batch()",
            "cold: outside of the hot loop: m.py:8 loop that calls training_batch()",
            "step: m.py:8 loop that calls training_batch()",
        ],
    ),
    "gradients are clipped in each step": (
        """
        def clip_grad_norm(parameters, most):
            here()
        class Plugin:
            def _clip_gradients(self, optimizer):
                here()
            def clip_boxes(self, boxes):
                here()
            def build_clip_grad(self, config):
                here()
        """,
        [
            "step: clip_grad_norm is a step by its name",
            "step: Plugin._clip_gradients is a step by its name",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "a context is entered around a step by its name": (
        """
        from contextlib import contextmanager
        class Precision:
            @contextmanager
            def forward_context(self):
                here()
                yield
            @contextmanager
            def add_forward_context(self):
                here()
                yield
            @contextmanager
            def _autocast(self):
                here()
                yield
            @contextmanager
            def forward_hooks(self):
                here()
                yield
        def forward_context(self):
            here()
            return self.context
        """,
        [
            "step: Precision.forward_context is entered around a step by its name",
            "cold: nothing shows that it runs in a step",
            "step: Precision._autocast is entered around a step by its name",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "a forward that is told how many steps to take": (
        """
        class Pipeline(nn.Module):
            def forward(self, cond, num_inference_steps=50):
                here()
                return self.decoded(self.looped(cond, num_inference_steps))
            def looped(self, x, steps):
                for t in self.scheduler.timesteps:
                    x = self.net(x, t)
                    here()
                return x
            def decoded(self, x):
                here()
                return x
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: m.py:6 loop over self.scheduler.timesteps",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "what generates without gradients through another method": (
        """
        class Diffusion(nn.Module):
            def forward(self, cond):
                here()
                return self.sampled(cond)
            @torch.no_grad()
            def sampled(self, cond):
                here()
                return self.looped(cond)
            def looped(self, x):
                here()
                for t in reversed(range(0, self.n_timesteps)):
                    x = self.net(x, t)
                    here()
                return x
        class Net(nn.Module):
            def forward(self, cond):
                here()
                return self.looped(cond)
            def looped(self, x):
                for t in range(self.n_timesteps):
                    x = self.net(x, t)
                return x
        """,
        [
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "cold: outside of the hot loop: m.py:11 loop over self.n_timesteps",
            "step: m.py:11 loop over self.n_timesteps",
            "step: Net.forward runs on every call of the module",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected


@pytest.mark.parametrize(
    ("inside", "is_step"),
    [
        ("for batch in self.loader: use(batch)", False),
        ("for at, batch in enumerate(tqdm(self.loader)): use(batch)", False),
        ("later = lambda: [use(batch) for batch in self.loader]", True),
        ("def later():\n            for batch in self.loader: use(batch)", True),
    ],
)
def test_what_goes_over_a_whole_loader_itself_is_no_step_by_its_name(inside: str, is_step: bool) -> None:
    text = f"class Trainer:\n    def train_step(self):\n        here()\n        {inside}\n"
    assert heat(text)[0].startswith("step: ") is is_step
