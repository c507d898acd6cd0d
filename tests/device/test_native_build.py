"""The native core is built once for its content, safely, and says in one line why it cannot be."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from overhead_lint.native import NativeUnavailable, build, process
from overhead_lint.native.toolchain import find_toolchain, torch_build

TINY = """
#include <Python.h>
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "tiny", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_tiny() {
  PyObject* module = PyModule_Create(&def);
  PyModule_AddIntConstant(module, "answer", ANSWER);
  return module;
}
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[build.Extension]:
    """An extension that compiles in a second, an empty cache, and what is told of it on stderr."""
    monkeypatch.setattr(process, "_tell", process._on_stderr)  # our plugin tells past capture
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "tiny"
    source.mkdir()
    (source / "answer.h").write_text("#define ANSWER 41\n")
    (source / "unit.cpp").write_text('#include "answer.h"\n' + TINY)
    yield build.Extension("tiny", source)


def answer(library: Path) -> int:
    code = (
        "import importlib.util, sys;"
        "s = importlib.util.spec_from_file_location('tiny', sys.argv[1]);"
        "m = importlib.util.module_from_spec(s); s.loader.exec_module(m); print(m.answer)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(library)], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_an_environment_elsewhere_with_the_same_torch_takes_the_cached_library(
    tiny: build.Extension, tmp_path: Path
) -> None:
    here = find_toolchain()
    there = dataclasses.replace(here, headers=(tmp_path / "include",), libraries=tmp_path / "lib")
    assert build.library(tiny, there) == build.library(tiny, here)
    other = dataclasses.replace(here, torch=f"{here.torch} other")
    assert build.library(tiny, other) != build.library(tiny, here)


def test_second_build_takes_the_cached_library(
    tiny: build.Extension, capfd: pytest.CaptureFixture[str]
) -> None:
    library = build.build(tiny)
    stamp = library.stat().st_mtime_ns
    assert "building the native core" in capfd.readouterr().err
    assert build.build(tiny) == library
    assert library.stat().st_mtime_ns == stamp
    assert capfd.readouterr().err == ""
    assert answer(library) == 41


def test_changed_header_is_another_library(tiny: build.Extension) -> None:
    old = build.build(tiny)
    (tiny.directory / "answer.h").write_text("#define ANSWER 42\n")
    new = build.build(tiny)
    assert old != new
    assert (answer(old), answer(new)) == (41, 42)


def test_two_processes_build_at_once_and_one_compiles(tiny: build.Extension) -> None:
    code = (
        "import sys; from pathlib import Path; from overhead_lint.native import build;"
        "print(build.build(build.Extension('tiny', Path(sys.argv[1]))))"
    )
    command = [sys.executable, "-c", code, str(tiny.directory)]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    assert sum("building the native core" in err for _, err in told) == 1
    assert answer(Path(told[0][0].strip())) == 41


def test_failed_build_names_the_first_error_and_the_log(tiny: build.Extension) -> None:
    (tiny.directory / "unit.cpp").write_text("int f() { return nonsense; }\nint g() { return more; }\n")
    with pytest.raises(
        NativeUnavailable, match=r"does not compile: .*unit.cpp:1:.*nonsense.* \(log: "
    ) as caught:
        build.build(tiny)
    found = re.search(r"\(log: (.*)\)$", caught.value.why)
    assert found is not None
    assert "more" in Path(found[1]).read_text()
    assert "\n" not in caught.value.why
    assert not [p for p in build.cache_root().iterdir() if p.is_dir()]


def test_missing_header_that_wheels_of_torch_have_is_told_with_its_package(tiny: build.Extension) -> None:
    (tiny.directory / "unit.cpp").write_text("#include <pybind11/that_is_missing.h>\n")
    with pytest.raises(NativeUnavailable, match=r"does not compile: .*apt install pybind11-dev\) \(log: "):
        build.build(tiny)


def test_torch_without_headers_is_told_what_to_install(
    tiny: build.Extension, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch, "__file__", str(tmp_path / "torch" / "__init__.py"))
    with pytest.raises(NativeUnavailable, match=r"no C\+\+ headers in .*apt install libtorch-dev"):
        build.build(tiny)


def test_torch_without_a_git_hash_is_told_apart_by_its_library(
    tiny: build.Extension, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = torch_build()
    assert wheel.startswith(torch.__version__)
    monkeypatch.setattr(torch.version, "git_version", "Unknown")
    monkeypatch.setattr(torch, "__file__", str(tmp_path / "torch" / "__init__.py"))
    assert torch_build() == f"{torch.__version__} Unknown"
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    made = tmp_path / "torch" / "lib" / f"libtorch_python{suffix}"
    made.parent.mkdir(parents=True)
    made.write_bytes(b"one")
    one = torch_build()
    os.utime(made, ns=(1, 1))
    assert len({torch_build(), one, wheel, f"{torch.__version__} Unknown"}) == 4


def test_missing_compiler_is_named(
    tiny: build.Extension, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -m64")
    with pytest.raises(NativeUnavailable, match="no-such-compiler, is not found"):
        build.build(tiny)
    monkeypatch.setenv("CXX", "g++ 'unclosed")
    with pytest.raises(NativeUnavailable, match=r"CXX=g\+\+ 'unclosed is no command"):
        build.build(tiny)
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NativeUnavailable, match=r"no C\+\+ compiler .* set CXX"):
        build.build(tiny)


def test_compiler_that_does_not_run_is_named(tiny: build.Extension, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(NativeUnavailable, match="compiler false does not run"):
        build.build(tiny)


def test_cache_that_cannot_be_written_is_named(
    tiny: build.Extension, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path / "file"))
    with pytest.raises(NativeUnavailable, match=r"cannot be kept in .*file.* set OVERHEAD_LINT_CACHE"):
        build.build(tiny)


def test_load_fails_at_once_the_second_time(tiny: build.Extension, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "modules", {})
    monkeypatch.setattr(build, "_refused", {})
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(NativeUnavailable, match="no-such-compiler"):
        build.load("counters")
    monkeypatch.delenv("CXX")
    with pytest.raises(NativeUnavailable, match="no-such-compiler"):
        build.load("counters")


def test_importing_the_native_package_imports_no_torch() -> None:
    code = (
        "import sys, overhead_lint.native, overhead_lint.probes.events_probe; print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
