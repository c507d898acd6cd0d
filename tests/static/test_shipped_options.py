"""What settings files that ship with a project turn off is presumed, and what one turns on is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

from overhead_lint.cli.main import main

_MODEL = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self, config, deep=False):
            super().__init__()
            self.config = config
            self.deep = deep

        def forward(self, x):
            if {test}:
                here()
            return x
    """
_RUNS = "Net.forward runs on every call of the module"
_OFF = f"model.py: presumed: {_RUNS}, but not in the settings files that ship: "
_ON = f"model.py: step: {_RUNS}"


def _heat(folder: Path, test: str, files: dict[str, str], **sources: str) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return heat(folder, {"model.py": _MODEL.format(test=test), **sources})[0]


OFF = {
    "a key": ("self.config.clip", {"conf/a.yaml": "clip: false\n"}, "self.config.clip=False"),
    "a key in all files": (
        "self.config.clip",
        {"conf/a.yaml": "clip: 0\n", "conf/b.json": '{"train": {"clip": 0}}'},
        "self.config.clip=0",
    ),
    "a key below another": (
        "self.config.ema.use",
        {"a.yaml": "ema:\n  use: no\namp:\n  use: yes\n"},
        "self.config.ema.use=False",
    ),
    "an entry": (
        'self.config["ema"]["use"]',
        {"a.toml": "[ema]\nuse = false\n"},
        "self.config.ema.use=False",
    ),
    "a number of parts": ("self.config.parts > 1", {"a.yml": "parts: 1\n"}, "self.config.parts=1"),
    "a word": ("self.config.kind == 'rotary'", {"a.yml": "kind: sine\n"}, "self.config.kind='sine'"),
    "nothing": ("self.config.clip is not None", {"a.yml": "clip: null\n"}, "self.config.clip=None"),
}


@pytest.mark.parametrize("name", OFF)
def test_what_is_off_in_what_ships_is_presumed(tmp_path: Path, name: str) -> None:
    test, files, shown = OFF[name]
    assert _heat(tmp_path, test, files) == _OFF + shown


ON = {
    "one file turns it on": ("self.config.clip", {"a.yaml": "clip: false\n", "b.yaml": "clip: true\n"}),
    "only a run knows": ("self.config.clip", {"a.yaml": "clip: ${x}\n"}),
    "one file turns a switch on": ("self.config.get('clip', False)", {"a.json": '{"clip": true}'}),
    "one file asks for more parts": ("self.config.parts > 1", {"a.yml": "parts: 1", "b.yml": "parts: 4"}),
    "no file has it": ("self.config.clip", {"a.yaml": "clop: false\n"}),
    "no entry of that name": ('self.config["clip"]', {}),
    "what a device has": ("x.device.type != 'cpu'", {"a.yaml": "optimizer:\n  type: cpu\n"}),
    "the settings of tests": ("self.config.clip", {"tests/a.yaml": "clip: false\n"}),
    "those of a tool": ("self.config.clip", {"mkdocs.yml": "clip: false\n", ".ci.yml": "clip: false\n"}),
    "what git ignores": ("self.config.clip", {".gitignore": "*.json\n", "run.json": '{"clip": false}'}),
    "data": ("self.config.clip", {"a.json": '{"clip": false}' + " " * (1 << 18)}),
}


@pytest.mark.parametrize("name", ON)
def test_what_nothing_that_ships_turns_off_runs_in_steps(tmp_path: Path, name: str) -> None:
    test, files = ON[name]
    assert _heat(tmp_path, test, files) == _ON


_RUN = "export A=1 ON=true\nOFF=false\n  TWO='false'\nTWO=true\nLONG='0 1'\nfor ONE in 0; do\nONE=0\n"
_RUN += "torchrun --deep -m tool \\\n  train.py --lr 0.1 {} --out $DIR  # --deep\n"


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ("--deep", "step"),
        ("--deep=True", "step"),
        ("--deep false", "presumed"),
        ("--deep $DEEP", "step"),
        ("--deep $OFF", "presumed"),
        ('--deep "${OFF}"', "presumed"),
        ("--deep $OFF$OFF", "step"),
        ("--deep $TWO", "step"),
        ("--deep $ON", "step"),
        ("--deep $LONG", "step"),
        ("--deep $ONE", "step"),
        ("--deeper", "presumed"),
    ],
)
def test_a_script_that_passes_an_option_turns_it_on(tmp_path: Path, passed: str, expected: str) -> None:
    found = _heat(tmp_path, "self.deep", {"scripts/a.sh": _RUN.format(passed)})
    assert found == f"model.py: {expected}: {_RUNS}, but not by default: Net(deep=False)"


def test_what_a_script_only_says_in_comments_or_to_other_programs_counts_for_nothing(tmp_path: Path) -> None:
    script = "# python train.py --deep\npip install --deep x\npython train.py; tool --deep\n"
    found = _heat(tmp_path, "self.deep", {"a.sh": script})
    assert found == f"model.py: presumed: {_RUNS}, but not by default: Net(deep=False)"


@pytest.mark.parametrize(("shipped", "expected"), [("true", "step"), ("false", "presumed"), ("7", "step")])
def test_a_file_that_has_another_value_turns_an_argument_on(
    tmp_path: Path, shipped: str, expected: str
) -> None:
    found = _heat(tmp_path, "self.deep", {"a.yaml": f"net:\n  deep: {shipped}\n"})
    assert found == f"model.py: {expected}: {_RUNS}, but not by default: Net(deep=False)"


def test_a_default_of_code_counts_as_well(tmp_path: Path) -> None:
    source = "class Config:\n    clip = {}\n"
    found = _heat(tmp_path, "self.config.clip", {"a.yaml": "clip: false\n"}, **{"c.py": source.format(True)})
    assert found == _ON
    found = _heat(tmp_path, "self.config.clip", {}, **{"c.py": source.format(False)})
    assert found == f"model.py: presumed: {_RUNS}, but not by default: self.config.clip=False"


@pytest.mark.parametrize(("section", "is_on"), [("NET", True), ("HEAD", False)])
def test_files_set_options_of_sections_below_their_names(tmp_path: Path, section: str, is_on: bool) -> None:
    source = "_C = CfgNode()\n_C.NET = CfgNode()\n_C.NET.DEEP = False\n"
    files = {"a.yaml": f"{section}:\n  DEEP: true\n"}
    found = _heat(tmp_path, "self.config.NET.DEEP", files, **{"c.py": source})
    off = f"model.py: presumed: {_RUNS}, but not by default: self.config.NET.DEEP=False"
    assert found == (_ON if is_on else off)


def test_a_settings_file_that_changes_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
    def forward(self, x):
        if self.config.watch:
            print(x.sum().item())
        return x
"""
    (tmp_path / "model.py").write_text(source, encoding="utf-8")
    (tmp_path / "other.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.overhead-lint]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    statuses = []
    for text in ("watch: true\n", "watch: false\n", "watch:  false\n", "watch: true\nmore: 1\n"):
        (tmp_path / "train.yaml").write_text(text, encoding="utf-8")
        for _ in range(2):
            statuses.append(main(["check", "."]))
    capsys.readouterr()
    assert statuses == [1, 1, 0, 0, 0, 0, 1, 1]
