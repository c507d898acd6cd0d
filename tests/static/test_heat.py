"""How hot a place is, and the reason given: every place is a call of ``here()``."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.project.facts import FileFacts

HEAD = "import torch, functools, time\nfrom torch import nn\n"


def heat(text: str, *, cold: str = "") -> list[str]:
    """``heat: why`` of each ``here()`` in a source, line numbers counted without `HEAD`."""
    tree = ast.parse(textwrap.dedent(text).strip("\n") + "\n" + HEAD)
    facts = FileFacts(tree, "m.py", cold=cold)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "here":
            warmth = facts.heat.warmth(node)
            found.append((node.lineno, node.col_offset, f"{warmth.heat.label}: {warmth.why}"))
    return [shown for _, _, shown in sorted(found)]


CASES = {
    "module forward": (
        """
        class Model(nn.Module):
            def __init__(self):
                here()
            def forward(self, x):
                here()
                for layer in self.layers:
                    here()
        """,
        [
            "cold: Model.__init__ runs at construction",
            "step: Model.forward runs on every call of the module",
            "loop: Model.forward runs on every call of the module, in a loop",
        ],
    ),
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
    "what cuts its own batches is no step": (
        """
        class Library:
            def predict_in_batch(self, table, batch_size):
                here()
                for i in tqdm(range(0, len(table), batch_size)):
                    self.model(table[i : i + batch_size])
                    here()
            def predict_batch(self, batch):
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:4 loop that calls self.model()",
            "step: m.py:4 loop that calls self.model()",
            "step: Library.predict_batch is a step by its name",
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
    "what stands in for a module while that is exported": (
        """
        class AttentionExport(nn.Module):
            def forward(self, x):
                here()
        class ONNXDecoder(AttentionExport):
            def forward(self, x):
                here()
        class Exported(nn.Module):
            def forward(self, x):
                here()
        """,
        [
            "cold: AttentionExport.forward runs while a model is exported, by the name of its class",
            "cold: ONNXDecoder.forward runs while a model is exported, by the name of its class",
            "step: Exported.forward runs on every call of the module",
        ],
    ),
    "a kind of a transform of torchvision": (
        """
        from torchvision import transforms as T
        class Flip(T.RandomHorizontalFlip):
            def forward(self, image):
                here()
                return torch.flip(image, (0,))
        """,
        ["presumed: Flip.forward works with tensors and no caller of it is known"],
    ),
    "what a data set does to a picture": (
        """
        from torchvision.transforms import functional as F
        class Crop(nn.Module):
            def forward(self, image: torch.Tensor, target=None):
                if image.sum() > 0:
                    here()
                    return image, target
                return F.hflip(image), target
        class Compose:
            def __call__(self, image: torch.Tensor, target: dict):
                here()
                return image, target
        class Resize(nn.Module):
            def forward(self, images, targets=None):
                here()
                return images, targets
        class Loss(nn.Module):
            def forward(self, image, target):
                here()
                return image - target
        class Cut(nn.Module):
            def forward(self, batch: torch.Tensor, target: torch.Tensor):
                here()
                return batch, target
        class Mix(nn.Module):
            def forward(self, image, target):
                here()
                return image, target
        def train(loader):
            mix = Mix()
            for image, target in loader:
                image, target = mix(image, target)
        """,
        [
            "presumed: Crop.forward works with tensors and no caller of it is known",
            "presumed: Compose.__call__ works with tensors and no caller of it is known",
            "step: Resize.forward runs on every call of the module",
            "step: Loss.forward runs on every call of the module",
            "step: Cut.forward runs on every call of the module",
            "step: m.py:30 loop over loader -> Mix.forward",
        ],
    ),
    "module through a class of the file": (
        """
        class Base(nn.Module):
            pass
        class Model(Base):
            def __call__(self, x):
                here()
        """,
        ["step: Model.__call__ runs on every call of the module"],
    ),
    "hooks of what is a common base class by its name": (
        """
        class IMetric:
            pass
        class Score(IMetric):
            def update(self, x):
                here()
            def reset(self):
                here()
        class Metrics(Book):
            def update(self, x):
                here()
        """,
        [
            "step: Score.update is run in every step by IMetric",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "autograd function": (
        """
        class Fn(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                here()
            @staticmethod
            def backward(ctx, g):
                here()
        """,
        [
            "step: Fn.forward runs on every use of the autograd function",
            "step: Fn.backward runs on every use of the autograd function",
        ],
    ),
    "import level": ("here()", ["cold: runs at import"]),
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
    "loops over loaders and over a constant": (
        """
        def go(model, loaders):
            for loader in loaders:
                here()
            for i, test_loader in enumerate(loaders):
                here()
            for name in DATASET_LOADERS:
                here()
            for batch in loaders[0]:
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:8 loop over loaders[0]",
            "cold: outside of the hot loop: m.py:8 loop over loaders[0]",
            "cold: outside of the hot loop: m.py:8 loop over loaders[0]",
            "step: m.py:8 loop over loaders[0]",
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
        ["step: m.py:3 loop that steps o"],
    ),
    "calls that make or handle a model call none": (
        """
        from zoo import build_model
        def format_policy(x):
            return x
        def build(names):
            for name in names:
                model = build_model(name)
                format_policy(accelerator.unwrap_model(model).config)
                here()
        """,
        ["cold: nothing shows that it runs in a step"],
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
    "calls carry heat, with the chain": (
        """
        class Trainer:
            def step(self, batch):
                here()
                self.report()
                for x in batch:
                    self.each(x)
            def report(self):
                here()
            def each(self, x):
                here()
        def run(loader):
            trainer = Trainer()
            for batch in loader:
                trainer.step(batch)
        """,
        [
            "step: m.py:13 loop over loader -> Trainer.step",
            "step: m.py:13 loop over loader -> Trainer.step -> Trainer.report",
            "loop: m.py:13 loop over loader -> Trainer.step -> Trainer.each",
        ],
    ),
    "a module called in the loop beats its own seed": (
        """
        class Model(nn.Module):
            def forward(self, x):
                here()
        model = torch.compile(Model().cuda())
        for batch in loader:
            model(batch)
        """,
        ["step: m.py:5 loop over loader -> Model.forward"],
    ),
    "layers of a module list": (
        """
        class Layer(nn.Module):
            def forward(self, x):
                here()
        class Model(nn.Module):
            def __init__(self):
                self.layers = nn.ModuleList([Layer() for _ in range(3)])
            def forward(self, x):
                for i, layer in enumerate(self.layers):
                    x = layer(x)
        """,
        ["loop: Model.forward runs on every call of the module -> Layer.forward"],
    ),
    "overrides, super, constructors and properties": (
        """
        class Base(nn.Module):
            def forward(self, x):
                self.inner(x)
                Helper(x)
                self.shape
            def inner(self, x):
                here()
            @property
            def shape(self):
                here()
        class Sub(Base):
            def inner(self, x):
                super().inner(x)
                here()
        class Helper:
            def __init__(self, x):
                here()
        """,
        [
            "step: Base.forward runs on every call of the module -> Base.inner",
            "step: Base.forward runs on every call of the module -> Base.shape",
            "step: Base.forward runs on every call of the module -> Sub.inner",
            "step: Base.forward runs on every call of the module -> Helper.__init__",
        ],
    ),
    "functions handed on, nested ones and lambdas": (
        """
        def block(x):
            here()
        class Model(nn.Module):
            def forward(self, x):
                def inner(y):
                    here()
                checkpoint(block, x)
                inner(x)
                apply(lambda y: here())
        """,
        [
            "step: Model.forward runs on every call of the module -> block",
            "step: Model.forward runs on every call of the module -> Model.forward.<locals>.inner",
            "step: Model.forward runs on every call of the module -> Model.forward.<locals>.<lambda>",
        ],
    ),
    "hooks": (
        """
        def watch(module, inputs, output):
            here()
        def attach(model):
            model.register_forward_hook(watch)
        """,
        ["step: watch is a hook registered on line 4"],
    ),
    "hooks that are taken away again": (
        """
        def watch(module, inputs, output):
            here()
        def measure(model, x):
            handles = []
            def attach(module):
                handles.append(module.register_forward_hook(watch))
            model.apply(attach)
            model(x)
            for handle in handles:
                handle.remove()
        def calibrate(model, loader):
            def observe(module, inputs, output):
                here()
            handle = model.register_forward_hook(observe)
            for batch in loader:
                model(batch)
            handle.remove()
        @contextmanager
        def watched(model):
            def mark(module, inputs, output):
                here()
            handle = model.register_forward_hook(mark)
            try:
                yield
            finally:
                handle.remove()
        class Exporting:
            def __enter__(self):
                self.handle = self.model.register_forward_hook(self.first)
            def first(self, module, inputs, output):
                self.handle.remove()
                here()
        class Extractor(nn.Module):
            def forward(self, x):
                def keep(module, inputs, output):
                    here()
                handle = self.layer.register_forward_hook(keep)
                x = self.model(x)
                handle.remove()
                return x
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: calibrate.<locals>.observe is a hook registered on line 14",
            "step: watched.<locals>.mark is a hook registered on line 22",
            "cold: nothing shows that it runs in a step",
            "step: Extractor.forward runs on every call of the module -> Extractor.forward.<locals>.keep",
        ],
    ),
    "a model beside a loop that trains it": (
        """
        def fit(model, loader, rounds):
            for _ in tqdm(rounds):
                model.train()
                for batch in loader:
                    loss = model(batch)
                    loss.backward()
                    optimizer.step()
                    here()
                shown = model(everything)
                here()
        """,
        ["step: m.py:4 loop over loader", "cold: outside of the hot loop: m.py:4 loop over loader"],
    ),
    "a step of an environment beside those of an episode": (
        """
        for name in trajectories:
            env.step(zeros)
            here()
            for action in actions[name]:
                env.step(action)
                here()
        for _ in range(count):
            env.step(action)
            here()
            for agent in agents:
                agent.env.step(action)
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:4 loop that steps env",
            "step: m.py:4 loop that steps env",
            "step: m.py:7 loop that steps env",
            "step: m.py:10 loop that steps agent.env",
        ],
    ),
    "what is given a model or nothing acts on one": (
        """
        class Trained:
            def sweep(self, folds):
                for fold in folds:
                    self.run(fold)
                    here()
            def run(self, fold):
                self.backend.sync_model()
                self.backend.share_model(self.model)
        """,
        ["cold: nothing shows that it runs in a step"],
    ),
    "an index that is no number": (
        """
        class Samples(torch.utils.data.Dataset):
            def __getitem__(self, index):
                if isinstance(index, int):
                    here()
                else:
                    here()
                if isinstance(index, (list, tuple)):
                    here()
        class Boxes:
            def __getitem__(self, index):
                if isinstance(index, int):
                    here()
        """,
        [
            "step: Samples.__getitem__ is run in every step by Dataset",
            "cold: runs only for an index that is no number (line 3)",
            "step: Samples.__getitem__ is run in every step by Dataset",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "compiled": (
        """
        @torch.compile(fullgraph=True)
        def f(x):
            here()
        def g(x):
            here()
        h = torch.compile(g)
        """,
        ["step: f is compiled with torch.compile", "step: g is compiled with torch.compile"],
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
    "every so many steps": (
        """
        for step, batch in enumerate(loader):
            if step % log_every == 0 and step > 0:
                here()
            if not step % 100:
                here()
            if (step + 1) % accumulation_steps == 0:
                here()
            if step % 2 == 0:
                here()
            if step % cfg.log_interval:
                continue
            here()
        """,
        [
            "cold: runs every log_every steps (line 2)",
            "cold: runs every 100 steps (line 4)",
            "step: m.py:1 loop over loader",
            "step: m.py:1 loop over loader",
            "cold: runs every cfg.log_interval steps (line 10)",
        ],
    ),
    "every so many batches, by what was counted": (
        """
        count = 0
        for batch in loader:
            count += len(batch)
            if count % (batch_size * 10) == 0:
                here()
            if count % (batch_size * 2) == 0:
                here()
        """,
        ["cold: runs every batch_size * 10 steps (line 4)", "step: m.py:2 loop over loader"],
    ),
    "branches for numbers that are not finite": (
        """
        def training_step(self, loss):
            if self.filters and (torch.isnan(loss) or torch.isinf(loss).any()):
                here()
            else:
                here()
            if not torch.isfinite(loss).all():
                here()
            if torch.isfinite(loss).all():
                here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 2)",
            "step: training_step is a step by its name",
            "cold: runs only for numbers that are not finite (line 6)",
            "step: training_step is a step by its name",
        ],
    ),
    "branches that give a row of nothing something": (
        """
        def training_step(self, mask, x):
            empty = ~mask.any(dim=1)
            if empty.any():
                mask[here(empty), 0] = True
            if not mask.any(1).all():
                mask[here(mask), 0] = 1.0
            if mask.any(1).all():
                mask[here(mask), 0] = 1.0
            if empty.any():
                x = here(x)
            if empty.all():
                mask[here(empty), 0] = True
            if mask.any().any():
                mask[here(empty), 0] = True
        """,
        [
            "cold: runs only for a row of which nothing is left (line 3)",
            "cold: runs only for a row of which nothing is left (line 5)",
            *["step: training_step is a step by its name"] * 4,
        ],
    ),
    "another library for pictures than the one that torchvision takes": (
        """
        from torchvision import get_image_backend
        class Pictures(torch.utils.data.Dataset):
            def __getitem__(self, at):
                if get_image_backend() == "accimage":
                    return here(at)
                if get_image_backend() == "PIL":
                    return here(at)
        """,
        [
            "cold: runs only with another library for pictures (line 4)",
            "step: Pictures.__getitem__ is run in every step by Dataset",
        ],
    ),
    "branches that log a warning": (
        """
        def training_step(self, loss):
            if loss > 9:
                logger.warning("diverges")
                here()
            if loss > 8:
                logger.warning_once("slow")
                here()
            else:
                here()
        """,
        [
            "cold: logs a warning (line 2)",
            "step: training_step is a step by its name",
            "step: training_step is a step by its name",
        ],
    ),
    "branches that tell of a deprecated way": (
        """
        def training_step(self, given):
            if isinstance(given, torch.nn.Module):
                text = "pass parameters"
                deprecate("a module", "1.0.0", text)
                here()
            if given.old:
                warnings.warn("old", DeprecationWarning, stacklevel=2)
                here()
            if given.other:
                warnings.warn("other", UserWarning)
                here()
        """,
        [
            "cold: runs only for those who call it in a deprecated way (line 2)",
            "cold: runs only for those who call it in a deprecated way (line 6)",
            "step: training_step is a step by its name",
        ],
    ),
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
    "rank, flags and named conditions": (
        """
        for step, batch in enumerate(loader):
            if rank == 0 and verbose:
                here()
            if self.debug:
                here()
            should = step % 50 == 0
            if should:
                here()
            if should_log:
                here()
            if not quiet and here():
                pass
            if step == 0:
                here()
            if time.time() - last > 10:
                here()
            if verbose and here():
                pass
            x = here() if self.profile else None
        """,
        [
            "cold: runs on rank 0 only (line 2)",
            "cold: runs only with debug on (line 4)",
            "cold: runs every 50 steps (line 7)",
            "cold: runs only when should_log (line 9)",
            "step: m.py:1 loop over loader",
            "cold: runs once, when step is 0 (line 13)",
            "cold: runs after some time has passed (line 15)",
            "cold: runs only with verbose on (line 17)",
            "cold: runs only with profile on (line 19)",
        ],
    ),
    "batches of nothing": (
        """
        class Model(nn.Module):
            def forward(self, x, boxes, *args):
                if len(boxes) == 0:
                    return here()
                if not len(boxes):
                    return here()
                if x.shape[0] == 0:
                    x = here()
                elif x.numel() < 1:
                    here()
                if x.size(1) > 0:
                    here()
                else:
                    here()
                if len(args) == 0:
                    return here()
                if len(self.adapters) == 0:
                    return here()
                if len(x.shape) == 0:
                    x = here()
                if len(boxes) == 0:
                    boxes = here()
                if boxes.numel() != 0:
                    return x
                here()
        """,
        [
            "cold: runs only while boxes is empty (line 3)",
            "cold: runs only while boxes is empty (line 5)",
            "cold: runs only while x is empty (line 7)",
            "cold: runs only while x is empty (line 9)",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while x is empty (line 11)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while boxes is empty (line 23)",
        ],
    ),
    "the first batch alone": (
        """
        class Model(LightningModule):
            def validation_step(self, batch, batch_idx):
                if batch_idx > 0:
                    here()
                else:
                    here()
                if batch_idx < 1:
                    here()
                if self.current_epoch == 0 or batch_idx >= 1:
                    return
                here()
        """,
        [
            "step: Model.validation_step is a step by its name",
            "cold: runs once, when batch_idx is 0 (line 3)",
            "cold: runs once, when batch_idx is 0 (line 7)",
            "cold: runs once, when batch_idx is 0 (line 9)",
        ],
    ),
    "what only the first round of a hot loop does": (
        """
        def evaluate(model, loader):
            kept = None
            fresh = True
            for batch in loader:
                out = model(batch)
                if kept is None:
                    kept = here()
                else:
                    kept = join(kept, here())
                if fresh:
                    fresh = False
                    here()
        """,
        [
            "cold: runs once, while kept is missing (line 6)",
            "step: m.py:4 loop over loader",
            "cold: runs once, until fresh is cleared (line 10)",
        ],
    ),
    "names that each round of a hot loop binds anew": (
        """
        def evaluate(model, loader, mask=None):
            for batch in loader:
                out = None
                for part in model(batch):
                    if out is None:
                        out = here()
                mask = batch.get("mask")
                if mask is None:
                    mask = here()
        """,
        ["loop: m.py:2 loop over loader, in a loop of its own", "step: m.py:2 loop over loader"],
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
    "epochs that step a scheduler beside what goes over a loader": (
        """
        class Runner:
            def fit(self, loader):
                for number in self.numbers:
                    here()
                    self.one_pass(loader)
                    scheduler.step()
                for number in self.numbers:
                    here()
                    self.one_round(number)
                    if number % self.every == 0:
                        self.one_pass(loader)
                    scheduler.step()
            def one_pass(self, loader):
                here()
                for batch in loader:
                    self.model(batch)
            def one_round(self, number):
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:7 loop that steps scheduler",
            "step: m.py:7 loop that steps scheduler",
            "cold: outside of the hot loop: m.py:15 loop over loader",
            "step: m.py:7 loop that steps scheduler -> Runner.one_round",
        ],
    ),
    "a function whose own loop repeats the closure that it makes": (
        """
        def solve(model, x):
            for _ in range(9):
                here()
                dual_ascent(model, x)
        def dual_ascent(model, x):
            optimizer = torch.optim.LBFGS(model.parameters())
            here()
            while model.rho < 9:
                def closure():
                    loss = model(x)
                    loss.backward()
                    return loss
                optimizer.step(closure)
                here()
        """,
        [
            "presumed: solve works with tensors and no caller of it is known",
            "presumed: solve works with tensors and no caller of it is known -> dual_ascent",
            "step: m.py:8 loop that steps optimizer",
        ],
    ),
    "a function that SciPy minimizes": (
        """
        from scipy import optimize
        def solve(model, x):
            def loss(y):
                return model(y)
            def found(c):
                best = optimize.fmin_l_bfgs_b(loss, x, args=(c,))
                return model(best)
            def matched(c):
                rows = optimize.linear_sum_assignment(model(c))
                return model(rows)
            for i in range(9):
                found(i)
                here()
            for i in range(9):
                matched(i)
                here()
        """,
        [
            "cold: outside of the hot loop: m.py:14 loop that calls matched(), which takes a step",
            "step: m.py:14 loop that calls matched(), which takes a step",
        ],
    ),
    "operators that are recorded": (
        """
        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                here()
                return self.tracer.create_proxy("call_function", func, args, kwargs)
        """,
        ["cold: Mode.__torch_dispatch__ runs while a graph is recorded"],
    ),
    "the end of an episode": (
        """
        def collect(env, policy):
            obs, done = env.reset(), True
            for _ in range(9):
                if done:
                    here()
                action = policy(obs)
                obs, reward, done, info = env.step(action)
                obs, reward, terminated, truncated, extra = env.step(action)
                over = terminated or truncated
                if terminated or truncated:
                    here()
                if over:
                    here()
                if reward:
                    here()
                if done.any():
                    here()
                if not done:
                    here()
                    continue
                here()
        def watch(player):
            for _ in range(9):
                obs, reward, done, info = player.step(1)
                if done:
                    here()
        """,
        [
            "cold: runs once an episode, when done (line 4)",
            "cold: runs once an episode, when terminated (line 10)",
            "cold: runs once an episode, when terminated (line 12)",
            "step: m.py:3 loop that steps env",
            "step: m.py:3 loop that steps env",
            "step: m.py:3 loop that steps env",
            "cold: runs once an episode, when done (line 18)",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "the last round of a hot loop": (
        """
        def train(model, loader):
            for i, batch in enumerate(loader):
                model(batch).backward()
                if i == len(loader) - 1:
                    here()
                if i + 1 == len(loader):
                    here()
                if i == len(batch):
                    here()
                if i == self.total - 1:
                    here()
                if i == grad_accumulation - 1:
                    here()
        class Model(nn.Module):
            def forward(self, x):
                for i, layer in enumerate(self.layers):
                    if i == len(self.layers) - 1:
                        here()
        """,
        [
            "cold: runs once, in the last round (line 4)",
            "cold: runs once, in the last round (line 6)",
            "step: m.py:2 loop over loader",
            "cold: runs once, in the last round (line 10)",
            "step: m.py:2 loop over loader",
            "loop: Model.forward runs on every call of the module, in a loop",
        ],
    ),
    "what gives the items of an iterable data set": (
        """
        class Texts(torch.utils.data.IterableDataset):
            def __iter__(self):
                here()
                with open(self.path) as lines:
                    for line in lines:
                        yield here()
        class Pipeline(torch.utils.data.IterableDataset):
            def __iter__(self):
                pipeline = here()
                return map(here(), pipeline)
        """,
        [
            "cold: runs once for all items that are iterated",
            "step: Texts.__iter__ is run in every step by IterableDataset",
            "cold: runs once for all items that are iterated",
            "step: Pipeline.__iter__ is run in every step by IterableDataset",
        ],
    ),
    "what a generator does for each item runs where items are taken": (
        """
        def batches(path):
            here()
            for line in path:
                if line:
                    yield prepare(line)
        def prepare(line):
            here()
        stream = batches("a")
        def more():
            while here():
                yield here()
            here()
        def all_of():
            yield from more()
        def rest():
            for shard in shards():
                here()
                for one in shard:
                    here()
                    yield one
                    for part in one:
                        here()
        def built():
            return rest()
        def once():
            for item in never():
                pass
        def never():
            while True:
                here()
                yield 1
        @contextlib.contextmanager
        def timed():
            while True:
                here()
                yield
        class Source:
            def draw(self, count):
                for _ in range(count):
                    here()
                    yield 1
            def fill(self):
                return self.draw(3)
        class Reader:
            def __iter__(self):
                here()
                for line in self.lines:
                    here()
                    yield line
        class Counter:
            def __iter__(self):
                return self
            def __next__(self):
                here()
        source = Source()
        taken = iter(source.fill())
        def train(model):
            queue = enumerate(Reader())
            for epoch in range(3):
                for x, y in zip(tqdm(built()), all_of()):
                    z = next(stream)
                    with timed() as t:
                        model(x, y, z, next(taken)).backward()
            for _, x in queue:
                model(x).backward()
            for x in Counter():
                model(x).backward()
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> batches -> prepare",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> all_of -> more",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> all_of -> more",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> rest",
            "loop: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> rest, in a loop",
            "cold: nothing shows that it runs in a step",
            "loop: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> timed, in a loop",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> Source.draw",
            "cold: runs once for all items that are iterated",
            "step: m.py:64 loop that calls model(x).backward() -> Reader.__iter__",
            "step: m.py:66 loop that calls model(x).backward() -> Counter.__next__",
        ],
    ),
    "modules by a base of another package, through one of the file": (
        """
        from transformers import PreTrainedModel
        from typing import Generic
        class Mine(PreTrainedModel):
            config = None
        class Model(Mine):
            def forward(self, x):
                here()
        class Head(Model):
            def forward(self, x):
                here()
        try:
            from transformers import SiglipVisionModel
        except ImportError:
            SiglipVisionModel = nn.Module
        class Vision(SiglipVisionModel):
            def forward(self, x):
                here()
        class Plain(Generic):
            pass
        class Other(Plain):
            def forward(self, x):
                here()
        """,
        [
            "step: Model.forward runs on every call of the module",
            "step: Head.forward runs on every call of the module",
            "step: Vision.forward runs on every call of the module",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "one of two generators": (
        """
        def short():
            for x in data:
                here()
                yield x
        def long():
            for x in data:
                here()
                yield x
        def train(model, how):
            if how:
                stream = short()
            else:
                stream = long()
            for x in stream:
                model(x).backward()
        """,
        [
            "step: m.py:14 loop that calls model(x).backward() -> short",
            "step: m.py:14 loop that calls model(x).backward() -> long",
        ],
    ),
    "a generator that a step makes is run as a whole": (
        """
        class Model(nn.Module):
            def parts(self, x):
                here()
                for part in x.split(2):
                    here()
                    yield part
            def forward(self, x):
                return [self.layer(part) for part in self.parts(x)]
        def load_batches():
            for name in sorted(files):
                here()
                yield torch.load(name)
        def fit(model):
            for batch in load_batches():
                here()
                model(batch).sum().backward()
        """,
        [
            "step: Model.forward runs on every call of the module -> Model.parts",
            "loop: Model.forward runs on every call of the module -> Model.parts",
            "step: m.py:14 loop over load_batches() -> load_batches",
            "step: m.py:14 loop over load_batches()",
        ],
    ),
    "branches for numbers that are not finite, by name": (
        """
        class Model(nn.Module):
            def forward(self, x, y):
                fine = torch.isfinite(x) & torch.isfinite(y)
                if not fine.all():
                    here()
                if fine.any():
                    here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 4)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "branches for infinite numbers": (
        """
        class Model(nn.Module):
            def forward(self, x, norm):
                if norm == torch.inf or x.min() == float("-inf"):
                    here()
                if norm != math.inf:
                    here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 3)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "flags that are raised every so many steps": (
        """
        def train(model, loader):
            for step, batch in enumerate(loader):
                shown = kept = False
                fresh = False
                if step % 100 == 0:
                    shown = True
                if batch.sum() > 0:
                    fresh = True
                model(batch)
                if shown:
                    here()
                if fresh:
                    here()
        """,
        ["cold: runs every 100 steps (line 10)", "step: m.py:2 loop over loader"],
    ),
    "how far a counter has come since": (
        """
        class Learner:
            def train(self, loader, every, t_env):
                last = shown = 0
                for step, batch in enumerate(loader):
                    self.model(batch)
                    if step - last >= every:
                        here()
                        last = step
                    if every < step - shown:
                        here()
                        shown += every
                    if (t_env - self.last_update) / every >= 1.0:
                        here()
                        self.last_update = t_env
                    if step - last >= every:
                        here()
                    if batch.stop - batch.start > every:
                        here()
                        batch.start = batch.start + 1
                    if t_env - batch.size > every:
                        here()
        """,
        [
            "cold: runs every so many steps (line 6)",
            "cold: runs every so many steps (line 9)",
            "cold: runs every so many steps (line 12)",
            "step: m.py:4 loop over loader",
            "step: m.py:4 loop over loader",
            "step: m.py:4 loop over loader",
        ],
    ),
    "branches for versions of torch that nobody uses": (
        """
        from packaging.version import Version, parse as V
        import torch
        IS_1_6 = V(torch.__version__) >= V("1.6.0")
        RUNNING = Version(torch.__version__)
        class Model(nn.Module):
            def forward(self, x):
                if IS_1_6:
                    here()
                else:
                    here()
                if RUNNING < Version("2.0"):
                    here()
                if "1.13" > torch.__version__:
                    here()
                if RUNNING <= Version("2.0"):
                    here()
                if RUNNING < Version("2.9"):
                    here()
                if torch.__version__ == "1.9":
                    here()
        """,
        [
            "step: Model.forward runs on every call of the module",
            "cold: runs only with torch before 1.6 (line 7)",
            "cold: runs only with torch before 2.0 (line 11)",
            "cold: runs only with torch before 1.13 (line 13)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what is defined for versions of torch that nobody uses": (
        """
        from contextlib import contextmanager
        from packaging.version import parse as V
        import torch
        if V(torch.__version__) >= V("1.6.0"):
            def cast():
                here()
        else:
            @contextmanager
            def scope():
                here()
                yield
            class Layer(nn.Module):
                def forward(self, x):
                    here()
        class Model(nn.Module):
            def forward(self, x):
                with scope():
                    cast()
        """,
        [
            "step: Model.forward runs on every call of the module -> cast",
            "cold: scope is there only with torch before 1.6",
            "cold: Layer.forward is there only with torch before 1.6",
        ],
    ),
    "branches for tracing and scripting": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if torch.jit.is_scripting() or self._is_tracing():
                    here()
                if self.onnx_export:
                    here()
                return here()
        """,
        [
            "cold: runs only while exporting (line 3)",
            "cold: runs only while exporting (line 5)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "lazy initialisation and caches": (
        """
        class Model(nn.Module):
            def forward(self, x, mask=None, key=None):
                if self.table is None:
                    self.table = here()
                if mask is None:
                    mask = here()
                if key not in self.cache:
                    self.cache[key] = here()
                if not self.initialized:
                    here()
                if not hasattr(self, "w"):
                    self.w = here()
                value = self.memo.get(key)
                if value is None:
                    value = here()
                    self.memo[key] = value
                if self.out is not None:
                    return self.out
                self.out = here()
        """,
        [
            "cold: runs once, while self.table is missing (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.cache misses (line 7)",
            "cold: runs once, until initialized is set (line 9)",
            "cold: runs once, while self.w is missing (line 11)",
            "cold: runs once, while value is missing (line 14)",
            "cold: runs once, while self.out is missing (line 17)",
        ],
    ),
    "a table that misses, a size that grows": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.sizes.get(key) is None or self.sizes[key] < size:
                    self.sizes[key] = size
                    here()
                if size > self.capacity:
                    self.capacity = size
                    here()
                if size > self.capacity:
                    here()
                if self.sizes.get(key) is None:
                    here()
                if (size := self.sizes.get(key)) is None:
                    self.sizes[key] = here()
        """,
        [
            "cold: runs when self.sizes misses (line 3)",
            "cold: runs when self.capacity grows (line 6)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.sizes misses (line 13)",
        ],
    ),
    "what is kept until more is asked for": (
        """
        class Rotary(nn.Module):
            def make(self, n):
                here()
                self.cache = torch.arange(n)
                return self.cache
            def forward(self, x, n):
                if self.longest is None or n > self.longest:
                    self.longest = None if self.learned else n
                    here()
                if self.mask is None or n > 3:
                    self.mask = here()
                if self.cache is not None and n <= self.cache.shape[0]:
                    return self.cache[:n]
                return self.make(n)
        class Unkept(nn.Module):
            def make(self, n):
                return here()
            def forward(self, n):
                if self.cache is not None and n <= self.cache.shape[0]:
                    return self.cache[:n]
                return self.make(n)
        """,
        [
            "cold: nothing shows that it runs in a step",
            "cold: runs once, while self.longest is missing (line 7)",
            "step: Rotary.forward runs on every call of the module",
            "step: Unkept.forward runs on every call of the module -> Unkept.make",
        ],
    ),
    "what is the best so far": (
        """
        def train(model, rounds):
            best, least = 0, 9
            for turn in range(rounds):
                loss = model(turn)
                loss.backward()
                if best < loss:
                    best = loss
                    here()
                if loss < least:
                    here()
                    least = loss
                fresh = 0
                if loss > fresh:
                    fresh = here()
                if turn % 10 == 0:
                    here()
                if turn % 2 == 0:
                    here()
                if (turn + 1) % per_epoch == 0:
                    here()
        class Trainer:
            def training_step(self, x):
                if x < self.least:
                    self.least = x
                    here()
        """,
        [
            "cold: runs when loss is the best so far (line 6)",
            "cold: runs when loss is the best so far (line 9)",
            "step: m.py:3 loop that calls loss.backward()",
            "cold: runs every 10 steps (line 15)",
            "step: m.py:3 loop that calls loss.backward()",
            "cold: runs every per_epoch steps (line 19)",
            "cold: runs when x is the best so far (line 23)",
        ],
    ),
    "a branch that makes what its test asks for": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if not self.device:
                    self.device = here()
                if not self.training:
                    self.count = here()
                if not self.count:
                    self.count = None
                    here()
        """,
        [
            "cold: runs once, while self.device is missing (line 3)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "options that are off unless somebody passes them": (
        """
        def validate(model, loader, save_json=False, save_text=True, masked=False, *save_all):
            for x in loader:
                model(x)
                if save_json:
                    here()
                if save_text:
                    here()
                if masked:
                    here()
                if save_all:
                    here()
        """,
        [
            "cold: runs only with save_json on (line 4)",
            "step: m.py:2 loop over loader",
            "step: m.py:2 loop over loader, but not by default: validate(masked=False)",
            "step: m.py:2 loop over loader",
        ],
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
    "a flag that a method clears, a length that it raises": (
        """
        class Model(nn.Module):
            def __init__(self, fuse):
                self.fuse = fuse
                self.other = fuse
            def forward(self, x):
                if self.fuse:
                    self.fuse_all(here())
                if self.other:
                    self.fuse_all(here())
                if x.shape[1] > self.longest:
                    self.fuse_all(here())
                if x.shape[1] < self.longest:
                    self.fuse_all(here())
            def fuse_all(self, x):
                self.fuse = False
                self.longest = x
        """,
        [
            "cold: runs once, until fuse is cleared (line 6)",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.longest grows (line 10)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what does nothing but raise": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.kept.get(x) is None:
                    here()
                found = self.table.get(x)
                if found is not None:
                    return found
                self.table[x] = self.refuse(here())
            def refuse(self, x):
                here()
                raise TypeError(x)
        """,
        [
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.table misses (line 6)",
            "cold: Model.refuse does nothing but raise",
        ],
    ),
    "what is traced or captured": (
        """
        def traced(model, x):
            with torch.no_grad():
                here()
                return torch.jit.trace(model, x)
        def summed(x):
            here()
            return torch.trace(x)
        def replayed(model, x):
            if not model.graph:
                graph = torch.cuda.CUDAGraph()
            here()
        def train(model, loader):
            for x in loader:
                traced(model, x), summed(x), replayed(model, x)
        """,
        [
            "cold: traced runs when something is traced or captured, by torch.jit.trace",
            "step: m.py:13 loop over loader -> summed",
            "step: m.py:13 loop over loader -> replayed",
        ],
    ),
    "initialisation through a property or a method": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.step_index is None:
                    self._step_index = here()
                if self.plan is None:
                    self.make_plan(here())
                if self.plan is None:
                    x = self.plain(here())
                if self.merged:
                    self.unmerge(here())
                if self.merged:
                    self.apply(here())
        """,
        [
            "cold: runs once, while self.step_index is missing (line 3)",
            "cold: runs once, while self.plan is missing (line 5)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, until merged is undone (line 9)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what is done once": (
        """
        import threading
        TABLE = None
        SEEN = {}
        class Model(nn.Module):
            def __init__(self):
                self.fresh = self.stale = True
            def forward(self, x, state):
                global TABLE
                if self.fresh:
                    here()
                    self.fresh = False
                if self.stale:
                    here()
                    self.stale = False
                if len(state) == 0:
                    state["mean"] = here()
                if TABLE is None:
                    with threading.Lock():
                        if TABLE is None:
                            TABLE = here()
                kept = getattr(x, NAME, None)
                if kept is None:
                    kept = here()
                    setattr(x, NAME, kept)
                if not hasattr(x, NAME):
                    setattr(x, NAME, here())
                mine = {}
                if not mine:
                    mine["a"] = here()
            def spoil(self):
                self.stale = True
        """,
        [
            "cold: runs once, until fresh is cleared (line 9)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, while state is empty (line 15)",
            "cold: runs once, while TABLE is missing (line 19)",
            "cold: runs once, while kept is missing (line 22)",
            "cold: runs once, while x lacks the attribute (line 25)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what a function around keeps": (
        """
        def compiled_when_called(function):
            compiled = None
            class Wrapper(nn.Module):
                def forward(self, x):
                    nonlocal compiled
                    if compiled is None:
                        compiled = here()
                    fresh = None
                    if fresh is None:
                        fresh = here()
                    return compiled(x)
        """,
        [
            "cold: runs once, while compiled is missing (line 6)",
            "step: compiled_when_called.<locals>.Wrapper.forward runs on every call of the module",
        ],
    ),
    "layers that a class of another file's family holds": (
        """
        from models import Base
        class Mixture(Base):
            def __init__(self):
                self.layer = nn.Linear(3, 3)
                self.whole = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
            def generative(self, parts):
                for part in parts:
                    self.layer(part)
                    here()
            def run(self, batches_of_all):
                for batch in batches_of_all:
                    self.whole(batch)
                    here()
        """,
        ["cold: nothing shows that it runs in a step", "step: m.py:11 loop that calls self.whole()"],
    ),
    "modules that each round makes": (
        """
        def grow(sizes, x, blocks):
            for size in sizes:
                block = nn.Linear(size, size).eval()
                blocks.append(block)
                x = block(x)
                here()
        def add_up(logits, labels):
            for logit in logits:
                criterion = nn.CrossEntropyLoss()
                loss = criterion(logit, labels)
                here()
        """,
        ["cold: nothing shows that it runs in a step", "step: m.py:8 loop that calls criterion()"],
    ),
    "messages at a level": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if logger.level == logging.DEBUG:
                    here()
                if logger.getEffectiveLevel() <= logging.DEBUG:
                    here()
                if logger.level != logging.DEBUG:
                    here()
        """,
        [
            "cold: runs only where debug messages are shown (line 3)",
            "cold: runs only where debug messages are shown (line 5)",
            "step: Model.forward runs on every call of the module",
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
    "what follows another value, or some time": (
        """
        import time
        class Model(nn.Module):
            def forward(self, x, rows, columns):
                if self.rows != rows or self.columns != columns:
                    self.rows, self.columns = rows, columns
                    here()
                if self.rows != rows:
                    here()
                now = time.perf_counter()
                if (now - self.before) > 10.0:
                    here()
        """,
        [
            "cold: runs when self.rows changes (line 4)",
            "step: Model.forward runs on every call of the module",
            "cold: runs after some time has passed (line 10)",
        ],
    ),
    "property that is read, not set": (
        """
        class Model(nn.Module):
            @property
            def longest(self):
                return here()
            @longest.setter
            def longest(self, value):
                here()
            def forward(self, x):
                return x[: self.longest]
        """,
        [
            "step: Model.forward runs on every call of the module -> Model.longest",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "functions behind a cache": (
        """
        @package.cached_by_shape
        def table(n):
            return here()
        def training_step(x):
            return table(3)
        """,
        ["cold: table is cached by cached_by_shape"],
    ),
    "kernels in other languages": (
        """
        import triton, warp as wp, tilelang.language as T
        from numba import cuda
        from package import jit
        @triton.autotune(configs=[])
        @triton.jit
        def add(x):
            here()
        @wp.kernel
        def scale(x):
            for one in x:
                here()
        @cuda.jit
        def fill(x):
            here()
        def make(n):
            @T.prim_func
            def kernel(x):
                here()
            return kernel
        @jit
        def host(x):
            here()
        class Model(torch.nn.Module):
            def forward(self, x):
                host(x)
                add[(1,)](x), fill[1, 1](x), make(3)(x)
                return scale(x)
        """,
        [
            "cold: add is a kernel in triton: no torch runs in it",
            "cold: scale is a kernel in warp: no torch runs in it",
            "cold: fill is a kernel in numba: no torch runs in it",
            "cold: make.<locals>.kernel is a kernel in tilelang: no torch runs in it",
            "step: Model.forward runs on every call of the module -> host",
        ],
    ),
    "modules that compute with JAX": (
        """
        import jax
        from flax import linen
        class Dense(linen.Module):
            def __call__(self, x):
                here()
        @jax.jit
        def scale(x):
            here()
        class Model(torch.nn.Module):
            def forward(self, x):
                scale(x)
                return Dense()(x)
        """,
        [
            "cold: Dense.__call__ is of a module of flax: JAX traces it once",
            "cold: scale is a kernel in jax: no torch runs in it",
        ],
    ),
    "a counter in a dict": (
        """
        for batch in loader:
            if state["iter_num"] % train.log_interval == 0:
                here()
            if state["layers"] % 16 == 0:
                here()
        """,
        [
            "cold: runs every train.log_interval steps (line 2)",
            "step: m.py:1 loop over loader",
        ],
    ),
    "error paths": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if x.dim() != 3:
                    detail = here()
                    raise ValueError(detail)
                try:
                    here()
                except RuntimeError:
                    here()
                assert here(), f"{here()}"
        """,
        [
            "cold: is an error path (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 8)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 10)",
        ],
    ),
    "error paths of other statements": (
        """
        class Model(nn.Module):
            def forward(self, x, index):
                for part in x:
                    if part is self.last:
                        break
                else:
                    text = here()
                    raise ValueError(text)
                match index:
                    case 0:
                        return here()
                    case _:
                        text = here()
                        raise ValueError(text)
            def choose(self, x):
                if x.dim() == 3:
                    return here()
                text = here()
                raise ValueError(text)
            def __call__(self, x):
                return self.choose(x)
        """,
        [
            "cold: is an error path (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: is an error path (line 12)",
            "step: Model.__call__ runs on every call of the module -> Model.choose",
            "cold: is an error path (line 18)",
        ],
    ),
    "functions that stop heat": (
        """
        class Model(nn.Module):
            def forward(self, x):
                self.table(3)
                self.save_checkpoint()
                if self.training and step % log_every == 0:
                    self.report()
            @functools.lru_cache(maxsize=None)
            def table(self, n):
                here()
            def save_checkpoint(self):
                here()
            def report(self):
                here()
        """,
        [
            "cold: Model.table is cached by lru_cache",
            "cold: Model.save_checkpoint is no step by its name",
            "cold: nothing shows that it runs in a step",
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
    "a flag of the module that is set for good": (
        """
        warned = False
        class Model(nn.Module):
            def forward(self, x):
                global warned
                if not warned:
                    here()
                    warned = True
                told = False
                if not told:
                    here()
                    told = True
                if warned:
                    return x
                here()
                warned = True
        """,
        [
            "cold: runs once, until warned is set (line 5)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, until warned is set (line 12)",
        ],
    ),
    "a module that is moved to the host and stays there": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.other.device != torch.device("cpu"):
                    self.other.to("cpu")
                    here()
                if x.device.type != "cpu":
                    x = x.cpu()
                    here()
        """,
        [
            "cold: runs once, until self.other is moved (line 3)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what the branches of a choice name": (
        """
        def one(x):
            here()
        def other(x):
            here()
        class Model(nn.Module):
            def forward(self, x):
                if self.fast:
                    run = one
                else:
                    run = other
                run(x)
        """,
        [
            "step: Model.forward runs on every call of the module -> one",
            "step: Model.forward runs on every call of the module -> other",
        ],
    ),
    "a local name for what the module keeps": (
        """
        kernels = None
        class Model(nn.Module):
            def forward(self, x):
                global kernels
                found = kernels
                if found is None:
                    found = here()
                    kernels = found
                other = self.look()
                if other is None:
                    other = here()
        """,
        [
            "cold: runs once, while found is missing (line 6)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "a lambda that is made in a round": (
        """
        def build(size):
            return lambda: net(size)
        for size in sizes:
            layers.append(build(size))
            here()
        """,
        ["cold: runs at import"],
    ),
    "flags set for good, and flags that are none": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if not self.warm:
                    here()
                    self.warm = True
                if self.has_first_stage:
                    here()
                if self.is_complete_trace:
                    here()
                ready = step % 100 == 0
                if not ready:
                    return x
                here()
        """,
        [
            "cold: runs once, until warm is set (line 3)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs every 100 steps (line 11)",
        ],
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
}


CASES["switches in the environment"] = (
    """
    import os
    TRACE = os.environ.get("PKG_TRACE", "")
    LEVEL = int(os.getenv("PKG_LEVEL", 0))
    FUSED = os.environ.get("PKG_FUSED", "1")
    for batch in loader:
        if TRACE:
            here()
        if os.environ.get("PKG_DUMP") == "1":
            here()
        if LEVEL:
            here()
        if FUSED:
            here()
        if os.environ.get("PKG_TEXT", "0"):
            here()
        if os.environ.get("PKG_DUMP", "0") == "0":
            here()
    """,
    [
        "cold: runs only with PKG_TRACE set in the environment (line 6)",
        "cold: runs only with PKG_DUMP set in the environment (line 8)",
        "cold: runs only with PKG_LEVEL set in the environment (line 10)",
        "step: m.py:5 loop over loader",
        "step: m.py:5 loop over loader",
        "step: m.py:5 loop over loader",
    ],
)
CASES["an optimizer stepped every so many micro-batches"] = (
    """
    for step, batch in enumerate(loader):
        if (step + 1) % accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
            here()
        if (step + 1) % report_steps == 0:
            here()
    """,
    ["step: m.py:1 loop over loader", "cold: runs every report_steps steps (line 6)"],
)

CASES["rounds that step an environment"] = (
    """
    def collect(env, policy, n_rollout_steps):
        n_steps = 0
        while n_steps < n_rollout_steps:
            here()
            obs, reward = env.step(policy(obs))
            n_steps += 1
    """,
    ["step: m.py:3 loop that steps env"],
)
CASES["rounds that call the step of their own class"] = (
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
)

CASES["a step that a function makes"] = (
    """
    def supervised_training_step(model):
        here()
        def update(batch):
            here()
            return model(batch)
        return update
    """,
    [
        "cold: nothing shows that it runs in a step",
        "step: supervised_training_step.<locals>.update is a step by the name of what makes it",
    ],
)

CASES["objects that are made of what a step needs"] = (
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
)

CASES["rounds that call a model through other functions of the file"] = (
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
)

CASES["what a decorator keeps on the object that it is called on"] = (
    """
    def exists(value):
        return value is not None
    def kept_under(key):
        def decorate(function):
            def wrapper(self, *args):
                kept = getattr(self, key)
                if exists(kept):
                    return kept
                kept = function(self, *args)
                setattr(self, key, kept)
                return kept
            return wrapper
        return decorate
    def passed_on(key):
        def decorate(function):
            def wrapper(self, *args):
                kept = getattr(self, key)
                if kept is None:
                    return kept
                setattr(self, key, args)
                return function(self, *args)
            return wrapper
        return decorate
    class Model(nn.Module):
        @kept_under("head")
        def head(self, x):
            here()
            return device_of(self.net)
        @passed_on("tail")
        def tail(self, x):
            here()
        def forward(self, x):
            return self.tail(self.head(x))
    def device_of(module):
        here()
        return next(module.parameters()).device
    """,
    [
        "cold: Model.head runs once an object: kept_under keeps what it gives",
        "step: Model.forward runs on every call of the module -> Model.tail",
        "cold: nothing shows that it runs in a step",
    ],
)

CASES["tables that are looked into by their keys, and the state of a parameter"] = (
    """
    class Model(nn.Module):
        def forward(self, x):
            if len(x) in self.masks.keys():
                mask = self.masks[len(x)]
            else:
                mask = here()
                self.masks[len(x)] = mask
            if len(x) not in self.masks.keys():
                mask = here()
    class Clipped(torch.optim.Adam):
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    if len(state) == 0:
                        self._fill(p)
                    if not state:
                        here()
                    if len(self.state["used"]) == 0:
                        here()
                    state = self.state[p]
                    if len(state) == 0:
                        self._fill(p)
        def _fill(self, p):
            here()
    """,
    [
        "cold: runs when self.masks misses (line 3)",
        "step: Model.forward runs on every call of the module",
        "cold: runs once a parameter, in its first step (line 17)",
        "loop: Clipped.step runs on every step, in a loop",
        "cold: nothing shows that it runs in a step",
    ],
)

CASES["functions that hold a whole training, and who calls them in a loop"] = (
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
)

CASES["a whole optimization by LBFGS for each of some parameters"] = (
    """
    class Estimator:
        def fit(self, data):
            for c in self.cs:
                self.optimize(data, c)
                here()
        def optimize(self, data, c):
            optimizer = torch.optim.LBFGS(self.model.parameters())
            def closure():
                loss = self.model(data).sum() * c
                loss.backward()
                here()
                return loss
            optimizer.step(closure)
    """,
    [
        "presumed: Estimator.fit works with tensors and no caller of it is known",
        "step: Estimator.optimize.<locals>.closure runs many times in a step of LBFGS",
    ],
)

CASES["what generates without gradients through another method"] = (
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
)

CASES["the end of one of several episodes"] = (
    """
    def collect(env, policy):
        while True:
            obs, rewards, dones, infos = env.step(policy(obs))
            for i, done in enumerate(dones):
                if done and infos[i].get("terminal") is not None:
                    here()
            for reward, done in zip(rewards, dones):
                if done:
                    here()
                if reward:
                    here()
            for done in dones:
                if done:
                    here()
            for ended in rewards:
                if ended:
                    here()
    """,
    [
        "cold: runs once an episode, when done (line 5)",
        "cold: runs once an episode, when done (line 8)",
        "loop: m.py:2 loop that steps env, in a loop of its own",
        "cold: runs once an episode, when done (line 13)",
        "loop: m.py:2 loop that steps env, in a loop of its own",
    ],
)

CASES["a list that nothing was put into"] = (
    """
    class Model(nn.Module):
        def forward(self, trees, given):
            found = []
            for tree in trees:
                found.extend(tree)
            if len(found) == 0:
                found = here()
            else:
                found = here()
            kept = []
            for tree in trees:
                kept.append(tree)
            if len(kept) == 0:
                here()
            if len(given) == 0:
                given = here()
    """,
    [
        "cold: runs only while found is empty (line 6)",
        "step: Model.forward runs on every call of the module",
        "step: Model.forward runs on every call of the module",
        "step: Model.forward runs on every call of the module",
    ],
)


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected


def test_a_file_that_is_cold_by_its_place_is_cold_throughout() -> None:
    assert (
        heat(CASES["module forward"][0], cold="tests/ is no production code")
        == ["cold: tests/ is no production code"] * 3
    )
