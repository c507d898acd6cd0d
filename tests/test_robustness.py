"""A slice of benchmarks/robustness.py: few of its texts, and the cases that take a second or two."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import robustness
from robustness_texts import deep, mutants, noise, originals


def test_mutated_and_random_files_are_refused_or_linted() -> None:
    outcome = robustness.in_process([*mutants(150, 1, originals()), *noise(20, 1)])
    assert outcome.tried == 170
    assert outcome.problems == []


def test_mutants_are_the_same_for_the_same_seed() -> None:
    assert list(mutants(20, 3, originals())) == list(mutants(20, 3, originals()))


@pytest.mark.parametrize("name", ["parentheses", "sum", "methods", "elif"])
def test_deep_nesting_is_told_or_linted(tmp_path: Path, name: str) -> None:
    (tmp_path / "deep.py").write_text(deep(3000)[name])
    status, _, err = robustness.run(tmp_path, "--no-cache", "deep.py", limit=100)
    assert robustness.told(name, status, err) == []


@pytest.mark.skipif(sys.platform != "linux", reason="permissions, file systems and signals as Linux has them")
@pytest.mark.parametrize("name", ["unreadable", "read-only", "disk", "interrupt"])
def test_bad_treatment_is_borne(tmp_path: Path, name: str) -> None:
    assert robustness.CASES[name](tmp_path, 1).problems == []


def test_what_was_lost_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("what")

    monkeypatch.setattr(robustness, "_lint_and_fix", broken)
    assert "KeyError" in robustness.in_process([b"x"]).problems[0]
    assert robustness.told("run", 1, "Traceback ...") != []
    assert robustness.told("run", 3, "") != []
