"""Processes of tests find bytecode, also where none of them may write any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rewritten import kept, rewrite_once

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


def test_test_files_are_rewritten_once_and_again_when_they_change(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("def test_it():\n    assert 1 == 2\n")
    broken = tmp_path / "test_broken.py"
    broken.write_text("def test_it(:\n")
    rewrite_once(pytestconfig, [broken, file])
    written = kept(file)
    assert b"@pytest_ar" in written.read_bytes() and not kept(broken).exists()
    first = written.stat()
    rewrite_once(pytestconfig, [file])
    assert written.stat() == first
    file.write_text("def test_it():\n    assert 1 == 'more'\n")
    rewrite_once(pytestconfig, [file])
    assert b"more" in written.read_bytes()
