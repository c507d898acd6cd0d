"""The script that runs PyTorch's tests of Dynamo with `torch.compile` replaced tells what ends otherwise."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dynamo_suites
import pytest
from dynamo_suites import differences, main
from warm_python import DYNAMO, python

TESTS = """
import torch
import overhead_runtime


def double(x):
    return x * 2


def test_passes_in_all():
    compiled = torch.compile(double, backend="eager")
    assert compiled(torch.ones(1)).item() == 2


def test_decorated():
    @torch.compile(backend="eager")
    def tripled(x):
        return x * 3

    assert [tripled(torch.ones(1)).item() for _ in range(3)] == [3, 3, 3]


def test_only_stock_passes():
    compiled = torch.compile(double, backend="eager")
    compiled(torch.ones(1))
    assert not hasattr(compiled, "stats")


def test_only_ours_passes():
    assert hasattr(torch.compile(double, backend="eager"), "stats")


def test_only_token_fails():
    compiled = torch.compile(double, backend="eager")
    if hasattr(compiled, "stats"):
        assert overhead_runtime.compile_stats(compiled).guard_eval == "full"


def test_fails_in_all():
    assert False
"""


@pytest.fixture(autouse=True)
def _warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tests in processes that have torch: how they start is no part of this."""

    def run(command: list[str], *, env: dict[str, str], timeout: float, **_: Any) -> Any:
        return python(*command[1:], env=env, timeout=timeout, modules=DYNAMO)

    runs = SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)
    monkeypatch.setattr(dynamo_suites, "subprocess", runs)


def test_what_ends_otherwise_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    assert main([str(tmp_path), "test_some.py"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "test_some.py: 4 of 6 pass with stock",
        "  full: 6 compared, 2 differ",
        "    test_only_ours_passes: failed with stock, passed",
        "    test_only_stock_passes: passed with stock, failed",
        "  token: 6 compared, 3 differ",
        "    test_only_ours_passes: failed with stock, passed",
        "    test_only_stock_passes: passed with stock, failed",
        "    test_only_token_fails: passed with stock, failed",
    ]


def test_what_one_of_them_did_not_run_is_no_difference() -> None:
    assert differences({"a": "passed", "b": "passed"}, {"a": "passed", "c": "failed"}) == []


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path), "test_none.py"])
    assert ended.value.code == 2
    assert f"{tmp_path} has no test_none.py" in capsys.readouterr().err


def test_a_file_that_cannot_be_imported_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_old.py").write_text("from torch._dynamo import gone_by_now\n", encoding="utf-8")
    assert main([str(tmp_path), "test_old.py", "--modes", "full"]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "test_old.py: 0 of 0 pass with stock"
    assert "gone_by_now" in told.err
