"""Metrics that another plugin adds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

from overhead_lint.probes import METRICS

Run = Callable[..., pytest.RunResult]

PLUGIN = """
from overhead_lint.probes.api import Metric, MetricKind, Reading

opened = []

class Opened:
    def __init__(self, *, attribute):
        pass
    def start(self, metrics):
        opened.clear()
    def stop(self):
        return Reading({"NAME": len(opened)}, {})

def pytest_overhead_probes():
    return [(Opened, [Metric("NAME", MetricKind.COUNT, "files opened")])]
"""
TESTS = """
import pytest, torch, conftest

@pytest.mark.overhead_budget(opened=1)
def test_kept(): conftest.opened.append(1)

@pytest.mark.overhead_budget(opened=1)
def test_over(): conftest.opened += [1, 2]

def test_free(): conftest.opened += [1, 2, 3]
"""


def test_a_metric_of_another_plugin_is_enforced_written_and_gone_after_the_session(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(PLUGIN.replace("NAME", "opened"))
    result = run(TESTS, "--overhead-update", model=False)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["opened 2 > 1", "new *test_free opened 3", "OVER BUDGET test_it.py::test_over - *opened 2 > 1"]
    )
    text = (pytester.path / "overhead-budget.toml").read_text()
    assert '[tests."test_it.py::test_free"]\nopened = 3\n' in text
    assert "opened" not in METRICS


def test_a_name_that_is_taken_is_a_usage_error(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PLUGIN.replace("NAME", "guards"))
    result = run(TESTS, "--overhead-budget", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: pytest_overhead_probes: metric 'guards': the name is taken*"])
    assert METRICS["guards"].summary != "files opened"
