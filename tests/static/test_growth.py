"""What the linter does for programs of some shape grows as they do, and not with each way through them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from project_cases import others

from overhead_lint import project
from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.support.compiled_form import is_compiled
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

HEAD = "import torch\nfrom torch import nn\n\n"
TRAIN = "def train(loader, model):\n    for batch in loader:\n        model(batch).backward()\n"


def two_ways_on(n: int) -> str:
    both = "    f{0}(x)\n    g{0}(x)\n"
    chain = "".join(f"def f{i}(x):\n{both.format(i + 1)}def g{i}(x):\n{both.format(i + 1)}" for i in range(n))
    ends = f"def f{n}(x):\n    return x.item()\ndef g{n}(x):\n    return x.item()\n"
    return f"{chain}{ends}{TRAIN}        f0(batch)\n"


def properties(n: int) -> str:
    one = "    @property\n    def p{0}(self):\n        return {1}\n"
    chain = "".join(one.format(i, f"self.p{i + 1} + self.p{i + 1}") for i in range(n))
    end = one.format(n, "torch.zeros(3)")
    return f"class M:\n{chain}{end}    def go(self):\n        return self.p0.item()\n"


def sums_of_attributes(n: int) -> str:
    chain = "".join(f"        self.a{i} = self.a{i - 1} + self.a{i - 1}\n" for i in range(1, n))
    start = "class M(nn.Module):\n    def __init__(self):\n        self.a0 = torch.zeros(3)\n"
    return f"{start}{chain}    def forward(self, x):\n        return (x + self.a{n - 1}).item()\n"


def either_of_two(n: int) -> str:
    chain = "".join(
        f"def f{i}(x, a):\n    if a:\n        return f{i + 1}(x, a)\n    return g{i + 1}(x, a)\n"
        f"def g{i}(x, a):\n    return f{i + 1}(x, a) if a else g{i + 1}(x, a)\n"
        for i in range(n)
    )
    return f"{chain}def go(x):\n    return f0(x, 1).item()\n"


def super_twice(n: int) -> str:
    chain = "".join(
        f"class C{i}(C{i - 1}):\n    def forward(self, x):\n"
        "        return super().forward(super().forward(x))\n"
        for i in range(1, n)
    )
    start = "class C0(nn.Module):\n    def forward(self, x):\n        return x\n"
    return f"{start}{chain}{TRAIN}        C{n - 1}()(batch).sum().item()\n"


def methods_of_one_name(n: int) -> str:
    return "".join(
        f"class C{i}:\n    def run(self, x):\n        return self.other.run(x)\n" for i in range(n)
    )


def options_of_one_name(n: int) -> str:
    return "".join(
        f"class C{i}:\n    def run(self, x, use_{i}=False):\n        if use_{i}:\n            x.item()\n"
        f"    def go(self, x):\n        self.other.run(x, use_{i}=self.use_{i})\n"
        for i in range(n)
    )


SHAPES: tuple[Callable[[int], str], ...] = (
    two_ways_on,
    properties,
    sums_of_attributes,
    either_of_two,
    super_twice,
    methods_of_one_name,
)
FEW, MANY, ENDLESS = 20, 60, 5_000_000
GRAPH = str(Path(project.__file__).parent / "graph")


def lint(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "m.py").write_text(HEAD + text)
    rules = Linter(packs.select(packs.load(), ["ALL"], []), Settings())
    targets = others(folder)
    Workspace(folder, targets, lambda root: targets, lambda: Examiner(lambda target: rules))


def calls_made(folder: Path, text: str) -> int:
    """How many functions are called to lint a program; no more are counted than would take minutes."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        made += event == "call"
        if made > ENDLESS:
            pytest.fail("it takes time without end")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        lint(folder, text)
    finally:
        sys.setprofile(before)
    return made


def lines_run(folder: Path, text: str) -> int:
    """How many lines of the project's graph are run to lint a program, those of loops each time."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        nonlocal made
        made += event == "line"
        return count if frame.f_code.co_filename.startswith(GRAPH) else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        lint(folder, text)
    finally:
        sys.settrace(before)
    return made


@pytest.mark.skipif(is_compiled(), reason="calls of what is compiled are not counted")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_what_is_done_grows_as_programs_do(shape: Callable[[int], str], tmp_path: Path) -> None:
    few, many = calls_made(tmp_path / "few", shape(FEW)), calls_made(tmp_path / "many", shape(MANY))
    # What calls itself both ways is looked at anew for some of what it calls: a little more than its share.
    assert many < few * MANY / FEW * 1.3


@pytest.mark.skipif(is_compiled(), reason="lines of what is compiled are not counted")
def test_what_calls_of_a_name_pass_is_not_gone_through_for_each_option(tmp_path: Path) -> None:
    few, many = (lines_run(tmp_path / str(n), options_of_one_name(n)) for n in (60, 240))
    assert many < few * 240 / 60 * 1.1


def test_partials_of_themselves_end(tmp_path: Path) -> None:
    """In a process of its own: a loop that calls nothing is not counted, and could not be stopped."""
    (tmp_path / "m.py").write_text(
        "from functools import partial\n\n\nclass Cached:\n    def __init__(self):\n"
        "        self.key = partial(self.key, 1)\n        self.kept = {}\n\n"
        "    def step(self, x):\n        return self.kept[self.key(x)]\n"
    )
    command = [sys.executable, "-m", "overhead_lint", "--isolated", "--no-cache", "m.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
