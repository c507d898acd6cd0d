"""OVH404 on what distributions check, which one setting turns off for the whole process."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import lint_project

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
    sources = {"pkg/__init__.py": "", "pkg/policy.py": POLICY, "pkg/start.py": start}
    assert len(lint_project("OVH404", tmp_path, sources, "pkg/policy.py")) == count
