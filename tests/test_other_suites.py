"""`benchmarks/other_suites.py`: which tests ended otherwise, and what the plugin is asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import other_suites
import pytest

SUITE = """
import pytest

def test_passes():
    pass

def test_fails():
    assert False

@pytest.mark.skip
def test_is_skipped():
    pass
"""


def test_outcomes_are_told_by_test(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(SUITE)
    found = other_suites.run(tmp_path, ["-p", "no:overhead", "test_it.py"])
    ended = {name.rpartition("::")[2]: outcome for name, outcome in found.outcomes.items()}
    assert ended == {"test_passes": "passed", "test_fails": "failure", "test_is_skipped": "skipped"}
    assert found.seconds > 0


def test_a_suite_that_is_broken_off_has_no_outcomes(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import no_such_module\n")
    with pytest.raises(SystemExit, match="ended with status 2"):
        other_suites.run(tmp_path, ["-p", "no:overhead", "test_it.py"])


def test_what_ended_otherwise_is_named() -> None:
    before, after = {"a": "passed", "b": "failure", "c": "passed"}, {"a": "passed", "b": "passed"}
    assert other_suites.differing(before, after) == ["b: failure -> passed", "c: passed -> not run"]


def test_budgets_of_all_counts_need_no_device() -> None:
    reference, _, (enforces, _, limits) = other_suites.forms().values()
    assert reference == ["-p", "no:overhead"] and enforces == "--overhead-budget"
    names = {line.partition(" ")[0] for line in limits.partition("=")[2].splitlines()}
    assert {"dispatches", "guards", "python_calls", "saved_bytes"} <= names
    assert names.isdisjoint({"stream_sync", "copies_h2d", "alloc_bytes", "peak_bytes", "compile_time"})


def test_a_suite_that_changes_by_the_plugin_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_it(pytestconfig): assert not pytestconfig.pluginmanager.hasplugin('overhead')\n"
    )
    monkeypatch.setattr(sys, "argv", ["other_suites.py"])
    assert other_suites.main([str(tmp_path), "test_it.py", "--rounds", "1"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "without the plugin: {'passed': 1}"
    assert told[1].startswith("plugin, no option: 1 ended otherwise; least ")
    assert told[-1] == "test_it::test_it: passed -> failure"
