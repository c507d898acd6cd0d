"""What a file compiles, in all spellings: the guards of a module are those of its layers in each of them."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch
from compile_spellings import DECORATED, FOUND, LIBRARIES, REACHED, SILENT
from compile_spellings import LAYERS as TUTORIAL
from rule_cases import fix, lines, lint

from overhead_lint.rule import Applicability, Heat

LAYERS = """
import functools

import torch
from torch import nn


class Shift(nn.Module):
    def __init__(self, amount):
        super().__init__()
        self.amount = amount

    def forward(self, x):
        return x + self.amount


class Chain(nn.Module):
    def __init__(self, length: int):
        super().__init__()
        self.shifts = nn.ModuleList([Shift(k) for k in range(length)])

    {decorator}
    def forward(self, x):
        for shift in self.shifts:
            x = shift(x)
        return x


"""


def program(rest: str, decorator: str = "# as it is") -> str:
    """A chain of layers that each hold a number, and what is done with it."""
    return LAYERS.format(decorator=decorator) + textwrap.dedent(rest)


def ran(text: str) -> tuple[list[float], Any]:
    """Two results of what a program calls ``run``, and that."""
    torch._dynamo.reset()
    names: dict[str, Any] = {}
    exec(text, names)
    run = names["run"]
    return [float(run(torch.ones(1))) for _ in range(2)], run


@pytest.mark.parametrize(
    "decorator",
    [
        '@torch.compile(backend="eager")',
        '@torch.compile(backend="eager", dynamic=True)',
        '@functools.partial(torch.compile, backend="eager")',
        '@torch.no_grad()\n    @torch.compile(backend="eager")',
    ],
)
def test_decorated_forward_is_found_fixed_and_served(decorator: str) -> None:
    before = program("run = Chain(5)", decorator)
    (finding,) = lint("OVH307", before)
    assert "the compiled Chain.forward" in finding.message and "self.amount" in finding.message
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    after = fix("OVH307", before)
    assert decorator.replace("torch.compile", "runtime.compile") in after
    assert lint("OVH307", after) == []
    results, run = ran(after)
    assert results == ran(before)[0] == [11.0, 11.0]
    assert "no_grad" in decorator or type(run).forward.stats().hits == 1


def test_bare_decorator_is_found_and_fixed() -> None:
    after = fix("OVH307", program("run = Chain(5)", "@torch.compile"))
    assert "    @runtime.compile\n    def forward" in after


@pytest.mark.parametrize(
    "rest",
    [
        "run = torch.compile(Chain(5), backend='eager')",
        "run = torch.compile(backend='eager')(Chain(5))",
        "run = torch.compile(model=Chain(5), backend='eager')",
        "run = Chain(5)\nrun = torch.compile(run, backend='eager')",
        "run = Chain(5).eval()\nrun = run.to('cpu')\nif True:\n    run = torch.compile(run, backend='eager')",
        """
        def main():
            model = Chain(5)
            model = torch.compile(model, backend="eager")
            return model
        run = main()
        """,
        """
        class Trainer:
            def __init__(self):
                self.model = None
                self.model = Chain(5)
                self.model = torch.compile(self.model, backend="eager")
        run = Trainer().model
        """,
        """
        class Trainer:
            def __init__(self):
                self.model, self.steps = Chain(5), 0
            def prepare(self):
                self.model = torch.compile(self.model, backend="eager") if self.model else self.model
                return self.model
        run = Trainer().prepare()
        """,
        "run = Chain(5)\nrun.forward = torch.compile(run.forward, backend='eager')",
        """
        class Scored(Chain):
            def __init__(self):
                super().__init__(5)
                self.shifts = nn.ModuleList()
                for k in range(5):
                    self.shifts.append(Shift(k))
            @torch.compile(backend="eager")
            def score(self, x):
                return functools.reduce(lambda y, shift: shift(y), [one for one in self.shifts], x)
        run = Scored().score
        """,
        """
        class Stacked(nn.Module):
            def __init__(self):
                super().__init__()
                layers = []
                for k in range(5):
                    layers.append(Shift(k))
                self.stack = nn.Sequential(*layers)
            def forward(self, x):
                return self.stack(x)
        run = torch.compile(Stacked(), backend="eager")
        """,
        """
        class Plain(nn.Module):
            def forward(self, x):
                return x
        class Mixed(Chain):
            def __init__(self):
                super().__init__(5)
                kind = Plain if len(self.shifts) > 9 else Shift
                self.shifts = nn.ModuleList([kind(k) if k else Plain() for k in range(5)])
        run = torch.compile(Mixed(), backend="eager")
        """,
        """
        def built(name: str) -> nn.Module:
            return {"chain": Chain(5)}[name] if name else nn.parallel.DistributedDataParallel(Chain(5))
        run = torch.compile(built("chain"), backend="eager")
        """,
    ],
)
def test_module_is_found_however_it_is_compiled(rest: str) -> None:
    before = program(rest)
    (finding,) = lint("OVH307", before)
    assert finding.fix is not None
    after = fix("OVH307", before)
    assert "runtime.compile" in after and "torch.compile" not in after
    assert ran(after)[0] == ran(before)[0] == [11.0, 11.0]


@pytest.mark.parametrize(
    "rest",
    [
        "model = Chain(5)\nmodel.compile()",
        "class Trainer:\n    def __init__(self):\n        self.model = Chain(5)\n"
        "        self.model.compile(dynamic=True)",
        "class Own(Chain):\n    def __init__(self):\n        super().__init__(5)\n        self.shifts ="
        " nn.Sequential(Shift(1), Shift(2))\n        self.compile()\n"
        "    def forward(self, x):\n        return self.shifts(x)",
    ],
)
def test_module_compiled_in_place_gets_a_message_that_says_what_to_do(rest: str) -> None:
    (finding,) = lint("OVH307", program(rest))
    assert finding.fix is None
    assert "has no drop-in form: call what runtime.compile gives" in finding.help


@pytest.mark.parametrize(
    ("rest", "decorator"),
    [
        ("", "@torch.compile(disable=True)"),
        ("", "@torch.compiler.disable\n    @torch.compile"),
        ("", "@torch.no_grad()"),
        ("run = torch.compile(Chain(5), disable=True)", ""),
        ("run = Chain(5)\nrun.compile(disable=True)", ""),
        ("run = Chain(5)\nfor shift in run.shifts:\n    shift.compile()", ""),
        ("run = Chain(5)\nfor k, one in enumerate(run.shifts):\n    run.shifts[k] = torch.compile(one)", ""),
        ("run = Chain(5)\n@torch.compile\ndef pure(x):\n    return x + 1", ""),
        ("run = Chain(5)\nrun = torch.compile(nn.Linear(2, 2))", ""),
        ("run = Chain(5)\nother.compile()", ""),
        ("run = Chain(5)\nrun = wrap(run)\nrun = torch.compile(run)", ""),
        ("run = Chain(5)\nif wide:\n    run = nn.Linear(2, 2)\nrun = torch.compile(run)", ""),
        ("run = Chain(5)\nrun.compile(optimizer='adam')", ""),
        ("class Keras(Chain):\n    def compile(self):\n        pass\nKeras(5).compile()", ""),
        ("import re\nrun = Chain(5)\nre.compile('x')", ""),
    ],
)
def test_what_is_not_compiled_is_silent(rest: str, decorator: str) -> None:
    assert lint("OVH307", program(rest, decorator), Heat.COLD) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x + self.amount", "return x"),
        ("self.amount = amount", "self.amount = nn.Parameter(amount)"),
        ("Shift(k) for k in range(length)", "Shift(torch.ones(k)) for k in range(length)"),
        ("Shift(k) for k in range(length)", "Shift(*k) for k in range(length)"),
        ("[Shift(k) for k in range(length)]", "[torch.compile(Shift(k)) for k in range(length)]"),
        ("class Shift(nn.Module):", "class Shift:"),
    ],
)
def test_layers_that_read_no_number_of_their_own_are_silent(old: str, new: str) -> None:
    text = program("run = torch.compile(Chain(5))")
    assert lint("OVH307", text)
    assert old in text and lint("OVH307", text.replace(old, new)) == []


def test_number_is_known_by_what_each_layer_is_built_with() -> None:
    text = program("run = torch.compile(Chain(5))")
    for built, found in [("Shift(amount=2)", True), ("Shift(scale)", False), ("Shift()", True)]:
        changed = text.replace("Shift(k)", built).replace("(self, amount)", "(self, amount='much')")
        assert bool(lint("OVH307", changed)) is found


def test_compile_under_another_name_is_found() -> None:
    text = "from torch import compile as build" + program("run = build(Chain(5))\n@build\ndef f(x): return x")
    assert lines("OVH307", text) == [text.splitlines().index("run = build(Chain(5))") + 1]


@pytest.mark.parametrize("text", [text for text, _ in FOUND] + REACHED)
def test_guards_of_layers_are_told_where_they_are_compiled_in_every_spelling(text: str) -> None:
    (finding,) = lint("OVH307", TUTORIAL.format(decorator="") + text)
    assert "self.i of each" in finding.message and "guards, for every submodule in" in finding.message


@pytest.mark.parametrize("text", LIBRARIES)
def test_guards_of_layers_are_told_where_a_library_compiles_them(text: str) -> None:
    (finding,) = lint("OVH307", TUTORIAL.format(decorator="") + text)
    assert "self.i of each" in finding.message and finding.fix is None
    assert finding.help.startswith("turn the option off and give ")


@pytest.mark.parametrize("decorator", DECORATED)
def test_guards_of_layers_are_told_at_each_decorator(decorator: str) -> None:
    assert len(lint("OVH307", TUTORIAL.format(decorator=decorator))) == 1


@pytest.mark.parametrize("text", SILENT)
def test_what_compiles_nothing_is_silent(text: str) -> None:
    assert lint("OVH307", TUTORIAL.format(decorator="") + text) == []
