"""Spellings of compilation, in small programs: what is compiled, and what only looks like it."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.compile_sites.sites import Spelling

LAYERS = """
import functools
import torch
from torch import nn


class F(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i

    def forward(self, x):
        return x + self.i


class Mod(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fs = nn.ModuleList([F(i) for i in range(n)])

    {decorator}
    def forward(self, x):
        for f in self.fs:
            x = f(x)
        return x


"""

FOUND: Final = [
    # How it is bound.
    ("net = torch.compile(Mod(20))", Spelling.CALL),
    ("net = torch.compile(Mod(20).eval().to('cpu'), mode='max-autotune')", Spelling.CALL),
    ("net = torch.compile(model=Mod(20))", Spelling.CALL),
    ("net = torch.compile(Mod(n=20))", Spelling.CALL),
    ("model = Mod(20)\nmodel = torch.compile(model)", Spelling.CALL),
    ("model = Mod(20)\nif model:\n    model = torch.compile(model, dynamic=True)", Spelling.CALL),
    ("nets = {'a': torch.compile(Mod(20))}", Spelling.CALL),
    ("nets = [torch.compile(net) for net in [Mod(20)]]", Spelling.CALL),
    ("net = torch.compile(Mod(20)) if F else Mod(20)", Spelling.CALL),
    ("with torch.no_grad():\n    net = torch.compile(Mod(20))", Spelling.CALL),
    ("net = torch.compile(dynamic=True)(Mod(20))", Spelling.CURRIED),
    ("jit = torch.compile(dynamic=True)\nnet = jit(Mod(20))", Spelling.CURRIED),
    ("from torch import compile as jit\nnet = jit(Mod(20))", Spelling.CALL),
    ("jit = torch.compile\nnet = jit(Mod(20))", Spelling.CALL),
    ("jit = functools.partial(torch.compile, dynamic=True)\nnet = jit(Mod(20))", Spelling.PARTIAL),
    (
        "from functools import partial\nnet = partial(torch.compile, mode='default')(Mod(20))",
        Spelling.PARTIAL,
    ),
    ("net = Mod(20)\nnet.compile()", Spelling.IN_PLACE),
    ("net = Mod(20)\nnet.eval()\nnet.compile(dynamic=True)", Spelling.IN_PLACE),
    ("net = Mod(20)\nnet.forward = torch.compile(net.forward)", Spelling.CALL),
    # Attributes.
    (
        "class T:\n    def __init__(self):\n        self.m = Mod(20)\n        self.m = torch.compile(self.m)",
        Spelling.CALL,
    ),
    (
        "class T:\n    def __init__(self):\n        self.m = Mod(20)\n"
        "    def fit(self):\n        self.m.compile()",
        Spelling.IN_PLACE,
    ),
    (
        "class T:\n    def __init__(self, m):\n        self.m = m\n"
        "    def fit(self):\n        self.m = torch.compile(self.m)\nT(Mod(20)).fit()",
        Spelling.CALL,
    ),
    (
        "class T:\n    def __init__(self):\n        self.m, self.n = Mod(20), 1\n        self.m.compile()",
        Spelling.IN_PLACE,
    ),
    ("class G(Mod):\n    def __init__(self):\n        super().__init__(20)\nnet = torch.compile(G())", None),
    # Helpers, factories, wrappers.
    ("def prepare(m):\n    return torch.compile(m)\nnet = prepare(Mod(20))", Spelling.CALL),
    ("def prepare(m, jit=torch.compile):\n    return jit(m)\nnet = prepare(Mod(20))", Spelling.CALL),
    ("def build():\n    return Mod(20)\nnet = torch.compile(build())", Spelling.CALL),
    ("def build(n=20):\n    net = Mod(n)\n    return net\nnet = torch.compile(build())", Spelling.CALL),
    ("def prepare(m, on):\n    return torch.compile(m) if on else m\nnet = prepare(Mod(20), True)", None),
    # Of any module those of a class that a test names.
    ("def jit(m):\n    if isinstance(m, Mod):\n        m.compile()\nMod(20).apply(jit)", Spelling.IN_PLACE),
    (
        "KINDS = (Mod,)\ndef jit(m: nn.Module):\n    if isinstance(m, KINDS):\n"
        "        m.forward = torch.compile(m.forward)\nMod(20).apply(jit)",
        Spelling.CALL,
    ),
    (
        "for name, m in nn.Sequential(Mod(20)).named_modules():\n    if isinstance(m, Mod):\n"
        "        m.forward = torch.compile(m.forward)",
        Spelling.CALL,
    ),
    # Contexts that are called with a function.
    ("net = torch.compile(torch.no_grad()(Mod(20).forward))", Spelling.CALL),
    ("net = torch.compile(torch.autocast('cuda')(Mod(20)))", Spelling.CALL),
    ("MODELS = {'mod': Mod}\nnet = torch.compile(MODELS['mod'](20))", Spelling.CALL),
    ("net = torch.compile(functools.partial(Mod, 20)())", Spelling.CALL),
    ("def main(depth=20):\n    net = Mod(depth)\n    net = torch.compile(net)\n    return net", None),
]

DECORATED: Final = [
    "@torch.compile",
    "@torch.compile()",
    "@torch.compile(backend='eager', fullgraph=True)",
    "@torch.no_grad()\n    @torch.compile(dynamic=True)",
    "@functools.partial(torch.compile, dynamic=True)",
]

REACHED: Final = [
    "net = Mod(20)\n@torch.compile\ndef step(x):\n    return net(x)",
    "net = Mod(20)\ndef inner(x):\n    return net(x)\n@torch.compile\ndef step(x):\n    return inner(x)",
    "@torch.compile\ndef step(model, x):\n    return model(x)\nstep(Mod(20), 1)",
    "def step(model: Mod, x):\n    return model(x)\nstep = torch.compile(step)\nMod(20)",
    "def build(net):\n    def step(x):\n        return net(x)\n    return torch.compile(step)\nbuild(Mod(20))",
    "class T:\n    def __init__(self):\n        self.net = Mod(20)\n"
    "    @torch.compile\n    def loss(self, x):\n        return self.net(x)",
    "class T:\n    def __init__(self):\n        self.net = Mod(20)\n        self.run = torch.compile(self.step)\n"
    "    def step(self, x):\n        return self.net(x)",
    "class W(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.inner = Mod(20)\n"
    "    def forward(self, x):\n        return self.inner(x)\nnet = torch.compile(W())",
    "class W(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.t = nn.ModuleDict(dict(h=nn.ModuleList([F(i) for i in range(20)])))\n"
    "    def forward(self, x):\n        for f in self.t.h:\n            x = f(x)\n        return x\n"
    "net = torch.compile(W())",
    "class W(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.s = nn.Sequential(*[F(i) for i in range(20)])\n"
    "    def forward(self, x):\n        return self.s(x)\nnet = torch.compile(W())",
    "class W(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.s = nn.ModuleList()\n"
    "        for i in range(20):\n            self.s.append(F(i))\n"
    "    def forward(self, x):\n        for k, f in enumerate(self.s):\n            x = f(x)\n        return x\n"
    "net = torch.compile(W())",
    "class B(nn.Module):\n    def __init__(self, i):\n        super().__init__()\n        self.f = F(i)\n"
    "    def forward(self, x):\n        return self.f(x)\n"
    "class W(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.bs = nn.ModuleList(B(i) for i in range(20))\n"
    "    def forward(self, x):\n        for i in range(len(self.bs)):\n            x = self.bs[i](x)\n"
    "        return x\nnet = torch.compile(W())",
]

_HF: Final = "from transformers import Trainer, TrainingArguments\n"
_ACCELERATE: Final = (
    "from accelerate import Accelerator\nfrom accelerate.utils import DynamoBackend, TorchDynamoPlugin\n"
)
_LIGHTNING: Final = "from lightning import Fabric, LightningModule\n"

LIBRARIES: Final = [
    _HF + "args = TrainingArguments('out', torch_compile=True)\ntrainer = Trainer(model=Mod(20), args=args)",
    _HF + "trainer = Trainer(Mod(20), TrainingArguments('out', torch_compile_backend='inductor'))",
    _HF + "more = dict(torch_compile=True)\ntrainer = Trainer(Mod(20), TrainingArguments('out', **more))",
    _HF + "class T(Trainer):\n    def compute_loss(self, model, inputs):\n        return model(**inputs)\n"
    "trainer = T(model=Mod(20), args=TrainingArguments('out', torch_compile=True))",
    "import transformers\ndef settings():\n    return transformers.TrainingArguments('out', torch_compile=True)\n"
    "def main():\n    trainer = transformers.Trainer(model=Mod(20), args=settings())",
    "import trl\ntrainer = trl.SFTTrainer(model=Mod(20), args=trl.SFTConfig(torch_compile=True))",
    "from sentence_transformers import SentenceTransformerTrainer as T, SentenceTransformerTrainingArguments as A\n"
    "trainer = T(model=Mod(20), args=A('out', torch_compile=True))",
    _ACCELERATE + "accelerator = Accelerator(dynamo_backend='inductor')\nnet = Mod(20)\n"
    "net, opt = accelerator.prepare(net, torch.optim.SGD(net.parameters(), 0.1))",
    _ACCELERATE
    + "plugin = TorchDynamoPlugin(backend='inductor', mode='default')\nclass T:\n    def __init__(self):\n"
    "        self.accelerator = Accelerator(dynamo_plugin=plugin)\n"
    "        self.net = self.accelerator.prepare(Mod(20))",
    _ACCELERATE + "accelerator = Accelerator(dynamo_backend=DynamoBackend.INDUCTOR)\n"
    "net = accelerator.prepare_model(Mod(20))",
    "from composer import Trainer\ntrainer = Trainer(model=Mod(20), compile_config={})",
]
"""By libraries that are asked to compile what they are given."""

PASSED_ON: Final = [
    _LIGHTNING + "fabric = Fabric()\nnet = Mod(20)\n"
    "net, opt = fabric.setup(net, torch.optim.SGD(net.parameters(), 0.1))\nnet = torch.compile(net)",
    _LIGHTNING + "net = torch.compile(Fabric().setup_module(Mod(20)))",
    _ACCELERATE + "net = torch.compile(Accelerator().prepare(Mod(20)))",
    _LIGHTNING + "class Lit(LightningModule):\n    def __init__(self):\n        super().__init__()\n"
    "        self.net = Mod(20)\n    def training_step(self, batch, _):\n        return self.net(batch).sum()\n"
    "net = torch.compile(Lit())",
    _LIGHTNING + "class Lit(LightningModule):\n    def __init__(self):\n        super().__init__()\n"
    "        self.net = Mod(20)\n    def forward(self, batch):\n        return batch\n"
    "    def training_step(self, batch, _):\n        return self.net(self(batch)).sum()\n"
    "net = torch.compile(Lit())",
]
"""What libraries give back of what they are given, and compile along with it."""

UNASKED: Final = [
    _HF + "trainer = Trainer(model=Mod(20), args=TrainingArguments('out'))",
    _HF + "def main(args: TrainingArguments):\n    Trainer(model=Mod(20), args=args)",
    _ACCELERATE + "net = Accelerator().prepare(Mod(20))",
    "import transformers\nargs = transformers.TrainingArguments('out', seed=3)\nname = 'torch_compiles'",
    "import re\nPATTERN = re.compile('torch_compile')",
]

SILENT: Final = [
    _HF + "trainer = Trainer(model=Mod(20), args=TrainingArguments('out', torch_compile=False))",
    _HF + "trainer = Trainer(model=Mod(20), args=TrainingArguments('out'))",
    _HF + "def main(on: bool):\n    Trainer(model=Mod(20), args=TrainingArguments('out', torch_compile=on))",
    _ACCELERATE + "net = Accelerator(dynamo_backend='no').prepare(Mod(20))",
    _ACCELERATE + "net = Accelerator(dynamo_backend=DynamoBackend.NO).prepare(Mod(20))",
    _ACCELERATE + "plugin = TorchDynamoPlugin(backend='inductor', use_regional_compilation=True)\n"
    "net = Accelerator(dynamo_plugin=plugin).prepare(Mod(20))",
    _ACCELERATE + "net = Accelerator().prepare(Mod(20))",
    _ACCELERATE + "accelerator = Accelerator(dynamo_backend='inductor')\n"
    "opt = accelerator.prepare(torch.optim.SGD(Mod(20).parameters(), 0.1))",
    "from composer import Trainer\ntrainer = Trainer(model=Mod(20), compile_config=None)",
    "net = torch.compile(Mod(20), disable=True)",
    "jit = functools.partial(torch.compile, disable=True)\nnet = jit(Mod(20))",
    "import re\nnet = re.compile('x')",
    "net = compile('x', 'y', 'exec')",
    "class K:\n    def compile(self):\n        pass\nK().compile()",
    "class K(nn.Module):\n    def compile(self):\n        pass\nK().compile()",
    "@torch.compile\ndef rounds(x):\n    yield x",
    "net = Mod(20)",
]
