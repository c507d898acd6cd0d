"""The benchmark of places in real commits: what it lays out, and under which names findings come back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import prbench_trees as trees
import pytest
from prbench import half_of

BEFORE = """\
import torch


def train(model, loader, optimizer):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        print(loss.item())
"""


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@x.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def case(tmp_path: Path) -> dict[str, Any]:
    """A commit that mends a file and removes another, in a mirror."""
    repo = tmp_path / "mirrors" / "some+repo" / "repo"
    (repo / "pkg").mkdir(parents=True)
    _git(repo, "init", "-q")
    (repo / "pkg" / "train.py").write_text(BEFORE)
    (repo / "pkg" / "gone.py").write_text("x = 1\n")
    (repo / "data.bin").write_bytes(b"no source")
    _git(repo, "add", ".")
    _git(repo, "commit", "-qm", "before")
    parent, parent_blob = _git(repo, "rev-parse", "HEAD"), _git(repo, "rev-parse", "HEAD:pkg/train.py")
    (repo / "pkg" / "train.py").write_text(BEFORE.replace("        print(loss.item())\n", ""))
    (repo / "pkg" / "gone.py").unlink()
    _git(repo, "commit", "-qam", "after")
    (repo / ".git").rename(tmp_path / "git")
    for path in (repo / "pkg" / "train.py", repo / "data.bin"):
        path.unlink()
    for path in (tmp_path / "git").iterdir():
        path.rename(repo / path.name)
    return {
        "kind": "positive",
        "repo": "some/repo",
        "path": "pkg/train.py",
        "parent": parent,
        "parent_blob": parent_blob,
        "fix": _git(repo, "rev-parse", "HEAD"),
        "fixed_blob": _git(repo, "rev-parse", "HEAD:pkg/train.py"),
    }


def test_commits_follow_each_other_in_one_folder(tmp_path: Path, case: dict[str, Any]) -> None:
    tree = trees.Tree(tmp_path / "mirrors" / "some+repo" / "repo", tmp_path / "tree", tmp_path / "cache")
    first = trees.lay_out(tree, case["parent"], None)
    assert sorted(first) == ["pkg/gone.py", "pkg/train.py"]
    assert (tree.folder / "pkg" / "train.py").read_text() == BEFORE
    second = trees.lay_out(tree, case["fix"], first)
    assert sorted(path.name for path in tree.folder.rglob("*.py")) == ["train.py"]
    assert second["pkg/train.py"] == case["fixed_blob"]
    trees.lay_out(tree, case["parent"], None)
    assert len(list(tree.folder.rglob("*.py"))) == 2


def test_findings_bear_the_file_version(tmp_path: Path, case: dict[str, Any]) -> None:
    trees.write_files([case], tmp_path / "mirrors", tmp_path / "work")
    single = trees.lint_files([case], tmp_path / "work")
    whole = trees.lint_trees([case], tmp_path / "mirrors", tmp_path, 1)
    for found in (single, whole):
        assert {(one["path"], one["code"], one["line"]) for one in found} == {
            (
                f"{case['parent_blob']}.py",
                "OVH404",
                BEFORE.splitlines().index("        print(loss.item())") + 1,
            )
        }


def test_halves() -> None:
    assert [half_of(name) for name in ("huggingface/accelerate", "Lightning-AI/torchmetrics")] == ["a", "b"]


def test_a_benchmark_without_mirrors_has_no_cases(tmp_path: Path, case: dict[str, Any]) -> None:
    other = dict(case, repo="not/there")
    (tmp_path / "dev.jsonl").write_text("\n".join(json.dumps(one) for one in (case, other)))
    cases, missing = trees.cases_of(tmp_path, tmp_path / "mirrors")
    assert [one["repo"] for one in cases] == ["some/repo"]
    assert missing == ["not/there"]
