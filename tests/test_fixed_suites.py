"""`benchmarks/fixed_suites.py`: which tests of a project end otherwise once it is fixed."""

from __future__ import annotations

from pathlib import Path

import fixed_suites
import pytest

MODEL = """\
import torch


def first(values):
    return [value.item() for value in torch.as_tensor(values)]


def zeros(count):
    return torch.zeros(count).to(torch.float64)
"""
TESTS = """\
from model import first, zeros


def test_first():
    assert first([1, 2]) == [1, 2]


def test_rows():
    assert first([[3], [4]]) == [3, 4]  # tolist() gives lists


def test_zeros():
    assert zeros(2).tolist() == [0.0, 0.0]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a place for a safe and one for an unsafe fix, and its tests."""
    for name in ("OMP_NUM_THREADS", "PYTHONHASHSEED"):
        monkeypatch.setenv(name, "0")  # so that it is as it was after the test
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "model.py").write_text(MODEL)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_model.py").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_test_that_an_unsafe_fix_breaks_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fixed_suites.main([str(project), "--fix", "src", "--unsafe", "--", "tests"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "2 fixes in 1 files: OVH403 1 OVH701 1"
    assert out[1] == "1 of them run by the tests; before: 3 passed; after: 2 passed, 1 failed"
    assert out[2:] == ["tests.test_model::test_rows: passed -> failed"]
    assert (project / "src" / "model.py").read_text() == MODEL


def test_safe_fixes_change_no_test(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fixed_suites.main([str(project), "--fix", "src", "--", "tests"]) == 0
    assert "before: 3 passed; after: 3 passed" in capsys.readouterr().out
