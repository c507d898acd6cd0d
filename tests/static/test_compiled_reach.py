"""What one file compiles of another, and what is written to be compiled."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from project_cases import heat, others, workspace_of

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.project.facts import FileFacts
from overhead_lint.rule import Heat
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace


def compiled(folder: Path, sources: dict[str, str]) -> list[str]:
    """The functions of a project, as ``file: name``, that are known to be compiled."""
    heat(folder, sources)
    workspace = workspace_of(folder)
    found = []
    for name in sources:
        path = folder / name
        tree = ast.parse(path.read_text(encoding="utf-8"))
        facts = FileFacts(tree, name, warmths=workspace.warmths(path), told=workspace.told(path))
        found += [
            f"{name}: {function.qualname}" for function in facts.functions.values() if function.compiled
        ]
    return found


NET = """
    import torch
    from torch import nn
    from ops import scale
    class Net(nn.Module):
        def forward(self, x):
            return self.inner(scale(x))
        def inner(self, x):
            return x
        @torch.compiler.disable
        def apart(self, x):
            return x
        def load(self):
            return self
    class Other(nn.Module):
        def forward(self, x):
            return x
    """

OPS = """
    def scale(x):
        return x
    def other(x):
        return x
    """

# What only an option compiles that is off by default runs as it is written.
OPTED = """
    import torch
    from net import Net
    class Trainer:
        def __init__(self, fast={fast}):
            self.net = Net()
            if fast:
                self.net = torch.compile(self.net)
    """

REACHED = ["net.py: Net.forward", "net.py: Net.inner", "ops.py: scale"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import net, torch\nmodel = torch.compile(net.Net())", REACHED),
        ("from net import Net\nimport torch\nm = Net()\nm = m.cuda()\nm = torch.compile(m)", REACHED),
        ("from net import Net\nmodel = Net()\nmodel.compile()", REACHED),
        ("from ops import scale\nimport torch\nfast = torch.compile(scale)", ["ops.py: scale"]),
        ("from net import Net\nimport re, torch\npattern = re.compile(Net())", []),
        ("from net import Net\nimport torch\nmodel = torch.compile(Net().apart)", []),
        (OPTED.format(fast="False"), []),
        (OPTED.format(fast="True"), REACHED),
    ],
)
def test_what_one_file_compiles_of_another_is_compiled(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert compiled(tmp_path, {"net.py": NET, "ops.py": OPS, "train.py": text}) == expected


@pytest.mark.parametrize(
    ("decorator", "fast"),
    [
        ("def fast(function):\n    return torch.compile(function)", "fast"),
        (
            "def chosen(mode):\n    def fast(function):\n"
            "        return torch.compile(function, mode=mode)\n    return fast",
            "chosen('default')",
        ),
    ],
)
def test_what_a_decorator_of_another_file_compiles_is_compiled(
    tmp_path: Path, decorator: str, fast: str
) -> None:
    ops = f"""
        from fast import *
        @{fast}
        def scale(x):
            return inner(x)
        def inner(x):
            return x
        def other(x):
            return x
        """
    sources = {"ops.py": ops, "fast.py": f"import torch\n{decorator}\n"}
    assert compiled(tmp_path, sources) == ["ops.py: scale", "ops.py: inner"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return scale(x)", ["scale"]),
        ("return scale(x) if self.training else inner(x)", ["scale", "inner"]),
        ("return other(x)", ["scale"]),
        ("return self.net(x)", []),
        ("return x", []),
    ],
)
def test_what_runs_compiled_and_otherwise_too_is_told_apart(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    sources = {
        "net.py": NET.replace("self.inner(scale(x))", "inner(scale(x))").replace("import scale", "import *"),
        "ops.py": """
            def scale(x):
                return x
            def inner(x):
                return x
            def other(x):
                return scale(x)
            """,
        "apart.py": f"""
            from torch import nn
            from net import Net
            from ops import inner, other, scale
            class Apart(nn.Module):
                def __init__(self):
                    self.net = Net()
                def forward(self, x):
                    {body}
            """,
        "train.py": "import net, torch\nmodel = torch.compile(net.Net())",
    }
    heat(tmp_path, sources)
    path = tmp_path / "ops.py"
    workspace = workspace_of(tmp_path)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    facts = FileFacts(tree, "ops.py", warmths=workspace.warmths(path), told=workspace.told(path))
    assert [one.qualname for one in facts.functions.values() if one.eager] == expected


def test_rules_look_again_at_what_another_file_compiles(tmp_path: Path) -> None:
    model = "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n        print(x.shape)\n"
    (tmp_path / "net.py").write_text(model, encoding="utf-8")
    train = tmp_path / "train.py"
    linter = Linter(packs.select(packs.load(), ["OVH311"], []), Settings())
    target = files.Target(str(tmp_path / "net.py"), "")
    found = []
    for text in ("pass", "import torch\nfrom net import Net\nmodel = torch.compile(Net())", "pass  # again"):
        train.write_text(text + "\n", encoding="utf-8")
        cache = Cache(tmp_path / ".cache", "key")
        workspace = Workspace(
            tmp_path, [target], others, lambda: Examiner(lambda target: linter), cache=cache
        )
        found.append([finding.code for finding in workspace.findings(target)])
        workspace.save()
    assert found == [[], ["OVH311"], []]


NET_THAT_READS = """
    import torch
    from torch import nn
    class Net(nn.Module):
        def forward(self, x: torch.Tensor):
            return x.max().item()
    """
READING = """
    import torch
    from other import made
    @torch.compile
    def read(x):
        return int(made(x))
    """
COMPILING = "import torch\nfrom net import Net\nmodel = torch.compile(Net())"
MAKING = "import torch\ndef made(x):\n    return torch.ones(3)"


@pytest.mark.parametrize(
    ("net", "told", "untold"),
    [
        pytest.param(NET_THAT_READS, COMPILING, "pass", id="that it is compiled"),
        pytest.param(READING, MAKING, "def made(x):\n    return 1", id="what functions give"),
    ],
)
def test_settings_that_a_file_makes_count_where_another_tells_that_they_matter(
    tmp_path: Path, net: str, told: str, untold: str
) -> None:
    (tmp_path / "net.py").write_text(textwrap.dedent(net), encoding="utf-8")
    linter = Linter(packs.select(packs.load(), ["OVH311"], []), Settings(min_heat=Heat.PRESUMED))
    target = files.Target(str(tmp_path / "net.py"), "")
    setting = "import torch._dynamo\ntorch._dynamo.config.capture_scalar_outputs = True"
    found = []
    for other, settings in (
        (untold, "pass"),
        (untold, setting),
        (told, setting),
        (told, "pass"),
        (told, setting),
        (untold, "pass"),
        (told, "pass"),
    ):
        (tmp_path / "other.py").write_text(other + "\n", encoding="utf-8")
        (tmp_path / "settings.py").write_text(settings + "\n", encoding="utf-8")
        cache = Cache(tmp_path / ".cache", "key")
        workspace = Workspace(
            tmp_path, [target], others, lambda: Examiner(lambda target: linter), cache=cache
        )
        found.append([finding.code for finding in workspace.findings(target)])
        workspace.save()
    assert found == [[], [], [], ["OVH311"], [], [], ["OVH311"]]


SUPPORTING = {
    "pkg/__init__.py": "",
    "pkg/ops.py": """
        import torch
        def relu(x):
            return x if torch.compiler.is_compiling() else x.clamp(min=0)
        """,
    "pkg/parts/__init__.py": "",
    "pkg/parts/net.py": """
        import logging
        from pkg.parts.helper import tame
        from torch import nn
        logger = logging.getLogger(__name__)
        class Net(nn.Module):
            def forward(self, x):
                logger.info("called")
                return tame(x.sin())
        class Program(nn.Module):
            def __call__(self, x):
                logger.info("called")
        """,
    "pkg/parts/helper.py": """
        import torch
        def tame(x: torch.Tensor):
            if x.isfinite().all() and x.max() > 1:
                x = x / x.max()
            return x * x.sum().item()
        def alone(x: torch.Tensor):
            if x.max() > 1:
                print("large")
        def train(model, loader):
            for batch in loader:
                loss = model(batch).sum()
                if loss.item() > 3:
                    alone(loss)
        """,
}


def found_in(folder: Path, sources: dict[str, str], least: Heat = Heat.STEP) -> list[str]:
    """``file:line code`` of reads and of breaks in the sources, ``+`` where both are told."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    linter = Linter(packs.select(packs.load(), ["OVH311", "OVH404", "OVH410"], []), Settings(min_heat=least))
    targets = [files.Target(str(folder / name), "") for name in sources]
    workspace = Workspace(folder, targets, others, lambda: Examiner(lambda target: linter))
    return [
        f"{Path(target.text).name}:{finding.span.line} {finding.code}"
        + ("+" if "graph" in finding.message and "waits" in finding.message else "")
        for target in targets
        for finding in workspace.findings(target)
    ]


