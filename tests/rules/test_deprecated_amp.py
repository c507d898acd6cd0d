"""The autocast API from before the device was an argument: forms, and what the fix writes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import ALL, fix, forward, lines, lint

from overhead_lint.config.run_settings import RequiredTorch, Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Applicability, Heat
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
    (finding,) = lint("OVH102", text, Heat.COLD)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE
    fixed = fix("OVH102", text, unsafe=False, least=Heat.COLD)
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
    (finding,) = lint("OVH102", f"import torch\n{call}\n", Heat.COLD)
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
    assert not lint("OVH102", text, Heat.COLD)


@pytest.mark.parametrize(
    ("target", "expected"), [((2, 13), [2, 3]), ((2, 4), [2, 3]), ((2, 3), [2]), ((1, 10), [2]), ((1, 9), [])]
)
def test_target_torch_decides_what_is_asked_for(target: tuple[int, int], expected: list[int]) -> None:
    text = b"import torch\ntorch.cuda.amp.autocast()\ntorch.is_autocast_cpu_enabled()\n"
    rules = packs.select(ALL, ["OVH102"], [])
    source = Source.from_bytes(Path("model.py"), text)
    found = Linter(rules, Settings(target_torch=target, min_heat=Heat.COLD)).lint(source)
    assert [finding.span.line for finding in found] == expected


@pytest.mark.parametrize(
    ("newest", "expected"), [(None, [2]), ((2, 13), [2]), ((2, 4), [2]), ((2, 3), []), ((1, 13), [])]
)
def test_nothing_is_deprecated_where_an_older_torch_is_pinned(
    newest: tuple[int, int] | None, expected: list[int]
) -> None:
    source = Source.from_bytes(Path("model.py"), b"import torch\ntorch.cuda.amp.autocast()\n")
    settings = Settings(required_torch=RequiredTorch((1, 13), newest), min_heat=Heat.COLD)
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


@pytest.mark.parametrize(
    ("target", "new"),
    [
        ((2, 3), 'runtime.autocast("cuda", dtype=torch.float16)'),
        ((1, 9), "torch.cuda.amp.autocast()"),
    ],
)
def test_the_old_form_is_written_anew_where_the_project_pins_its_torch(
    target: tuple[int, int], new: str
) -> None:
    source = Source.from_bytes(Path("model.py"), forward("with torch.cuda.amp.autocast():\n    x").encode())
    settings = Settings(required_torch=RequiredTorch(target, target))
    result = fix_file(source, Linter(packs.select(ALL, ["OVH101"], []), settings).lint, unsafe=True)
    assert f"with {new}:" in result.after_text


def test_only_steps_are_told_of() -> None:
    text = """
    import torch
    from torch import nn
    from torch.cuda.amp import autocast

    def log_validation(pipe, prompts):
        with autocast():
            return [pipe(prompt).images for prompt in prompts]

    @autocast()
    def loss(x):
        return x.sum()

    class Net(nn.Module):
        def forward(self, x):
            with autocast():
                return x @ x
    """
    assert lines("OVH102", text) == [16]


@pytest.mark.parametrize(
    ("inside", "is_told"),
    [
        ("self.lm.generate(x, max_new_tokens=32)", False),
        ("self.pipe(x, num_inference_steps=25, generator=None).images", False),
        ("self.lm.generate(x, generation_config=self.told)", False),
        ("self.lm.generate(x)", True),
        ("self.lm(x, steps=3)", True),
    ],
)
@pytest.mark.parametrize(
    ("code", "new"), [("OVH102", "torch.cuda.amp.autocast()"), ("OVH101", 'torch.autocast("cuda")')]
)
def test_a_context_around_a_whole_generation_costs_nothing(
    code: str, new: str, inside: str, is_told: bool
) -> None:
    text = forward(f"with {new}:\n    return {inside}")
    assert bool(lint(code, text)) is is_told


def test_import_whose_name_is_left_as_an_attribute_goes_away() -> None:
    text = "import torch\nfrom torch.cuda.amp import autocast\n\nwith autocast(enabled=False):\n    pass\n"
    assert fix("OVH102", text, least=Heat.COLD) == (
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
    (finding,) = lint("OVH102", text, Heat.COLD)
    assert finding.fix is not None
    assert finding.fix.applicability is applicability
