"""`overhead-lint native build` and `native info`: what is built, and why something cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overhead_lint.cli import native
from overhead_lint.cli.main import main
from overhead_lint.native import build

GOOD = """
#include <Python.h>
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "good", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_good() { return PyModule_Create(&def); }
"""


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two parts that compile in a second or fail at once, and an empty cache."""
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path / "cache"))
    for name, source in (("bad", "int f() { return nonsense; }\n"), ("good", GOOD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "unit.cpp").write_text(source)
    extensions = tuple(build.Extension(name, tmp_path / name) for name in ("bad", "good"))
    monkeypatch.setattr(native, "all_packaged", lambda: extensions)
    return tmp_path


def test_all_parts_with_a_unit_are_known() -> None:
    assert {"counters", "simulated"} <= {extension.name for extension in build.all_packaged()}


def test_build_compiles_what_it_can_and_names_the_first_error_once(
    parts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="what is built includes torch's headers")
    assert main(["native", "build"]) == 2
    out, err = capfd.readouterr()
    assert re.fullmatch(r"good: built, \S+good\.so\n", out)
    failures = [line for line in err.splitlines() if "nonsense" in line]
    assert len(failures) == 1
    assert failures[0].startswith("overhead-lint: the native core (bad) does not compile: ")
    assert main(["native", "build", "good"]) == 0
    assert capfd.readouterr().out.startswith("good: was built already, ")


def test_info_tells_sources_key_compiler_and_state(parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["native", "info"]) == 0
    out = capsys.readouterr().out
    assert f"cache     {parts / 'cache' / 'native'}\n" in out
    assert re.search(r"^compiler  .*g\+\+", out, re.MULTILINE)
    assert "bad: not built" in out
    assert "good: not built" in out
    assert main(["native", "build"]) == 2
    capsys.readouterr()
    assert main(["native", "info"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^bad: failed: .*nonsense.* \(log: \S+\.log\)$", out, re.MULTILINE)
    assert re.search(r"^good: built\n  key      [0-9a-f]{16}\n  library  \S+\n", out, re.MULTILINE)
    assert f"sources  {parts / 'good'}: unit.cpp" in out


@pytest.mark.parametrize("action", ["build", "info"])
def test_an_unknown_part_is_wrong_use(parts: Path, capsys: pytest.CaptureFixture[str], action: str) -> None:
    assert main(["native", action, "nosuch"]) == 2
    assert capsys.readouterr().err == "overhead-lint: no native part is called nosuch; there are bad, good\n"


@pytest.mark.parametrize("arguments", [[], ["rebuild"], ["build", "--force"]])
def test_wrong_use_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["native", *arguments])
    assert caught.value.code == 2
    assert "usage: overhead-lint native" in capsys.readouterr().err


def test_without_a_compiler_info_says_so_and_build_fails(
    parts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    why = (
        "the C++ compiler that CXX names, no-such-compiler, is not found: unset CXX; "
        "or install a wheel of overhead-native for this torch and Python\n"
    )
    assert main(["native", "info"]) == 0
    assert capsys.readouterr().out == f"not available: {why}"
    assert main(["native", "build"]) == 2
    assert capsys.readouterr().err == f"overhead-lint: {why}"
