"""OVH404 on what distributions check, which one setting turns off for the whole process."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint import files, packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

POLICY = """
import torch
from torch import nn
from torch.distributions import Normal

class Policy(nn.Module):
    def forward(self, mean: torch.Tensor, action: torch.Tensor):
        return Normal(mean, 1.0, validate_args=None).entropy(), Normal(mean, 1.0).log_prob(action)
"""
STARTS = {
    "nothing said": ("", 2),
    "turned off for all": ("torch.distributions.Distribution.set_default_validate_args(False)", 0),
    "turned off on one class, for all": ("Categorical.set_default_validate_args(False)", 0),
    "as a configuration says": ("Categorical.set_default_validate_args(config.check)", 0),
    "turned on": ("Categorical.set_default_validate_args(True)", 2),
    "said of another package's": ("other.Distribution.set_default_validate_args(False)", 2),
}


@pytest.mark.parametrize("name", STARTS)
def test_checks_that_another_file_turns_off_are_not_reported(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, count = STARTS[name]
    monkeypatch.chdir(tmp_path)
    imports = "import other\nimport torch\nfrom torch.distributions import Categorical\n"
    start = f"{imports}def main(config):\n    {said or 'pass'}\n"
    (tmp_path / "pkg").mkdir()
    for path, text in (("pkg/__init__.py", ""), ("pkg/policy.py", POLICY), ("pkg/start.py", start)):
        (tmp_path / path).write_text(text, encoding="utf-8")
    linter = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())
    target = files.Target("pkg/policy.py", "")
    workspace = Workspace(
        tmp_path,
        [target],
        lambda root: [found for found in files.collect([root]) if isinstance(found, files.Target)],
        lambda: Examiner(lambda target: linter),
    )
    assert len(list(workspace.findings(target))) == count
