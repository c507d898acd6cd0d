"""What a run shows, the control-flow graph allows: each use sees a binding that reaches it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from program_runs import Run
from random_programs import program

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.opcodes import BIND, BUILD, CALL, CONSTANT, NEXT, PARAMETER, UNPACK
from overhead_lint.analysis.ir.queries import Flow


def _definitions(text: str) -> dict[int, set[int]]:
    """For each use the numbers of the bindings that may reach it; 0 is the parameter."""
    record = lower(ast.parse(text)).functions[1]
    flow = Flow(record)
    found = {}
    for value, code in enumerate(record.code):
        if code == CALL and _called(flow, value) == "U":
            use, used = record.extra[value][0]
            found[record.extra[use]] = {
                number for one in flow.definitions(used) for number in _numbers(flow, one)
            }
    return found


def _called(flow: Flow, call: int) -> object:
    """The name of what is called, which no program binds."""
    return flow.record.extra[flow.definitions(flow.record.operand[call])[0]]


def _numbers(flow: Flow, binding: int) -> Iterator[int]:
    """The numbers that a binding may give: those in what is unpacked or iterated, too."""
    record = flow.record
    code, extra = record.code[binding], record.extra[binding]
    if code == PARAMETER:
        yield 0
    elif code == CONSTANT:
        yield extra
    elif code in (BIND, NEXT, UNPACK):
        yield from _numbers(flow, record.operand[binding])
    elif code == CALL and _called(flow, binding) == "D":
        yield from _numbers(flow, extra[0][0])
    elif code == BUILD:
        for part in extra[1:]:
            yield from _numbers(flow, part)


@pytest.mark.parametrize("seeds", [range(at, at + 100) for at in range(0, 1000, 100)], ids=str)
def test_a_use_sees_only_bindings_that_reach_it(seeds: range) -> None:
    uses = 0
    for seed in seeds:
        text = program(seed)
        reaching = _definitions(text)
        for lot in range(12):
            run = Run(text, lot)
            uses += len(run.seen)
            wrong = {one for one in run.seen if one[1] not in reaching[one[0]]}
            assert not wrong, f"seed {seed}, lot {lot}: {wrong}\n{text}"
    assert uses > 500


def test_what_is_certain_is_told_as_one_binding() -> None:
    text = """
def f(a):
    if C():
        a = D(1)
        U(1, a)
    else:
        a = D(2)
    U(2, a)
"""
    assert _definitions(text) == {1: {1}, 2: {1, 2}}
