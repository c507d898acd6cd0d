"""Which loops are hot, by what they go over and what their rounds do."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "loader loop": (
        """
        def train(model, loader):
            here()
            for batch in loader:
                here()
                for k in batch:
                    here()
            here()
        """,
        [
            "cold: outside of the hot loop: m.py:3 loop over loader",
            "step: m.py:3 loop over loader",
            "loop: m.py:3 loop over loader, in a loop of its own",
            "cold: outside of the hot loop: m.py:3 loop over loader",
        ],
    ),
    "a loader or a bar over it": (
        """
        def train(loader):
            bar = tqdm(enumerate(loader)) if shown else enumerate(loader)
            for i, batch in bar:
                here()
            bar = tqdm(enumerate(loader)) if shown else enumerate(layers)
            for i, layer in bar:
                here()
        """,
        ["step: m.py:3 loop over bar", "cold: outside of the hot loop: m.py:3 loop over bar"],
    ),
    "a module that calls itself": (
        """
        class Decoder(nn.Module):
            def forward(self, x):
                return self.embedding(x)
            def generate(self, x, count):
                for _ in range(count):
                    x = self(x)
                    here()
            def stream(self, x, count):
                for _ in range(count):
                    x = self.forward(x)
                    yield here()
        class Pipe:
            def forward(self, x):
                return x
            def run(self, x, count):
                for _ in range(count):
                    x = self.forward(x)
                    here()
        """,
        [
            "step: m.py:5 loop that calls self()",
            "step: m.py:9 loop that calls self.forward()",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "a helper named after forward": (
        """
        def forward_model(model, x):
            return model(x).logits
        def judge(model, x):
            here()
            return forward_model(model, x)
        def judge_all(model, data):
            for x in range(len(data)):
                here()
                judge(model, data[x])
        """,
        [
            "step: m.py:7 loop that calls judge(), which takes a step -> judge",
            "step: m.py:7 loop that calls judge(), which takes a step",
        ],
    ),
    "loops over loaders and over a constant": (
        """
        def go(model, loaders):
            for loader in loaders:
                here()
            for i, test_loader in enumerate(loaders):
                here()
            for name in DATASET_LOADERS:
                here()
            for trial, quant_config in enumerate(config_loader, 1):
                here()
            for batch in loaders[0]:
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:10 loop over loaders[0]",
            "cold: outside of the hot loop: m.py:10 loop over loaders[0]",
            "cold: outside of the hot loop: m.py:10 loop over loaders[0]",
            "cold: outside of the hot loop: m.py:10 loop over loaders[0]",
            "step: m.py:10 loop over loaders[0]",
        ],
    ),
    "wrapped loader": (
        """
        def train(model, cfg):
            data = torch.utils.data.DataLoader(cfg)
            for i, batch in enumerate(tqdm(data)):
                here()
        """,
        ["step: m.py:3 loop over data"],
    ),
    "wrapped loader that is handed over by a name": (
        """
        def train(model, dataloader):
            for batch in tqdm(desc="train", iterable=enumerate(dataloader)):
                here()
        """,
        ["step: m.py:2 loop over dataloader"],
    ),
    "a loader within a bar that is entered": (
        """
        def evaluate(model, loader):
            with tqdm(loader) as bar, other() as rows:
                for batch in bar:
                    here()
                for row in rows:
                    here()
        """,
        [
            "step: m.py:3 loop over bar",
            "cold: outside of the hot loop: m.py:3 loop over bar",
        ],
    ),
    "script with epochs": (
        """
        for epoch in range(10):
            here()
            for x, y in batches:
                loss = model(x, y)
                loss.backward()
                here()
            scheduler.step()
            here()
        """,
        [
            "cold: outside of the hot loop: m.py:3 loop over batches",
            "step: m.py:3 loop over batches",
            "cold: outside of the hot loop: m.py:3 loop over batches",
        ],
    ),
    "what a loop has no round after": (
        """
        def main(loader, model):
            for batch in loader:
                try:
                    if model(batch).done:
                        here()
                        if batch:
                            return
                        else:
                            break
                    here()
                except RuntimeError:
                    break
                with lock:
                    if not batch:
                        continue
                    here()
                    break
        """,
        [
            "cold: outside of the hot loop: m.py:2 loop over loader",
            "step: m.py:2 loop over loader",
            "cold: outside of the hot loop: m.py:2 loop over loader",
        ],
    ),
    "one batch of a loader": (
        """
        def sample(loader, model):
            for batch in loader:
                here()
                break
        def take(loader, model):
            for batch in loader:
                return model(here())
        """,
        ["cold: nothing shows that it runs in a step"] * 2,
    ),
    "steps of an epoch by their number": (
        """
        def main(num_steps_per_epoch):
            for epoch in range(10):
                here()
                for _ in range(num_steps_per_epoch):
                    train(next(stream))
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:4 loop that takes the next of stream",
            "step: m.py:4 loop that takes the next of stream",
        ],
    ),
    "epochs of one batch each": (
        """
        def main(stream):
            for epoch in range(10):
                batch = next(stream)
                here()
        """,
        ["step: m.py:2 loop that takes the next of stream"],
    ),
    "a trainer that is given a batch": (
        """
        def main(trainer, loader):
            for batch in loader:
                trainer.train(batch)
                here()
        """,
        ["step: m.py:2 loop over loader"],
    ),
    "a trainer that is given each loader": (
        """
        def main(trainer, settings):
            for setting in settings:
                trainer.train(setting)
                here()
        """,
        ["cold: nothing shows that it runs in a step"],
    ),
    "a trainer that takes a step": (
        """
        class Trainer:
            def train(self, at):
                loss = self.model(at)
                loss.backward()
        def main(model):
            trainer = Trainer(model)
            for at in range(1000):
                trainer.train(at)
                here()
        """,
        ["step: m.py:7 loop that calls trainer.train(), which takes a step"],
    ),
    "epochs of full batches": (
        """
        def main():
            for epoch in range(10):
                loss = model(x)
                loss.backward()
                here()
        """,
        ["step: m.py:2 loop that calls loss.backward()"],
    ),
    "while over steps": (
        """
        def fit():
            it = iter(loader)
            while step < max_steps:
                batch = next(it)
                here()
        """,
        ["step: m.py:3 loop that takes the next of it"],
    ),
    "optimizer by what it is bound to": (
        """
        def fit(params):
            o = torch.optim.SGD(params)
            for _ in range(9):
                o.step()
                here()
        """,
        ["step: m.py:3 loop that steps the optimizer o"],
    ),
    "generators of batches are no generators of images": (
        """
        class Learner:
            def default_generator(self, data):
                for rows in data:
                    yield rows
            def fit(self, rounds):
                for i in range(rounds):
                    results = self.run(self.default_generator(i))
                    here()
                for i in range(rounds):
                    fake = self.generator(i)
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:9 loop that calls self.generator()",
            "step: m.py:9 loop that calls self.generator()",
        ],
    ),
    "time steps by their numbers": (
        """
        def sample(x, timesteps, count):
            for i in tqdm(range(count)):
                t = torch.full((4,), timesteps[i])
                here()
            for i in range(count):
                t = timesteps[0]
                here()
            for i in range(count):
                x = timesteps[i]
            for i in range(count):
                timesteps[i] = torch.exp(x)
                here()
        def schedule(timesteps, count):
            for i in range(count):
                print(timesteps[i])
                here()
        """,
        [
            "step: m.py:2 loop over timesteps",
            "cold: outside of the hot loop: m.py:2 loop over timesteps",
            "cold: outside of the hot loop: m.py:2 loop over timesteps",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "denoising and decoding": (
        """
        def sample(self, timesteps):
            for t in self.scheduler.timesteps:
                noise = self.unet(x, t)
                here()
        def decode(model, idx, max_new_tokens):
            for _ in range(max_new_tokens):
                logits = model(idx)
                here()
        def schedule(timesteps):
            for t in timesteps:
                here()
        """,
        [
            "step: m.py:2 loop over self.scheduler.timesteps",
            "step: m.py:6 loop over max_new_tokens",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "scheduler and tensor work around a hot loop": (
        """
        def fit(model):
            while True:
                here()
                scheduler.step()
                self.total = torch.zeros(1)
                for batch in loader:
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:6 loop over loader",
            "step: m.py:6 loop over loader",
        ],
    ),
    "loops that call a function of the file named after a model": (
        """
        class Trainer:
            def train(self, sets):
                for epoch_number in sets:
                    here()
                    self.eval_model(epoch_number)
                for batch in sets:
                    here()
                    self.run_model(batch)
            def eval_model(self, loader):
                here()
                for batch in loader:
                    self.run_model(batch)
            def run_model(self, batch):
                return self.model(batch)
        """,
        [
            "cold: outside of the hot loop: m.py:6 loop that calls self.run_model(), which takes a step",
            "step: m.py:6 loop that calls self.run_model(), which takes a step",
            "cold: outside of the hot loop: m.py:11 loop over loader",
        ],
    ),
    "rounds around time steps": (
        """
        def sample(model, num_outer_iters, timesteps):
            for outer in range(num_outer_iters):
                here(torch.ones(1))
                for t in timesteps:
                    x = model(x, t)
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:4 loop over timesteps",
            "step: m.py:4 loop over timesteps",
        ],
    ),
    "comprehensions and what a loop iterates": (
        """
        class Model(nn.Module):
            def forward(self, xs):
                a = [here() for x in xs]
                b = [x for x in here()]
                for x in here():
                    pass
                else:
                    here()
                while here():
                    pass
        """,
        [
            "loop: Model.forward runs on every call of the module, in a loop",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "loop: Model.forward runs on every call of the module, in a loop",
        ],
    ),
    "micro-batches inside of a step": (
        """
        for step in range(total_steps):
            for micro in range(accumulation_steps):
                loss = model(x)
                loss.backward()
                here()
            optimizer.step()
            here()
        """,
        [
            "step: m.py:2 loop over accumulation_steps",
            "step: m.py:1 loop over total_steps",
        ],
    ),
    "a loop around micro-batches": (
        """
        while True:
            here()
            for _ in range(num_microbatches):
                batch = next(data_iterator)
        """,
        ["step: m.py:1 loop around range(num_microbatches)"],
    ),
    "evaluation behind a gate is a loop of its own": (
        """
        for step, batch in enumerate(loader):
            if step % eval_every == 0:
                here()
                for batch in val_loader:
                    here()
        """,
        ["cold: runs every eval_every steps (line 2)", "step: m.py:4 loop over val_loader"],
    ),
    "rounds that step an environment": (
        """
        def collect(env, policy, n_rollout_steps):
            n_steps = 0
            while n_steps < n_rollout_steps:
                here()
                obs, reward = env.step(policy(obs))
                n_steps += 1
        """,
        ["step: m.py:3 loop that steps env"],
    ),
    "rounds that call the step of their own class": (
        """
        class Generator:
            def generate(self):
                here()
                for _ in range(self.start, self.end):
                    if not self._step():
                        break
            def _step(self):
                here()
        class Wizard:
            def run(self, pages):
                for page in pages:
                    self.step()
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:4 loop that calls self._step()",
            "step: m.py:4 loop that calls self._step() -> Generator._step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "rounds that call the step of a module": (
        """
        class Decoder(nn.Module):
            def step(self, tokens):
                return tokens
        class Runner:
            def __init__(self, plan):
                self.decoder = Decoder()
                self.plan = plan
            def run(self, tokens):
                while tokens is not None:
                    tokens = self.decoder.step(tokens)
                    here()
            def advance(self, pages):
                for page in pages:
                    self.plan.step(page)
                    here()
        """,
        [
            "step: m.py:9 loop that calls self.decoder.step()",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "rounds that call a model through other functions of the file": (
        """
        class Generator:
            def generate(self):
                while self.jobs():
                    results = self.iterate()
                    here()
            def iterate(self):
                self.start()
                self.iterate_gen()
            def iterate_gen(self):
                here()
                return self.model.forward_chunk(self.ids)
        class Fitting:
            def sweep(self, widths):
                for width in widths:
                    self.fit_one(width)
                    here()
            def fit_one(self, width):
                for batch in loader:
                    self.model(batch)
            def layers(self, groups):
                for group in groups:
                    here()
                    yield embedder_from_model(group)
        """,
        [
            "step: m.py:3 loop that calls self.iterate(), which takes a step",
            "step: m.py:3 loop that calls self.iterate(), which takes a step -> "
            "Generator.iterate -> Generator.iterate_gen",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "a loader by what it is": (
        """
        class Fit:
            def __init__(self, rows):
                self.rows = torch.utils.data.DataLoader(rows)
            def go(self):
                for row in self.rows:
                    here()
            def take(self):
                taken = iter(self.rows)
                while True:
                    row = next(taken)
                    here()
        """,
        ["step: m.py:5 loop over self.rows", "step: m.py:9 loop that takes the next of taken"],
    ),
    "loaders, one after the other": (
        """
        def go(rows):
            sets = [torch.utils.data.DataLoader(rows), torch.utils.data.DataLoader(rows)]
            for one in sets:
                here()
                for batch in one:
                    here()
        """,
        [
            "cold: outside of the hot loop: m.py:5 loop over one",
            "step: m.py:5 loop over one",
        ],
    ),
    "what is made with a loader, and is none": (
        """
        def compare(loader):
            scores = {name: 0 for name in names}
            read = yaml.load(text, Loader=yaml.Loader)
            for name in scores:
                here()
            for key in read:
                here()
        """,
        ["cold: nothing shows that it runs in a step"] * 2,
    ),
    "several optimizers, one after the other": (
        """
        def step_all(optimizers, parts, model):
            for optimizer in optimizers:
                optimizer.step()
                here()
            for key in parts:
                optimizers[key].step()
                here()
            for part in parts:
                model(part).backward()
                optimizer.step()
                here()
        """,
        [
            *["cold: outside of the hot loop: m.py:8 loop that calls model(part).backward()"] * 2,
            "step: m.py:8 loop that calls model(part).backward()",
        ],
    ),
    "classes and functions that others define": (
        """
        from elsewhere import Model, build_model
        def main(paths):
            for path in paths:
                Model(path)
                build_model(path)
                here()
        """,
        ["cold: nothing shows that it runs in a step"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
