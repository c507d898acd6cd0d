"""The page that newcomers read first is run as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
PAGE = Path(__file__).parent.parent / "docs" / "get-started.md"
BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def missing(output: str, expected: list[str]) -> list[str]:
    """The expected pieces, which ``...`` part, that an output does not hold."""
    pieces = [piece.strip() for line in expected for piece in line.split("...")]
    return [piece for piece in pieces if piece not in output]


def test_every_file_and_command_of_the_page_works(tmp_path: Path) -> None:
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": search, "COLUMNS": "200"}
    ran = []
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        kind, _, how = block["info"].partition(" ")
        if how.startswith("file="):
            (tmp_path / how.removeprefix("file=")).write_text(block["body"], encoding="utf-8")
        if kind != "console" or how == "no-run":
            continue
        for part in re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]:
            command, *expected = part.splitlines()
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode in (0, 1), done.stderr
            assert "Traceback" not in done.stderr
            assert missing(done.stdout, expected) == [], done.stdout
            ran.append(command.split()[0])
    assert ran.count("overhead-lint") >= 5 and "pytest" in ran
