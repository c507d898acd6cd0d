"""The bars of a cold run: ratios on the same packages, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lint_bars
from compiled_form import Forms
from lint_bars import COMPILED, PARSER, PYTHON, bars, measured, table
from lint_runs import Run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def run(cpu: float) -> Run:
    return Run(cpu, cpu, 1.0)


FOUND = {
    "small": {PARSER: run(1.0), PYTHON: run(10.0), "mypy": run(20.0)},
    "large": {PARSER: run(4.0), PYTHON: run(32.0)},
}


def test_a_ratio_is_that_of_packages_that_both_were_run_on() -> None:
    rows = {
        line.split("|")[1].strip(): [*map(str.strip, line.split("|"))] for line in bars(FOUND).splitlines()
    }
    assert rows[f"{PYTHON} / {PARSER}"][2:5] == ["8.40", "8.00", "7.5"]
    assert rows[f"{PYTHON} / mypy"][2:6] == ["0.50", "0.50", "1.0", "small 0.50"]
    assert f"{PYTHON} / ty" not in rows


def test_seconds_are_told_per_megabyte(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"#" * 2_000_000)
    last = table({"small": tmp_path}, {"small": FOUND["small"]}).splitlines()[-1]
    assert [cell.strip() for cell in last.split("|")[1:-1]] == ["small", "2.0", "0.500", "5.000", "10.000"]


def test_a_tool_that_is_not_installed_or_stops_is_left_out_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopping = tmp_path / "bin" / "mypy"
    stopping.parent.mkdir()
    stopping.write_text("#!/bin/sh\necho 'a.py: two modules are called a' >&2\nexit 2\n")
    stopping.chmod(0o755)
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(lint_bars, "_found", lambda name, tools: str(stopping) if name == "mypy" else None)
    monkeypatch.setattr(lint_bars, "cold", lambda site, *options: ["true"])
    forms = Forms(tmp_path, tmp_path)
    found = measured({"package": package}, forms, tmp_path, 2)
    assert found["package"].keys() == {PARSER, PYTHON, COMPILED}
    said = capsys.readouterr().err
    assert "ty is not installed here: left out" in said
    assert said.count("package: mypy stopped:") == 1
    assert "two modules are called a" in said
