"""A fixed file is laid out again, where a formatter had left it as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from overhead_lint.cli.main import main
from overhead_lint.fixing import layout
from overhead_lint.fixing.layout import installed, laid_out
from overhead_lint.syntax.source import Source

TEXT = """\
import torch


def scaled(batch: torch.Tensor, factors: int):
    weights = torch.ones(factors, factors).to(batch.device)
    return batch @ weights  # scaled
"""
FIXED = """\
import torch


def scaled(batch: torch.Tensor, factors: int):
    weights = torch.ones(
        factors, factors, device=batch.device
    )
    return batch @ weights  # scaled
"""
UNFORMATTED = f"{TEXT}\n\nx  =  1\n"
ruff = pytest.mark.skipif("ruff" not in (installed() or [""])[0], reason="ruff is not installed")


@pytest.fixture
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Fix a file of a project whose lines may be 60 characters long."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 60\n")
    path = tmp_path / "net.py"

    def fix(text: str) -> str:
        path.write_bytes(text.encode())
        main(["--fix", "--no-cache", "--min-heat=presumed", "--select=OVH701,OVH404", "net.py"])
        return path.read_bytes().decode()

    return fix


@ruff
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_was_formatted_stays_so(fixed: Callable[[str], str], ends: str) -> None:
    assert fixed(TEXT.replace("\n", ends)) == FIXED.replace("\n", ends)


@ruff
def test_the_report_tells_of_the_lines_that_are_written(
    fixed: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = fixed(TEXT.replace("    return", "    print(weights.sum().item())\n    return"))
    line = text.splitlines().index("    print(weights.sum().item())") + 1
    assert line == 8
    assert f"net.py:{line}:" in capsys.readouterr().out


def test_what_was_not_formatted_is_left_alone(fixed: Callable[[str], str]) -> None:
    text = fixed(UNFORMATTED)
    assert text == UNFORMATTED.replace(").to(batch.device)", ", device=batch.device)")


def test_without_a_formatter_it_is_left_alone(
    fixed: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "installed", lambda: None)
    assert fixed(TEXT) == TEXT.replace(").to(batch.device)", ", device=batch.device)")


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.exit(3)",
        "import sys; sys.stdout.write(sys.stdin.read().replace('y', 'z'))",
        "import sys; sys.stdout.buffer.write(bytes([255]))",
    ],
)
def test_a_formatter_that_fails_or_changes_the_program_is_not_heard(program: str) -> None:
    source = Source.from_bytes(Path("net.py"), b"x = 1\n")
    assert laid_out(source, "x = y\n", (sys.executable, "-c", program)) == "x = y\n"
    assert laid_out(source, "x = y\n", ("no-such-program",)) == "x = y\n"


@ruff
def test_the_diff_shows_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruff.toml").write_text("line-length = 60\n")
    (tmp_path / "net.py").write_text(TEXT)
    main(["--diff", "--no-cache", "--min-heat=presumed", "--select=OVH701", "net.py"])
    shown = capsys.readouterr().out
    subprocess.run(["patch", "-p1", "-s"], input=shown, text=True, check=True, cwd=tmp_path)
    assert (tmp_path / "net.py").read_text() == FIXED
