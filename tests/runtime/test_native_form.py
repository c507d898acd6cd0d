"""Which form `overhead_lint.runtime` takes at import, and that Dynamo learns of the compiled one late."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from runtime_forms import native

from overhead_lint.native import build
from overhead_lint.native.toolchain import NativeUnavailable, find_toolchain
from overhead_lint.native_runtime import tracing


def told(code: str, cache: Path, **variables: str) -> str:
    """What a fresh process prints."""
    environment = {**os.environ, "OVERHEAD_LINT_CACHE": str(cache), **variables}
    command = [sys.executable, "-c", f"from overhead_lint import runtime\n{code}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "building" not in done.stderr
    return done.stdout.strip()


@pytest.fixture
def cache() -> Path:
    """A cache that holds the compiled module."""
    native()
    return build.cache_root().parent


def test_importing_the_runtime_compiles_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    form = told("print(runtime.form())", cache)
    assert form.startswith("python: contexts is not built")
    assert not cache.exists()


def test_a_built_module_is_taken_and_traced_without_importing_dynamo_first(cache: Path) -> None:
    code = """
import sys, torch
print(runtime.form().partition(":")[0], "torch._dynamo" in sys.modules)
loader = torch._dynamo.__loader__
print(type(loader).__name__, loader is torch._dynamo.__spec__.loader)

def forward(x):
    with runtime.autocast("cpu", dtype=torch.bfloat16), runtime.no_grad():
        return x @ x

print(torch.compile(forward, backend="eager", fullgraph=True)(torch.ones(2, 2)).dtype)
"""
    assert told(code, cache).splitlines() == ["native False", "SourceFileLoader True", "torch.bfloat16"]


def test_an_environment_variable_keeps_python(cache: Path) -> None:
    form = told("print(runtime.form())", cache, OVERHEAD_LINT_RUNTIME="python")
    assert form == "python: OVERHEAD_LINT_RUNTIME says so"
    with pytest.raises(subprocess.CalledProcessError) as caught:
        told("", cache, OVERHEAD_LINT_RUNTIME="fast")
    assert "OVERHEAD_LINT_RUNTIME='fast'" in caught.value.stderr.splitlines()[-1]


@pytest.mark.parametrize("damage", ["note", "library", "no library"])
def test_a_damaged_cache_leaves_python(damage: str, tmp_path: Path) -> None:
    extension = build.packaged("contexts")
    root = tmp_path / "native"
    home = root / "contexts-0123"
    home.mkdir(parents=True)
    (home / "contexts.so").write_bytes(b"no library")
    note = root / build._note(extension).name
    note.write_bytes(b"\xff\xfe" if damage == "note" else b"contexts-0123\n")
    if damage == "no library":
        (home / "contexts.so").unlink()
    assert told("print(runtime.form())", tmp_path).startswith("python: ")


def test_what_was_built_is_found_by_its_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extension = build.packaged("contexts")
    monkeypatch.setattr(build, "_loaded", {})
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path))
    with pytest.raises(NativeUnavailable, match="overhead-lint native build contexts"):
        build.built("contexts")
    library = build.library(extension, find_toolchain())
    library.parent.mkdir(parents=True)
    library.write_bytes(b"no library")
    build.build(extension)
    with pytest.raises(NativeUnavailable, match="does not load"):
        build.built("contexts")


def test_a_torch_that_refuses_a_function_is_named_and_does_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(compiled: object) -> Any:
        raise ValueError("no such thing")

    monkeypatch.setattr(torch.compiler, "substitute_in_graph", refuse)
    monkeypatch.setattr(tracing, "_waiting", [(len, len)])
    with pytest.warns(UserWarning, match=r"len cannot be told to Dynamo \(no such thing\)"):
        tracing._register()
