"""What a rule finds in a project does not depend on which other rules run."""

from __future__ import annotations

from pathlib import Path

from kinds_across_cases import write
from project_cases import others

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

SCHEDULER = {
    "pkg/__init__.py": "",
    "pkg/tables.py": """
        import torch

        def spread(steps):
            return torch.linspace(0, 1, steps)
        def weigh(x):
            return torch.exp(x)
        """,
    "pkg/scheduler.py": """
        import numpy as np
        import torch

        from .tables import spread, weigh

        class Scheduler:
            def __init__(self, steps):
                self.table = spread(steps)
                self.sigmas = (1 - torch.linspace(0, 1, steps)) ** 0.5
                self.sigmas = self.sigmas.to("cpu")

            def set_timesteps(self, steps):
                self.sigmas = torch.from_numpy(np.linspace(0, 1, steps))
                self.sigmas = self.sigmas.to("cpu")

            def step(self, sample, index):
                weight = weigh(sample)
                if weight.sum() > 3:
                    sample = sample * torch.tensor([0.5], device=sample.device)
                at = torch.nonzero(weight)[0].item()
                table = self.table.to(sample.device)
                first = self.sigmas.to(sample.device)[0]
                return sample * self.sigmas[at].to(sample.device) + first * table[0]
        """,
    "pkg/train.py": """
        import torch
        from torch import nn

        from .scheduler import Scheduler
        from .tables import weigh

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.ones(3)

            def forward(self, x):
                ones = torch.ones(1, device=x.device)
                return x * self.scale.to(x.device) + ones

        def train(loader, optimizer):
            net, scheduler = Net().cuda(), Scheduler(3)
            for index, batch in enumerate(loader):
                loss = scheduler.step(net(batch.cuda()), index).mean()
                loss.backward()
                optimizer.step()
                print(loss.item(), weigh(loss).item())
        """,
}


def findings_of(folder: Path, codes: list[str]) -> list[tuple[str, str, int, int]]:
    """What rules find in a project: file, rule, line and column."""
    rules = Linter(packs.select(packs.load(), codes, []), Settings())
    targets = others(folder)
    workspace = Workspace(folder, targets, lambda root: targets, lambda: Examiner(lambda target: rules))
    return sorted(
        (Path(target.path).name, one.code, one.span.line, one.span.column)
        for target in targets
        for one in workspace.findings(target)
    )


def test_what_a_rule_finds_does_not_depend_on_which_others_run(tmp_path: Path) -> None:
    write(tmp_path, SCHEDULER)
    codes = ["OVH403", "OVH404", "OVH407", "OVH408", "OVH703"]
    alone = [found for code in codes for found in findings_of(tmp_path, [code])]
    assert {code for _, code, *_ in alone} >= {"OVH404", "OVH407"}
    assert findings_of(tmp_path, codes) == sorted(alone)
    every = findings_of(tmp_path, ["ALL"])
    assert [found for found in every if found[1] in codes] == sorted(alone)


def test_which_loops_are_hot_does_not_depend_on_which_rules_run(tmp_path: Path) -> None:
    """A loop that calls a model of another file is hot for all rules, whoever else asks what that is."""
    package = {
        "pkg/__init__.py": "",
        "pkg/layers.py": "from torch import nn\n\nclass Part(nn.Module):\n    pass\n",
        "pkg/study.py": """
            import torch

            from .layers import Part

            class Study:
                def __init__(self):
                    self.part = Part().cuda()

                def look(self, given: torch.Tensor, count):
                    total = torch.zeros(3, device="cuda")
                    for _ in range(count):
                        kept = self.part(given)
                        total[0] = 3.0
                        print(total.sum().item())
                    return kept
            """,
    }
    write(tmp_path, package)
    every = findings_of(tmp_path, ["ALL"])
    assert {code for _, code, *_ in every} >= {"OVH404", "OVH408"}
    codes = sorted({loaded.rule.code for loaded in packs.load()})
    assert sorted(found for code in codes for found in findings_of(tmp_path, [code])) == every
