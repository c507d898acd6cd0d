"""Runs on other versions: which interpreter is taken, and what a run is said to have been."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from matrix import NotThere, Outcome, main, outcome_of, python_named, told, version_of

REPORT = """<testsuites><testsuite>
<testcase classname="a" name="good"/>
<testcase classname="a" name="bad"><failure message="no"/></testcase>
<testcase classname="a" name="broken"><error message="setup"/></testcase>
<testcase classname="a" name="one"><skipped message="no GPU"/></testcase>
<testcase classname="a" name="two"><skipped message="no GPU"/></testcase>
</testsuite></testsuites>"""


def test_a_report_becomes_a_row_with_failures_and_reasons(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(REPORT)
    found = outcome_of(report)
    assert found == Outcome(1, ("a::bad", "a::broken"), Counter({"no GPU": 2}))
    assert list(told("3.12", "2.12.1", found)) == [
        "| 3.12 | 2.12.1 | 1 | 2 | 2 |",
        "  failed: a::bad",
        "  failed: a::broken",
        "  skipped 2: no GPU",
    ]


def test_many_reasons_are_counted() -> None:
    found = Outcome(1, (), Counter({f"reason {n}": 20 - n for n in range(11)}))
    lines = list(told("3.12", "2.12.1", found))
    assert lines[1] == "  skipped 20: reason 0"
    assert lines[-1] == "  and 3 more reasons"


def test_versions_are_found_and_others_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert version_of("torch==2.12.1") == version_of("2.12.1") == "2.12.1"
    assert python_named(sys.executable) == sys.executable
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    short = f"{sys.version_info.major}.{sys.version_info.minor}"
    with pytest.raises(NotThere, match=f"there is no {short} on the path"):
        python_named(short)
    there = tmp_path / "versions" / f"{short}.7" / "bin" / "python"
    there.parent.mkdir(parents=True)
    there.symlink_to(sys.executable)
    assert python_named(short) == str(there)
    # A shim that is called so, and is of another version, is not taken.
    (tmp_path / "python3.99").symlink_to(sys.executable)
    with pytest.raises(NotThere):
        python_named("3.99")


@pytest.mark.parametrize(("status", "ended"), [(0, 0), (1, 0), (2, 1), (4, 1)])
def test_a_run_that_was_broken_off_is_no_pass(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
    ended: int,
) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = tmp_path / f"{version}-torch2.12.1"
    (place / "bin").mkdir(parents=True)
    (place / ".ready").touch()
    passed = '<testsuites><testcase classname="a" name="good"/></testsuites>'
    fake = f"#!/bin/sh\necho '{passed}' > {place / 'junit.xml'}\nexit {status}\n"
    (place / "bin" / "python").write_text(fake)
    (place / "bin" / "python").chmod(0o755)
    monkeypatch.setattr("matrix.python_named", lambda name: sys.executable)
    assert main(["--python", version, "--torch", "2.12.1", "--folder", str(tmp_path)]) == ended
    told = capsys.readouterr()
    row = f"| {version} | 2.12.1 | 1 | 0 | 0 |"
    assert (row in told.out, f"status {status}" in told.err) == (not ended, bool(ended))


def test_a_pair_that_cannot_be_had_ends_in_a_line_and_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert main(["--python", "3.99", "--torch", "2.12.1", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("Python 3.99, torch 2.12.1: there is no 3.99 on the path")
