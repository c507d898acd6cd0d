"""Runs of the linter on a training file."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.cli.main import main

from .format_runs import TRAIN, Done, Lint


@pytest.fixture
def lint(declared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lint:
    """Run the command in a folder with a file that has a fixable finding and another."""
    monkeypatch.chdir(declared)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (declared / "a b").mkdir()
    (declared / "a b" / "train.py").write_text(TRAIN)

    def run(*arguments: str) -> Done:
        capsys.readouterr()
        try:
            status = main(list(arguments))
        except SystemExit as error:
            status = int(error.code or 0)
        printed = capsys.readouterr()
        return Done(printed.out, printed.err, status)

    return run
