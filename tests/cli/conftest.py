"""The command line in a process of its own and in this one, and an installed rule pack."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import warm_python

from overhead_lint.cli.main import main

DATA = Path(__file__).parents[1] / "data"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
_IMPORTED = (
    "overhead_lint.cli.main",
    "overhead_lint.cli.check",
    "overhead_lint.engine.linter",
    "overhead_lint.project.graph.graph",
)
"""What a check imports of the linter, but for rules and packs."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command in an empty folder; ``path=`` adds a folder to ``sys.path``."""

    def command(*arguments: str, path: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **more}
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        command_line = "-m", "overhead_lint", *arguments
        return warm_python.python(*command_line, cwd=tmp_path, env=environment, modules=_IMPORTED)

    return command


@pytest.fixture
def run_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in an empty folder, as `run` does, but in this process: none has to start."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        try:
            status = main(arguments)
        except SystemExit as error:
            status = int(error.code or 0)
        return subprocess.CompletedProcess(arguments, status, *capsys.readouterr())

    return command


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example rule pack installed in it, as a package installer lays it out."""
    folder = tmp_path_factory.mktemp("installed")
    options = "-q --no-deps --no-build-isolation --no-index --disable-pip-version-check --target"
    command = [sys.executable, "-m", "pip", "install", *options.split(), str(folder)]
    subprocess.run([*command, str(_copy(tmp_path_factory))], check=True, capture_output=True)
    return folder


def _copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack's sources, where building may leave its traces."""
    return Path(shutil.copytree(DATA / "rule_pack", tmp_path_factory.mktemp("pack") / "rule_pack"))
