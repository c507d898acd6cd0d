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


def advice(run: Run) -> str:
    """The help of the only finding of a run."""
    (finding,) = json.loads(run.out)
    assert finding["code"] == "OVH605"
    help_text: str = finding["help"]
    return help_text


def test_an_edit_of_the_declared_dependencies_changes_findings(project: Path, run: Runner) -> None:
    (project / "model.py").write_text(IMPORTING)
    declaring = project / "pyproject.toml"
    assert advice(run(".")).startswith("import it at the top of the module"), "nothing is declared"
    declaring.write_text(PYPROJECT.format(required=', "wandb"'))
    assert advice(run(".")).startswith("import it at the top of the module")
    declaring.write_text(PYPROJECT.format(required="") + EXTRA)
    first = run(".")
    assert advice(first) == "keep what it gives in __init__: wandb is an optional dependency of the project"
    declaring.write_text(
        PYPROJECT.format(required="") + "[tool.other]\nx = 1\n" + EXTRA.replace("logs", "more")
    )
    changed = run(".")
    assert "the project does not declare wandb, which may be missing" in advice(changed)
    declaring.write_text(declaring.read_text() + "\n# a change of nothing that is declared\n")
    again = run(".")
    assert (again.out, again.seen) == (changed.out, []), "only what is declared matters"
