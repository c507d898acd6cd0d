"""Builders of edits: what they hold, and what importing them costs."""

from __future__ import annotations

import ast
import subprocess
import sys

from overhead_lint import edits
from overhead_lint.rule import Import


def test_builders_are_imported_without_libcst() -> None:
    code = "import sys, overhead_lint.edits; print('libcst' in sys.modules, 'torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]


def test_runtime_import_splits_the_dotted_module() -> None:
    assert edits.runtime_import("overhead_lint.runtime") == Import("overhead_lint", "runtime", "runtime")
    assert edits.runtime_import("pkg.sub.fast") == Import("pkg.sub", "fast", "runtime")
    assert edits.runtime_import("fast") == Import("fast", "", "runtime")


def test_replace_callee_edits_the_function_of_the_call_only() -> None:
    call = ast.parse("torch.autocast('cuda')", mode="eval").body
    assert isinstance(call, ast.Call)
    assert edits.replace_callee(call, "{runtime}.autocast").node is call.func
