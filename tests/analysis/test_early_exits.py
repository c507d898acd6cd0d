"""What control went by to come to a point of a program."""

from __future__ import annotations

import ast
import textwrap

import pytest

from overhead_lint.analysis.graph.guards import guards_within, leads_to_error
from overhead_lint.analysis.ir.builder import Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.paths import goes_round
from overhead_lint.analysis.ir.queries import Flow
from overhead_lint.analysis.ir.records import GUARD_HANDLER, NONE


def _lowered(text: str) -> tuple[Flow, list[ast.stmt], Trace]:
    """A function with the statements of its body."""
    tree, trace = ast.parse(textwrap.dedent(text)), Trace()
    record = lower(tree, trace).functions[1]
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return Flow(record), function.body, trace


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("def f(a):\n if a: return\n here()", [False]),
        ("def f(a):\n if a: pass\n else: return\n here()", [True]),
        ("def f(a, b):\n if a: return\n if b: return\n here()", [False, False]),
        ("def f(a, b):\n with a:\n  if b: return\n here()", [False]),
        ("def f(a, b):\n if a: return\n elif b: return\n here()", [False, False]),
        ("def f(a):\n if a: g()\n here()", []),
        ("def f(a, b):\n if a:\n  if b: return\n here()", []),
    ],
)
def test_what_was_left_by_another_way(text: str, outcomes: list[bool]) -> None:
    flow, body, trace = _lowered(text)
    found = guards_within(flow, trace.blocks[body[-1]], NONE)
    assert [flow.record.guards[guard].outcome for guard in found] == outcomes


def test_a_caught_exception_is_a_guard() -> None:
    flow, body, trace = _lowered("def f(a):\n try: return a()\n except E: pass\n here()")
    [guard] = guards_within(flow, trace.blocks[body[-1]], NONE)
    assert flow.record.guards[guard].kind == GUARD_HANDLER


def test_all_guards_of_what_leaves() -> None:
    flow, body, trace = _lowered("def f(a, b):\n if a:\n  if not b: return\n here()")
    leaving = next(one for one in ast.walk(body[0]) if isinstance(one, ast.Return))
    block = trace.blocks[leaving]
    assert [flow.record.guards[one].outcome for one in guards_within(flow, block, NONE)] == [True, True]


def test_what_leads_to_an_error() -> None:
    flow, body, trace = _lowered("def f(a):\n if a: return a\n said = g(a)\n raise E(said)")
    assert [leads_to_error(flow, trace.blocks[one]) for one in body] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("def f(a):\n for x in a: here()", True),
        ("def f(a):\n for x in a:\n  here()\n  break", False),
        ("def f(a):\n for x in a: return x", False),
        ("def f(a):\n for x in a:\n  if x: return x", True),
        ("def f(a):\n while a():\n  if a: break\n  else: return", False),
        ("def f(a):\n while True:\n  try: return a()\n  except E: pass", True),
        ("def f(a):\n while True:\n  for x in a: break\n  return x", False),
    ],
)
def test_whether_a_round_follows_another(text: str, goes_on: bool) -> None:
    flow, body, trace = _lowered(text)
    assert bool(goes_round(flow, trace.loops[body[0]])) is goes_on


def test_what_has_no_round_after_it() -> None:
    flow, body, trace = _lowered("def f(a):\n for x in a:\n  if x:\n   here()\n   break\n  there()")
    loop = body[0]
    assert isinstance(loop, ast.For) and isinstance(loop.body[0], ast.If)
    statements = (*loop.body, *loop.body[0].body)
    going = goes_round(flow, trace.loops[loop])
    assert [trace.blocks[one] in going for one in statements] == [True, True, False, False]
