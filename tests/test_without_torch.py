"""All tests can be collected where torch is not installed: the linter's own run there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
WITHOUT = """\
from importlib.machinery import PathFinder

find = PathFinder.find_spec.__func__

def find_spec(cls, name, path=None, target=None):
    return None if name.partition(".")[0] == "torch" else find(cls, name, path, target)

PathFinder.find_spec = classmethod(find_spec)
"""


def test_all_tests_are_collected_without_torch(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
    environment.pop("PYTEST_XDIST_WORKER", None)
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--color=no"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(FOLDER)],
        cwd=FOLDER.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "rules/test_doubtful_files.py::" in done.stdout  # which needs no torch
    assert "runtime/test_constants.py::" not in done.stdout
