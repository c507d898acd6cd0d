"""What hangs on an option that nobody passes is cold, and presumed on one that is off by default."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, loop_over, others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

OPTIONS = {
    "nobody passes": ("loss(batch)", ["cold: nobody passes relative", "cold: nobody passes weights"]),
    "by place": ("loss(batch, True)", ["step", "cold: nobody passes weights"]),
    "by place, something unknown": (
        "loss(batch, settings.relative)",
        ["step", "cold: nobody passes weights"],
    ),
    "by keyword": ("loss(batch, weights=batch)", ["cold: nobody passes relative", "step"]),
    "the default itself": (
        "loss(batch, False, weights=None)",
        ["cold: nobody passes relative", "cold: nobody passes weights"],
    ),
    "whatever a mapping holds": ("loss(batch, **settings)", ["presumed", "step"]),
    "bound by a partial": ("partial(loss, relative=True)(batch)", ["step", "cold: nobody passes weights"]),
    "handed to somebody else": ("loss(batch); run(loss)", ["presumed", "step"]),
    "to a method of the same name": (
        "loss(batch); settings.loss(batch, True); build(settings).loss(batch, True, weights=2)",
        ["cold: nobody passes relative", "cold: nobody passes weights"],
    ),
    "as a part of a module": (
        "import losses; losses.loss(batch, True)",
        ["step", "cold: nobody passes weights"],
    ),
    "as a part of a module that is looked up": (
        "loss(batch); import_module('losses').loss(batch, True)",
        ["step", "cold: nobody passes weights"],
    ),
    "what hangs on an option that nobody passes": (
        "around(batch)",
        ["cold: nobody passes relative", "cold: nobody passes weights"],
    ),
    "what hangs on an option that somebody passes": (
        "around(batch, 0.5)",
        ["step", "cold: nobody passes weights"],
    ),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_needs_an_option_that_nobody_passes_is_cold(tmp_path: Path, name: str) -> None:
    call, expected = OPTIONS[name]
    sources = {
        "losses.py": """
            def loss(x, relative=False, weights=None):
                if relative:
                    here()
                if weights is None:
                    return x
                here()
                return x * weights
            """,
        "train.py": f"""
            from functools import partial
            from losses import loss

            def train(loader, settings):
                for batch in loader:
                    {call}
            """,
    }
    if call.startswith("around"):
        sources["train.py"] += """
            def around(x, share=0.0):
                return loss(x, relative=share > 0.0)
            """
    found = [line.partition("losses.py: ")[2] for line in heat(tmp_path, sources) if "losses.py: " in line]
    assert [line if line.startswith("cold") else line.partition(": ")[0] for line in found] == expected


def test_a_hook_runs_no_more_than_what_registers_it(tmp_path: Path) -> None:
    sources = {
        "patches.py": """
            def forward(self, x):
                here()
            def count(module, inputs, output):
                here()
            def watch(module, inputs, output):
                here()
            def patch(layers):
                layers.Attention.forward = forward
            def attach(model):
                model.register_forward_hook(count)
            """,
        "train.py": """
            from patches import attach, patch, watch

            def prepare(model, layers, patches=False, counts=False):
                if patches:
                    patch(layers)
                if counts:
                    attach(model)
                model.register_forward_hook(watch)
            def first(model, layers):
                prepare(model, layers, counts=True)
            """,
    }
    assert [line.partition(": ")[2].partition(" on line")[0] for line in heat(tmp_path, sources)] == [
        "presumed: forward stands for a module's forward since line 8",
        "step: count is a hook registered",
        "step: watch is a hook registered",
    ]


def test_what_keeps_an_option_that_nobody_passes_is_cold_unless_users_may(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "from pkg.layers import Offered\n",
        "pkg/layers.py": """
            from torch import nn

            class Base(nn.Module):
                def __init__(self, size, precise=False, causal=False):
                    self.precise = precise
                    self.causal = causal
                def forward(self, x):
                    if self.precise:
                        here()
                    return x if not self.causal else here()

            class Heir(Base):
                pass

            class Offered(nn.Module):
                def __init__(self, precise=False):
                    self.precise = precise
                def forward(self, x):
                    if self.precise:
                        here()

            def build():
                return Heir(3, False, causal=True), Offered(), Base(4)
            """,
    }
    assert [line.partition(": ")[2].partition(" runs")[0] for line in heat(tmp_path, sources)] == [
        "cold: nobody passes precise",
        "step: Base.forward",
        "presumed: Offered.forward",
    ]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("Encoder()", "cold: nobody passes bias"),
        ("Encoder(), Decoder()", "cold: nobody passes bias"),
        ("Encoder(), Decoder(bias=True)", "step"),
    ],
)
def test_what_hands_an_option_on_and_is_called_by_nobody_does_not_pass_it(
    tmp_path: Path, made: str, expected: str
) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/attention.py": """
            from torch import nn

            class Attention(nn.Module):
                def __init__(self, bias=False):
                    self.bias = bias
                def forward(self, x):
                    if self.bias:
                        here()
            """,
        "pkg/stacks.py": f"""
            from pkg.attention import Attention

            class Encoder:
                def __init__(self):
                    self.part = Attention()

            class Decoder:
                def __init__(self, bias=False):
                    self.part = Attention(bias=bias)

            def build():
                return {made}
            """,
    }
    (found,) = heat(tmp_path, sources)
    assert found.removeprefix("pkg/attention.py: ").startswith(expected)


def test_findings_under_an_option_come_and_go_with_what_another_file_passes(tmp_path: Path) -> None:
    losses = (
        "import torch\n\ndef loss(x: torch.Tensor, relative=False):\n"
        "    if relative and x.sum().item() > 3:\n"
        "        return x.sum()\n    return x.mean()\n"
    )
    (tmp_path / "losses.py").write_text(losses, encoding="utf-8")
    train = tmp_path / "train.py"
    linter = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())
    target = files.Target(str(tmp_path / "losses.py"), "")
    found = []
    for passed in ("", ", True", ", False", ", relative=1", ", relative=batch.any()"):
        text = "from losses import loss\n\ndef train(loader):\n    for batch in loader:\n"
        text += f"        loss(batch{passed})\n"
        train.write_text(text, encoding="utf-8")
        cache = Cache(tmp_path / ".cache", "key")
        workspace = Workspace(
            tmp_path, [target], others, lambda: Examiner(lambda target: linter), cache=cache
        )
        found.append([finding.span.line for finding in workspace.findings(target)])
        workspace.save()
    assert found == [[], [4], [], [4], [4]]


@pytest.mark.parametrize("name", ["small", "Small"])
def test_an_option_that_an_heir_is_newly_passed_is_noticed_by_a_cached_run(tmp_path: Path, name: str) -> None:
    base = (
        "class Base:\n    def __init__(self, flag=False):\n        self.flag = flag\n"
        "    def run(self, x):\n        if self.flag:\n            g(x)\n"
        "def g(x):\n    here()\n"
    )
    (tmp_path / "base.py").write_text(base, encoding="utf-8")
    (tmp_path / "heirs.py").write_text(f"from base import Base\nclass {name}(Base):\n    size = 3\n")
    found = []
    for passed in ("", "True", "**x", "flag=x", ""):
        text = loop_over(f"{name}({passed}).run(batch)", f"from heirs import {name}")
        (tmp_path / "train.py").write_text(text, encoding="utf-8")
        workspace = Workspace(
            tmp_path,
            [],
            others,
            lambda: Examiner(lambda target: Linter([], Settings())),
            cache=Cache(tmp_path / ".cache", "key"),
        )
        warmths = workspace.warmths(tmp_path / "base.py")
        assert warmths is not None
        found.append(warmths[".g"].heat.label if ".g" in warmths else "cold")
        workspace.save()
    assert found == ["cold", "step", "presumed", "step", "cold"]


def test_options_that_many_functions_hand_to_each_other_are_looked_at_once_each(tmp_path: Path) -> None:
    names = [f"part{number}" for number in range(24)]
    calls = "\n".join(f"    {name}(x, flag=flag)" for name in names)
    parts = [f"def {name}(x, flag=False):\n    if flag:\n        here()\n{calls}\n" for name in names]
    sources = {
        "parts.py": "\n".join(parts),
        "train.py": loop_over("part0(batch, **settings)", "from parts import part0"),
    }
    found = heat(tmp_path, sources)
    assert len(found) == len(names)
    assert {line.partition(": ")[2].partition(":")[0] for line in found} == {"presumed"}


_PICK = """
    def pick(x, classes=None):
        if classes is not None:
            here()
        return x
    """
_PICKING = """
    from torch import nn
    from pick import pick

    parser.add_argument("--classes", nargs="+", type=int)
    options = parser.parse_args()

    class Net(nn.Module):
        chosen = None

        def forward(self, x, more):
            pick(x, {other})
            return pick(x, {passed})
    """


@pytest.mark.parametrize(
    ("passed", "other", "is_off"),
    [
        ("classes=options.classes", "", True),
        ("options.classes", "classes=self.chosen", True),
        ("classes=self.chosen", "", False),
        ("classes=options.classes", "more", False),
        ("classes=more", "", False),
    ],
)
def test_what_is_none_and_takes_what_settings_have_is_an_option(
    tmp_path: Path, passed: str, other: str, is_off: bool
) -> None:
    (found,) = heat(tmp_path, {"pick.py": _PICK, "net.py": _PICKING.format(passed=passed, other=other)})
    kind = "presumed" if is_off else "step"
    why = "Net.forward runs on every call of the module -> pick, but not by default: pick(classes=None)"
    assert found == f"pick.py: {kind}: {why}"


_EITHER = """
    def work(x, deep=False, wide=False):
        if deep or wide:
            here()
        return x
    """
_WORKING = """
    from torch import nn
    from work import work

    class Net(nn.Module):
        def forward(self, x, more, options):
            return work(x{passed})
    """
_WORKS = "Net.forward runs on every call of the module -> work, but not by default: "
_WORKS += "work(deep=False), work(wide=False)"


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ("", "cold: nobody passes deep"),
        (", wide=True", f"step: {_WORKS}"),
        (", deep=more", f"step: {_WORKS}"),
        (", wide=options.wide", f"presumed: {_WORKS}"),
    ],
)
def test_one_of_two_options_is_enough_for_what_asks_for_either(
    tmp_path: Path, passed: str, expected: str
) -> None:
    main = "parser.add_argument('--wide', action='store_true')\noptions = parser.parse_args()"
    sources = {"work.py": _EITHER, "net.py": _WORKING.format(passed=passed), "main.py": main}
    assert heat(tmp_path, sources) == [f"work.py: {expected}"]
