"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("torch", "libcst", "pytest", "numpy")


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        f"import overhead_lint, overhead_lint.cli.main, sys;print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
