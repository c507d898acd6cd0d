"""Imports that a fix leaves unused stay where other files of the project use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.cli.main import main

pytestmark = pytest.mark.usefixtures("declared")

MODULE = """
import torch
from torch import enable_grad


@torch.no_grad()
def score(model, batch):
    with enable_grad():
        batch = batch * 2
    return model(batch)
"""
TRAIN = """
{imports}


def train(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        for _ in range(100):
            loss = {score}(model, batch).sum()
        loss.backward()
        optimizer.step()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "helpers.py").write_text(MODULE)
    return tmp_path


def fixed(project: Path, imports: str, score: str = "score", *, train: str = "pkg/train.py") -> str:
    """The module after safe fixes, where another file imports it."""
    (project / train).parent.mkdir(exist_ok=True)
    (project / train).write_text(TRAIN.format(imports=imports, score=score))
    module = project / "pkg" / "helpers.py"
    main([str(module), "--fix", "--no-cache", "--exit-zero", "-q"])
    text = module.read_text()
    assert "runtime.no_grad" in text and "runtime.enable_grad():" in text
    return text


def kept(text: str) -> set[str]:
    """Which of the two imports that nothing in the module uses is still there."""
    lines = text.splitlines()
    both = {"torch": "import torch", "enable_grad": "from torch import enable_grad"}
    return {name for name, line in both.items() if line in lines}


def test_imports_that_nobody_uses_go(project: Path) -> None:
    assert kept(fixed(project, "from pkg.helpers import score")) == set()


@pytest.mark.parametrize(
    ("imports", "names"),
    [
        ("from pkg.helpers import score, enable_grad", {"enable_grad"}),
        ("from .helpers import score, torch as t", {"torch"}),
        (
            "from .helpers import (\n    score,\n    torch,\n    enable_grad as null,\n)",
            {"torch", "enable_grad"},
        ),
        ("from pkg.helpers import *", {"torch", "enable_grad"}),
        ("from .helpers import *", {"torch", "enable_grad"}),
        ("from pkg.helpers import score\nimport pkg.helpers\npkg.helpers.torch.ones(1)", {"torch"}),
        ("from . import helpers as h\nfrom .helpers import score\nh.enable_grad()", {"enable_grad"}),
        ("from .helpers import score\nmock.patch('pkg.helpers.torch')", {"torch"}),
        ("from . import helpers\nfrom .helpers import score\nsetattr(helpers, 'torch', None)", {"torch"}),
        ("from pkg.other.helpers import *\nfrom pkg.helpers import score", set()),
        ("from ..helpers import *\nfrom pkg.helpers import score", set()),
        ("from torch import enable_grad\nfrom pkg.helpers import score\nimport torch", set()),
        ("from pkg.helpers import score\nfrom pkg import models\nmodels.torch", set()),
    ],
)
def test_imports_that_another_file_uses_stay(project: Path, imports: str, names: set[str]) -> None:
    assert kept(fixed(project, imports)) == names


@pytest.mark.parametrize(
    ("imports", "listed", "name"),
    [
        ("from pkg.helpers import score", "", "runtime"),
        ("from pkg.helpers import *", "", "_overhead_runtime"),
        ("from .helpers import *", "", "_overhead_runtime"),
        ("from pkg.helpers import *", '__all__ = ["score"]', "runtime"),
        ("import pkg.helpers\npkg.helpers.runtime = 1\nscore = pkg.helpers.score", "", "_overhead_runtime"),
    ],
)
def test_new_import_is_a_private_name_where_others_would_get_it(
    project: Path, imports: str, listed: str, name: str
) -> None:
    (project / "pkg" / "helpers.py").write_text(f"{MODULE}\n{listed}\n")
    text = fixed(project, imports)
    assert f"with {name}.enable_grad():" in text
    assert f"\nfrom overhead_lint import runtime{f' as {name}' if name != 'runtime' else ''}\n" in text


@pytest.mark.parametrize(
    "submodule", ["runtime.py", "runtime/engine.py", "runtime.cpython-311-x86_64-linux-gnu.so"]
)
def test_new_import_leaves_the_names_of_submodules_to_them(project: Path, submodule: str) -> None:
    (project / "pkg" / submodule).parent.mkdir(exist_ok=True)
    (project / "pkg" / submodule).write_text("")
    (project / "pkg" / "train.py").write_text(TRAIN.format(imports="from pkg import score", score="score"))
    for name in ("__init__.py", "helpers.py"):
        (project / "pkg" / name).write_text(MODULE)
    main([str(project / "pkg"), "--fix", "--no-cache", "--exit-zero", "-q"])
    line = "\nfrom overhead_lint import runtime as overhead_runtime\n"
    assert line in (project / "pkg" / "__init__.py").read_text()


def test_star_imports_go_by_all(project: Path) -> None:
    module = project / "pkg" / "helpers.py"
    module.write_text(f'{MODULE}\n__all__ = ["enable_grad", "score"]\n')
    assert kept(fixed(project, "from pkg.helpers import *")) == {"enable_grad"}


