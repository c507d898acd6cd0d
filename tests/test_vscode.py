"""The extension for VS Code: its own tests, where Node and its packages are, and its package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overhead_lint._version import __version__

FOLDER = Path(__file__).parent.parent / "editors" / "vscode"
NPM = shutil.which("npm")


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return found


def test_its_version_is_that_of_the_linter(manifest: dict[str, Any]) -> None:
    locked = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert (manifest["version"], locked["version"]) == (__version__, __version__)


def test_every_setting_that_it_reads_is_offered_and_described(manifest: dict[str, Any]) -> None:
    source = (FOLDER / "src" / "extension.ts").read_text(encoding="utf-8")
    offered = set(manifest["contributes"]["configuration"]["properties"])
    # The client reads trace.server itself.
    read = {f"overheadLint.{key}" for key in re.findall(r'settings\.get<[^>]+(?:>|\[\]>)\("(\w+)"', source)}
    assert read | {"overheadLint.trace.server"} == offered
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in offered if f"`{name}`" not in page] == []


def test_its_own_tests_pass_with_the_server_of_this_checkout(tmp_path: Path) -> None:
    if NPM is None:
        pytest.skip("no npm on PATH")
    if not (FOLDER / "node_modules" / "typescript").exists():
        pytest.skip("the extension's packages are not installed: make vscode installs them")
    pytest.importorskip("pygls")
    server = tmp_path / "overhead-lint"
    server.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m overhead_lint "$@"\n')
    server.chmod(0o755)
    copy = tmp_path / "vscode"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (copy / "node_modules").symlink_to(FOLDER / "node_modules")
    done = subprocess.run(
        [NPM, "test"],
        cwd=copy,
        env={**os.environ, "OVERHEAD_LINT": str(server)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE), done.stdout
    assert "# fail 0" in done.stdout
