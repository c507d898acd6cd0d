"""Places that compile something, in every spelling, and how many guards their calls evaluate."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from overhead_lint.analysis.compile_sites.estimate import Estimate, estimate
from overhead_lint.analysis.compile_sites.lengths import Lengths
from overhead_lint.analysis.compile_sites.sites import CompileSite, Spelling, compile_sites
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.values.project import Values, solve

PROGRAMS = Path(__file__).parents[1] / "data" / "guard_programs"
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
GUARDS = 17 + 4 * 20


def solved(**files: str) -> Values:
    """Find out the values of files, by their module's name."""
    return solve({name: lower(ast.parse(textwrap.dedent(text))) for name, text in files.items()})


def only_site(values: Values) -> tuple[CompileSite, Estimate]:
    """Return the one place of a project that compiles something, with its estimate."""
    (site,) = compile_sites(values)
    made = estimate(site, values, Lengths(values))
    assert made is not None
    return site, made


FOUND = [
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
    ("MODELS = {'mod': Mod}\nnet = torch.compile(MODELS['mod'](20))", Spelling.CALL),
    ("net = torch.compile(functools.partial(Mod, 20)())", Spelling.CALL),
    ("def main(depth=20):\n    net = Mod(depth)\n    net = torch.compile(net)\n    return net", None),
]


@pytest.mark.parametrize(("text", "spelling"), FOUND, ids=[text for text, _ in FOUND])
def test_module_is_what_is_compiled_in_every_spelling(text: str, spelling: Spelling | None) -> None:
    site, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert site.spelling is (spelling or Spelling.CALL)
    assert [entry.name for entry in site.entries] in (["Mod"], ["G"])
    assert abs(made.guards - GUARDS) <= 2
    assert dict(made.lists) == {"self.fs": 20} and not made.assumed
    assert made.layers_with_scalars == {"self.fs": "self.fs[*].i"}


DECORATED = [
    "@torch.compile",
    "@torch.compile()",
    "@torch.compile(backend='eager', fullgraph=True)",
    "@torch.no_grad()\n    @torch.compile(dynamic=True)",
    "@functools.partial(torch.compile, dynamic=True)",
]


@pytest.mark.parametrize("decorator", DECORATED)
def test_decorated_method_is_found(decorator: str) -> None:
    site, made = only_site(solved(m=LAYERS.format(decorator=decorator) + "net = Mod(20)\nnet(1)"))
    assert (site.spelling, [entry.name for entry in site.entries]) == (Spelling.DECORATOR, ["Mod"])
    assert abs(made.guards - GUARDS) <= 2


REACHED = [
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


@pytest.mark.parametrize("text", REACHED)
def test_layers_are_reached_through_what_is_compiled(text: str) -> None:
    _, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert list(made.lists.values()) == [20]
    assert made.layers_with_scalars and made.guards >= GUARDS - 2


def test_class_and_caller_may_be_in_other_files() -> None:
    values = solved(
        layers=LAYERS.format(decorator=""),
        build="from layers import Mod\n\ndef build(n):\n    return Mod(n)\n",
        prepare="import torch\n\ndef prepare(model):\n    return torch.compile(model)\n",
        main="from build import build\nfrom prepare import prepare\n\nnet = prepare(build(20))\n",
    )
    site, made = only_site(values)
    assert (site.body.module.name, site.line) == ("prepare", 4)
    assert abs(made.guards - GUARDS) <= 2


SILENT = [
    "net = torch.compile(Mod(20), disable=True)",
    "jit = functools.partial(torch.compile, disable=True)\nnet = jit(Mod(20))",
    "import re\nnet = re.compile('x')",
    "net = compile('x', 'y', 'exec')",
    "class K:\n    def compile(self):\n        pass\nK().compile()",
    "class K(nn.Module):\n    def compile(self):\n        pass\nK().compile()",
    "@torch.compile\ndef rounds(x):\n    yield x",
    "net = Mod(20)",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_compiles_nothing_is_no_place(text: str) -> None:
    assert compile_sites(solved(m=LAYERS.format(decorator="") + text)) == []


def test_layers_without_scalars_make_a_module_no_heavier() -> None:
    text = LAYERS.format(decorator="").replace("x + self.i", "x + 1") + "net = torch.compile(Mod(20))"
    _, made = only_site(solved(m=text))
    assert not made.is_heavy and made.guards == GUARDS - 20


def test_length_that_nothing_tells_is_said_to_be_assumed() -> None:
    text = LAYERS.format(decorator="") + "def main(args):\n    return torch.compile(Mod(args.depth))"
    _, made = only_site(solved(m=text))
    assert list(made.assumed) == ["self.fs"]


def test_unknown_subject_has_no_estimate() -> None:
    values = solved(m="import torch\n\ndef prepare(model):\n    return torch.compile(model)\n")
    (site,) = compile_sites(values)
    assert (list(site.entries), site.is_complete) == ([], False)
    assert estimate(site, values, Lengths(values)) is None


@pytest.mark.parametrize("name", ["numbers", "gpt", "config", "buffers", "convolutions", "many_inputs"])
def test_estimate_is_within_a_quarter_of_the_guards_that_are_counted(name: str) -> None:
    pytest.importorskip("torch")
    import guard_estimates

    (row,) = guard_estimates.rows([PROGRAMS / f"{name}.py"])
    assert row.is_close
