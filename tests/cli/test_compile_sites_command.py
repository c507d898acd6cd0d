"""``overhead-lint compile-sites``: what is listed, in what order, and what a run's evidence changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.cli.main import main

LAYERS = """\
from torch import nn

class F(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i
    def forward(self, x):
        print(x.shape)
        return x + self.i

class Mod(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fs = nn.ModuleList([F(i) for i in range(n)])
    def forward(self, x):
        for f in self.fs:
            x = f(x)
        return x
"""
MAIN = """\
import torch
from layers import Mod

@torch.compile
def double(x):
    return 2 * x

net = torch.compile(Mod(20))
def wrap(thing):
    return torch.compile(thing)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two files."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\nversion = '1'\n")
    (tmp_path / "layers.py").write_text(LAYERS)
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def evidence(project: Path, compiled: list[dict[str, Any]]) -> Path:
    """Write what a run measured of compiled functions, and nothing else."""
    content = {
        "schema": 4,
        "overhead_lint": "0",
        "program": ["main.py"],
        "status": 0,
        "seconds": 1.0,
        "machine": {},
        "steps": None,
        "findings": [],
        "metrics": {},
        "causes": [],
        "compiled": compiled,
        "tests": {},
        "unavailable": {},
        "processes": 1,
        "verified": {},
        "trace": None,
    }
    path = project / "overhead.json"
    path.write_text(json.dumps(content))
    return path


def test_places_are_listed_with_the_most_guards_first(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile-sites", str(project)]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads == [
        f"{project / 'main.py'}:8: compiles Mod: about 98 guards a call (estimated)",
        f"{project / 'main.py'}:4: compiles double: about 6 guards a call (estimated)",
        f"{project / 'main.py'}:10: compiles something that the source does not tell: guards not known",
        "3 places that compile something.",
    ]
    assert "    goes over self.fs: 20 modules" in lines
    assert any(f"breaks the graph: {project / 'layers.py'}:8: OVH311" in line for line in lines)
    assert "    advice: runtime.compile checks the same guards for less (OVH307)" in lines


def test_measured_guards_take_the_place_of_estimates(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"function": "Mod.forward", "file": "layers.py", "line": 15, "guards": 99}
    path = evidence(project, [{**entry, "hot_seconds": 2e-6, "cold_seconds": 1e-4}])
    assert main(["compile-sites", "--evidence", str(path), str(project)]) == 0
    out = capsys.readouterr().out
    assert "compiles Mod: 99 guards a call (measured), 2 us hot, 100 us cold" in out
    assert "compiles double: about 6 guards a call (estimated)" in out


def test_json_has_all_of_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile-sites", "--output-format", "json", str(project)]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["schema"] == 1
    first, _, unknown = content["sites"]
    assert (first["line"], first["spelling"], first["compiles"], first["basis"]) == (
        8,
        "call",
        ["Mod"],
        "estimated",
    )
    assert first["estimate"]["lists"] == {"self.fs": {"length": 20, "is_assumed": False}}
    assert first["estimate"]["functions"] == ["Mod.forward", "F.forward"]
    assert [finding["code"] for finding in first["findings"]] == ["OVH311"]
    assert (unknown["guards"], unknown["basis"], unknown["is_complete"]) == (None, None, False)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        (["--evidence", "missing.json", "main.py"], "missing.json: cannot be read: No such file"),
        (["--evidence", "main.py", "main.py"], "main.py: is damaged: no JSON"),
        (["--evidence", "bad.json", "main.py"], "bad.json: is damaged: a compiled function has no 'guards'"),
        (["--output-format", "xml", "main.py"], "'xml' is none of its choices"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    evidence(project, [{"function": "f", "file": "main.py"}]).rename(project / "bad.json")
    monkeypatch.chdir(project)
    try:
        status = main(["compile-sites", *arguments])
    except SystemExit as error:
        status = int(error.code or 0)
    assert status == 2
    out, err = capsys.readouterr()
    assert (out, complaint in err, "Traceback" in err) == ("", True, False)


def test_file_that_does_not_parse_is_named_and_the_others_are_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "broken.py").write_text("def (:\n")
    assert main(["compile-sites", str(project)]) == 2
    out, err = capsys.readouterr()
    assert "compiles Mod: about 98 guards" in out
    assert err.startswith(f"overhead-lint: {project / 'broken.py'}:1:")


@pytest.mark.parametrize(
    ("home", "imported"),
    [
        ("app/models/gpt", "app.models.gpt.layers"),  # only the innermost folder is a package
        ("tool/common", "common.layers"),  # found from the folder of the program
    ],
)
def test_modules_are_called_as_others_import_them(
    home: str, imported: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / home).mkdir(parents=True)
    (tmp_path / home / "layers.py").write_text(LAYERS)
    if home.startswith("app"):
        (tmp_path / home / "__init__.py").touch()
    (tmp_path / home).parent.joinpath("main.py").write_text(
        f"import torch\nfrom {imported} import Mod\nnet = torch.compile(Mod(20))\n"
    )
    assert main(["compile-sites", "--no-cache", str(tmp_path)]) == 0
    assert "runs 20 modules" in capsys.readouterr().out


HEIRS = (
    LAYERS
    + """
class Block(nn.Module):
    def forward(self, x):
        raise NotImplementedError
    def compiled(self):
        self.compile()

class Own(Block):
    def __init__(self):
        super().__init__()
        self.fs = nn.ModuleDict()
        for i in range(20):
            self.fs[str(i)] = F(i)
        self.fs.register_module("last", F(20))
    def forward(self, x):
        for f in self.fs.values():
            x = f(x)
        return x
"""
)


def test_what_derives_from_a_class_that_does_nothing_is_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "blocks.py").write_text(HEIRS)
    assert main(["compile-sites", "--no-cache", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "compiles Own:" in told and "goes over self.fs: 21 modules" in told


CHAINS = (
    LAYERS
    + """
import torch

def build(rounds):
    net = nn.Sequential(Mod(3))
    for _ in range(rounds):
        net = nn.Sequential(net, nn.ReLU())  # the same place holds what it made before
    return net

net = torch.compile(build(3))

def per_block(model):
    for block in model.double_blocks:
        block.compile(fullgraph=True)
    model.compile(optimizer="adam", loss="mse")

def per_layer(model: nn.Module):
    for layer in model.modules():
        if isinstance(layer, F) or isinstance(layer, Mod):
            layer.compile()
"""
)


def test_places_are_told_of_chains_unknown_modules_and_tested_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chains.py").write_text(CHAINS)
    assert main(["compile-sites", "--no-cache", str(tmp_path)]) == 0
    told = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines() if "chains.py:" in line]
    listed = sorted(line.partition(":")[0] for line in told if line.startswith("compiles "))
    assert listed == [
        "compiles F or Mod",
        "compiles Sequential",
        "compiles something that the source does not tell",
    ]
