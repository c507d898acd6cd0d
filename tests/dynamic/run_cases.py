"""Programs that `overhead-lint run` runs, and the evidence that it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import warm_python

TRAIN = """\
import sys
import torch
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(torch.ones(2, 4)).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print("done", sys.argv)
"""


def python(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def run_with_torch(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process that has torch and Dynamo: how they are imported is no part of the test."""
    environment = {**os.environ, **variables}
    command = "-m", "overhead_lint", "run", *arguments
    return warm_python.python(*command, cwd=folder, env=environment, modules=warm_python.DYNAMO)


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "overhead_lint", "run", *arguments, **variables)


def evidence(folder: Path, name: str = "overhead.json") -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / name).read_text())
    return content
