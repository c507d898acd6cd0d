"""Checks the text of the playground, in the browser: the command itself, run in its process."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

from overhead_lint.cli.main import main

__all__ = ["check"]

_NAME = "example.py"
_RUNTIME = '"overhead_runtime"'
# Looking for rule packs needs pluggy, which the browser has not.
_SETTINGS = "rule-packs = []\nruntime-module = {}\n"


def check(text: str, folder: str, *, unsafe: bool, runtime: bool) -> str:
    """Return what the linter finds in a text, as JSON.

    Args:
        text: of a module.
        folder: where it is written, as ``example.py``; nothing else is in there.
        unsafe: whether unsafe fixes count.
        runtime: whether fixes may import the runtime.

    Returns:
        An object: ``findings`` as ``--output-format json`` has them, and what was ``told`` on stderr, as of a
        syntax error; the ``diff`` of their fixes, and its ``note`` on what would be fixed.
    """
    module = Path(folder) / _NAME
    module.write_bytes(text.encode("utf-8", "surrogatepass"))
    settings = Path(folder) / "overhead-lint.toml"
    settings.write_text(_SETTINGS.format(_RUNTIME if runtime else "false"), encoding="utf-8")
    found, told = _run(folder, "--output-format", "json", "--sort", "path")
    diff, note = _run(folder, "--diff", *(["--unsafe-fixes"] if unsafe else []))
    findings: list[Any] = json.loads(found) if found.strip() else []
    return json.dumps({"findings": findings, "diff": diff, "told": told, "note": note})


def _run(folder: str, *options: str) -> tuple[str, str]:
    """Standard output and error of a check of the one file."""
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(["--no-cache", *options, _NAME])
    finally:
        os.chdir(before)
    return out.getvalue(), err.getvalue()
