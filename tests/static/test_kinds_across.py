"""Kinds of values that come from other files: a file is told of them once the project is known."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from project_cases import others

from overhead_lint import files, packs
from overhead_lint.cache.store import Cache
from overhead_lint.config import Settings
from overhead_lint.engine import Linter, Look
from overhead_lint.source import Source
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

PACKAGE = {
    "pkg/__init__.py": "from .ops import make_mask as mask_of\nfrom .stars import *\n",
    "pkg/stars.py": "from .ops import *\n",
    "pkg/ops.py": """
        import numpy as np
        import torch
        from torch import nn

        LIMIT = 3
        TABLE = torch.zeros(3, device="cuda")

        def make_mask(x):
            return x > torch.zeros_like(x)
        def again(x):
            return make_mask(x)
        def pair(x):
            return torch.exp(x), 3
        def spread(x):
            return torch.distributions.Normal(torch.exp(x), 1.0)
        def length(x: torch.Tensor):
            return x.shape[0]
        def array(x):
            return np.zeros(3)
        def either(x):
            if x is None:
                return length(x)
            return make_mask(x)
        def unsure(x):
            return x if LIMIT else make_mask(x)
        class Base:
            def mask(self, x):
                raise NotImplementedError
            def both(self, x):
                return self.mask(x), self.count(x)
            def count(self, x):
                return 3
            @property
            def state(self):
                return torch.exp(self.value)
        class Helper(Base):
            def __init__(self):
                self.table = torch.ones(3).cuda()
                self.size = 3
            def mask(self, x):
                return make_mask(x)
        class Layer(nn.Module):
            def forward(self, x):
                return torch.relu(x)
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x
        """,
}
HEAD = """\
import torch
import pkg
from pkg import mask_of
from pkg.ops import LIMIT, TABLE, Base, Double, Helper, Layer
from pkg.ops import again, array, either, length, make_mask, pair, spread, unsure

class Net(Helper):
    def __init__(self):
        self.helper = Helper()
        self.layer = Layer()

    def forward(self, x, base: Base):
        {statement}

for batch in loader:
    Net().forward(batch, Helper())
"""


def linter(code: str) -> Linter:
    """Runs one rule."""
    return Linter(packs.select(packs.load(), [code], []), Settings())


def write(folder: Path, sources: dict[str, str]) -> None:
    """Write files of a project."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")


def workspace_of(
    folder: Path, *targets: str, cache: Cache | None = None, alone: bool = False, code: str = "OVH404"
) -> Workspace:
    """The project below a folder, with one rule."""
    checked = [files.Target(str(folder / name), "") for name in targets]
    one = linter(code)
    return Workspace(
        folder,
        checked,
        others,
        lambda: Examiner(lambda target: one),
        cache=cache,
        alone=alone,
    )


