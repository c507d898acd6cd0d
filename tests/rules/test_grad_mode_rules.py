"""Gradient modes, profiler ranges and empty contexts: spellings, what is safe to fix, what looks alike."""

from __future__ import annotations

import textwrap

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability


def in_loop(block: str, header: str = "import torch\nfrom torch import nn") -> str:
    return forward(f"for y in x:\n    {block}\n        y = y + 1\nreturn y", header=header)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("import torch\nfrom torch import nn", "torch.no_grad()"),
        ("import torch as t, torch\nfrom torch import nn", "t.enable_grad()"),
        ("import torch\nfrom torch import nn, inference_mode", "inference_mode()"),
        ("import torch\nfrom torch import nn\nfrom torch import no_grad as frozen", "frozen()"),
        ("import torch\nfrom torch import nn, autograd", "autograd.no_grad()"),
        ("import torch\nfrom torch import nn\nfrom torch.autograd.grad_mode import no_grad", "no_grad()"),
    ],
)
def test_grad_mode_in_a_loop_is_seen_under_every_import(header: str, name: str) -> None:
    text = in_loop(f"with {name}:", header)
    assert lines("OVH105", text) == [11]
    assert "with runtime." in fix("OVH105", text, unsafe=False)


@pytest.mark.parametrize(
    ("block", "applicability"),
    [
        ("with torch.no_grad():", Applicability.SAFE),
        ("with torch.no_grad() if y else torch.enable_grad():", Applicability.SAFE),
        ("with torch.no_grad() as mode:", Applicability.UNSAFE),
        ("with torch.inference_mode(False):", Applicability.SAFE),
        ("with torch.inference_mode(mode=True):", Applicability.SAFE),
        ("with torch.inference_mode(self.training):", Applicability.UNSAFE),
    ],
)
def test_grad_mode_fix_is_safe_only_with_known_arguments(block: str, applicability: Applicability) -> None:
    for finding in lint("OVH105", in_loop(block)):
        assert finding.fix is not None
        assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "made",
    [
        "torch.no_grad(None)",
        "torch.enable_grad(*())",
        "torch.no_grad(mode=True)",
        "torch.inference_mode(2)",
        "torch.inference_mode(None)",
        "torch.inference_mode(*(True,))",
        "torch.inference_mode(**{})",
        "torch.inference_mode(True, False)",
    ],
)
def test_grad_mode_with_other_arguments_has_no_fix(made: str) -> None:
    (finding,) = lint("OVH105", in_loop(f"with {made}:"))
    assert finding.fix is None


@pytest.mark.parametrize(
    "block",
    [
        "with torch.set_grad_enabled(False):",
        "with torch.no_grad():\n        y = self.layer.forward(y)",
        "with torch.no_grad():\n        y = x(y)",
        "with torch.no_grad():\n        y = torch.cat([self.scaled(one) for one in data_loader])",
        "with torch.no_grad():\n        y = self.language_model(y)[0]",
        "with torch.no_grad():\n        y = features(self.net, y)",
        "with torch.no_grad():\n        y = self.teacher_model.predict(y)",
        "with torch.inference_mode():\n        y = snacmodel.decode(y)",
        "with self.no_grad():",
        "with (lambda torch: torch.no_grad())(other):",
        "with stack.push(torch.no_grad()):",
    ],
)
def test_other_modes_and_objects_are_silent(block: str) -> None:
    assert lines("OVH105", in_loop(block)) == []


def decorated(decorator: str, definition: str = "def forward(self, x: torch.Tensor):") -> str:
    return (
        "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n"
        f"    {decorator}\n    {definition}\n        return x + 1\n{ROUNDS}"
    )


ROUNDS = """

class Rounds(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        for _ in range(100):
            x = self.net(x)
        return x
"""


def test_decorator_that_is_entered_once_a_step_is_silent() -> None:
    assert lines("OVH106", decorated("@torch.no_grad()").replace(ROUNDS, "")) == []


@pytest.mark.parametrize(
    ("decorator", "after", "applicability"),
    [
        ("@torch.no_grad()", "@runtime.no_grad\n", Applicability.SAFE),
        ("@torch.no_grad", "@runtime.no_grad\n", Applicability.SAFE),
        ("@torch.enable_grad()  # kept", "@runtime.enable_grad  # kept\n", Applicability.SAFE),
        ("@torch.inference_mode(mode=False)", "@runtime.inference_mode(mode=False)\n", Applicability.SAFE),
        ("@torch.inference_mode(FAST)", "@runtime.inference_mode(FAST)\n", Applicability.UNSAFE),
    ],
)
def test_decorator_is_rewritten_where_it_stands(
    decorator: str, after: str, applicability: Applicability
) -> None:
    text = decorated(decorator)
    (finding,) = lint("OVH106", text)
    assert finding.span.line == 5
    assert finding.fix is not None and finding.fix.applicability is applicability
    assert f"    {after}" in fix("OVH106", text)


def test_decorator_is_as_hot_as_the_function_below_it() -> None:
    (finding,) = lint("OVH106", decorated("@torch.no_grad()"))
    assert "forward" in finding.warmth.why


