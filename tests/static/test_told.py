"""What the project tells a file of others, which stands beside the heat of its functions."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_cases import others

from overhead_lint.analysis.graph.option import ARGUMENT, PASSED, Option, ValueKind
from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.project.cross_file import NOTHING_TOLD, Told, dependents
from overhead_lint.project.kinds.abstract_value import MODULE, NUMBER, OBJECT, TENSOR, encoded
from overhead_lint.rule import Context, Finding, Heat, Kind, Rule
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

SOURCES = {
    "pkg/__init__.py": "",
    "pkg/masks.py": """
        import torch
        def mask(x):
            return torch.ones(3)
        """,
    "pkg/net.py": """
        import torch
        from torch import nn
        from pkg.masks import mask
        from pkg.ops import scale, shared
        class Net(nn.Module):
            def forward(self, x: torch.Tensor):
                return scale(x) if mask(x).any() else shared(x).max().item()
        """,
    "pkg/ops.py": """
        def scale(x):
            return shared(x)
        def shared(x):
            return x * 2
        """,
    "train.py": """
        import torch
        import torch._dynamo
        from pkg.net import Net
        from pkg.ops import shared
        torch._dynamo.config.capture_scalar_outputs = True
        model = torch.compile(Net())
        for batch in loader:
            model(shared(batch)).backward()
        """,
}
SUPPORTING = {
    **SOURCES,
    "pkg/ops.py": """
        import torch
        def scale(x):
            return shared(x) if torch.compiler.is_compiling() else x
        def shared(x):
            return x * 2
        """,
    "train.py": "from pkg.net import Net\nfor batch in loader:\n    Net()(batch)\n",
}
LINTER = Linter(packs.select(packs.load(), ["OVH311", "OVH404"], []), Settings())


def told(folder: Path, sources: dict[str, str], cache: Path | None = None) -> dict[str, Told]:
    """What each file of a project is told; the heat beside it is that of its functions."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    files.forget()
    kept = Cache(cache, "key") if cache is not None else None
    workspace = Workspace(folder, others(folder), others, lambda: Examiner(lambda _: LINTER), cache=kept)
    workspace.save()
    for name in sources:
        known = workspace.warmths(folder / name) or {}
        assert all(one == "" or (one.startswith(".") and ":" not in one) for one in known), "functions only"
    return {name: workspace.told(folder / name) for name in sources}


def test_each_thing_that_a_file_is_told_has_its_own_field(tmp_path: Path) -> None:
    found = told(tmp_path, SOURCES)
    assert found["pkg/ops.py"] == Told(compiled=((".scale", False), (".shared", True)))
    net = found["pkg/net.py"]
    assert [path for path, _ in net.kinds] == ["pkg.masks.mask()"]
    place = f"{(tmp_path / 'train.py').as_posix()}:5"
    assert net.settings == (("torch._dynamo.config.capture_scalar_outputs", "", place),)
    assert net.compiled == ((".Net.forward", False),)
    assert found["pkg/masks.py"] == Told(compiled=((".mask", False),))
    assert found["train.py"] == NOTHING_TOLD


def test_what_users_compile_is_told_with_what_shows_it(tmp_path: Path) -> None:
    found = told(tmp_path, SUPPORTING)
    evidence = f"{(tmp_path / 'pkg/ops.py').as_posix()} asks is_compiling()"
    assert found["pkg/net.py"].traced == (".Net.forward",)
    assert {one.trace_evidence for one in found.values() if one.traced} == {evidence}
    assert not any(one.trace_evidence for one in found.values() if not one.traced)


OPTIONS = {
    "ops.py": """
        def scale(x, clip=None, log=False):
            if clip is not None:
                x = x.clamp(max=clip)
            if log:
                x = x.cpu()
            return x
        """,
    "train.py": "from ops import scale\nfor batch in loader:\n    scale(batch, log=True)\n",
}

_TRUE = (int(ValueKind.TRUE), int(ValueKind.ONE), int(ValueKind.LESS_THAN_NONE))
"""What a test of a switch finds true."""


