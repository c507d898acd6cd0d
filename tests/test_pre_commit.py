"""The hooks, run by pre-commit itself on a scratch repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint._version import __version__

ROOT = Path(__file__).parent.parent
SHIPPED = ("pyproject.toml", "setup.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
HOT = (Path(__file__).parents[0] / "data" / "samples" / "training_loop.py").read_text()
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = README.partition("In `.pre-commit-config.yaml`:\n\n```yaml\n")[2].partition("```")[0]
"""What the README says to write: a clone beside the project, or the repository's address and a tag."""


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def committed(folder: Path) -> str:
    """Make a folder a repository with one commit; gives its hash."""
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "All of it")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def product(tmp_path: Path) -> Path:
    """A repository with this tree, which pre-commit installs the hooks from."""
    folder = tmp_path / "overhead-lint"
    folder.mkdir()
    for name in SHIPPED:
        shutil.copy(ROOT / name, folder)
    for name in ("overhead_lint", "overhead_runtime", "pytest_overhead", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's repository."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(HOT)
    (folder / "readme.txt").write_text("no Python\n")
    return folder


def test_pre_commit_installs_the_hooks_fixes_and_then_passes(
    product: Path, project: Path, tmp_path: Path
) -> None:
    committed(product)
    git(product, "branch", "-M", "main")
    git(product, "tag", f"v{__version__}")
    block = re.sub(r"repo: \S+", "repo: ../overhead-lint", BLOCK)
    block = block.replace("- id: overhead-lint ", "- id: overhead-lint-fix\n    - id: overhead-lint ")
    assert block.count("- id: ") == 2
    (project / ".pre-commit-config.yaml").write_text(f"repos:\n{block}")
    committed(project)
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home"), "PRE_COMMIT_COLOR": "never"}

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
        return subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )

    first = run()
    if "No matching distribution found" in first.stdout + first.stderr:
        pytest.skip("pip reaches no package index here, so pre-commit cannot install the hooks")
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    fixed = (project / "train.py").read_text()
    assert fixed != HOT
    assert "runtime" not in fixed, "only the hook's own environment has the runtime"
    second = run()
    assert second.returncode == 0, second.stdout + second.stderr
    assert second.stdout.count("Passed") == 2
