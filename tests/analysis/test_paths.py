"""What runs always, before others, and in each round, is as runs of programs show it."""

from __future__ import annotations

import ast

import pytest
from program_runs import Run
from random_programs import program

from overhead_lint.analysis.ir.builder import Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.paths import always_runs, runs_before, runs_each_round
from overhead_lint.analysis.ir.queries import Flow


def _place(flow: Flow, value: int) -> tuple[int, int]:
    return flow.block_of(value), value


def _before(flow: Flow, first: int, then: int) -> bool:
    return runs_before(flow, _place(flow, first), _place(flow, then))


def _uses(text: str) -> tuple[Flow, dict[int, int]]:
    """The function of a program, and its calls of ``U`` by their numbers."""
    tree, trace = ast.parse(text), Trace()
    record = lower(tree, trace).functions[1]
    calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call) and ast.unparse(call.func) == "U"]
    return Flow(record), {ast.literal_eval(call.args[0]): trace.values[call] for call in calls}


@pytest.mark.parametrize("seeds", [range(at, at + 50) for at in range(0, 200, 50)], ids=str)
def test_paths_allow_what_runs_show(seeds: range) -> None:
    always = before = 0
    for seed in seeds:
        text = program(seed)
        flow, uses = _uses(text)
        certain = {use for use, value in uses.items() if always_runs(flow, flow.block_of(value))}
        ordered = [(one, two) for one in uses for two in uses if _before(flow, uses[one], uses[two])]
        for lot in range(6):
            run = Run(text, lot)
            if run.ended:
                assert certain <= set(run.order), text
                always += len(certain)
            for one, two in ordered:
                if two in run.order:
                    assert one in run.order[: run.order.index(two)], (text, one, two)
                    before += 1
    assert min(always, before) > 10


def test_what_runs_before_on_all_ways_is_known() -> None:
    flow, uses = _uses("""
def f(a):
    U(1, a)
    if C():
        U(2, a)
    else:
        return U(3, a)
    U(4, a)
""")
    pairs = {(one, two) for one in uses for two in uses if _before(flow, uses[one], uses[two])}
    assert pairs == {(1, 2), (1, 3), (1, 4), (2, 4)}


def test_what_an_exception_ends_need_not_run() -> None:
    flow, uses = _uses("""
def f(a):
    U(1, a)
    if C():
        raise E
    assert C(), "not so"
    U(2, a)
    if C():
        return
    U(3, a)
""")
    found = [use for use, value in uses.items() if always_runs(flow, flow.block_of(value))]
    assert found == [1, 2]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("U(1, a)", True),
        ("if C():\n    raise E\nU(1, a)", True),
        ("if C():\n    pass\nU(1, a)", True),
        ("with W():\n    U(1, a)", True),
        ("for b in c:\n    pass\nU(1, a)", True),
        ("if C():\n    U(1, a)", False),
        ("if C():\n    continue\nU(1, a)", False),
        ("if C():\n    break\nU(1, a)", False),
        ("if C():\n    return\nU(1, a)", False),
        ("for b in c:\n    U(1, a)", False),
        ("while True:\n    if C():\n        break\nU(1, a)", True),
        ("for b in c:\n    if C():\n        continue\nU(1, a)", True),
        ("try:\n    C()\nexcept E:\n    continue\nU(1, a)", False),
    ],
)
@pytest.mark.parametrize("loop", ["for x in y:", "while C():", "while True:"])
def test_each_round(body: str, expected: bool, loop: str) -> None:
    lines = [f"    {line}" for line in body.splitlines()]
    flow, uses = _uses("\n".join(["def f(a):", f"    {loop}", *(f"    {line}" for line in lines)]))
    assert runs_each_round(flow, flow.block_of(uses[1]), 0) is expected


def test_what_a_loop_asks_for_runs_in_each_round() -> None:
    flow, uses = _uses("def f(a):\n    while U(1, a):\n        C()")
    assert runs_each_round(flow, flow.block_of(uses[1]), 0)
