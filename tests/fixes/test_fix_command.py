"""``overhead-lint --fix`` on files: what is written, what is refused, and what it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from overhead_lint.cli.check import run

pytestmark = pytest.mark.usefixtures("declared")

MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        self.layers = torch.nn.ModuleList()

    def forward(self, x):
        with torch.autocast("cuda"):
            for i in range(len(self.layers)):
                x = self.layers[i](x)  # step {0}
        return x
"""
FIXED = (
    MODEL.replace("import torch\n", "import torch\nfrom overhead_lint import runtime\n", 1)
    .replace("torch.autocast", "runtime.autocast")
    .replace("for i in range(len(self.layers))", "for layer in self.layers")
    .replace("self.layers[i](x)", "layer(x)")
)
REFUSED = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.layers = nn.ModuleList([])

    def forward(self, x):
        for i in range(len(self.layers)):
            layer = self.layers[i]  # why it is taken here
            x = layer(x)
        return x
"""


TRAIN = """\
import torch

for x in loader:
    with torch.autocast("cuda"):
        loss = model(x)
    loss.backward()
    print(loss.item())
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("module", ["overhead_lint.runtime", "pkg._overhead"])
def test_what_is_left_is_found_where_a_fix_took_the_import_of_torch(
    here: Path, capsys: pytest.CaptureFixture[str], module: str
) -> None:
    (here / "overhead-lint.toml").write_text(f'runtime-module = "{module}"\n')
    (here / "train.py").write_text(TRAIN)
    assert run(["--fix", "train.py", "--output-format", "concise"]) == 1
    assert "torch" not in (here / "train.py").read_text()
    assert "OVH404" in capsys.readouterr().out


def test_safe_fixes_are_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "model.py").write_text(MODEL)
    assert run(["--fix", "model.py"]) == 0
    assert (here / "model.py").read_text() == FIXED
    assert "Fixed 2 findings" in capsys.readouterr().out
    assert run(["--fix", "model.py"]) == 0
    assert (here / "model.py").read_text() == FIXED


@pytest.mark.parametrize(
    ("encoding", "head", "newline"),
    [("utf-8-sig", "", "\r\n"), ("latin-1", "# -*- coding: latin-1 -*-\n", "\n"), ("utf-8", "", "\r\n")],
    ids=["bom", "latin-1", "crlf"],
)
def test_bytes_around_the_fixes_are_kept(here: Path, encoding: str, head: str, newline: str) -> None:
    def data(text: str) -> bytes:
        return (head + text.format("é")).replace("\n", newline).encode(encoding)

    (here / "model.py").write_bytes(data(MODEL))
    assert run(["--fix", "model.py"]) == 0
    assert (here / "model.py").read_bytes() == data(FIXED)


def test_diff_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "model.py").write_text(MODEL)
    assert run(["--diff", "model.py"]) == 1
    assert (here / "model.py").read_text() == MODEL
    assert "--- a/model.py\n+++ b/model.py\n" in capsys.readouterr().out


def test_refused_fix_is_explained_and_its_finding_is_left(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "model.py").write_text(REFUSED)
    assert run(["--fix", "model.py"]) == 1
    assert (here / "model.py").read_text() == REFUSED
    out, err = capsys.readouterr()
    assert err == "model.py:9:18: OVH302 was not fixed: a comment would be lost: # why it is taken here\n"
    assert "Found 1 finding" in out


def test_read_only_file_is_an_error_and_the_others_are_fixed(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "a.py").write_text(MODEL)
    (here / "b.py").write_text(MODEL)
    access = os.access
    # Root may write anything, so the answer of the system is given here.
    monkeypatch.setattr(os, "access", lambda path, *more: Path(path).name != "a.py" and access(path, *more))
    assert run(["--fix", "."]) == 2
    assert (here / "a.py").read_text() == MODEL
    assert (here / "b.py").read_text() == FIXED
    out, err = capsys.readouterr()
    assert err == "a.py: not written: it is read-only\n"
    assert ", but 1 file could not be written.\n" in out