@pytest.mark.parametrize(
    "source",
    ['["from helpers import torch\\n", "torch.ones(1)"]', r'"# why\nfrom h\u0065lpers import torch"'],
)
def test_scripts_that_import_by_folder_and_notebooks_count(project: Path, source: str) -> None:
    cell = f'{{"cells": [{{"cell_type": "code", "source": {source}}}]}}'
    (project / "pkg" / "look.ipynb").write_text(cell)
    text = fixed(
        project, "from pkg.helpers import score\nfrom helpers import enable_grad", train="bin/train.py"
    )
    assert kept(text) == {"torch", "enable_grad"}


def test_a_file_that_does_not_parse_keeps_what_it_mentions(project: Path) -> None:
    (project / "pkg" / "old.py").write_text("from helpers import torch\nprint torch\n")
    assert kept(fixed(project, "from pkg.helpers import score")) == {"torch"}


def test_files_beside_the_module_count_where_there_is_no_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (project / "pyproject.toml").unlink()
    (project / "pkg" / "__init__.py").unlink()
    (project / "requirements.txt").rename(project / "pkg" / "requirements.txt")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    (project / "pkg" / "own.py").write_text("from helpers import torch\n")
    module = project / "pkg" / "helpers.py"
    module.write_text(
        f"{MODULE}\n\ndef run(model, loader, optimizer):\n    for batch in loader:\n"
        "        score(model, batch).sum().backward()\n        optimizer.step()\n"
    )
    main([str(module), "--fix", "--no-cache", "--exit-zero", "-q", "--min-heat", "presumed"])
    assert kept(module.read_text()) == {"torch"}


def test_long_words_and_lines_are_looked_through_at_once(project: Path) -> None:
    digits = "0123456789abcdef" * 100_000
    (project / "pkg" / "data.py").write_text(
        f'DATA = "{digits}"\nMORE = "{digits[:-1]}.x y"\n' + "import " * 9
    )
    dotted = ".".join(["a"] * 100_000)
    (project / "pkg" / "names.py").write_text(f'NAMES = "{dotted}.helpers.torch"\n')
    assert kept(fixed(project, "from pkg.helpers import score")) == {"torch"}


CONTEXTS = """
from contextlib import contextmanager

from torch import nn


@contextmanager
def region(value):
    with lock(value):
        yield


@contextmanager
def stage(value):
    log.append(value)
    yield


class Net(nn.Module):
    def forward(self, x):
        with region(1), stage(2):
            return x
"""


@pytest.mark.parametrize(
    ("use", "left"),
    [
        ("from pkg.contexts import region\n\n\n@region(1)\ndef f(): ...\n", {"region"}),
        ("from pkg import contexts\n\n\n@contexts.stage(1)\ndef f(): ...\n", {"stage"}),
        ("from pkg.contexts import region as r\n\nstep = r\n\n\n@step(1)\ndef f(): ...\n", {"region"}),
        (
            "from pkg import contexts as c\n\nstep = c.stage  # by turns\n\n\n@step(1)\ndef f(): ...\n",
            {"stage"},
        ),
        ("from pkg.contexts import region\n\nf = region(1)(print)\n", {"region"}),
        ("from pkg.contexts import stage\n\nonce = stage(1)\n\n\n@once\ndef f(): ...\n", {"stage"}),
        ("from pkg.contexts import region, stage\n\nwith region(1), stage(2):\n    pass\n", set()),
        ("from pkg.contexts import region\n\n\n@other.regions(region)\ndef f(): ...\n", set()),
    ],
)
def test_a_generator_that_another_file_decorates_with_stays(
    project: Path, use: str, left: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    module, other = project / "pkg" / "contexts.py", project / "pkg" / "user.py"
    module.write_text(CONTEXTS)
    other.write_text(use)
    main([str(module), "--select", "OVH104", "--fix", "--unsafe-fixes", "--no-cache", "--exit-zero"])
    kept_ones = {name for name in ("region", "stage") if f"@contextmanager\ndef {name}" in module.read_text()}
    assert kept_ones == left
    told = capsys.readouterr().err
    assert all(f"user.py decorates functions with {name}" in told for name in left)
    assert ("decorates" in told) == bool(left)


def test_a_name_given_in_the_module_itself_counts_for_those_that_decorate_with_it(project: Path) -> None:
    module = project / "pkg" / "contexts.py"
    module.write_text(f"{CONTEXTS}\n\nstep = region\n")
    (project / "pkg" / "user.py").write_text("from pkg.contexts import step\n\n\n@step(1)\ndef f(): ...\n")
    main([str(module), "--select", "OVH104", "--fix", "--unsafe-fixes", "--no-cache", "--exit-zero", "-q"])
    assert "@contextmanager\ndef region" in module.read_text()
