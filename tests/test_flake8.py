"""The flake8 plugin, run by flake8."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOT = (Path(__file__).parents[0] / "data" / "samples" / "training_loop.py").read_text()
AT = "train.py:6:14: OVH101 torch.autocast is built in every step"


@pytest.fixture
def train(tmp_path: Path) -> Path:
    """A file with a finding."""
    path = tmp_path / "train.py"
    path.write_text(HOT)
    return path


CONFIGURED = "[flake8:local-plugins]\nextension =\n  OVH = overhead_lint.flake8:Plugin\n"


def flake8(folder: Path, *arguments: str, stdin: str | None = None, config: str = CONFIGURED) -> list[str]:
    """Run flake8 in a folder, and give its lines."""
    (folder / "flake8.ini").write_text(config)
    command = [sys.executable, "-m", "flake8", "--config", "flake8.ini", "--jobs=1", *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_flake8_shows_the_findings_with_its_own_beside(train: Path) -> None:
    (found,) = flake8(train.parent, "train.py")
    assert found.startswith(AT)
    train.write_text("import os\n" + HOT)
    assert [line.split()[1] for line in flake8(train.parent, "train.py")] == ["F401", "OVH101"]


def test_an_install_alone_changes_nothing_of_flake8(train: Path) -> None:
    assert flake8(train.parent, "train.py", config="") == []
    assert "overhead" not in "".join(flake8(train.parent, "--version", config=""))


def test_the_documented_configuration_is_the_one_tested() -> None:
    page = (Path(__file__).parents[1] / "docs" / "ci.md").read_text()
    assert f"```ini\n{CONFIGURED}```" in page


def test_standard_input_is_checked_under_its_name(train: Path) -> None:
    (found,) = flake8(train.parent, "--stdin-display-name", "train.py", "-", stdin=HOT)
    assert found.startswith(AT)


def test_selection_and_noqa_are_those_of_flake8(train: Path) -> None:
    assert flake8(train.parent, "--extend-ignore", "OVH1", "train.py") == []
    assert len(flake8(train.parent, "--select", "OVH", "train.py")) == 1
    train.write_text(HOT.replace("bfloat16):", "bfloat16):  # noqa: OVH101"))
    assert flake8(train.parent, "train.py") == []


@pytest.mark.parametrize(
    "lines",
    ['ignore = ["OVH1"]', 'exclude = ["train.py"]', '[per-file-ignores]\n"train.py" = ["OVH101"]'],
)
def test_the_settings_file_counts(train: Path, lines: str) -> None:
    (train.parent / "overhead-lint.toml").write_text(lines)
    assert flake8(train.parent, "train.py") == []


def test_tests_are_cold_for_flake8_too(train: Path) -> None:
    (train.parent / "tests").mkdir()
    (train.parent / "pyproject.toml").touch()
    train.rename(train.parent / "tests" / "test_train.py")
    assert flake8(train.parent, "tests") == []


def test_a_settings_file_that_cannot_be_used_is_a_line(train: Path) -> None:
    (train.parent / "overhead-lint.toml").write_text("min-heat = 'lop'")
    (found,) = flake8(train.parent, "train.py")
    assert found.startswith("train.py:1:1: OVH000 cannot be checked: ")
    assert found.endswith("overhead-lint.toml:1: unknown heat 'lop': did you mean loop?")


@pytest.mark.parametrize("encoding", ["latin-1", "gb2312"])
def test_columns_are_those_of_the_decoded_text(train: Path, encoding: str) -> None:
    word = "é" if encoding == "latin-1" else "\u4e2d\u6587\u4e2d"
    text = f"# coding: {encoding}\n" + HOT.replace("with torch", f'with open("{word}"), torch')
    train.write_bytes(text.encode(encoding))
    (found,) = flake8(train.parent, "--select", "OVH", "train.py")
    column = text.splitlines()[6].index("torch.autocast") + 1
    assert found.startswith(f"train.py:7:{column}: OVH101")