def test_options_are_told_beside_the_heat_of_functions(tmp_path: Path) -> None:
    found = told(tmp_path, OPTIONS)["ops.py"].options
    clip = Option(ARGUMENT, ".scale", "clip", "None", 1)
    log = Option(PASSED, ".scale", "log", "", 2, shut_by=_TRUE, otherwise="False")
    assert found == (
        (clip, int(Heat.COLD), clip),
        (log, int(Heat.COLD), log._replace(default="True")),
    )


@pytest.mark.parametrize("cached", [False, True])
def test_edits_change_what_files_are_told(tmp_path: Path, cached: bool) -> None:
    cache = tmp_path / ".cache" if cached else None
    first = told(tmp_path, SOURCES, cache)
    assert told(tmp_path, SUPPORTING, cache) == told(tmp_path, SUPPORTING)
    assert told(tmp_path, SOURCES, cache) == first
    silent = {**SOURCES, "train.py": "from pkg.net import Net\n"}
    quiet = told(tmp_path, silent, cache)
    assert not any(one.compiled or one.settings for one in quiet.values())
    assert quiet["pkg/net.py"].kinds == first["pkg/net.py"].kinds


def looks(folder: Path, sources: dict[str, str], finds: Kind) -> list[int]:
    """How often a rule that finds some kind was handed each call of ``net.py``, in the order of its lines."""
    seen: dict[int, int] = {}
    rule = Rule("TST001", "test-call", "a call that gives some kind", (b"import",), Heat.COLD)

    @rule.on(ast.Call)
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        if ctx.path.name == "net.py":
            seen[node.lineno] = seen.get(node.lineno, 0) + 1
            if ctx.kind(node) is finds:
                yield ctx.finding(rule, node, "gives it")

    for name, text in sources.items():
        (folder / name).write_text(textwrap.dedent(text).strip("\n") + "\n", encoding="utf-8")
    files.forget()
    linter = Linter([rule], Settings())
    Workspace(folder, others(folder), others, lambda: Examiner(lambda _: linter))
    return [seen[line] for line in sorted(seen)]


@pytest.mark.parametrize(
    ("given", "finds", "times"),
    [
        ("len(x)", Kind.TENSOR, 1),
        ("len(x)", Kind.UNKNOWN, 2),
        ("x.cpu().numpy()", Kind.TENSOR, 1),
        ("x.cpu().numpy()", Kind.UNKNOWN, 2),
        ("'relu'", Kind.UNKNOWN, 1),
        ("torch.ones(3)", Kind.TENSOR, 2),
        ("(1, torch.ones(3))", Kind.TENSOR, 2),
        ("torch.nn.Linear(3, 3)", Kind.TENSOR, 2),
    ],
)
def test_rules_look_again_only_where_what_is_told_may_matter(
    tmp_path: Path, given: str, finds: Kind, times: int
) -> None:
    ops = f"import torch\ndef give(x: torch.Tensor):\n    return {given}\n"
    net = "from ops import give\ndef forward(x):\n    return give(x)\n"
    assert looks(tmp_path, {"ops.py": ops, "net.py": net}, finds) == [times]


@pytest.mark.parametrize("found_by", [(), ("lib.log()",)])
def test_rules_look_again_for_what_may_change_what_they_found(found_by: tuple[str, ...]) -> None:
    """A tensor or a module may make a rule speak; what is none of these only silences one that did."""
    told = Told(
        kinds=(
            ("lib.Net()", encoded(MODULE)),
            ("lib.count()", encoded(NUMBER)),
            ("lib.log()", encoded(OBJECT)),
            ("lib.loss()", encoded(TENSOR)),
        )
    )
    by_rule = [(path, ((path,), 0, ())) for path, _ in told.kinds]
    again = {"lib.Net()", "lib.loss()", *found_by}
    assert dependents(by_rule, NOTHING_TOLD, told, found_by) == again
    assert dependents(by_rule, told, NOTHING_TOLD, found_by) == again
