"""What a finding says of the options that its place hangs on: every place is a call of ``here()``."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.project.facts import FileFacts

CASES = {
    "a parameter": (
        """
        def train(model, loader, clip=None):
            for batch in loader:
                if clip is not None:
                    here()
        """,
        "step: m.py:2 loop over loader, but not by default: train(clip=None)",
    ),
    "what __init__ keeps of one": (
        """
        class Trainer:
            def __init__(self, model, clip=0.0):
                self.clip = clip
            def run(self, loader):
                for batch in loader:
                    if self.clip > 0:
                        here()
        """,
        "presumed: m.py:5 loop over loader, but not by default: Trainer(clip=0.0)",
    ),
    "a number that __init__ keeps, if it is given one": (
        """
        class Trainer:
            def __init__(self, model, clip: float | None = None):
                self.clip = clip
            def run(self, loader):
                for batch in loader:
                    if self.clip is not None:
                        here()
        """,
        "presumed: m.py:5 loop over loader, but not by default: Trainer(clip=None)",
    ),
    "what __init__ keeps of one, and loading restores": (
        """
        class Trainer:
            def __init__(self, model, slow=False):
                self.slow = slow
            def load_state_dict(self, state):
                self.slow = state["slow"]
            def run(self, loader):
                for batch in loader:
                    if self.slow:
                        here()
        """,
        "presumed: m.py:7 loop over loader, but not by default: Trainer(slow=False)",
    ),
    "what another method sets": (
        """
        class Trainer:
            def __init__(self, model, slow=False):
                self.slow = slow
            def set_slow(self, slow):
                self.slow = slow
            def run(self, loader):
                for batch in loader:
                    if self.slow:
                        here()
        """,
        "step: m.py:7 loop over loader",
    ),
    "what a method tells of one": (
        """
        class Trainer:
            def __init__(self, model, slow=False):
                self.slow = slow
            def run(self, loader):
                for batch in loader:
                    if self.is_slow():
                        here()
            def is_slow(self):
                \"\"\"Whether it is slow.\"\"\"
                return self.slow
        class Other(Trainer):
            def is_slow(self):
                return False
        """,
        "presumed: m.py:5 loop over loader, but not by default: Trainer(slow=False)",
    ),
    "what a method tells that another class has true": (
        """
        class Trainer:
            def __init__(self, model, slow=False):
                self.slow = slow
            def run(self, loader):
                for batch in loader:
                    if self.is_slow():
                        here()
            def is_slow(self):
                return self.slow
        class Other(Trainer):
            def is_slow(self):
                return True
        """,
        "step: m.py:5 loop over loader",
    ),
    "what a method tells that does more": (
        """
        class Trainer:
            def __init__(self, model, slow=False):
                self.slow = slow
            def run(self, loader):
                for batch in loader:
                    if self.is_slow():
                        here()
            def is_slow(self):
                self.look()
                return self.slow
        """,
        "presumed: m.py:5 loop over loader, but not by default: Trainer(slow=False)",
    ),
    "a tensor, where a number is the default": (
        """
        def train(model, loader, scale=1.0):
            for batch in loader:
                if isinstance(scale, torch.Tensor):
                    here()
        """,
        "presumed: m.py:2 loop over loader, but not by default: train(scale=1.0)",
    ),
    "a tensor, where nothing is the default": (
        """
        def train(model, loader, mask=None):
            for batch in loader:
                if isinstance(mask, torch.Tensor):
                    here()
        """,
        "step: m.py:2 loop over loader, but not by default: train(mask=None)",
    ),
    "a number of the default's type": (
        """
        def train(model, loader, scale=1.0):
            for batch in loader:
                if isinstance(scale, (int, float)):
                    here()
        """,
        "step: m.py:2 loop over loader",
    ),
    "what __init__ converts of one": (
        """
        class Trainer:
            def __init__(self, model, strict=False, weight=0):
                self.strict = bool(strict)
                self.weight = float(weight)
            def run(self, loader):
                for batch in loader:
                    if self.strict and self.weight > 0:
                        here()
        """,
        "presumed: m.py:6 loop over loader, but not by default: Trainer(strict=False), Trainer(weight=0)",
    ),
    "what does not convert": (
        """
        class Trainer:
            def __init__(self, model, clip=None, name="plain"):
                self.clip = float(clip)
                self.name = int(name)
            def run(self, loader):
                for batch in loader:
                    if self.clip > 0 and self.name:
                        here()
        """,
        "step: m.py:6 loop over loader",
    ),
    "an early return": (
        """
        class Head(nn.Module):
            def forward(self, x, scores=False):
                if not scores:
                    return x
                here()
        """,
        "step: Head.forward runs on every call of the module, but not by default: forward(scores=False)",
    ),
    "two of them, in a loop": (
        """
        class Net(nn.Module):
            def __init__(self, deep=False):
                self.deep = deep
            def forward(self, x, names=()):
                for layer in self.layers:
                    if self.deep and layer.name in names:
                        here()
        """,
        "presumed: Net.forward runs on every call of the module, in a loop,"
        " but not by default: Net(deep=False)",
    ),
    "what is made with it alone": (
        """
        class Head(nn.Module):
            def __init__(self, focal=True):
                self.loss = Focal() if focal else None
            def forward(self, x):
                if self.loss is None:
                    here()
        """,
        "presumed: Head.forward runs on every call of the module, but not by default: Head(focal=True)",
    ),
    "what __init__ asks of it": (
        """
        class Head(nn.Module):
            def __init__(self, weight=None):
                self.weighted = weight is not None
            def forward(self, x):
                return here() if self.weighted else x
        """,
        "step: Head.forward runs on every call of the module, but not by default: Head(weight=None)",
    ),
    "what is made is compared with something": (
        """
        class Head(nn.Module):
            def __init__(self, focal=True):
                self.loss = Focal() if focal else None
            def forward(self, x):
                if self.loss == x:
                    here()
        """,
        "step: Head.forward runs on every call of the module",
    ),
    "what __init__ reads from settings": (
        """
        class Mixer(nn.Module):
            def __init__(self, config, kind=None):
                self.kind = kind or getattr(config, "kind", "absolute")
            def forward(self, x):
                if self.kind == "relative":
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module,"
        " but not by default: config.kind='absolute'",
    ),
    "what __init__ takes of its keywords": (
        """
        class Mixer(nn.Module):
            def __init__(self, **settings):
                causal = settings.get("causal", False)
                self.causal = causal
            def forward(self, x):
                if self.causal:
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: Mixer(causal=False)",
    ),
    "what __init__ takes out of its keywords": (
        """
        class Mixer(nn.Module):
            def __init__(self, size, **kwargs):
                self.clip = kwargs.pop("clip", 0.0)
            def forward(self, x):
                if self.clip > 0:
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: Mixer(clip=0.0)",
    ),
    "what __init__ takes out of its settings": (
        """
        class Mixer(nn.Module):
            def __init__(self, config):
                self.causal = config.pop("causal", False)
            def forward(self, x):
                if self.causal:
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: config.causal=False",
    ),
    "what a function finds among its keywords": (
        """
        def train(model, loader, **settings):
            for batch in loader:
                if settings.get("deep", False):
                    here()
        """,
        "presumed: m.py:2 loop over loader, but not by default: train(deep=False)",
    ),
    "what a helper asks for None": (
        """
        from helpers import exists
        class Mixer(nn.Module):
            def __init__(self, scale: Optional[float] = None):
                self.scale = scale
            def forward(self, x):
                if exists(self.scale):
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: Mixer(scale=None)",
    ),
    "what a helper gives for None": (
        """
        def default(value, other):
            return other() if value is None else value
        class Mixer(nn.Module):
            def __init__(self, steps: Optional[int] = None):
                self.steps = default(steps, 1)
            def forward(self, x):
                if self.steps > 1:
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: Mixer(steps=None)",
    ),
    "what a helper gives for another default": (
        """
        from helpers import default
        class Mixer(nn.Module):
            def __init__(self, steps=1):
                self.steps = default(steps, 8)
            def forward(self, x):
                if self.steps > 1:
                    here()
        """,
        "presumed: Mixer.forward runs on every call of the module, but not by default: Mixer(steps=1)",
    ),
    "what a helper makes for None": (
        """
        from helpers import default
        class Mixer(nn.Module):
            def __init__(self, steps: Optional[int] = None):
                self.steps = default(steps, size)
            def forward(self, x):
                if self.steps > 1:
                    here()
        """,
        "step: Mixer.forward runs on every call of the module",
    ),
    "what is made for an option alone": (
        """
        def train(model, loader, clip=0.0):
            clipper = Clipper(clip) if clip > 0 else None
            for batch in loader:
                if clipper is not None:
                    here()
        """,
        "presumed: m.py:3 loop over loader, but not by default: train(clip=0.0)",
    ),
    "what a branch for an option makes": (
        """
        def train(model, loader, show=False):
            bar = None
            if show:
                bar = tqdm(loader)
            for batch in loader:
                if bar is not None:
                    here()
        """,
        "presumed: m.py:5 loop over loader, but not by default: train(show=False)",
    ),
    "what something else makes as well": (
        """
        def train(model, loader, show=False):
            bar = None
            if show:
                bar = tqdm(loader)
            for batch in loader:
                bar = bar or batch.bar
                if bar is not None:
                    here()
        """,
        "step: m.py:5 loop over loader",
    ),
    "what the other branch makes": (
        """
        def train(model, loader, show=False):
            if show:
                bar = tqdm(loader)
            else:
                bar = make(loader)
            for batch in loader:
                if bar is not None:
                    here()
        """,
        "step: m.py:6 loop over loader",
    ),
    "a default for what else may be there": (
        """
        class Mixer(nn.Module):
            def __init__(self, config, kind="absolute"):
                self.kind = config.kind or kind
            def forward(self, x):
                if self.kind == "relative":
                    here()
        """,
        "step: Mixer.forward runs on every call of the module",
    ),
    "a default of something that is not settings": (
        """
        class Mixer(nn.Module):
            def __init__(self, size):
                self.causal = getattr(torch, "causal", False)
            def forward(self, x):
                if self.causal or getattr(x, "causal", False):
                    here()
        """,
        "step: Mixer.forward runs on every call of the module",
    ),
    "what a module works on": (
        """
        class Model(nn.Module):
            def forward(self, input_ids=None, mask=None):
                if input_ids is not None:
                    here()
        """,
        "step: Model.forward runs on every call of the module",
    ),
    "another name for one": (
        """
        def train(model, loader, clip=None):
            limit = clip
            for batch in loader:
                if limit is not None:
                    here()
        """,
        "step: m.py:3 loop over loader, but not by default: train(clip=None)",
    ),
    "what an argument is until it is given another value": (
        """
        def train(model, loader, clip=None):
            for batch in loader:
                if clip is not None:
                    here()
            clip = 1.0
        """,
        "step: m.py:2 loop over loader, but not by default: train(clip=None)",
    ),
    "what __init__ makes for one alone": (
        """
        class Trainer:
            def __init__(self, model, clip=0.0):
                self.clipper = None
                if clip > 0:
                    self.clipper = Clipper(clip)
            def run(self, loader):
                for batch in loader:
                    if self.clipper is not None:
                        here()
        """,
        "presumed: m.py:7 loop over loader, but not by default: Trainer(clip=0.0)",
    ),
    "what __init__ may make for another reason": (
        """
        class Trainer:
            def __init__(self, model, clip=0.0):
                self.clipper = None
                if model.clips:
                    self.clipper = Clipper(clip)
            def run(self, loader):
                for batch in loader:
                    if self.clipper is not None:
                        here()
        """,
        "step: m.py:7 loop over loader",
    ),
    "what several rounds hand on": (
        """
        def train(model, loader, show=False):
            bar = None
            for batch in loader:
                if show:
                    bar = tqdm(batch)
                if bar is not None:
                    here()
        """,
        "presumed: m.py:3 loop over loader, but not by default: train(show=False)",
    ),
    "a default that lets it run": (
        """
        def train(model, loader, clip=1.0):
            for batch in loader:
                if clip is not None:
                    here()
        """,
        "step: m.py:2 loop over loader",
    ),
    "a place that is cold for another reason": (
        """
        def work(model, deep=False):
            if deep:
                here()
        """,
        "cold: nothing shows that it runs in a step, but not by default: work(deep=False)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_reason_names_options_without_which_a_place_does_not_run(name: str) -> None:
    source, expected = CASES[name]
    tree = ast.parse(textwrap.dedent(source).strip("\n") + "\nfrom torch import nn\n")
    facts = FileFacts(tree, "m.py")
    (place,) = facts.call_index.by_name["here"]
    warmth = facts.heat.warmth(place)
    assert f"{warmth.heat.label}: {warmth.why}" == expected
