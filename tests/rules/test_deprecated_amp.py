"""The autocast API from before the device was an argument: forms, and what the fix writes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import ALL, fix, lines, lint

from overhead_lint.config.run_settings import RequiredTorch, Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Applicability
from overhead_lint.syntax.source import Source


@pytest.mark.parametrize(
    ("header", "call", "after"),
    [
        ("import torch", "torch.cuda.amp.autocast()", 'torch.autocast("cuda", dtype=torch.float16)'),
        (
            "import torch\nfrom torch.cuda import amp",
            "amp.autocast(enabled=flag)",
            'torch.autocast("cuda", enabled=flag, dtype=torch.float16)',
        ),
        (
            "import torch\nfrom torch.cuda.amp import autocast as ac",
            "ac(flag, dtype, False)",
            'torch.autocast("cuda", enabled=flag, dtype=dtype, cache_enabled=False)',
        ),
        ("import torch as t", "t.cpu.amp.autocast(dtype=d)", 't.autocast("cpu", dtype=d)'),
        ("import torch", "torch.get_autocast_gpu_dtype()", 'torch.get_autocast_dtype("cuda")'),
        ("import torch", "torch.set_autocast_xla_dtype(d)", 'torch.set_autocast_dtype("xla", d)'),
        (
            "from torch import is_autocast_cpu_enabled as on\nimport torch",
            "on()",
            'torch.is_autocast_enabled("cpu")',
        ),
    ],
)
def test_device_becomes_an_argument(header: str, call: str, after: str) -> None:
    text = f"{header}\n\nvalue = {call}\n"
    (finding,) = lint("OVH102", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE
    fixed = fix("OVH102", text, unsafe=False)
    assert f"value = {after}\n" in fixed
    assert "import amp" not in fixed and " as ac" not in fixed and " as on" not in fixed


@pytest.mark.parametrize(
    "call",
    [
        "torch.cuda.amp.autocast(*options)",
        "torch.cuda.amp.autocast(**options)",
        "torch.set_autocast_cpu_dtype(*options)",
    ],
)
def test_hidden_arguments_get_a_message_only(call: str) -> None:
    (finding,) = lint("OVH102", f"import torch\n{call}\n")
    assert finding.fix is None


@pytest.mark.parametrize(
    "text",
    [
        "from torch.cuda.amp import *\nautocast()\n",
        "import torch\nwrapper = torch.cuda.amp.autocast\n",
        "import torch\ndef f(torch):\n    torch.cuda.amp.autocast()\n",
        "import torch\ntry:\n    c = torch.amp.autocast('cuda')\nexcept AttributeError:\n"
        "    c = torch.cuda.amp.autocast()\n",
        "import torch\nc = torch.autocast('cuda') if new else torch.cuda.amp.autocast()\n",
        "import torch\ntorch.is_autocast_enabled()\n",
    ],
)
def test_other_names_and_code_that_chooses_are_silent(text: str) -> None:
    assert lines("OVH102", text) == []


@pytest.mark.parametrize(
    ("target", "expected"), [((2, 13), [2, 3]), ((2, 4), [2, 3]), ((2, 3), [2]), ((1, 10), [2]), ((1, 9), [])]
)
def test_target_torch_decides_what_is_asked_for(target: tuple[int, int], expected: list[int]) -> None:
    text = b"import torch\ntorch.cuda.amp.autocast()\ntorch.is_autocast_cpu_enabled()\n"
    rules = packs.select(ALL, ["OVH102"], [])
    source = Source.from_bytes(Path("model.py"), text)
    found = Linter(rules, Settings(target_torch=target)).lint(source)
    assert [finding.span.line for finding in found] == expected


@pytest.mark.parametrize(
    ("newest", "expected"), [(None, [2]), ((2, 13), [2]), ((2, 4), [2]), ((2, 3), []), ((1, 13), [])]
)
def test_nothing_is_deprecated_where_an_older_torch_is_pinned(
    newest: tuple[int, int] | None, expected: list[int]
) -> None:
    source = Source.from_bytes(Path("model.py"), b"import torch\ntorch.cuda.amp.autocast()\n")
    settings = Settings(required_torch=RequiredTorch((1, 13), newest))
    found = Linter(packs.select(ALL, ["OVH102"], []), settings).lint(source)
    assert [finding.span.line for finding in found] == expected


@pytest.mark.parametrize(("newest", "expected"), [(None, "OVH102"), ((2, 4), "OVH102"), ((2, 3), "OVH101")])
def test_one_rule_tells_of_an_old_form_in_a_step(newest: tuple[int, int] | None, expected: str) -> None:
    text = (
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        with torch.cuda.amp.autocast():\n            return x\n"
    )
    source = Source.from_bytes(Path("model.py"), text.encode())
    settings = Settings(required_torch=RequiredTorch((1, 13), newest))
    found = Linter(packs.select(ALL, ["OVH101", "OVH102"], []), settings).lint(source)
    assert [(finding.span.line, finding.code) for finding in found] == [(4, expected)]


def test_import_whose_name_is_left_as_an_attribute_goes_away() -> None:
    text = "import torch\nfrom torch.cuda.amp import autocast\n\nwith autocast(enabled=False):\n    pass\n"
    assert fix("OVH102", text) == (
        'import torch\n\nwith torch.autocast("cuda", enabled=False, dtype=torch.float16):\n    pass\n'
    )


@pytest.mark.parametrize(
    ("use", "applicability"),
    [
        ("isinstance(context, autocast)", Applicability.UNSAFE),
        ("type(context) in {autocast}", Applicability.UNSAFE),
        ("names = {autocast: 1}[type(context)]", Applicability.UNSAFE),
        ("type(context) in [autocast]", Applicability.UNSAFE),
        ("Old = autocast", Applicability.UNSAFE),
        ("class Kinds:\n    old = autocast", Applicability.UNSAFE),
        ("class Own(autocast): pass", Applicability.UNSAFE),
        ("check(kind=autocast)", Applicability.UNSAFE),
        ("match context:\n    case autocast(): pass", Applicability.UNSAFE),
        ("if type(context) is torch.cuda.amp.autocast: pass", Applicability.UNSAFE),
        ("def f(context: autocast | None) -> autocast: pass", Applicability.SAFE),
        ("other: list[autocast] = []", Applicability.SAFE),
        ("autocast = 1", Applicability.SAFE),
        ("def f(autocast): return autocast", Applicability.SAFE),
    ],
)
def test_fix_is_unsafe_where_the_file_speaks_of_the_old_class(use: str, applicability: Applicability) -> None:
    text = f"import torch\nfrom torch.cuda.amp import autocast\ncontext = torch.cuda.amp.autocast()\n{use}\n"
    (finding,) = lint("OVH102", text)
    assert finding.fix is not None
    assert finding.fix.applicability is applicability
