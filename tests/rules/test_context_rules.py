"""Context rules: spellings, what is safe to fix, and what looks alike."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

AUTOCAST_SPELLINGS = [
    ("import torch\nfrom torch import nn", "torch.autocast"),
    ("import torch\nfrom torch import nn", "torch.amp.autocast"),
    ("import torch as t, torch\nfrom torch import nn", "t.autocast"),
    ("import torch\nfrom torch import nn, autocast", "autocast"),
    ("import torch\nfrom torch import nn, autocast as ac", "ac"),
    ("import torch\nfrom torch import nn, amp", "amp.autocast"),
    ("import torch\nfrom torch import nn\nfrom torch.amp import autocast as mixed", "mixed"),
    ("import torch\nfrom torch import nn\nimport torch.amp as mp", "mp.autocast"),
    ("import torch\nfrom torch import nn\nfrom torch.amp.autocast_mode import autocast", "autocast"),
]


@pytest.mark.parametrize(("header", "name"), AUTOCAST_SPELLINGS)
def test_autocast_is_seen_under_every_import(header: str, name: str) -> None:
    text = forward(f"with {name}('cuda'):\n    return x", header=header)
    assert lines("OVH101", text) == [10]


@pytest.mark.parametrize(
    "body",
    [
        "with torch.no_grad(), torch.autocast('cuda'):\n    return x",
        "with (torch.autocast('cuda') if self.training else torch.autocast('cpu')):\n    return x",
        "return [y for y in x if stack.enter_context(torch.autocast('cuda'))]",
        "if (amp := torch.autocast('cuda')):\n    return x",
    ],
)
def test_autocast_is_seen_wherever_it_is_built(body: str) -> None:
    assert lint("OVH101", forward(body)) != []


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("with torch.autocast('cuda'):\n    return x", Applicability.SAFE),
        ("with torch.autocast('cuda') as amp:\n    return amp", Applicability.UNSAFE),
        ("return torch.autocast('cuda')", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    return x", Applicability.SAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    return amp", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    pass\nwith amp:\n    return x", Applicability.SAFE),
        ("amp = torch.autocast('cuda')\nwith amp:\n    with x, amp:\n        return x", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nwith amp, amp:\n    return x", Applicability.UNSAFE),
        ("amp = torch.autocast('cuda')\nself.amp = amp\nwith amp:\n    return x", Applicability.UNSAFE),
        ("stack.enter_context(torch.autocast('cuda'))", Applicability.UNSAFE),
        ("use(torch.autocast('cuda'))", Applicability.UNSAFE),
        ("global amp\namp = torch.autocast('cuda')\nwith amp:\n    return x", Applicability.UNSAFE),
    ],
)
def test_autocast_fix_is_safe_only_where_the_object_is_just_entered(
    body: str, applicability: Applicability
) -> None:
    (finding,) = lint("OVH101", forward(body))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    "body",
    [
        "torch = other\nwith torch.autocast('cuda'):\n    return x",
        "def inner(torch):\n    with torch.autocast('cuda'):\n        return x",
        "with self.torch.autocast('cuda'):\n    return x",
        "with self.autocast('cuda'):\n    return x",
        "with torch.cuda.device(0):\n    return x  # autocast",
    ],
)
def test_autocast_of_something_else_is_silent(body: str) -> None:
    assert lint("OVH101", forward(body)) == []


SAMPLER = """
import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])
        self.n = n

    def advance(self, x, t):
        return self.net(x) * t

    def forward(self, x, times):
        with torch.autocast("cuda"):
            {loop}
        return x
