"""Fixtures of the origins' tests: copies of their programs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from .replay import Origin, Program


@pytest.fixture
def program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Program:
    """Copy a program of ``tests/data/origins`` by its name."""
    return partial(_copied, tmp_path, capsys)


def _copied(folder: Path, printed: pytest.CaptureFixture[str], name: str, target: str = "2.13") -> Origin:
    return Origin(name, folder / name, printed, target)
