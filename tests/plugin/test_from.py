"""Budgets from the evidence of ``overhead-lint run --pytest``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from overhead_lint.measure.evidence import Evidence, write
from pytest_overhead.budget_file import read

Run = Callable[..., pytest.RunResult]

TESTS = "def test_one(): raise SystemExit('it runs')\ndef test_two(): pass\n"


def evidence(path: Path, **tests: dict[str, float]) -> None:
    by_id = {f"test_it.py::{name}": values for name, values in tests.items()}
    write(path, Evidence(("-m", "pytest"), 0, 1.0, {"device": "simulated"}, tests=by_id))


def test_counts_come_from_the_file_and_no_test_runs(run: Run, pytester: pytest.Pytester) -> None:
    evidence(
        pytester.path / "overhead.json", test_one={"guards": 7, "dispatches": 9}, test_gone={"guards": 1}
    )
    result = run(TESTS, "--overhead-update", "--overhead-update", "--overhead-from", "overhead.json")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["new * test_it.py::test_one guards 7"])
    assert "\nguards = 7\n" in (pytester.path / "overhead-budget.toml").read_text()
    found = read(pytester.path / "overhead-budget.toml")
    assert found is not None
    assert found.tests == {"test_it.py::test_one": {"guards": 7}}
    assert found.fingerprint["device"] == "simulated"


def test_each_test_has_the_device_that_it_ran_on(run: Run, pytester: pytest.Pytester) -> None:
    tests = {f"test_it.py::test_{name}": {"guards": 7} for name in ("one", "two")}
    devices = {"test_it.py::test_two": "simulated"}
    found = Evidence(("-m", "pytest"), 0, 1.0, {"device": "cpu"}, tests=tests, test_devices=devices)
    write(pytester.path / "overhead.json", found)
    assert run(TESTS, "--overhead-update", "--overhead-from", "overhead.json").ret == 0
    written = read(pytester.path / "overhead-budget.toml")
    assert written is not None
    assert written.fingerprint["device"] == "cpu+simulated"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--overhead-from", "overhead.json"], "--overhead-from goes with --overhead-update"),
        (["--overhead-update", "--overhead-from", "missing.json"], "missing.json: cannot be read"),
        (["--overhead-update", "--overhead-from", "overhead.json"], "holds no tests"),
    ],
)
def test_wrong_use_is_a_usage_error(
    run: Run, pytester: pytest.Pytester, arguments: list[str], complaint: str
) -> None:
    evidence(pytester.path / "overhead.json")
    result = run(TESTS, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{complaint}*"])
