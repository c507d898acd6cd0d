"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "libcst", "pytest", "numpy")


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        f"import overhead_lint, overhead_lint.cli.main, sys;print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [["check", "setup.py"], ["rule", "--list"]])
def test_a_checkout_that_is_not_installed_says_so_in_one_line(command: list[str]) -> None:
    if command[0] == "check":
        pytest.importorskip("tomllib", reason="this Python reads no TOML without what is installed")
    run = [sys.executable, "-S", "-m", "overhead_lint", *command]  # -S: without what is installed
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"`{sys.executable} -m pip install -e {ROOT}`" in done.stderr
