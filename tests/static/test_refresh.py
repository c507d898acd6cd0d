"""After edits that change calls, the graph that the cache holds is brought up to date: no other is made."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project_cases import others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.heat_update import HeatUpdate
from overhead_lint.workspace.workspace import Workspace

LINTER = Linter(packs.select(packs.load(), ["ALL"], []), Settings())
FILES = {
    "pkg/__init__.py": "",
    "pkg/help.py": """\
import torch


def shown(x):
    return x.item()


def mean(x):
    return x.mean()


def work(x, debug=False):
    if debug:
        shown(x)
    return x


def scaled(value):
    return value.item()


class Base:
    def step_now(self, x):
        return shown(x)


class Other(Base):
    def step_now(self, x):
        return mean(x)
""",
    "pkg/train.py": """\
import torch

from pkg.help import Base, Other, mean, scaled, shown, work


def once(x):
    work(x)
    return x


def train(loader, model):
    for batch in loader:
        loss = model(batch)
        once(batch)
        loss.backward()


def late(x):
    return x
""",
    "pkg/layers.py": """\
import torch
from torch import nn

from pkg.help import shown


class Layer(nn.Module):
    def forward(self, x):
        return shown(x)
""",
}
ONCE = "    work(x)\n    return x\n"
EDITS = {
    "a call more": "    work(x)\n    shown(x)\n    return x\n",
    "another function": "    mean(x)\n    return x\n",
    "a call less": "    return x\n",
    "in a loop": "    for one in x:\n        shown(one)\n    work(x)\n    return x\n",
    "a method": "    Base().step_now(x)\n    work(x)\n    return x\n",
    "another method": "    Other().step_now(x)\n    work(x)\n    return x\n",
    "an option": "    work(x, debug=True)\n    return x\n",
    "an option by place": "    work(x, True)\n    return x\n",
    "a tensor": "    work(x)\n    scaled(torch.ones(3))\n    return x\n",
    "another tensor": "    work(x)\n    scaled(torch.ones(3).cuda())\n    return x\n",
    "a caller of a caller": "    late(x)\n    work(x)\n    return x\n",
    "behind a gate": "    if not len(x):\n        raise ValueError(shown(x))\n    work(x)\n    return x\n",
    "compiled": "    torch.compile(shown)(x)\n    work(x)\n    return x\n",
}


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write files."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def said(folder: Path, cache: Path | None = None) -> dict[str, object]:
    """All findings of a project, the heat of all its functions, and what its files are told."""
    files.forget()
    targets = others(folder)
    kept = Cache(cache, "key") if cache is not None else None
    workspace = Workspace(folder, targets, others, lambda: Examiner(lambda target: LINTER), cache=kept)
    found: dict[str, object] = {}
    for target in targets:
        found[target.path.name] = sorted((workspace.warmths(target.path) or {}).items())
        found[f"{target.path.name}: told"] = workspace.told(target.path)
        found[f"{target.path.name}:"] = [
            (one.span, one.code, one.warmth) for one in workspace.findings(target)
        ]
    workspace.save()
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that a run has seen."""
    write(tmp_path, FILES)
    said(tmp_path, tmp_path / ".cache")
    return tmp_path


