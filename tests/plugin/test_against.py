"""A session that is compared with a report of before: ``--overhead-against``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

Run = Callable[..., pytest.RunResult]

ONE = """
import torch

def test_it(simulated_cuda):
    x = torch.ones(2, device="cuda").sum()
    x.item()
"""
TWO = ONE + "    bool(x > 0)\n"


def test_changes_are_shown_and_written_with_their_lines(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(ONE, "--overhead-report=main.json", model=False).assert_outcomes(passed=1)
    summary = pytester.path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    options = ("--overhead-against=main.json", "--overhead-report=comment.md")
    result = run(TWO, *options, model=False)
    result.assert_outcomes(passed=1)
    blame = "+1 at test_it.py:6 (is_nonzero), was 0"
    result.stdout.fnmatch_lines(
        [
            "against main: 1 count rose",
            f"  stream_sync 1 -> 2 test_it.py::test_it: {blame}",
            "*report written",
        ]
    )
    text = (pytester.path / "comment.md").read_text()
    assert (
        f"| `test_it.py::test_it` | stream_sync | 1 | 2 | +1 | {blame.replace('_', chr(92) + '_')} |" in text
    )
    assert summary.read_text().startswith(text)


def test_a_report_that_cannot_be_used_ends_the_session_at_once(run: Run, pytester: pytest.Pytester) -> None:
    result = run(ONE, "--overhead-against=none.json", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --overhead-against: *none.json: cannot be read: No such file*"])
    result = run(ONE, "--overhead-report=comment.md", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --overhead-report=comment.md: goes with --overhead-against OLD.json"]
    )