def test_breaks_are_told_in_packages_that_are_written_to_be_compiled(tmp_path: Path) -> None:
    found = found_in(tmp_path, SUPPORTING, Heat.PRESUMED)
    reads = ["helper.py:3 OVH410+", "helper.py:5 OVH404+", "helper.py:7 OVH404", "helper.py:12 OVH404"]
    assert found == ["net.py:7 OVH311", *reads]
    assert found_in(tmp_path, SUPPORTING) == reads, "that users compile is presumed"
    branch = SUPPORTING | {
        "pkg/parts/net.py": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def forward(self, x: torch.Tensor):
                return x if x.max() > 1 else x.sin()
        """
    }
    for least in (Heat.STEP, Heat.PRESUMED):
        assert found_in(tmp_path, branch, least)[0] == "net.py:5 OVH404+", "what is certain is told"
    other = {name.replace("pkg/ops", "other/ops"): text for name, text in SUPPORTING.items()}
    (tmp_path / "pkg/ops.py").unlink()
    other["other/__init__.py"] = ""
    assert [text.rstrip("+") for text in found_in(tmp_path, other)] == [
        "helper.py:3 OVH410",
        "helper.py:5 OVH404",
        "helper.py:7 OVH404",
        "helper.py:12 OVH404",
    ]
