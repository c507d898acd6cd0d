"""The benchmark of places in real commits: what it lays out, and under which names findings come back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import prbench_trees as trees
import pytest
from prbench_score import half_of, part_of, score

COMMITS = Path(__file__).parents[1] / "evaluation" / "commits"
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


def test_packages_are_laid_out_without_what_lies_beside_them(tmp_path: Path, case: dict[str, Any]) -> None:
    git = tmp_path / "mirrors" / "some+repo" / "repo"
    tree = trees.Tree(git, tmp_path / "tree", tmp_path / "cache", frozenset({"pkg/"}))
    assert sorted(trees.lay_out(tree, case["parent"], None)) == ["pkg/gone.py", "pkg/train.py"]
    assert not trees.lay_out(tree._replace(packages=frozenset({"src/other/"})), case["parent"], None)


def test_findings_bear_the_file_version(tmp_path: Path, case: dict[str, Any]) -> None:
    trees.write_files([case], tmp_path / "mirrors", tmp_path / "work")
    single = trees.lint_files([case], tmp_path / "work")
    whole = trees.lint_trees([case], tmp_path / "mirrors", tmp_path, 1)
    packages = trees.lint_trees([case], tmp_path / "mirrors", tmp_path, 1, packages=True)
    for found in (single, whole, packages):
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


def test_hits_misses_and_flagged_lines_are_counted(tmp_path: Path) -> None:
    for blob in ("p", "f", "c"):
        (tmp_path / f"{blob}.py").write_text("pass\n" * 50)
    positive = {
        "id": "x",
        "kind": "positive",
        "repo": "some/repo",
        "static": "yes",
        "family": "sync",
        "parent_blob": "p",
        "lines": [10],
        "fixed_blob": "f",
        "fixed_lines": [[5, 7]],
        "neg_valid": True,
    }
    clean = {"id": "n", "kind": "clean", "repo": "some/repo", "family": "sync", "blob": "c", "lines": [3]}
    families = {"OVH404": ["sync"], "OVH703": ["const"]}
    near = [{"path": "p.py", "line": 13, "code": "OVH404"}]
    far = [{"path": "p.py", "line": 14, "code": "OVH404"}, {"path": "p.py", "line": 11, "code": "OVH703"}]
    after = [{"path": "f.py", "line": 7, "code": "OVH404"}, {"path": "c.py", "line": 3, "code": "OVH703"}]
    scored = score([positive, clean], near, families, tmp_path)
    assert scored.rows["recall by family"] == 1
    assert scored.rows["paired: flagged before, silent after"] == 1
    assert scored.rows["findings per 1,000 lines"] == round(1000 / 150, 2)
    assert scored.by["repository"] == {"some/repo": (1, 1)}
    missed = score([positive, clean], [*far, *after], families, tmp_path)
    assert missed.misses == ["x"]
    assert missed.flagged == ["n", "x"]
    assert missed.rows["recall by any rule"] == 1


def test_every_recorded_commit_is_whole() -> None:
    families = json.loads((COMMITS / "families.json").read_text())
    known = {family for told in families.values() for family in told}
    cases = [json.loads(line) for file in COMMITS.glob("*.jsonl") for line in file.read_text().splitlines()]
    assert len({case["id"] for case in cases}) == len(cases)
    for case in cases:
        assert case["family"] in known
        assert case["lines"]
        assert part_of(case["repo"]) in ("seen", "unseen")
        if case["kind"] == "positive":
            assert case["static"] in ("yes", "partly", "no")
            assert bool(case["fixed_lines"]) >= case["neg_valid"]
        else:
            assert case["reason"]
