"""Which nodes heat can reach, and which of them rules are shown."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine.linter import Linter
from overhead_lint.project.facts import FileFacts
from overhead_lint.rule import Context, Finding, Heat, Rule
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.text_parsing import parse_text

CODE = """\
import functools
from torch import nn
at_import()

class Model(nn.Module):
    in_class()

    def __init__(self, given=in_default()):
        in_init()
        self.later = lambda: in_lambda()

    def forward(self, x):
        in_forward()

@functools.cache
def table():
    in_cached()

class Kept(Base):
    def setup(self):
        in_setup()
        for batch in loader:
            in_hot_loop()
"""


def reached(code: str) -> list[str]:
    facts = FileFacts(parse_text(code), "m.py")
    calls = facts.warmable.of_class(ast.Call)
    return [call.func.id for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)]


def test_what_no_caller_makes_hot_is_left_out() -> None:
    assert reached(CODE) == ["in_lambda", "in_forward"]


def test_error_paths_are_left_out_but_for_functions_and_hot_loops_in_them() -> None:
    code = """\
def run(x):
    try:
        in_body()
    except in_type():
        in_handler()
        def later(given=in_default()):
            in_later()
    if x:
        raise ValueError(in_raise())
    try:
        in_body_too()
    except ValueError:
        for batch in loader:
            loss = in_hot_loop()
            loss.backward()
"""
    assert reached(code) == ["in_body", "in_later", "in_body_too", "in_hot_loop"]
    assert reached("for batch in loader:\n    loss = at_top()\n    loss.backward()\n" + code)[0] == "at_top"
    script = "for batch in loader:\n    try:\n        model(batch).backward()\n"
    script += "    except E:\n        raise E(f())\n"
    assert reached(script) == ["model"]


def test_all_is_there_where_steps_run_at_the_top() -> None:
    script = "for batch in loader:\n    loss = model(batch)\n    loss.backward()\nafter()\n"
    assert reached(script) == ["model", "after"]
    assert "in_init" not in reached(script + CODE)


def test_of_two_functions_of_a_name_one_may_be_hot() -> None:
    code = "import functools\n@functools.cache\ndef f():\n    one()\n\ndef f():\n    two()\n"
    assert reached(code) == ["one", "two"]


def test_classes_elsewhere_may_make_a_method_hot() -> None:
    assert reached("class A(Base):\n    def configure_gradient_clipping(self):\n        one()\n") == ["one"]


def test_definitions_are_there_that_hold_something_hot() -> None:
    warmable = FileFacts(parse_text(CODE), "m.py").warmable
    functions = [one.name for one in warmable.of_class(ast.FunctionDef) if isinstance(one, ast.FunctionDef)]
    assert functions == ["__init__", "forward"]
    assert len(warmable.of_class(ast.ClassDef)) == 1
    assert len(warmable.of_class(ast.Module)) == 1


@pytest.mark.parametrize(
    ("heat", "settings", "seen"),
    [
        (Heat.STEP, Settings(), ["in_lambda", "in_forward"]),
        (Heat.COLD, Settings(), None),
        (Heat.STEP, Settings(min_heat=Heat.COLD), None),
        (Heat.STEP, Settings(hot=("m.table",)), None),
    ],
)
def test_handlers_are_called_where_findings_could_count(
    heat: Heat, settings: Settings, seen: list[str] | None
) -> None:
    rule = Rule("TST001", "test-call", "a call", (b"in_",), heat)
    called = []

    @rule.on(ast.Call)
    def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
        called.append(ctx.text(node.func))
        yield from ()

    Linter([rule], settings).lint(Source.from_bytes(Path("m.py"), CODE.encode()))
    everything = [one for one in ast.walk(ast.parse(CODE)) if isinstance(one, ast.Call)]
    assert called == seen or (seen is None and len(called) == len(everything))
