"""Cores out of a wheel: taken where they fit, without a compiler; elsewhere the error says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch

from overhead_lint import __version__
from overhead_lint.native import NativeUnavailable, build, prebuilt
from overhead_lint.native.extension import all_packaged, host

ROOT = Path(__file__).resolve().parents[2]
TINY = """
#include <Python.h>
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "tiny", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_tiny() { return PyModule_Create(&def); }
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> build.Extension:
    """An extension that compiles in a second, an empty cache, and no compiler."""
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", "no-such-compiler")
    source = tmp_path / "tiny"
    source.mkdir()
    (source / "unit.cpp").write_text(TINY)
    return build.Extension("tiny", source)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the package, first on the path, without libraries."""
    folder = tmp_path / "site" / "overhead_native"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(folder.parent)
    monkeypatch.delitem(sys.modules, "overhead_native", raising=False)
    return folder


def test_a_library_that_fits_is_taken_without_a_compiler(tiny: build.Extension, installed: Path) -> None:
    library = installed / prebuilt.file_name(tiny)
    library.write_bytes(b"a library")
    assert build.build(tiny) == library
    assert not build.cache_root().exists()
    (tiny.directory / "unit.cpp").write_text(TINY + "// changed\n")
    with pytest.raises(NativeUnavailable, match="overhead-native that is installed is for another torch"):
        build.build(tiny)


def test_without_a_wheel_the_error_names_it_beside_the_compiler(
    tiny: build.Extension, installed: Path
) -> None:
    with pytest.raises(NativeUnavailable, match=r"unset CXX; or install a wheel of overhead-native for this"):
        build.build(tiny)


def test_a_library_is_for_one_torch_and_one_python(
    tiny: build.Extension, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = prebuilt.file_name(tiny)
    monkeypatch.setattr(torch, "__version__", "9.9.9")
    assert "9.9.9" in host() and prebuilt.file_name(tiny) != here


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout's cores; they are compiled where no test before did."""
    work = tmp_path_factory.mktemp("wheel")
    source = work / "overhead_native"
    unwanted = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "overhead_native", source, ignore=unwanted)
    out = work / "dist"
    out.mkdir()
    code = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, out], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (made,) = out.iterdir()
    return made


def test_the_wheel_is_for_one_python_and_names_the_torch(wheel: Path) -> None:
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.startswith(f"overhead_native-{__version__}+torch.") and f"-{tag}-{tag}-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
        libraries = {name for name in archive.namelist() if name.endswith(".so")}
    assert f"Requires-Dist: torch=={torch.__version__.partition('+')[0]}\n" in text
    assert f"Requires-Dist: overhead-lint=={__version__}\n" in text
    assert libraries == {f"overhead_native/{prebuilt.file_name(one)}" for one in all_packaged()}


def test_the_wheel_serves_a_machine_without_a_compiler(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site), "OVERHEAD_LINT_CACHE": str(tmp_path / "cache")}
    environment |= {"PATH": str(tmp_path), "CXX": ""}
    code = """
import torch
from overhead_lint.native import load
from overhead_lint.native.build import built
core = load("counters")
core.start_dispatches()
torch.ones(2).add(1)
core.stop_dispatches()
print(core.counts()["dispatches"] > 0, built("dispatch").__file__)
"""

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert run("-c", code).startswith(f"True {site}")
    told = run("-m", "overhead_lint", "native", "info").splitlines()
    origins = [line.partition(": ")[2].partition(",")[0] for line in told]
    assert origins == ["comes with overhead-native"] * len(all_packaged())
    assert not (tmp_path / "cache").exists()
