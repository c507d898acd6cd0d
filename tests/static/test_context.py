"""What handlers may ask: the rule author's view of a file."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from overhead_lint.engine.context import FileContext
from overhead_lint.project.facts import FileFacts
from overhead_lint.rule import Context, Heat, Place, ReasonKind, Repeated, Rule, Warmth
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source

TEXT = """\
import torch
from torch import nn
from dataclasses import dataclass

@dataclass
class Config:
    size: int = 3

class Base(nn.Module):
    pass

class Model(Base):
    def __init__(self, config=Config()):
        self.config = config
        self.scale = torch.ones(3)
        self.twice = 1
        self.twice = 2

    def forward(self, x):
        alias = self.scale
        for i in range(3):
            y = [x * k for k in range(i)]
        else:
            z = 1
        return (lambda a: a + alias)(y)

    def summary(self):
        return self.scale

class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

@torch.compile
def fast(x):
    def inner():
        return x
    return inner()

model = torch.compile(Model().cuda(), fullgraph=True)
hook = torch.compile(lambda x: x)
"""


@pytest.fixture
def ctx() -> FileContext:
    source = Source.from_bytes(Path("m.py"), TEXT.encode())
    return FileContext(source, FileFacts(parse(source), "m.py"), "overhead_lint.runtime")


def find(ctx: Context, text: str) -> ast.expr:
    """The first expression that is written like this."""
    return next(node for node in ctx.nodes(ast.expr) if ctx.text(node) == text)


def test_it_is_a_context(ctx: FileContext) -> None:
    given: Context = ctx
    assert given.path == Path("m.py")
    assert given.runtime_module == "overhead_lint.runtime"
    assert given.tree.body


def test_lines_are_those_of_the_file(ctx: FileContext) -> None:
    assert ctx.lines(5, 7) == ["@dataclass", "class Config:", "    size: int = 3"]


def test_classes_tell_bases_methods_and_what_they_are(ctx: FileContext) -> None:
    shown = {cls.qualname: (cls.bases, cls.is_module, cls.is_dataclass, cls.methods) for cls in ctx.classes()}
    assert shown == {
        "Config": ((), False, True, ()),
        "Base": (("torch.nn.Module",), True, False, ()),
        "Model": ((".Base",), True, False, ("__init__", "forward", "summary")),
        "Fn": (("torch.autograd.Function",), False, False, ("forward",)),
    }


def test_functions_come_in_order_and_know_what_is_compiled(ctx: FileContext) -> None:
    assert [(function.qualname, function.compiled) for function in ctx.functions()] == [
        ("Model.__init__", False),
        ("Model.forward", True),
        ("Model.forward.<locals>.<lambda>", True),
        ("Model.summary", False),
        ("Fn.forward", False),
        ("fast", True),
        ("fast.<locals>.inner", True),
        ("<lambda>", True),
    ]


def test_holders_of_a_node(ctx: FileContext) -> None:
    product = find(ctx, "x * k")
    function, cls = ctx.function(product), ctx.cls(product)
    assert function is not None and function.qualname == "Model.forward"
    assert function.cls is cls is not None and cls.qualname == "Model"
    assert [type(loop) for loop in ctx.loops(product)] == [ast.For, ast.ListComp]
    assert ctx.text(ctx.statement(product)) == "y = [x * k for k in range(i)]"
    assert isinstance(ctx.parent(product), ast.ListComp)
    assert ctx.parent(ctx.tree) is None
    with pytest.raises(ValueError, match=r"no statement of m\.py holds"):
        ctx.statement(ctx.tree)


def test_what_runs_once_is_in_no_loop_and_defaults_in_no_function(ctx: FileContext) -> None:
    assert ctx.loops(find(ctx, "range(3)")) == ()
    assert [type(loop) for loop in ctx.loops(find(ctx, "range(i)"))] == [ast.For]
    assert ctx.loops(next(node for node in ctx.nodes(ast.Name) if node.id == "z")) == ()
    default = find(ctx, "Config()")
    assert ctx.function(default) is None
    holder = ctx.cls(default)
    assert holder is not None and holder.qualname == "Model"
    assert ctx.function(find(ctx, "torch.compile")) is None


def test_values_of_names_and_attributes_bound_once(ctx: FileContext) -> None:
    def value(text: str) -> str | None:
        found = ctx.value(find(ctx, text))
        return ctx.text(found) if found is not None else None

    assert value("hook") == "torch.compile(lambda x: x)"
    alias = next(
        node for node in ctx.nodes(ast.Name) if node.id == "alias" and isinstance(node.ctx, ast.Load)
    )
    found = ctx.value(alias)
    assert found is not None and ctx.text(found) == "self.scale"
    assert value("self.scale") == "torch.ones(3)"
    assert value("self.twice") is None
    assert value("x") is None


def test_nodes_and_within_come_in_source_order(ctx: FileContext) -> None:
    names = [(node.lineno, node.col_offset) for node in ctx.nodes(ast.Name, ast.Attribute)]
    calls = [ctx.text(node.func) for node in ctx.nodes(ast.Call)]
    assert calls[:3] == ["Config", "torch.ones", "range"]
    assert [line for line, _ in names] == sorted(line for line, _ in names)
    forward = next(function.node for function in ctx.functions() if function.qualname == "Model.forward")
    inside = list(ctx.within(forward, ast.FunctionDef, ast.Lambda, ast.For))
    assert [type(node) for node in inside] == [ast.For, ast.Lambda]


def test_calls_are_found_by_their_last_name(ctx: FileContext) -> None:
    assert [ctx.text(call) for call in ctx.calls("compile")] == [
        "torch.compile(Model().cuda(), fullgraph=True)",
        "torch.compile(lambda x: x)",
    ]
    assert ctx.calls("nothing") == ()


def test_bound_names_are_told_from_builtins(ctx: FileContext) -> None:
    product = find(ctx, "x * k")
    assert [ctx.is_bound(name, product) for name in ("x", "k", "torch", "Model", "range", "config")] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_finding_marks_its_node_and_says_how_hot_it_is(ctx: FileContext) -> None:
    rule = Rule("TST001", "test", "", (), Heat.COLD)
    finding = ctx.finding(rule, find(ctx, "x * k"), "slow", help="do less")
    assert finding.span == (22, 18, 22, 23)
    assert (finding.code, finding.name, finding.message, finding.help) == (
        "TST001",
        "test",
        "slow",
        "do less",
    )
    begins = "Model.forward runs on every call of the module"
    places = (Place("m.py", ".Model.forward", 0),)
    assert finding.warmth == Warmth(
        Heat.LOOP, begins, ReasonKind.MODULE, places=places, repeated=Repeated.LOOP
    )
    assert finding.warmth.why == f"{begins}, in a loop"


def test_lambda_that_compiled_code_hands_over_by_name_does_not_stop_the_file() -> None:
    source = """
        import torch
        @torch.compile
        def run(x):
            is_conv = lambda module: module
            return quantize(x, filter_fn=is_conv)
        """
    tree = ast.parse(textwrap.dedent(source))
    facts = FileFacts(tree, "model.py")
    compiled = [function.qualname for function in facts.functions.values() if function.compiled]
    assert compiled == ["run", "run.<locals>.<lambda>"]


def test_what_a_function_returns_is_not_what_functions_in_it_return(ctx: FileContext) -> None:
    fast = next(one for one in ctx.functions() if one.qualname == "fast")
    assert [ctx.text(statement) for statement in ctx.returns(fast.node)] == ["return inner()"]
