"""The demo's driver and its example, without the parts that train: `make demo` runs those."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import demo
import pytest
from demo_measure import Comparison, Worker, WorkerError, counts


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(
        demo.EXAMPLE, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache")
    )


def test_the_example_shows_every_rule_and_fixes_to_what_the_patch_finishes(copy: Path) -> None:
    assert {one["code"] for one in demo.findings(copy)} == demo.RULES
    fixed = demo.command(copy, "overhead_lint", ".", "--fix", "--unsafe-fixes")
    assert fixed.returncode == 1, fixed.stderr
    assert {one["code"] for one in demo.findings(copy)} == demo.BY_HAND
    subprocess.run(["git", "apply", "by_hand.patch"], cwd=copy, check=True)
    done = demo.command(copy, "overhead_lint", ".")
    assert done.returncode == 0, done.stdout


def test_a_claim_that_does_not_hold_ends_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "lacks_a_device", lambda: False)
    monkeypatch.setattr(demo, "RULES", {"OVH999"})
    monkeypatch.setattr(demo, "findings", lambda folder: [])
    assert demo.main([]) == 1
    assert "demo: does not hold: every rule speaks: OVH999" in capsys.readouterr().err


def test_failures_names_the_tests_that_failed_and_what_they_said(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "def test_bad():\n    assert not 'reason'\n\ndef test_good():\n    pass\n"
    )
    failed = demo.failures(tmp_path, tmp_path / "report.xml")
    assert list(failed) == ["test_bad"]
    assert "not 'reason'" in failed["test_bad"]


def test_budgets_hold_also_with_another_torch_and_python_than_recorded_them(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "test_a.py").write_text("import torch\n\ndef test_neg():\n    torch.ones(2).neg()\n")
    (tmp_path / "overhead-budget.toml").write_text(
        'schema = 1\n[fingerprint]\npython = "3.1"\ntorch = "0.1"\n'
        '[tests."test_a.py::test_neg"]\ndispatches = 0\n'
    )
    failed = demo.failures(tmp_path, tmp_path / "report.xml")
    assert "dispatches: limit 0" in failed["test_neg"]


def test_tests_that_cannot_run_are_no_failed_budget(tmp_path: Path) -> None:
    with pytest.raises(demo.ClaimError, match="status 5"):
        demo.failures(tmp_path, tmp_path / "report.xml")


def test_line_of_names_the_first_line_that_holds_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = f(x)\nf(x)\n")
    assert demo.line_of(tmp_path, "a.py", "f(x)") == "a.py:2"


def test_the_demo_takes_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["x"]) == 2
    assert "no arguments" in capsys.readouterr().err


def test_the_ratio_says_how_many_times_as_fast_the_fixed_copy_is() -> None:
    found = Comparison([3e-3, 6e-3], [4e-3, 2e-3], [], [])
    assert found.ratio == pytest.approx(1.5)
    assert found.ratios == pytest.approx([0.75, 3])


FASTER, SLOWER, EITHER = [2e-3, 3e-3], [4e-3, 4e-3], [2e-3, 5e-3]


def measured(monkeypatch: pytest.MonkeyPatch, after: list[float], losses: list[float]) -> None:
    found = Comparison([3e-3, 3.5e-3], after, [1.0], losses)
    monkeypatch.setattr(demo, "compare", lambda *arguments: found)
    demo.measure(Path(), Path())


def test_a_step_that_is_faster_in_all_rounds_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(monkeypatch, FASTER, [1.0])
    checked = "  [checked] a training step costs the host less than before in each round\n"
    assert checked in capsys.readouterr().out


def test_rounds_that_contradict_each_other_are_neither_checked_nor_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(monkeypatch, EITHER, [1.0])
    out = capsys.readouterr().out
    assert "1.50 times as fast, 0.70 to 1.50 in 2 rounds\n" in out
    assert "[checked] a training step" not in out


@pytest.mark.parametrize(
    ("after", "losses", "why"),
    [(SLOWER, [1.0], "costs the host less"), (EITHER, [2.0], "bit for bit"), (FASTER, [2.0], "bit for bit")],
)
def test_a_step_that_is_slower_in_all_rounds_or_does_something_else_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, after: list[float], losses: list[float], why: str
) -> None:
    with pytest.raises(demo.ClaimError, match=why):
        measured(monkeypatch, after, losses)


def test_a_run_whose_claims_hold_says_so_in_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "lacks_a_device", lambda: False)
    for step in ("lint", "show_diff", "budgets_before", "fix", "finish_by_hand", "count", "measure"):
        monkeypatch.setattr(demo, step, lambda *folders: None)
    assert demo.main([]) == 0
    assert capsys.readouterr().out == "\nEvery claim above was checked in this run.\n"


def test_a_worker_that_dies_is_reported_with_its_status(tmp_path: Path) -> None:
    with Worker(tmp_path, "train") as worker, pytest.raises(WorkerError, match="ended with status 1"):
        worker.seconds(1)


def test_the_demo_runs_as_a_script() -> None:
    done = subprocess.run([sys.executable, demo.__file__, "x"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_readme_shows_what_the_linter_says_about_the_example() -> None:
    readme = (demo.EXAMPLE.parent.parent / "README.md").read_text(encoding="utf-8")
    block = readme.split("```console\n$ overhead-lint ")[1].split("```")[0]
    arguments, _, shown = block.partition("\n")
    shipped = os.devnull  # the costs that ship, not those of this machine
    done = demo.command(demo.EXAMPLE, "overhead_lint", *arguments.split(), OVERHEAD_LINT_COSTS=shipped)
    assert done.stdout == shown


def test_a_torch_that_can_have_no_device_is_named_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "lacks_a_device", lambda: True)
    assert demo.main([]) == 2
    assert capsys.readouterr().err == f"{demo.NO_DEVICE}\n"


def test_only_the_ends_of_a_long_output_are_shown() -> None:
    text = "".join(f"{n}\n" for n in range(10))
    assert demo.shortened(text, 2, 1) == "0\n1\n... and 7 more lines\n9\n"
    assert demo.shortened("a\nb\n", 1, 0) == "a\nb\n", "a line in place of one saves none"
    assert demo.shortened("", 5, 5) == "\n"


def test_a_worker_that_cannot_count_says_why(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="could not count: ModuleNotFoundError"):
        counts(tmp_path)


COUNTS = {"stream_sync": 20, "event_record": 20, "event_wait": 20, "guards": 192}


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ({"stream_sync": 20}, "ten steps wait once"),
        ({"event_record": 2}, "no step makes any"),
        ({"guards": 192}, "fewer guards"),
    ],
)
def test_a_count_that_is_not_as_claimed_ends_the_demo(
    after: dict[str, int], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"stream_sync": 1, "event_record": 0, "event_wait": 0, "guards": 168}
    found = {"before": COUNTS, "after": good}
    monkeypatch.setattr(demo, "counts", lambda copy: found[copy.name])
    demo.count(Path("before"), Path("after"))
    found["after"] = {**good, **after}
    with pytest.raises(demo.ClaimError, match=why):
        demo.count(Path("before"), Path("after"))