def found(workspace: Workspace, path: Path) -> list[str]:
    """The source text of what the findings in a file mark."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        lines[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1]
        for one in workspace.findings(files.Target(str(path), ""))
    ]


SEEN = {
    "imported function": "if make_mask(x).any(): pass",
    "re-exported function": "if mask_of(x): pass",
    "star import of a package": "if pkg.make_mask(x): pass",
    "what a function passes on": "if again(x): pass",
    "one place of a tuple": "a, b = pair(x); float(a); float(b)",
    "method of an attribute": "if self.helper.mask(x): pass",
    "method of a local instance": "h = Helper(); float(h.mask(x))",
    "method of an annotated instance, overridden": "if base.mask(x): pass",
    "a place of what a method gives": "if base.both(x)[0]: pass",
    "inherited method": "if self.mask(x): pass",
    "attribute of an instance": "if self.helper.table: pass",
    "inherited attribute": "if self.table: pass",
    "property": "if self.state: pass",
    "module of another file": "if self.layer(x): pass",
    "autograd function": "if Double.apply(x): pass",
    "constant": "if TABLE: pass",
    "what a distribution gives": "if spread(x).entropy(): pass",
    "what a distribution holds": "if spread(x).scale: pass",
}
MARKED = {"one place of a tuple": "float(a)", "method of a local instance": "float(h.mask(x))"}


@pytest.mark.parametrize("name", SEEN)
def test_tensors_of_other_files_are_seen(tmp_path: Path, name: str) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement=SEEN[name])})
    workspace = workspace_of(tmp_path, "train.py")
    expected = MARKED.get(name, SEEN[name].removeprefix("if ").removesuffix(": pass"))
    assert found(workspace, tmp_path / "train.py") == [expected]


UNSEEN = {
    "number": "int(length(x))",
    "number of a constant": "float(LIMIT)",
    "shape of a distribution": "int(spread(x).batch_shape[0])",
    "number by a method": "if base.count(x): pass",
    "attribute": "if self.helper.size: pass",
    "two kinds": "if either(x): pass",
    "something unknown among them": "if unsure(x): pass",
    "array": "array(x).item()",
    "an array's element": "a = array(x); a[0].item()",
    "name that is bound twice": "h = Helper(); h = other(h); float(h.mask(x))",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_is_no_tensor_in_another_file_is_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement=UNSEEN[name])})
    assert found(workspace_of(tmp_path, "train.py"), tmp_path / "train.py") == []


def test_a_file_alone_is_told_nothing(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="if make_mask(x): array(x).item()")})
    alone = workspace_of(tmp_path, "train.py", alone=True)
    assert found(alone, tmp_path / "train.py") == ["array(x).item()"]


def test_an_edit_of_a_helper_reaches_its_users_and_a_warm_run_stays_warm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="if make_mask(x): pass")})
    looked: list[str] = []
    look = Linter.look

    def noted(self: Linter, source: Source, *args: object, **named: object) -> object:
        looked.append(source.path.name)
        return look(self, source, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Linter, "look", noted)
    ops, runs = tmp_path / "pkg" / "ops.py", []
    tensor, number = "return x > torch.zeros_like(x)", "return x.shape[0] > int(LIMIT)"
    text = ops.read_text(encoding="utf-8")
    for body in (tensor, tensor, number, number, f"{tensor} ", tensor):
        ops.write_text(text.replace(tensor, body), encoding="utf-8")
        workspace = workspace_of(tmp_path, "train.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append((found(workspace, tmp_path / "train.py"), tuple(looked)))
        looked.clear()
        workspace.save()
    twice, once = ("train.py", "train.py"), ("train.py",)
    assert runs == [
        (["make_mask(x)"], twice),
        (["make_mask(x)"], ()),
        ([], once),
        ([], ()),
        (["make_mask(x)"], once),
        (["make_mask(x)"], ()),
    ]


def test_a_file_that_asks_for_more_is_told_more(tmp_path: Path) -> None:
    runs = []
    for statement in ("if make_mask(x): pass", "if make_mask(x) or again(x): pass", "if again(x): pass"):
        write(
            tmp_path,
            {**PACKAGE, "train.py": HEAD.format(statement=f"make_mask(x), again(x)\n        {statement}")},
        )
        workspace = workspace_of(tmp_path, "train.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append(found(workspace, tmp_path / "train.py"))
        workspace.save()
    assert runs == [["make_mask(x)"], ["make_mask(x)"], ["again(x)"]]


def test_only_files_for_which_it_makes_a_difference_are_looked_into_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[str] = []
    looked = Linter.look

    def noted(self: Linter, source: Source, *args: Any, **kwargs: Any) -> Look:
        if kwargs["again"]:
            again.append(f"{source.path.name}: {', '.join(sorted(kwargs['codes']))}")
        return looked(self, source, *args, **kwargs)

    monkeypatch.setattr(Linter, "look", noted)
    write(
        tmp_path,
        {
            **PACKAGE,
            "asks.py": HEAD.format(statement="if make_mask(x): pass"),
            "calls.py": HEAD.format(statement="y = make_mask(x)"),
            "number.py": HEAD.format(statement="if length(x): pass"),
            "known.py": HEAD.format(statement="if torch.exp(x): length(x)"),
        },
    )
    workspace_of(tmp_path, "asks.py", "calls.py", "number.py", "known.py")
    assert again == ["asks.py: OVH404"]


def test_an_editors_text_is_told_of_other_files(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "train.py": HEAD.format(statement="pass")})
    workspace = workspace_of(tmp_path)
    path = tmp_path / "train.py"
    source = Source.from_bytes(path, HEAD.format(statement="if make_mask(x): pass").encode())
    workspace.put(source)
    assert [one.code for one in linter("OVH404").lint(source, warmths=workspace.warmths(path))] == ["OVH404"]


def test_what_a_data_set_of_another_file_runs_waits_for_no_device(tmp_path: Path) -> None:
    helper = "import torch\n\ndef total(x: torch.Tensor):\n    return x.sum().item()\n"
    data = """
        import torch
        from pkg.helper import total

        class Clips(torch.utils.data.Dataset):
            def __getitem__(self, i):
                return total(self.clips[i])
    """
    write(tmp_path, {**PACKAGE, "pkg/helper.py": helper, "data.py": data})
    assert found(workspace_of(tmp_path, "pkg/helper.py"), tmp_path / "pkg/helper.py") == []
    model = data.replace("utils.data.Dataset", "nn.Module").replace("__getitem__", "forward")
    write(tmp_path, {"data.py": model})
    assert found(workspace_of(tmp_path, "pkg/helper.py"), tmp_path / "pkg/helper.py") == ["x.sum().item()"]


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


CALLED = """
    import torch

    def clip(norm, limit, table: torch.Tensor, *, weight=None):
        float(norm)
        float(limit)
        float(table)
        float(weight)

    class Meter:
        def __init__(self, total, count):
            self.total = total
            self.count = count

        def update(self, value):
            float(value)
            float(self.total)
            float(self.count)
    """
CALLING = """
    import torch
    from ops import Meter, clip

    def train(model, loader, unknown):
        for batch in loader:
            gains = torch.relu(batch.cuda())
            {calls}
    """

PASSED = {
    "tensors by place": ("clip(gains, 3.0, gains)", ["float(norm)", "float(table)"]),
    "a tensor by keyword": ("clip(1, 2, gains, weight=gains)", ["float(table)", "float(weight)"]),
    "tensors in one call, something unknown in others": (
        "clip(gains, 1, gains); clip(unknown, 1, gains)",
        ["float(norm)", "float(table)"],
    ),
    "tensors in one call, numbers in others": ("clip(gains, 1, gains); clip(3, 1, gains)", ["float(table)"]),
    "host tensors": ("clip(torch.zeros(3), 2, gains)", ["float(table)"]),
    "constructors and methods, which are not looked at": ("Meter(gains, 3).update(gains)", []),
    "an unpacked argument before it": ("clip(*unknown, gains)", ["float(table)"]),
}


@pytest.mark.parametrize("name", PASSED)
def test_parameters_are_what_calls_in_other_files_pass(tmp_path: Path, name: str) -> None:
    calls, expected = PASSED[name]
    write(tmp_path, {"ops.py": CALLED, "train.py": CALLING.format(calls=calls)})
    assert found(workspace_of(tmp_path, "ops.py"), tmp_path / "ops.py") == expected


def test_a_run_that_knows_an_earlier_one_finds_what_a_new_one_does(tmp_path: Path) -> None:
    runs = []
    for calls in ("clip(gains, 3.0, gains)", "clip(3.0, gains, gains)", "clip(3.0, gains, gains)"):
        write(tmp_path, {"ops.py": CALLED, "train.py": CALLING.format(calls=calls)})
        workspace = workspace_of(tmp_path, "ops.py", cache=Cache(tmp_path / ".cache", "key"))
        runs.append(found(workspace, tmp_path / "ops.py"))
        workspace.save()
    assert runs == [["float(norm)", "float(table)"], *[["float(limit)", "float(table)"]] * 2]


def test_what_a_function_passes_on_is_what_it_was_given(tmp_path: Path) -> None:
    middle = "from ops import clip\n\ndef passing(norm):\n    clip(norm, 1, norm)\n"
    calls = "passing(gains)"
    head = CALLING.replace("import Meter, clip", "import clip\n    from middle import passing")
    write(tmp_path, {"ops.py": CALLED, "middle.py": middle, "train.py": head.format(calls=calls)})
    assert found(workspace_of(tmp_path, "middle.py", "ops.py"), tmp_path / "ops.py") == ["float(table)"]
