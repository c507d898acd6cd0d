"""All tests can be collected where torch is not installed, or hidden as `make check` hides it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def test_all_tests_are_collected_without_torch() -> None:
    environment = {**os.environ, "OVERHEAD_TESTS_WITHOUT_TORCH": "1", "PYTEST_ADDOPTS": ""}
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
