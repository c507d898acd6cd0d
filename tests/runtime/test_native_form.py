"""Which form `overhead_runtime` takes at import, and that Dynamo learns of the compiled one late."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from runtime_forms import native
from warm_python import python

from overhead_lint.native import build
from overhead_lint.native.toolchain import NativeUnavailable, find_toolchain
from overhead_lint.native_runtime import tracing
from overhead_runtime import _native


@pytest.fixture
def form_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Looks for the compiled form as an import of the runtime does, in an empty cache and a fresh process."""
    monkeypatch.setattr(build, "modules", {})
    monkeypatch.setattr(_native, "_form", "")
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OVERHEAD_LINT_RUNTIME", raising=False)

    def look() -> str:
        names: dict[str, Any] = {}
        _native.install(names)
        assert names == {}
        return _native.form()

    return look


def test_looking_compiles_nothing(form_with: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", refuse)
    assert form_with().startswith("python: contexts is not built")
    assert not build.cache_root().exists()


def test_a_built_module_is_taken_and_traced_without_importing_dynamo_first() -> None:
    native()
    code = """
import sys, torch
import overhead_runtime as runtime
print(runtime.form().partition(":")[0], "torch._dynamo" in sys.modules)
loader = torch._dynamo.__loader__
print(type(loader).__name__, loader is torch._dynamo.__spec__.loader)

def forward(x):
    with runtime.autocast("cpu", dtype=torch.bfloat16), runtime.no_grad():
        return x @ x

print(torch.compile(forward, backend="eager", fullgraph=True)(torch.ones(2, 2)).dtype)
"""
    environment = {**os.environ, "OVERHEAD_LINT_CACHE": str(build.cache_root().parent)}
    environment.pop("OVERHEAD_LINT_RUNTIME", None)
    done = python("-c", code, env=environment)
    assert done.stdout.splitlines() == ["native False", "SourceFileLoader True", "torch.bfloat16"]


def test_a_look_for_dynamo_that_imports_nothing_takes_nothing_away() -> None:
    native()
    code = """
import importlib.util, sys, torch
import overhead_runtime as runtime
look = importlib.util.find_spec("torch._dynamo")
print(look.loader.get_filename() == look.origin, "torch._dynamo" in sys.modules)

def forward(x):
    with runtime.no_grad():
        return x @ x

print(torch.compile(forward, backend="eager", fullgraph=True)(torch.ones(2, 2)).dtype)
print(any("overhead" in type(finder).__module__ for finder in sys.meta_path))
"""
    environment = {**os.environ, "OVERHEAD_LINT_CACHE": str(build.cache_root().parent)}
    environment.pop("OVERHEAD_LINT_RUNTIME", None)
    done = python("-c", code, env=environment)
    assert done.stdout.splitlines() == ["True False", "torch.float32", "False"]


@pytest.mark.parametrize("module", ["calls", "grad"])
def test_a_module_may_be_the_first_that_is_imported(module: str) -> None:
    native()
    code = f"""
import overhead_lint.native_runtime.{module}
import overhead_runtime as runtime
print(runtime.form())
"""
    environment = {**os.environ, "OVERHEAD_LINT_CACHE": str(build.cache_root().parent)}
    environment.pop("OVERHEAD_LINT_RUNTIME", None)
    done = python("-c", code, env=environment)
    assert done.stdout.startswith("native: ")


def test_functions_and_what_wrapped_ones_hold_are_pickled_by_name_for_either_form() -> None:
    made = native()
    calls = importlib.import_module("overhead_lint.native_runtime.calls")
    held = [made[name]()(len).__closure__[0].cell_contents for name in ("no_grad", "inference_mode")]
    assert all(type(call).__name__ == "builtin_function_or_method" for call in held)
    assert [pickle.loads(pickle.dumps(call)) for call in held] == held
    assert [call.__name__ for call in held] == ["call_without_grad", "call_in_inference_mode"]
    assert held[0] is calls.call_without_grad
    code = """
import pickle, sys
for function in pickle.load(sys.stdin.buffer):
    print(type(function).__name__, function.__name__)
"""
    names = ["autocast", "const_tensor", "clear_const_tensors", "cached_hash", "record"]
    with pytest.MonkeyPatch.context() as patch:
        runtime = importlib.import_module("overhead_runtime")
        for name in names:
            patch.setattr(runtime, name, made[name])
        data = pickle.dumps([*held, *(made[name] for name in names)])
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "OVERHEAD_LINT_RUNTIME": "python"}
    done = subprocess.run(command, env=environment, input=data, capture_output=True, check=True)
    kinds = [line.split() for line in done.stdout.decode().splitlines()]
    assert [name for _, name in kinds] == ["call_without_grad", "call_in_inference_mode", *names]
    assert {kind for kind, _ in kinds} == {"function", "type", "Autocast"}


def test_an_environment_variable_keeps_python(
    form_with: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_RUNTIME", "python")
    assert form_with() == "python: OVERHEAD_LINT_RUNTIME says so"
    monkeypatch.setenv("OVERHEAD_LINT_RUNTIME", "fast")
    with pytest.raises(ValueError, match="OVERHEAD_LINT_RUNTIME='fast'"):
        form_with()


def test_a_copy_in_another_package_stays_python(
    form_with: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_native, "__package__", "mine._overhead")
    assert form_with() == "python: a copy in another package"


@pytest.mark.parametrize("damage", ["note", "library", "no library"])
def test_a_damaged_cache_leaves_python(damage: str, form_with: Callable[[], str]) -> None:
    root = build.cache_root()
    home = root / "contexts-0123"
    home.mkdir(parents=True)
    if damage != "no library":
        (home / "contexts.so").write_bytes(b"no library")
    note = root / build._note(build.packaged("contexts")).name
    note.write_bytes(b"\xff\xfe" if damage == "note" else b"contexts-0123\n")
    assert form_with().startswith("python: ")


def test_what_was_built_is_found_by_its_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extension = build.packaged("contexts")
    monkeypatch.setattr(build, "modules", {})
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
