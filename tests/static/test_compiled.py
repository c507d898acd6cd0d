"""What torch.compile reaches within a file: spellings of the call, and what the compiled code calls."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.project.facts import FileFacts

NETWORK = """
import torch
from torch import nn

class Block(nn.Module):
    def forward(self, x):
        return self.help(x)

    def help(self, x):
        return x

    @torch.compiler.disable
    def apart(self, x):
        return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.stages = nn.Sequential(nn.ReLU(), Block())
        self.many = nn.Sequential(*[Block() for _ in range(3)])
        self.layers = nn.ModuleList([Block()])

    def forward(self, x):
        return {body}

def eager(x):
    return x
"""
REACHED = {"Net.forward", "Block.forward", "Block.help"}


def compiled(text: str) -> set[str]:
    facts = FileFacts(ast.parse(text), "model.py")
    return {function.qualname for function in facts.functions.values() if function.compiled}


@pytest.mark.parametrize(
    "use",
    [
        "torch.compile(Net())",
        "model = torch.compile(model=Net().cuda(), fullgraph=True)",
        "model = Net()\nmodel.compile()",
        "model = Net()\nmodel = torch.compile(model)",
        "model = Net().eval()\nif True:\n    model = torch.compile(model, mode='reduce-overhead')",
        "model = Net()\nmodel.forward = torch.compile(model.forward)",
        "class Trainer:\n    def __init__(self):\n        self.model = Net()\n"
        "        self.model = torch.compile(self.model)",
        "class Trainer:\n    def __init__(self):\n        self.model = Net()\n        self.model.compile()",
    ],
)
def test_every_spelling_reaches_forward_and_what_it_calls(use: str) -> None:
    assert compiled(NETWORK.format(body="self.block(x)") + use + "\n") == REACHED


DECORATOR = """
import functools
import torch

def lazily({parameters}):
    compiled = None
    @functools.wraps(function)
    def run(*args):
        nonlocal compiled
        if {test}:
            return function(*args)
        compiled = compiled or torch.compile(function)
        return compiled(*args)
    return run

@lazily
def scale(x):
    return inner(x)

def inner(x):
    return x
"""


@pytest.mark.parametrize(
    ("parameters", "test", "expected"),
    [
        ("function", "os.environ.get('EAGER')", {"scale", "inner"}),
        ("function, fast=False", "len(args) > 1", {"scale", "inner"}),
        ("other, function", "len(args) > 1", set()),
    ],
)
def test_what_a_decorator_compiles_is_compiled(parameters: str, test: str, expected: set[str]) -> None:
    assert compiled(DECORATOR.format(parameters=parameters, test=test)) == expected


def test_a_decorator_with_an_option_compiles_nothing() -> None:
    maybe = "def maybe(function, fast=False):\n    return torch.compile(function) if fast else function\n"
    assert compiled(f"import torch\n{maybe}@maybe\ndef scale(x):\n    return x\n") == set()


@pytest.mark.parametrize("arguments", ["optimizer, loss, 0.1", "optimizer=optimizer, loss=loss"])
def test_a_method_that_is_given_an_optimizer_compiles_nothing(arguments: str) -> None:
    assert (
        compiled(NETWORK.format(body="self.block(x)") + f"model = Net()\nmodel.compile({arguments})\n")
        == set()
    )


@pytest.mark.parametrize("body", ["self.stages(x)", "self.many(x)", "self.layers[0](x)"])
def test_containers_run_what_they_were_made_of(body: str) -> None:
    assert compiled(NETWORK.format(body=body) + "torch.compile(Net())\n") == REACHED


def test_disabled_functions_and_those_nothing_compiled_calls_stay_out() -> None:
    text = NETWORK.format(body="self.block.apart(x)") + "torch.compile(Net())\n"
    assert compiled(text) == {"Net.forward"}
    assert compiled(NETWORK.format(body="self.block(x)")) == set()


def test_what_is_wrapped_by_disable_under_its_own_name_stays_out() -> None:
    text = """
        import torch
        def dispatch(function):
            def wrapper(*args):
                return ask(*args)
            {name} = torch.compiler.disable(wrapper)
            return wrapper
        def ask(x):
            return x
        @torch.compile
        def run(x):
            return dispatch(run)(x)
        """
    assert "ask" not in compiled(textwrap.dedent(text.format(name="wrapper")))
    assert "ask" in compiled(textwrap.dedent(text.format(name="other")))


def test_name_that_is_rebound_to_something_else_reaches_nothing() -> None:
    use = textwrap.dedent("""
        def build(model):
            model = torch.compile(model)
            return model
        """)
    assert compiled(NETWORK.format(body="self.block(x)") + use) == set()
