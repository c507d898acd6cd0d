"""Results as JSON lines: written one by one, so that a run that is cut off has given what it had."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from case_stages import Stage

__all__ = ["Lines", "read_lines"]


class Lines:
    """Adds lines about one subject to a file.

    Args:
        path: the file.
        subject: a study, or another part of a run.
        device: the name of the GPU, or "simulated device"; "" for what concerns none.
    """

    def __init__(self, path: Path, subject: str, device: str = "") -> None:
        self._path, self._about = path, {"subject": subject, "device": device}

    def add(self, kind: str, **values: Any) -> None:
        """Add a line: what it is, and values that JSON can hold."""
        with self._path.open("a", encoding="utf-8") as file:
            print(json.dumps({"kind": kind, **self._about, **values}), file=file)

    def add_machine(self) -> None:
        """Add what the figures belong to."""
        import torch

        self.add("machine", torch=torch.__version__, python=sys.version.split()[0], cuda=torch.version.cuda)

    def add_stage(self, stage: Stage) -> None:
        """Add what the linter says of a stage."""
        self.add("stage", **asdict(stage))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return all lines of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: a line is no JSON.
    """
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
