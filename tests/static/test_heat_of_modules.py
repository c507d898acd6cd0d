"""Heat of what modules do: their methods, layers, hooks and heirs."""

from __future__ import annotations

import pytest
from heat_cases import heat

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
    "what loads weights when it is made": (
        """
        class Speech:
            def __init__(self, args):
                here()
                self.load_model()
        class Words:
            def __init__(self, args):
                self.model = AutoModel.from_pretrained(args.name)
                here()
        class Sample:
            def __init__(self, path):
                self.image = load_image(path)
                here()
        class Model(nn.Module):
            def forward(self, x):
                return Speech(x), Words(x), Sample(x)
        """,
        [
            "cold: Speech.__init__ runs at construction",
            "cold: Words.__init__ runs at construction",
            "step: Model.forward runs on every call of the module -> Sample.__init__",
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
    "what derives from a private class of torch's modules": (
        """
        from torch.nn.modules.batchnorm import _BatchNorm
        class Norm(_BatchNorm):
            def forward(self, x):
                here()
        class Ratio(torch.nn.modules.loss._Loss):
            def forward(self, x):
                here()
        """,
        [
            "step: Norm.forward runs on every call of the module",
            "step: Ratio.forward runs on every call of the module",
        ],
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
    "hooks of what libraries call in every step": (
        """
        from fastai.callback.core import Callback
        from torch_geometric.nn import MessagePassing
        class Convolution(MessagePassing):
            def message(self, x_j):
                here()
        class Mixed(Callback):
            def before_batch(self):
                here()
            def before_fit(self):
                here()
        class Score(tools.Passing):
            def message(self, x):
                here()
        """,
        [
            "step: Convolution.message is run in every step by MessagePassing",
            "step: Mixed.before_batch is run in every step by Callback",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "constructors of distributions, and of modules that are one, too": (
        """
        from torch.distributions import Normal, TanhTransform
        class Squashed(Normal):
            def __init__(self, x):
                here()
        class Deeper(Squashed):
            def __init__(self, x):
                here()
        class Knowledge(Normal, nn.Module):
            def __init__(self, x):
                here()
        class Turned(TanhTransform):
            def __init__(self, x):
                here()
        """,
        [
            "step: Squashed.__init__ runs where steps make a distribution",
            "step: Deeper.__init__ runs where steps make a distribution",
            "cold: Knowledge.__init__ runs at construction",
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
    "hooks that a called function takes away": (
        """
        def take(handles):
            for handle in handles:
                handle.remove()
        def watch(module, inputs, output):
            here()
        def measure(model, x):
            handles = [model.register_forward_hook(watch)]
            model(x)
            take(handles)
        class Probe:
            def run(self, x):
                def look(module, inputs, output):
                    here()
                self.handles.append(self.model.register_forward_hook(look))
                self.model(x)
                self.clear()
            def clear(self):
                take(self.handles)
        def begin(model, handles):
            def count(module, inputs, output):
                here()
            take(handles)
            return model.register_forward_hook(count)
        class Once:
            def attach(self, model):
                self.handles = [model.register_forward_hook(self.first)]
            def first(self, module, inputs, output):
                take(self.handles)
                here()
        """,
        [
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "step: begin.<locals>.count is a hook registered on line 23",
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
    "a generator, which runs as it is whoever compiles it": (
        """
        @torch.compile
        def layers(x):
            for layer in x.layers:
                here()
                yield layer(x)
        @torch.compile
        def f(x):
            def parts():
                yield here()
            return here()
        """,
        [
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "step: f is compiled with torch.compile",
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
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected


def test_a_file_that_is_cold_by_its_place_is_cold_throughout() -> None:
    assert (
        heat(CASES["module forward"][0], cold="tests/ is no production code")
        == ["cold: tests/ is no production code"] * 3
    )
