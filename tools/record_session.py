"""Records the terminal session of the home page as text, in asciicast's format: ``docs/site/session.cast``.

    python tools/record_session.py        (in an environment where the linter and torch are)

It is recorded anew where what the commands print has changed, which a test says of the linter's.
"""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["COMMANDS", "HEIGHT", "WIDTH"]

_ROOT = Path(__file__).parent.parent
_EXAMPLE = _ROOT / "examples" / "legacy_trainer"
_CAST = _ROOT / "docs" / "site" / "session.cast"
WIDTH: Final = 86
HEIGHT: Final = 24
"""Columns and rows of the terminal."""
COMMANDS: Final = (
    "pytest -q --overhead-budget -k needs_no_events",
    "overhead-lint legacy_trainer --select OVH401 --diff",
    "overhead-lint legacy_trainer --select OVH401 --fix",
    "pytest -q --overhead-budget -k needs_no_events",
)
_QUIET: Final = "-rN --no-header -W ignore -p no:cacheprovider --color=yes"


def printed(command: str, folder: Path) -> Iterator[tuple[float, str]]:
    """What a command prints on a terminal, with the seconds since it began, piece by piece."""
    bin_folder = Path(sys.executable).parent
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI")},
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(WIDTH),
        "LINES": str(HEIGHT),
        "TERM": "xterm-256color",
        "PYTEST_ADDOPTS": _QUIET,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    master, slave = pty.openpty()
    began = time.monotonic()
    process = subprocess.Popen(
        command.split(),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    rest = b""
    while True:
        try:
            got = os.read(master, 4096)
        except OSError:  # the other end is closed
            got = b""
        whole, found, rest = (rest + got).rpartition(b"\n")
        if found:
            yield time.monotonic() - began, (whole + found).decode().replace("\r", "")
        if not got:
            break
    if rest:
        yield time.monotonic() - began, rest.decode()
    process.wait()
    os.close(master)


def main() -> None:
    """Run the commands on a copy of the example, and write what was typed and printed."""
    begun = 0.0
    events: list[tuple[float, str, str]] = []
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as made:
        folder = shutil.copytree(
            _EXAMPLE, Path(made, "example"), ignore=shutil.ignore_patterns("__pycache__", ".overhead*")
        )
        for command in COMMANDS:
            events.append((begun, "i", f"{command}\n"))
            last = begun
            for seconds, text in printed(command, folder):
                last = begun + seconds
                events.append((last, "o", text))
            begun = last
    header = {"version": 2, "width": WIDTH, "height": HEIGHT}
    lines = [header, *([round(seconds, 2), kind, text] for seconds, kind, text in events)]
    _CAST.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
