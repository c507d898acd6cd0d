"""A project of two files, and runs of the linter in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.workspace.examiner import Examined, Examiner

from .cache_runs import MODEL, TRAIN, Run, Runner

if TYPE_CHECKING:
    from overhead_lint.discovery.project_file import File


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files; the one finding is hot by the other file."""
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "overhead-lint.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    old = tmp_path.stat().st_mtime - 60
    for path in tmp_path.glob("*.py"):
        os.utime(path, (old, old))
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run the linter in-process."""
    seen: list[str] = []
    real = Examiner._examined

    def spy(self: Examiner, file: File, root: Path | None) -> Examined:
        seen.append(file.name)
        return real(self, file, root)

    monkeypatch.setattr(Examiner, "_examined", spy)
    return lambda *arguments: Run(capsys, seen, arguments)
