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


HITS = """
from overhead_lint.report.html.table import table
from overhead_lint.probes.api import Metric, MetricKind, Reading
from pytest_overhead.hooks import ReportSection

hits = []

class Hits:
    def __init__(self, *, attribute):
        pass
    def start(self, metrics):
        hits.clear()
    def stop(self):
        return Reading({"hits": len(hits)}, {})

def pytest_overhead_probes():
    return [(Hits, [Metric("hits", MetricKind.COUNT, "hits of the cache")])]

def pytest_overhead_fingerprint(config):
    return {"cachelib": "2.1"}

def pytest_overhead_compare(metric, value, limit, exact):
    return value >= limit if metric == "hits" and not exact else None

def pytest_overhead_report(config, results):
    total = sum(values.get("hits", 0) for values in results.values())
    html = table("Hits of all tests", ["of", "hits"], [["all", str(total)]])
    return [ReportSection("cache", [f"{total} hits"], html), ReportSection("plain", ["a < b"])]
"""
HIT_TESTS = """
import pytest, torch, conftest

@pytest.mark.overhead_budget(hits=2)
def test_kept(): conftest.hits += [1, 2, 3]

@pytest.mark.overhead_budget(hits=2)
def test_short(): conftest.hits.append(1)

@pytest.mark.overhead_budget(hits="== 2")
def test_exact(): conftest.hits += [1, 2, 3]
"""


def test_others_compare_their_metrics_and_add_sections(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(HITS)
    result = run(HIT_TESTS, "--overhead-report=out.html", model=False)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["hits 1 < 2", "*hits: limit 2, value 1, short by 1", "hits 3 != 2"])
    result.stdout.fnmatch_lines(["cache:", "  7 hits", "plain:", "  a < b"])
    text = (pytester.path / "out.html").read_text()
    assert "<caption>Hits of all tests</caption>" in text
    assert '<a href="#more-2">plain</a>' in text
    assert "<pre>a &lt; b</pre>" in text


def test_tightening_leaves_limits_alone_that_others_decide_on(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(HITS)
    budgets = pytester.path / "overhead-budget.toml"
    budgets.write_text(
        'schema = 1\n[fingerprint]\ncachelib = "2.0"\n[tests."test_it.py::test_free"]\nhits = 9\n'
    )
    # Lengths differ: bytecode of a source of the same size and second would be run again.
    free = "import torch, conftest\ndef test_free(): conftest.hits += [1] * 9\n"
    result = run(free.replace("9", "10"), "--overhead-budget", model=False)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["counts were recorded with cachelib 2.0, this is 2.1: they may differ, *"])
    run(free.replace("9", "120"), "--overhead-update", model=False).assert_outcomes(passed=1)
    text = budgets.read_text()
    assert 'cachelib = "2.1"' in text
    assert "hits = 120\n" in text
    run(free.replace("9", "1300"), "--overhead-tighten", model=False).assert_outcomes(passed=1)
    assert "hits = 120\n" in budgets.read_text()


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        ({"torch": "3"}, "'torch': the name is taken"),
        ({"a b": "3"}, "'a b': a name is made of letters, digits, _ and -"),
        ({"lib": 3}, "'lib': 3 is no text"),
    ],
)
def test_senseless_fingerprints_are_usage_errors(
    run: Run, pytester: pytest.Pytester, entries: dict[str, object], complaint: str
) -> None:
    pytester.makeconftest(f"def pytest_overhead_fingerprint(config): return {entries!r}")
    result = run("", "--overhead-budget")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: pytest_overhead_fingerprint: {complaint}"])