@pytest.mark.parametrize("name", EDITS)
def test_no_graph_is_made_of_all_files_where_only_calls_are_others(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    real = HeatUpdate.graph
    made: list[object] = []

    def noted(self: HeatUpdate, *arguments: Any, **options: Any) -> Any:
        made.append(self._learned.cache)
        return real(self, *arguments, **options)

    monkeypatch.setattr(HeatUpdate, "graph", noted)
    for body in (EDITS[name], ONCE, EDITS[name]):
        write(project, {"pkg/train.py": FILES["pkg/train.py"].replace(ONCE, body)})
        assert said(project, project / ".cache") == said(project)
    assert set(made) == {None}, "only the runs without a cache made one"


def broken(path: Path) -> None:
    """Leave half of a file."""
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize("harm", [broken, Path.unlink])
@pytest.mark.parametrize("kind", ["graph", "options", "tables"])
def test_a_graph_that_is_broken_is_made_anew(project: Path, harm: Callable[[Path], None], kind: str) -> None:
    for name in ("a call more", "an option", "a tensor"):
        write(project, {"pkg/train.py": FILES["pkg/train.py"].replace(ONCE, EDITS[name])})
        for path in (project / ".cache").glob(f"*.{kind}"):
            harm(path)
        assert said(project, project / ".cache") == said(project)
    assert [path.suffix for path in (project / ".cache").glob(f"*.{kind}")] == [f".{kind}"]


@pytest.mark.parametrize("kind", ["graph", "options", "tables"])
def test_a_graph_of_another_run_counts_for_nothing(project: Path, kind: str) -> None:
    cache = project / ".cache"
    beside = project / ".beside"
    shutil.copytree(cache, beside)
    write(project, {"pkg/train.py": FILES["pkg/train.py"].replace(ONCE, EDITS["an option"])})
    said(project, beside)
    for path in beside.glob(f"*.{kind}"):
        shutil.copy(path, cache)
    write(project, {"pkg/train.py": FILES["pkg/train.py"].replace(ONCE, EDITS["a call more"])})
    assert said(project, cache) == said(project)


def test_functions_that_came_without_a_graph_are_found_in_the_next(project: Path) -> None:
    cache, text = project / ".cache", FILES["pkg/train.py"]
    text = text.replace(
        "def late", "def added(x):\n    return inner(x)\n\n\ndef inner(x):\n    return x\n\n\ndef late"
    )
    write(project, {"pkg/train.py": text})
    assert said(project, cache) == said(project)
    write(project, {"pkg/train.py": text.replace(ONCE, EDITS["a call more"])})
    assert said(project, cache) == said(project)
    write(project, {"pkg/layers.py": FILES["pkg/layers.py"].replace("return shown(x)", "return x")})
    assert said(project, cache) == said(project)


LIBRARY = {
    "pkg/__init__.py": "from pkg.heads import *\n",
    "pkg/heads.py": """\
import torch
from torch import Tensor


class Head:
    def loss(self, x: Tensor):
        return self.mean(x)

    def mean(self, x):
        return torch.exp(x).mean().item()


class Agent:
    def observe(self, x):
        self.update(torch.exp(x))

    def update(self, x):
        x.mean().backward()
        self.optimizer.step()
        return x.item()
""",
}
OFFERS = {
    "nothing is offered": ("pkg/__init__.py", "from pkg.heads import *\n", ""),
    "something else is": ("pkg/__init__.py", "import *", "import Agent"),
    "another loss": (
        "pkg/heads.py",
        "    def mean",
        "    def loss_of(self, x: Tensor):\n        x.item()\n        return torch.exp(x)\n\n    def mean",
    ),
    "no loss": ("pkg/heads.py", "def loss(", "def lost("),
    "no step": ("pkg/heads.py", "self.optimizer.step()", "self.optimizer.zero_grad()"),
    "a step in a loop": (
        "pkg/heads.py",
        "        self.update(",
        "        while True:\n            self.update(",
    ),
    "another step": (
        "pkg/heads.py",
        "    def observe",
        "    def learn(self, x):\n        x.mean().backward()\n        self.optim.step()\n\n    def observe",
    ),
    "one that steps no more": (
        "pkg/heads.py",
        "        self.update(torch.exp(x))",
        "        torch.exp(x).item()",
    ),
}


@pytest.mark.parametrize("name", OFFERS)
def test_what_users_call_in_steps_is_found_after_edits(tmp_path: Path, name: str) -> None:
    cache = tmp_path / ".cache"
    path, before, after = OFFERS[name]
    write(tmp_path, LIBRARY)
    first = said(tmp_path, cache)
    for text in (LIBRARY[path].replace(before, after), LIBRARY[path]):
        write(tmp_path, {path: text})
        found = said(tmp_path, cache)
        assert found == said(tmp_path)
        assert (found == first) is (text == LIBRARY[path])
