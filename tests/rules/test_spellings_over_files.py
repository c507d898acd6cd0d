"""Ways to write an overhead whose parts stand in several files: told of at a line of one, or let be."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from rule_cases import lint_project
from spelled import forward, loop

if TYPE_CHECKING:
    from pathlib import Path


class Case(NamedTuple):
    """A project, and what is to be found in it.

    Attributes:
        name: the spelling.
        code: the rule that speaks, or is silent.
        files: the texts of its files.
        where: the file, with how the line begins; ("", "") where it is silent.
        why: why it is silent.
    """

    name: str
    code: str
    files: dict[str, str]
    where: tuple[str, str]
    why: str = ""


_PLAN: Final = """
    from dataclasses import dataclass

    @dataclass
    class Plan:
        m: int = 1
        n: int = 2
"""
_CONF: Final = """
    @dataclass
    class Conf:
        plan: object = field(default_factory=lambda: Plan(3, 4))
"""
_KEYS: Final = """
    import functools

    def make(prefix, plan):
        return f"{prefix}:{plan}"

    kernel_key = functools.partial(make, "kernel")
"""

_AMP: Final = """
    import functools
    import torch

    amp = functools.partial(torch.autocast, "cuda", dtype=torch.bfloat16)
"""
_EVENTS: Final = """
    from functools import partial
    import torch

    new_event = partial(torch.cuda.Event, enable_timing=False)
"""
_RUNNER: Final = """
    from torch import nn

    class Runner(nn.Module):
        def __init__(self, model, context):
            super().__init__()
            self.model, self.context = model, context

        def forward(self, x):
            with self.context():
                return self.model(x)
"""
_TABLE: Final = """
    from contextlib import nullcontext
    import torch

    PRECISIONS = {
        "bf16": lambda: torch.autocast("cuda", dtype=torch.bfloat16),
        "fp32": nullcontext,
    }
"""
_REGISTRY: Final = """
    import torch

    CONTEXTS = {}

    def register(name):
        def keep(function):
            CONTEXTS[name] = function
            return function
        return keep

    @register("bf16")
    def bf16():
        return torch.autocast("cuda", dtype=torch.bfloat16)
"""
_MODELS: Final = """
    MODELS = {}

    def register(name):
        def keep(cls):
            MODELS[name] = cls
            return cls
        return keep
"""
_REGISTERED: Final = """
    from nets import Net
    from registry import register

    @register("wide")
    class Wide(Net):
        pass
"""
_NETS: Final = """
    from torch import nn

    class Shift(nn.Module):
        def __init__(self, amount: int):
            super().__init__()
            self.amount = amount

        def forward(self, x):
            return x + self.amount

    class Net(nn.Module):
        def __init__(self, depth: int = 20):
            super().__init__()
            self.shifts = nn.ModuleList([Shift(k) for k in range(depth)])

        def forward(self, x):
            for shift in self.shifts:
                x = shift(x)
            return x
"""
_COMPILE: Final = """
    from functools import partial
    import torch

    compile_fast = partial(torch.compile, dynamic=False)
    compile_plain = lambda net: torch.compile(net)
"""
_FACTORY: Final = """
    import torch

    def fast(enabled=True):
        def wrapped(function):
            return torch.compile(function) if enabled else function
        return wrapped
"""
_COMPILED_METHOD: Final = """
    from fast import compile_fast
    from nets import Shift
    from torch import nn

    class Own(nn.Module):
        def __init__(self):
            super().__init__()
            self.shifts = nn.ModuleList([Shift(k) for k in range(20)])

        @compile_fast
        def forward(self, x):
            for shift in self.shifts:
                x = shift(x)
            return x
