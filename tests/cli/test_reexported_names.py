"""Names of libraries that a file has by way of another one of the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.cli.main import main
from overhead_lint.engine.linter import Linter, Look

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

COMPAT = """\
try:
    from torch.amp import autocast as mixed
except ImportError:
    from torch.cuda.amp import autocast as mixed
import torch.nn.functional as F
"""
AGAIN = "from .compat import F, mixed as half\n"
NET = """\
import torch
{said}

class Net(torch.nn.Module):
    def forward(self, x):
        with {name}("cuda"):
            return x + 1
"""
OWN = """\
class mixed:
    def __init__(self, device): ...
    def __enter__(self): ...
    def __exit__(self, *raised): ...
"""


def found(
    folder: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str], *options: str
) -> list[str]:
    """Lines of what is found in a project, each with its file and code."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    main(["check", "--isolated", "--output-format=json", *options, str(folder)])
    findings = json.loads(capsys.readouterr().out)
    return [f"{Path(one['path']).name}:{one['line']} {one['code']}" for one in findings]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("from compat import mixed", "mixed"),
        ("import compat", "compat.mixed"),
        ("from .compat import mixed", "mixed"),
        ("from .again import half", "half"),
        ("from pkg.again import half as other", "other"),
        ("from . import again", "again.half"),
        ("import pkg.again", "pkg.again.half"),
    ],
)
def test_rules_know_a_name_that_another_file_has_of_torch(
    tmp_path: Path, said: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"pkg/__init__.py": "", "pkg/compat.py": COMPAT, "pkg/again.py": AGAIN, "compat.py": COMPAT}
    home = "pkg/net.py" if "from ." in said else "net.py"
    files[home] = NET.format(said=said, name=name)
    assert found(tmp_path, files, capsys, "--no-cache", "--select=OVH101") == ["net.py:6 OVH101"]


def test_what_another_file_imports_from_two_places_is_fixed_on_demand_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = '[project]\nname = "x"\nversion = "1"\ndependencies = ["overhead-lint"]\n'
    net = NET.format(said="from compat import mixed", name="mixed")
    files = {"pyproject.toml": project, "compat.py": COMPAT, "net.py": net}
    assert found(tmp_path, files, capsys, "--no-cache", "--select=OVH101", "--fix") == ["net.py:6 OVH101"]
    assert found(tmp_path, {}, capsys, "--no-cache", "--select=OVH101", "--fix", "--unsafe-fixes") == []


@pytest.mark.parametrize(
    ("said", "name"),
    [("from compat import F", "F.mse_loss"), ("import compat", "compat.F.mse_loss")],
)
def test_values_go_by_such_names(
    tmp_path: Path, said: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """\
import torch
{said}

def train(model, optimizer, loader):
    for x in loader:
        loss = {name}(model(x), x)
        loss.backward()
        optimizer.step()
        worst = {name}(model(x), x)
        if worst > 1:
            break
"""
    files = {"compat.py": COMPAT, "train.py": text.format(said=said, name=name)}
    assert found(tmp_path, files, capsys, "--no-cache", "--select=OVH404") == ["train.py:10 OVH404"]


def test_a_name_that_becomes_another_thing_is_told_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"compat.py": COMPAT, "net.py": NET.format(said="from compat import mixed", name="mixed")}
    options = (f"--cache-dir={tmp_path / 'cache'}", "--select=OVH101")
    assert found(tmp_path, files, capsys, *options) == ["net.py:6 OVH101"]
    assert found(tmp_path, {"compat.py": OWN}, capsys, *options) == []
    assert found(tmp_path, {"compat.py": COMPAT}, capsys, *options) == ["net.py:6 OVH101"]
    assert found(tmp_path, {"net.py": files["net.py"] + "\n"}, capsys, *options) == ["net.py:6 OVH101"]


@pytest.mark.parametrize(("library", "looks"), [("torch.amp", 3), ("nobody_knows", 2)])
def test_files_are_looked_at_again_only_for_libraries_of_which_something_is_known(
    tmp_path: Path,
    library: str,
    looks: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []
    look = Linter.look

    def noted(self: Linter, source: Source, *given: Any, **named: Any) -> Look:
        looked.append(source.path.name)
        return look(self, source, *given, **named)

    monkeypatch.setattr(Linter, "look", noted)
    files = {
        "compat.py": f"import torch\nfrom {library} import autocast as mixed\n",
        "net.py": NET.format(said="from compat import mixed", name="mixed"),
    }
    found(tmp_path, files, capsys, "--no-cache", "-j1")
    assert len(looked) == looks
