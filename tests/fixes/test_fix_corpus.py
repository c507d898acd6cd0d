"""The check of fixes on real packages: it counts what was done, and sees what must not be."""

from __future__ import annotations

from pathlib import Path

import fix_corpus
import pytest

from overhead_lint.fixer import FixResult, fix_file

CODE = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        with torch.autocast("cuda"):
            return self.layer(x)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package of three files, one of which does not parse."""
    package = tmp_path / "net"
    package.mkdir()
    (package / "model.py").write_text(CODE)
    (package / "other.py").write_text("x = 1\n")
    (package / "broken.py").write_text("import torch\ntorch.autocast(\n")
    return package


def test_fixes_are_counted_and_nothing_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fix_corpus.main([str(folder), "--show", "OVH101"]) == 0
    out = capsys.readouterr().out
    assert "+        with runtime.autocast" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["package", "files", "changed", "OVH101", "failures", "violations"] in rows
    assert ["net", "3", "1", "1", "0", "0"] in rows
    assert (folder / "model.py").read_text() == CODE


def test_new_undefined_name_is_a_violation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def spoiled(*args: object, **options: object) -> FixResult:
        result = fix_file(*args, **options)  # type: ignore[arg-type]
        text = result.after_text.replace("import runtime", "import nothing")
        return FixResult(result.before, text, result.applied, (), ())

    monkeypatch.setattr(fix_corpus, "fix_file", spoiled)
    assert fix_corpus.main([str(folder)]) == 1
    assert "F821 Undefined name `runtime`" in capsys.readouterr().out


def test_crash_is_a_violation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*_: object, **__: object) -> FixResult:
        raise KeyError("what")

    monkeypatch.setattr(fix_corpus, "fix_file", crash)
    assert fix_corpus.main([str(folder)]) == 1
    assert "model.py: crash" in capsys.readouterr().out


def test_missing_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fix_corpus.main([str(tmp_path / "none")]) == 2
    assert "none: no such folder" in capsys.readouterr().err
