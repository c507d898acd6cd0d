"""Processes of tests find bytecode, also where none of them may write any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.support.compiled_form import is_compiled

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(is_compiled(), reason="the compiled form needs none")
@pytest.mark.skipif(not sys.dont_write_bytecode, reason="each process writes what it compiles")
def test_the_linter_was_compiled_before_the_tests_began() -> None:
    code = (
        "import sys, overhead_lint.engine.linter\n"
        "print(*(getattr(module, '__cached__', '') for module in [*sys.modules.values()]))"
    )
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    own = [name for name in done.stdout.split() if Path(name).is_relative_to(ROOT / "overhead_lint")]
    assert len(own) > 50
    assert [name for name in own if not Path(name).exists()] == []


def test_a_process_that_imports_torch_looks_through_it_in_no_collection() -> None:
    pytest.importorskip("torch")
    code = "import gc, torch\nprint(gc.get_freeze_count() > 50_000, len(gc.get_objects()) < 50_000)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