"""


@pytest.mark.parametrize(
    ("loop", "number"),
    [
        ("for t in times:\n    x = self.advance(x, t)", 0),
        ("for i, t in enumerate(times):\n    t = t.item()\n    x = self.net(x) + t", 0),
        ("while x.sum() < 1:\n    x = self.net(x)", 0),
        ("for t in times:\n    x = step(self.net, x, t)", 0),
        ("if self.n:\n    for t in times:\n        x = self.net(x)", 0),
        ("for layer in self.layers:\n    x = layer(x)", 1),
        ("for layer, t in zip(self.layers, times):\n    x = layer(x)", 1),
        ("for i in range(self.n):\n    x = self.layers[i](x)", 1),
        ("for layer in times:\n    x = layer.forward_step(self.net, x)", 1),
        ("for t in times:\n    x = x + t", 1),
        ("def later():\n    for t in times:\n        self.net(x)\nx = self.net(x)", 1),
        ("x = self.net(x)", 1),
    ],
)
def test_autocast_around_steps_is_silent_and_around_layers_is_not(loop: str, number: int) -> None:
    text = SAMPLER.format(loop=textwrap.indent(loop, " " * 12).strip())
    assert len(lint("OVH101", text)) == number


DATA = """
import contextlib

import torch
from torch.utils.data import Dataset


@contextlib.contextmanager
def seeded(seed):
    state = torch.get_rng_state()
    torch.manual_seed(seed)
    yield
    torch.set_rng_state(state)


class Images(Dataset):
    def __getitem__(self, at):
        with seeded(at), torch.autocast("cpu"):
            return torch.rand(3)
{more}
"""


@pytest.mark.parametrize("code", ["OVH101", "OVH104"])
def test_contexts_of_samples_cost_nothing_beside_these(code: str) -> None:
    assert lint(code, DATA.format(more="")) == []
    steps = "\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    steps += "        with seeded(1), torch.autocast('cpu'):\n            return x"
    assert len(lint(code, DATA.format(more=steps))) == 1


def test_transformer_engine_autocast_is_seen_in_a_loop_only_and_never_fixed() -> None:
    text = forward(
        """
        with te.fp8_autocast(enabled=True):
            x = self.first(x)
        for layer in self.layers:
            with te.fp8_autocast(enabled=True):
                x = layer(x)
        return x
        """,
        header="import torch\nfrom torch import nn\nimport transformer_engine.pytorch as te",
    )
    (finding,) = lint("OVH101", text)
    assert finding.span.line == 13
    assert finding.fix is None


@pytest.mark.parametrize(
    ("mode", "nested"),
    [("torch.no_grad()", True), ("torch.inference_mode()", True), ("torch.enable_grad()", True)],
)
def test_kept_grad_mode_is_found_through_a_chain_of_calls(mode: str, nested: bool) -> None:
    text = f"""
        import torch
        MODE = {mode}
        def outer(x):
            with MODE:
                return middle(x)
        def middle(x):
            return inner(x)
        def inner(x):
            with MODE:
                return x
        """
    assert bool(lint("OVH103", text)) is nested


@pytest.mark.parametrize(
    ("body", "nested"),
    [
        ("return self(x) if x.sum() else x", True),
        ("return self.forward(x)", True),
        ("return self.again(x)", True),
        ("return self.model(x)", False),
    ],
)
def test_kept_grad_mode_is_found_where_a_module_calls_itself(body: str, nested: bool) -> None:
    text = forward(
        f"with MODE:\n    {body}", header="import torch\nfrom torch import nn\nMODE = torch.no_grad()"
    )
    text += "    def again(self, x): return self(x)\n"
    assert bool(lint("OVH103", text)) is nested


NETS = """
import torch
from torch import nn
AMP = torch.autocast("cpu")
class Tree(nn.Module):
    def __init__(self, left, leaf):
        super().__init__()
        self.left, self.child = left, Tree(left, leaf)
        self.act = nn.ReLU()
        self.amp = torch.autocast("cpu")
    def forward(self, x: torch.Tensor):
        with {context}:
            {body}
class Other(nn.Module):
    def forward(self, x: torch.Tensor):
        return {other}
def helper(x):
    return Tree(1, 2)(x)
def apply(model, x):
    return model(x)
