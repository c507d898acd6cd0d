"""What a project declares of its dependencies is a part of what kept results depend on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cache_runs import Run, Runner

IMPORTING = "import torch\ndef f(x):\n    import wandb\n    wandb.log(x)\n    return torch.exp(x)\n"
PYPROJECT = '[project]\nname = "kit"\ndependencies = ["torch"{required}]\n[project.optional-dependencies]\n'
EXTRA = 'logs = ["wandb"]\n'


def is_told(run: Run) -> bool:
    """Whether the import is told to stand at the top of the module."""
    return [finding["code"] for finding in json.loads(run.out)] == ["OVH605"]


def test_an_edit_of_the_declared_dependencies_changes_findings(project: Path, run: Runner) -> None:
    (project / "model.py").write_text(IMPORTING)
    declaring = project / "pyproject.toml"
    assert not is_told(run("--select=OVH605", ".")), "nothing is declared"
    declaring.write_text(PYPROJECT.format(required=', "wandb"'))
    assert is_told(run("--select=OVH605", "."))
    declaring.write_text(PYPROJECT.format(required="") + EXTRA)
    assert not is_told(run("--select=OVH605", ".")), "an optional dependency"
    declaring.write_text(PYPROJECT.format(required=', "wandb", "numpy"'))
    changed = run("--select=OVH605", ".")
    assert is_told(changed)
    declaring.write_text(declaring.read_text() + "\n# a change of nothing that is declared\n")
    again = run("--select=OVH605", ".")
    assert (again.out, again.seen) == (changed.out, []), "only what is declared matters"