"""
_IN_AMP: Final = "with {}():\n    loss = model(x).sum()"

CASES: Final = [
    Case(
        "imported partial of an autocast",
        "OVH101",
        {"amp.py": _AMP, "train.py": "from amp import amp\n" + loop(_IN_AMP.format("amp"))},
        ("amp.py", "amp = functools.partial"),
    ),
    Case(
        "partial of an autocast in an imported module",
        "OVH101",
        {"mixed.py": _AMP, "train.py": "import mixed\n" + loop(_IN_AMP.format("mixed.amp"))},
        ("mixed.py", "amp = functools.partial"),
    ),
    Case(
        "partial of an autocast that an object of another file is given",
        "OVH101",
        {
            "runner.py": _RUNNER,
            "main.py": """
                from functools import partial
                import torch
                from runner import Runner

                def main(model):
                    amp = partial(torch.autocast, "cuda")
                    return Runner(model, amp)
            """,
        },
        ("main.py", "amp = partial"),
    ),
    Case(
        "partial of an autocast that only a set-up calls",
        "OVH101",
        {
            "amp.py": _AMP,
            "train.py": "from amp import amp\n" + loop("loss = model(x).sum()", "with amp():\n    model(1)"),
        },
        ("", ""),
        "it is entered once",
    ),
    Case(
        "imported table of lambdas",
        "OVH101",
        {
            "amp.py": _TABLE,
            "train.py": "from amp import PRECISIONS\n" + loop(_IN_AMP.format("PRECISIONS[device]")),
        },
        ("amp.py", '"bf16": lambda'),
    ),
    Case(
        "look-up in an imported table of lambdas",
        "OVH101",
        {
            "amp.py": _TABLE,
            "train.py": "import amp\n" + loop(_IN_AMP.format("amp.PRECISIONS.get(device)")),
        },
        ("amp.py", '"bf16": lambda'),
    ),
    Case(
        "function that a decorator registers",
        "OVH101",
        {
            "amp.py": _REGISTRY,
            "train.py": "from amp import CONTEXTS\n" + loop(_IN_AMP.format("CONTEXTS[device]")),
        },
        ("amp.py", "return torch.autocast"),
    ),
    Case(
        "imported partial of an event",
        "OVH402",
        {
            "events.py": _EVENTS,
            "net.py": forward(
                "done = new_event()\ndone.record()\nself.side.wait_event(done)\nreturn self.lin(x)",
                "self.side = torch.cuda.Stream()",
                above="from events import new_event\n",
            ),
        },
        ("events.py", "new_event = partial"),
    ),
    Case(
        "imported partial of an event that takes times",
        "OVH402",
        {
            "events.py": _EVENTS.replace("False", "True"),
            "net.py": forward(
                "done = new_event()\ndone.record()\nreturn self.lin(x)",
                above="from events import new_event\n",
            ),
        },
        ("", ""),
        "one that takes times is for measuring",
    ),
    Case(
        "partial of a function that makes a key",
        "OVH201",
        {
            "plan.py": _PLAN,
            "keys.py": _KEYS,
            "net.py": forward(
                "return self.lin(x) * self.memo[kernel_key(self.plan)]",
                "self.plan, self.memo = Plan(), {}",
                above="from keys import kernel_key\nfrom plan import Plan\n",
            ),
        },
        ("net.py", "return self.lin(x) * self.memo"),
    ),
    Case(
        "imported partial of the compiler as a decorator",
        "OVH307",
        {"nets.py": _NETS, "fast.py": _COMPILE, "own.py": _COMPILED_METHOD},
        ("own.py", "@compile_fast"),
    ),
    Case(
        "imported lambda that compiles",
        "OVH307",
        {
            "nets.py": _NETS,
            "fast.py": _COMPILE,
            "main.py": "from fast import compile_plain\nfrom nets import Net\nnet = compile_plain(Net(20))\n",
        },
        ("main.py", "net = compile_plain"),
    ),
    Case(
        "class that a decorator of another file registers",
        "OVH307",
        {
            "registry.py": _MODELS,
            "nets.py": _NETS,
            "wide.py": _REGISTERED,
            "main.py": "import torch\nimport wide\nfrom registry import MODELS\n"
            "net = torch.compile(MODELS['wide'](20))\n",
        },
        ("main.py", "net = torch.compile"),
    ),
    Case(
        "look-up by a function in a registry",
        "OVH101",
        {
            "amp.py": _REGISTRY + "\n    def chosen(name):\n        return CONTEXTS[name]\n",
            "train.py": "from amp import chosen\n"
            + loop(_IN_AMP.format("precision"), "precision = chosen(device)"),
        },
        ("amp.py", "return torch.autocast"),
    ),
    Case(
        "factory that is a lambda of another file's field",
        "OVH201",
        {
            "plan.py": _PLAN.replace("dataclass\n", "dataclass, field\n", 1) + _CONF,
            "net.py": forward(
                "return self.lin(x) * self.memo[str(self.conf.plan)]",
                "self.conf, self.memo = Conf(), {}",
                above="from plan import Conf\n",
            ),
        },
        ("net.py", "return self.lin(x) * self.memo"),
    ),
    Case(
        "registry that a function looks up in",
        "OVH201",
        {
            "plan.py": _PLAN,
            "kernels.py": "KERNELS = {}\n\ndef found(plan):\n    return KERNELS[str(plan)]\n",
            "net.py": forward(
                "return self.lin(x) * found(self.plan)",
                "self.plan = Plan()",
                above="from kernels import found\nfrom plan import Plan\n",
            ),
        },
        ("net.py", "return self.lin(x) * found"),
    ),
    Case(
        "model of pydantic",
        "OVH201",
        {
            "plan.py": "from pydantic import BaseModel\n\nclass Plan(BaseModel):\n    m: int = 1\n",
            "net.py": forward(
                "return self.lin(x) * self.memo[str(self.plan)]",
                "self.plan, self.memo = Plan(), {}",
                above="from plan import Plan\n",
            ),
        },
        ("", ""),
        "its text is that of a library's class, of which nothing is known",
    ),
    Case(
        "wait between two streams that a function is given",
        "OVH401",
        {
            "order.py": "def order(consumer, producer):\n    consumer.wait_stream(producer)\n",
            "net.py": forward(
                "order(self.side, torch.cuda.current_stream())\nreturn self.lin(x)",
                "self.side = stream or torch.cuda.current_stream()",
                above="from order import order\n",
            ),
        },
        ("", ""),
        "by its own file it is given two, and the rule asks no others",
    ),
    Case(
        "modules that map compiles",
        "OVH307",
        {
            "nets.py": _NETS,
            "main.py": "import torch\nfrom nets import Net\n"
            "first, second = map(torch.compile, [Net(20), Net(30)])\n",
        },
        ("", ""),
        "none of 10,088 files of 105 repositories writes it so",
    ),
    Case(
        "children that a loop compiles",
        "OVH307",
        {
            "nets.py": _NETS,
            "main.py": "import torch\nfrom nets import Net\nnet = torch.nn.ModuleDict({'a': Net(20)})\n"
            "for name, child in net.named_children():\n    setattr(net, name, torch.compile(child))\n",
        },
        ("", ""),
        "what a module's children are is not told apart",
    ),
    Case(
        "factory of decorators that compile",
        "OVH307",
        {
            "nets.py": _NETS,
            "fast.py": _FACTORY,
            "main.py": "from fast import fast\nfrom nets import Net\nnet = Net(20)\n\n"
            "@fast()\ndef step(x):\n    return net(x)\n",
        },
        ("", ""),
        "it compiles what the function that it gives is given",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_spelling_over_files_is_told_of_or_let_be(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {name: textwrap.dedent(text).lstrip() for name, text in case.files.items()}
    found = {
        (name, files[name].splitlines()[one.span.line - 1].strip())
        for name in files
        for one in lint_project(case.code, tmp_path, {"pyproject.toml": "", **files}, name)
    }
    name, begins = case.where
    assert bool(name) != bool(case.why)
    assert len(found) == bool(name)
    assert all(where == name and line.startswith(begins) for where, line in found)