"""


@pytest.mark.parametrize(
    ("context", "body", "other", "applicability"),
    [
        ("AMP", "return x @ x", "x", Applicability.SAFE),
        ("AMP", "return self.act(x).sum()", "x", Applicability.SAFE),
        ("AMP", "return self.act.forward(x)", "x", Applicability.UNSAFE),
        ("AMP", "return self.left.forward(x)", "x", Applicability.UNSAFE),
        ("AMP", "return self.child(x)", "x", Applicability.UNSAFE),
        ("AMP", "return apply(self.left, x)", "x", Applicability.UNSAFE),
        ("AMP", "return list(map(self.left.forward, x))", "x", Applicability.UNSAFE),
        ("AMP", "return helper(x)", "x", Applicability.UNSAFE),
        ("AMP", "return list(map(helper, x))", "x", Applicability.UNSAFE),
        ("AMP", "yield x", "x", Applicability.UNSAFE),
        ("AMP", "return self.left(x)", "x", Applicability.UNSAFE),
        ("AMP", "return nn.Sequential(self.left)(x)", "x", Applicability.UNSAFE),
        ("AMP", "return self.act(x)", "self.run(x)", Applicability.SAFE),
        ("self.amp", "return self.child(x)", "x", Applicability.SAFE),
        ("self.amp", "return self.child.forward(x)", "x", Applicability.UNSAFE),
        ("self.amp", "return apply(self, x)", "x", Applicability.UNSAFE),
        ("self.amp", "return helper(x)", "x", Applicability.SAFE),
    ],
)
def test_kept_autocast_is_left_where_an_entry_may_run_within_another(
    context: str, body: str, other: str, applicability: Applicability
) -> None:
    findings = lint("OVH103", NETS.format(context=context, body=body, other=other))
    assert [finding.fix.applicability for finding in findings if finding.fix] == [applicability]


@pytest.mark.parametrize(
    ("after", "applicability"),
    [
        ("", Applicability.SAFE),
        ("def load(net: Net) -> Net: return net", Applicability.SAFE),
        ("net = Net(Net(None))", Applicability.UNSAFE),
        ("class Own:\n    def __iter__(self):\n        with AMP: pass", Applicability.UNSAFE),
        (
            "def hook(*args):\n    with AMP: pass\nnn.ReLU().register_forward_hook(hook)",
            Applicability.UNSAFE,
        ),
        ("nn.ReLU.__call__ = traced", Applicability.UNSAFE),
        ("def patch(model, f):\n    model.forward = f", Applicability.UNSAFE),
        ("setattr(nn.Module, '__call__', traced)", Applicability.UNSAFE),
        ("patch = mock.patch.object(nn.Module, 'forward', traced)", Applicability.UNSAFE),
        ("nn.ReLU.inplace = True; plain = nn.Module.__call__", Applicability.SAFE),
    ],
)
def test_kept_autocast_is_left_where_a_module_may_hold_one_of_its_own_class(
    after: str, applicability: Applicability
) -> None:
    text = forward(
        "with AMP:\n    return self.child(x)",
        header="import torch\nfrom torch import nn\nAMP = torch.autocast('cpu')",
        init="self.child = child",
    ).replace("__init__(self)", "__init__(self, child)")
    (finding,) = lint("OVH103", f"{text}\n{after}\n")
    assert finding.fix is not None and finding.fix.applicability is applicability


@pytest.mark.parametrize(
    ("other", "applicability"),
    [
        ("class Sub(Net):\n    def forward(self, x):\n        return self.mode", Applicability.UNSAFE),
        (
            "class Sub(Net):\n    def forward(self, x):\n"
            "        with self.mode:\n            return super().forward(x)",
            Applicability.UNSAFE,
        ),
        ("def use(net):\n    return type(net.mode)", Applicability.UNSAFE),
        ("    def show(self):\n        return type(self.mode)", Applicability.UNSAFE),
        (
            "class Own:\n    def get(self):\n        self.mode = 1\n        return self.mode",
            Applicability.SAFE,
        ),
        ("from torch.backends import other\nprint(other.mode)", Applicability.SAFE),
    ],
)
def test_autocast_of_an_attribute_is_left_where_others_of_its_name_are_read(
    other: str, applicability: Applicability
) -> None:
    text = forward("with self.mode:\n    return x @ x", init="self.mode = torch.autocast('cpu')")
    (finding,) = lint("OVH103", f"{text}\n{other}\n")
    assert finding.fix is not None and finding.fix.applicability is applicability


@pytest.mark.parametrize(("argument", "is_fixed"), [("True", True), ("mode=True", True), ("FAST", False)])
def test_kept_grad_mode_is_built_afresh_with_its_arguments_where_these_are_constants(
    argument: str, is_fixed: bool
) -> None:
    text = f"""
        import torch
        MODE = torch.inference_mode({argument})
        def recurse(x):
            with MODE:
                return recurse(x)
        """
    (finding,) = lint("OVH103", text)
    assert (finding.fix is not None) == is_fixed
    if is_fixed:
        assert f"with torch.inference_mode({argument}):" in fix("OVH103", text)


@pytest.mark.parametrize(
    "text",
    [
        # bound twice: which one is entered is not known
        "import torch\nMODE = torch.no_grad()\nMODE = other()\n"
        "def f(x):\n    with MODE:\n        return f(x)\n",
        # a local name of the same spelling
        "import torch\nMODE = torch.no_grad()\n"
        "def f(x):\n    MODE = make()\n    with MODE:\n        return f(x)\n",
        # another object's attribute
        "import torch\nclass A:\n    def __init__(self):\n        self.m = torch.no_grad()\n"
        "    def f(self, other):\n        with other.m:\n            return self.f(other)\n",
        # one after the other
        "import torch\nMODE = torch.no_grad()\ndef f(x):\n    with MODE:\n        y = x\n    with MODE:\n"
        "        return y\n",
    ],
)
def test_kept_mode_that_is_not_entered_while_active_is_silent(text: str) -> None:
    assert lint("OVH103", text) == []


@pytest.mark.parametrize(
    ("header", "use"),
    [
        ("import torch\nfrom torch import nn", "torch.jit.script(Net())"),
        ("import torch\nfrom torch import nn", "torch.jit.trace(model, example)"),
        ("import torch\nfrom torch import nn, jit", "save = jit.script(model)"),
        ("import torch\nfrom torch import nn\nimport torch.jit as tj", "tj.freeze(model)"),
        ("import torch\nfrom torch import nn\nfrom torch.jit import script", "deploy = script"),
    ],
)
def test_runtime_is_not_put_safely_into_files_that_torchscript_compiles(header: str, use: str) -> None:
    text = forward("with torch.autocast('cpu'):\n    return x", header=header)
    (finding,) = lint("OVH101", f"{text}\n\n{use}\n")
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("entered", "applicability"),
    [
        ("stack.enter_context(torch.autocast('cpu'))", Applicability.SAFE),
        ("amp = stack.enter_context(torch.autocast('cpu'))", Applicability.UNSAFE),
        ("with stack.enter_context(torch.autocast('cpu')):\n        pass", Applicability.UNSAFE),
    ],
)
def test_what_an_exit_stack_gives_back_is_not_just_entered(
    entered: str, applicability: Applicability
) -> None:
    header = "import contextlib\nimport torch\nfrom torch import nn"
    body = f"with contextlib.ExitStack() as stack:\n    {entered}\nreturn x"
    (finding,) = lint("OVH101", forward(body, header=header))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


def test_partial_of_autocast_is_made_of_the_runtime_s() -> None:
    before = """
        import functools
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, dtype):
                super().__init__()
                self.amp = functools.partial(torch.autocast, "cpu", dtype=dtype)
                self.lin = nn.Linear(2, 2)

            def forward(self, x):
                with self.amp():
                    return self.lin(x)

        """
    after = fix("OVH101", before)
    assert "functools.partial(runtime.autocast," in after and "torch.autocast" not in after
    results = []
    for text in (textwrap.dedent(before), after):
        names: dict[str, Any] = {}
        exec(text, names)
        torch.manual_seed(0)
        results.append(names["Net"](torch.bfloat16)(torch.ones(1, 2)))
    assert torch.equal(*results) and results[0].dtype is torch.bfloat16
