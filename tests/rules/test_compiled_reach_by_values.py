"""Rules about compiled code speak of all that compile sites reach, in every spelling of a compilation."""

from __future__ import annotations

from pathlib import Path

import pytest
from compile_spellings import DECORATED, FOUND, LIBRARIES, PASSED_ON, REACHED, SILENT
from rule_cases import lint, lint_project

LAYER = """
import functools

import torch
from torch import nn


class F(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i
        self.calls = 0
        self.scale = 1.0

    def forward(self, x):
        self.calls += 1
        print("layer")
        return x * self.scale + self.i


def fade(layer):
    layer.scale = 0.5


"""
CHAIN = """
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
CODES = ["OVH303", "OVH306", "OVH311"]


@pytest.mark.parametrize("text", [text for text, _ in FOUND] + REACHED + LIBRARIES + PASSED_ON)
def test_what_layers_do_in_compiled_code_is_told_in_every_spelling(text: str) -> None:
    program = LAYER + CHAIN.format(decorator="") + text
    assert [len(lint(code, program)) for code in CODES] == [1, 1, 1]


@pytest.mark.parametrize("decorator", DECORATED)
def test_what_layers_do_is_told_below_each_decorator(decorator: str) -> None:
    program = LAYER + CHAIN.format(decorator=decorator)
    assert [len(lint(code, program)) for code in CODES] == [1, 1, 1]


@pytest.mark.parametrize("text", SILENT)
def test_what_compiles_nothing_leaves_layers_as_they_are(text: str) -> None:
    program = LAYER + CHAIN.format(decorator="") + text
    assert [len(lint(code, program)) for code in CODES] == [0, 0, 0]


INDEXED = """
import functools

import torch
from torch import nn


class Mod(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fs = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])

    def forward(self, x):
        for i in range(len(self.fs)):
            x = self.fs[i](x)
        return x


"""


@pytest.mark.parametrize("text", [text for text, _ in FOUND if "F " not in text])
def test_reads_by_index_cost_nothing_in_compiled_code(text: str) -> None:
    assert lint("OVH302", INDEXED)
    assert lint("OVH302", INDEXED + text) == []


CHAINED = """
import functools

import torch
from torch import nn


class Mod(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def forward(self, x):
        return x * self.config.scale + self.config.shift - self.config.bias


"""


@pytest.mark.parametrize("text", [text for text, _ in FOUND])
def test_values_of_a_configuration_are_told_where_they_are_compiled(text: str) -> None:
    assert lint("OVH305", CHAINED) == []
    text = text.replace(" if F ", " if functools ")
    assert len(lint("OVH305", CHAINED + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "net = torch.compile(Mod(20))",
        "jit = functools.partial(torch.compile, dynamic=True)\nnet = jit(Mod(20))",
        "jit = torch.compile\nnet = jit(Mod(20))",
        "net = torch.compile(dynamic=True)(Mod(20))",
        "def prepare(m):\n    return torch.compile(m)\nnet = prepare(Mod(20))",
        "class T:\n    def __init__(self, m):\n        self.m = m\n"
        "    def fit(self):\n        self.m = torch.compile(self.m)\nT(Mod(20)).fit()",
        "net = Mod(20)\nif net:\n    net = torch.compile(net)",
    ],
)
def test_what_layers_of_other_files_do_is_told_there(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    layers = "from torch import nn\n" + LAYER + CHAIN.format(decorator="")
    main = "import functools\nimport torch\nfrom layers import Mod\n\n" + text
    for code in CODES:
        sources = {"pyproject.toml": "", "layers.py": layers, "main.py": main}
        assert len(lint_project(code, tmp_path, sources, "layers.py")) == 1, code
        sources["main.py"] = main.replace("torch.compile", "torch.jit.freeze")
        assert lint_project(code, tmp_path, sources, "layers.py") == [], code


@pytest.mark.parametrize(
    ("option", "number"), [("torch_compile=True", 1), ("torch_compile=False", 0), ("", 0)]
)
def test_what_layers_of_other_files_do_is_told_where_a_trainer_compiles_them(
    option: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main = "from transformers import Trainer, TrainingArguments\nfrom layers import Mod\n\n"
    main += f"Trainer(model=Mod(20), args=TrainingArguments('out', {option})).train()\n"
    layers = "from torch import nn\n" + LAYER + CHAIN.format(decorator="")
    sources = {"pyproject.toml": "", "layers.py": layers, "main.py": main}
    for code in CODES:
        assert len(lint_project(code, tmp_path, sources, "layers.py")) == number, code
    assert len(lint_project("OVH307", tmp_path, sources, "main.py")) == number


def test_a_partial_of_itself_ends() -> None:
    text = "step = print\nfor _ in range(3):\n    step = functools.partial(step, 1)\nstep(F(1))\nx.compile()"
    assert lint("OVH303", LAYER + text) == []
