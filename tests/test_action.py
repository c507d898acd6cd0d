"""The GitHub action: its last step, run as a runner would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
HOT = (Path(__file__).parents[0] / "data" / "samples" / "training_loop.py").read_text()


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return loaded


def test_inputs_have_descriptions_and_reach_the_shell_through_the_environment(action: dict[str, Any]) -> None:
    assert all(entry["description"] for entry in action["inputs"].values())
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    # An expression inside a script would let a pull request's text run as a command.
    assert all("${{" not in script for script in scripts)


@pytest.mark.parametrize(("version", "wanted"), [("", "/checkout"), ("0.2.0", "overhead-lint==0.2.0")])
def test_it_installs_itself_unless_a_version_is_asked_for(
    action: dict[str, Any], tmp_path: Path, version: str, wanted: str
) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    script = next(
        step["run"] for step in action["runs"]["steps"] if step.get("name", "").startswith("Install")
    )
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "VERSION": version}
    done = subprocess.run(
        ["bash", "-c", script],
        env={**environment, "GITHUB_ACTION_PATH": "/checkout"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["-m", "pip", "install", "--quiet", wanted]


@pytest.mark.parametrize(("arguments", "status"), [(".", 1), ("--ignore OVH101 train.py", 0), ("gone", 2)])
def test_the_last_step_annotates_and_its_status_is_the_linters(
    action: dict[str, Any], tmp_path: Path, arguments: str, status: int
) -> None:
    (tmp_path / "train.py").write_text(HOT)
    script = action["runs"]["steps"][-1]["run"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "ARGS": arguments, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert done.stdout.startswith("::warning") == (status == 1)