@pytest.mark.parametrize(
    "text",
    [
        decorated("@torch.no_grad()", "async def forward(self, x):"),
        decorated("@torch.no_grad()", "def __init__(self, x):"),
        decorated("@torch.no_grad()").replace("return x + 1", "yield x + 1"),
        decorated("@torch.compile\n    @torch.no_grad()"),
        decorated("@torch.jit.export\n    @torch.no_grad()"),
        decorated("@self.no_grad()"),
        decorated("@torch.no_grad()").replace("return x + 1", '"""To be overridden."""'),
        decorated("@torch.no_grad()").replace("return x + 1", "raise NotImplementedError"),
        decorated("@torch.set_grad_enabled(False)"),
    ],
)
def test_what_needs_the_stock_decorator_is_silent(text: str) -> None:
    assert lines("OVH106", text) == []


def test_a_generator_inside_the_function_does_not_make_it_one() -> None:
    text = decorated("@torch.no_grad()").replace(
        "return x + 1", "def rows():\n            yield x\n        return sum(rows())"
    )
    assert lines("OVH106", text) == [5]


@pytest.mark.parametrize(
    ("block", "after", "applicability"),
    [
        ('torch.profiler.record_function("a")', 'runtime.record("a")', Applicability.UNSAFE),
        (
            'torch.autograd.profiler.record_function("a", "b")',
            'runtime.record("a", "b")',
            Applicability.UNSAFE,
        ),
        ('torch.cuda.nvtx.range("a")', 'runtime.nvtx_range("a")', Applicability.SAFE),
        ('torch.cuda.nvtx.range("a {}", 1)', 'runtime.nvtx_range("a {}", 1)', Applicability.SAFE),
    ],
)
def test_range_is_rewritten_with_its_arguments(block: str, after: str, applicability: Applicability) -> None:
    text = forward(f"with {block}:\n    return x")
    (finding,) = lint("OVH107", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    assert f"with {after}:" in fix("OVH107", text)


def test_a_record_function_that_is_bound_is_not_fixed() -> None:
    call = "bound._call_end_callbacks_on_future(x)"
    text = forward(f'with torch.profiler.record_function("a") as bound:\n    return {call}')
    assert lines("OVH107", text) == [10]
    assert fix("OVH107", text) == text


def test_nvtx_range_that_is_bound_is_not_fixed_safely() -> None:
    text = forward('with torch.cuda.nvtx.range("a") as bound:\n    return x, bound')
    assert lines("OVH107", text) == [10]
    assert fix("OVH107", text, unsafe=False) == text


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("with nullcontext():\n    return x", Applicability.SAFE),
        ("with torch.no_grad() if self.off else nullcontext():\n    return x", Applicability.SAFE),
        ("mode = nullcontext()\nwith mode:\n    return x", Applicability.SAFE),
        ("return nullcontext()", Applicability.UNSAFE),
        ("self.mode = nullcontext()", Applicability.UNSAFE),
        ("with nullcontext() as nothing:\n    return x, nothing", Applicability.UNSAFE),
    ],
)
def test_empty_context_is_shared_safely_where_it_is_only_entered(
    body: str, applicability: Applicability
) -> None:
    header = "import torch\nfrom contextlib import nullcontext\nfrom torch import nn"
    (finding,) = lint("OVH108", forward(body, header=header))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "body",
    [
        "with nullcontext(x) as y:\n    return y",
        "with nullcontext(enter_result=x) as y:\n    return y",
        "nullcontext = other\nwith nullcontext():\n    return x",
        "with self.nullcontext():\n    return x",
    ],
)
def test_contexts_that_hand_on_a_value_and_look_alikes_are_silent(body: str) -> None:
    header = "import torch\nfrom contextlib import nullcontext\nfrom torch import nn"
    assert lines("OVH108", forward(body, header=header)) == []


def test_empty_context_of_a_local_import_is_not_fixed() -> None:
    (finding,) = lint("OVH108", forward("import contextlib\nwith contextlib.nullcontext():\n    return x"))
    assert finding.fix is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("return x.item()", False),
        ("return [row.cpu() for row in x]", False),
        ("return x.to('cpu')", False),
        ("return x.to(device='cpu')", False),
        ("return x.flatten().tolist()", False),
        ("return x.to(self.device)", True),
        ("return self.table.item(x)", True),
        ("return x.cpu_offset", True),
    ],
)
def test_function_that_reads_a_tensor_back_is_no_place_to_save_a_context(line: str, found: bool) -> None:
    text = f"""
    import torch
    from torch import nn
    class Net(nn.Module):
        @torch.no_grad()
        def forward(self, x):
            {line}
    """
    text = textwrap.dedent(text) + ROUNDS
    assert bool(lines("OVH106", text)) is found


@pytest.mark.parametrize(
    ("message", "applicability"),
    [
        ("named()", Applicability.SAFE),
        ("x.name", Applicability.SAFE),
        ("f'part {x}'", Applicability.SAFE),
        ("named", Applicability.UNSAFE),
        ("lambda: 'part'", Applicability.UNSAFE),
        ("msg=Own()", Applicability.UNSAFE),
    ],
)
def test_nvtx_message_that_would_be_called_is_not_fixed_safely(
    message: str, applicability: Applicability
) -> None:
    header = "import torch\nfrom torch import nn\nclass Own: pass\ndef named(): return 'part'"
    text = forward(f"with torch.cuda.nvtx.range({message}):\n    return x", header=header)
    (finding,) = lint("OVH107", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
