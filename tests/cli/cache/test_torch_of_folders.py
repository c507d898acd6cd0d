"""A folder that requires a torch of its own is linted for it, with what earlier runs learned as without."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cache_runs import Run, Runner

PROGRAM = """\
import torch


def train_step(x):
    with torch.cuda.amp.autocast():
        return x * x
"""


def test_files_are_linted_for_the_torch_that_their_folder_requires(project: Path, run: Runner) -> None:
    for folder in ("new", "old"):
        (project / folder).mkdir()
        path = project / folder / "program.py"
        path.write_text(PROGRAM)
        os.utime(path, (path.stat().st_mtime - 60,) * 2)
    requirements = project / "old" / "requirements.txt"
    requirements.write_text("torch==1.13.1\n")
    select = ("--select", "OVH102")
    first = run(".", *select)
    assert _found_in(first) == ["new/program.py"]
    assert run(".", *select).out == first.out


def test_what_a_folder_requires_now_counts_for_files_that_did_not_change(project: Path, run: Runner) -> None:
    (project / "old").mkdir()
    program = project / "old" / "program.py"
    program.write_text(PROGRAM)
    os.utime(program, (program.stat().st_mtime - 60,) * 2)
    select = ("--select", "OVH102")
    assert _found_in(run(".", *select)) == ["old/program.py"]
    requirements = project / "old" / "requirements.txt"
    requirements.write_text("torch==1.13.1\n")
    assert _found_in(run(".", *select)) == []
    requirements.write_text("torch==2.13.0\n")
    assert _found_in(run(".", *select)) == ["old/program.py"]
    requirements.unlink()
    (project / "old" / "conda").mkdir()
    (project / "old" / "conda" / "meta.yaml").write_text("requirements:\n  run:\n    - pytorch 1.12\n")
    assert _found_in(run(".", *select)) == []


def test_requirements_that_say_the_same_have_nothing_looked_into_again(project: Path, run: Runner) -> None:
    (project / "old").mkdir()
    (project / "old" / "program.py").write_text(PROGRAM)
    requirements = project / "old" / "requirements.txt"
    requirements.write_text("torch==1.13.1\n")
    run(".")
    os.utime(requirements, (requirements.stat().st_mtime - 60,) * 2)
    assert run(".").seen == []


def _found_in(done: Run) -> list[str]:
    """The files that something was found in."""
    return [one["path"] for one in json.loads(done.out)]
