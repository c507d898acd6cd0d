"""The plugin under the other major version of pytest than the one that runs this suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

FOLDER = Path(__file__).parent
FILES = (
    "test_fixture.py",
    "test_hooks.py",
)
"""What speaks with pytest most, for a minute: all files of the plugin's tests take three."""
IN_OTHER_PROCESSES = "not worker and not plain_tests and not timeout and not under_xdist"
"""Leaves out what takes seconds and is about no version of pytest."""
INSTALLED = int(pytest.__version__.partition(".")[0])


@pytest.mark.parametrize("major", [8, 9])
def test_the_plugin_works_and_uses_nothing_that_is_going_away(major: int, tmp_path: Path) -> None:
    if major == INSTALLED:
        pytest.skip(f"pytest {major} runs all of this suite")
    target = tmp_path / "site"
    wanted = [f"pytest>={major},<{major + 1}", "--no-deps", "--target", str(target)]
    quiet = ["-q", "--disable-pip-version-check", "--no-input", "--retries=1", "--timeout=20"]
    installed = subprocess.run(
        [sys.executable, "-m", "pip", "install", *quiet, *wanted], capture_output=True, text=True, check=False
    )
    if installed.returncode:
        pytest.skip(f"pytest {major} cannot be installed: {installed.stderr.strip().splitlines()[-1:]}")
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
    environment.pop("PYTEST_XDIST_WORKER", None)
    going = f"error::pytest.PytestRemovedIn{major + 1}Warning"
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-o", f"filterwarnings={going}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-k", IN_OTHER_PROCESSES, *FILES],
        cwd=FOLDER,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert f", pytest-{major}." in done.stdout
