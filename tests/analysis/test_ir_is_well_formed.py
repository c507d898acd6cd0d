"""Records of real code hold together: operands, blocks, phis and names are as SSA form asks."""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from random_programs import program

from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.opcodes import BOOLEAN, BUILD, NAMES, OUTER, PHI, UNBOUND
from overhead_lint.analysis.ir.queries import Flow, operands
from overhead_lint.analysis.ir.records import FUNCTION_BODY, FunctionIR

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("overhead_lint", "rules", "examples", "tests/rules")
    for path in (ROOT / folder).rglob("*.py")
)[::3]

_OF_BRANCHES = frozenset({BOOLEAN, BUILD, OUTER})
"""What takes values of branches, or of rounds, that it stands behind."""


def faults(record: FunctionIR) -> Iterator[str]:
    """What is wrong with a record."""
    flow = Flow(record)
    for value in range(len(record)):
        code = record.code[value]
        for one in operands(record, value):
            if not 0 <= one < len(record):
                yield f"{value} takes {one}"
        if code == PHI and len(record.extra[value]) != len(record.predecessors[record.operand[value]]):
            yield f"phi {value} joins {record.extra[value]}"
    yield from _misplaced(record, flow)


def _misplaced(record: FunctionIR, flow: Flow) -> Iterator[str]:
    """Values that are taken where they need not have been made."""
    for value in range(len(record)):
        block = flow.block_of(value)
        if not flow.is_reachable(block) or record.code[value] in _OF_BRANCHES:
            continue
        taken = operands(record, value)
        if record.code[value] == PHI:
            pairs = list(zip(taken, record.predecessors[block], strict=True))
        else:
            pairs = [(one, block) for one in taken]
        for one, where in pairs:
            made = flow.block_of(one)
            if record.code[one] == UNBOUND or not flow.is_reachable(where):
                continue
            if not flow.dominates(made, where):
                name = NAMES[record.code[one]]
                yield f"{NAMES[record.code[value]]} {value} takes {name} {one} of block {made} in {where}"


@pytest.mark.parametrize("part", range(4))
def test_real_code_is_well_formed(part: int) -> None:
    for path in FILES[part::4]:
        for record in lower(ast.parse(path.read_bytes())).functions:
            assert list(faults(record)) == [], f"{path}: {record.qualname}"


def test_random_programs_are_well_formed() -> None:
    for seed in range(400):
        for record in lower(ast.parse(program(seed))).functions:
            assert list(faults(record)) == [], program(seed)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.Function]:
    for child in table.get_children():
        if isinstance(child, symtable.Function):
            yield child
        yield from _tables(child)


def _inlined(tree: ast.Module) -> set[str]:
    """Names that this Python lists for functions, though only comprehensions in them bind them."""
    one = symtable.symtable("def f(b): return [a for a in b]", "", "exec").get_children()[0]
    if "a" not in one.get_identifiers():
        return set()
    of_comprehensions = (
        generator.target
        for node in ast.walk(tree)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp))
        for generator in node.generators
    )
    return {
        name.id for target in of_comprehensions for name in ast.walk(target) if isinstance(name, ast.Name)
    }


@pytest.mark.parametrize("part", range(2))
def test_functions_bind_the_names_that_python_says_they_bind(part: int) -> None:
    compared = 0
    for path in FILES[part::2]:
        text = path.read_text("utf-8")
        expected = {
            (table.get_lineno(), table.get_name()): {
                symbol.get_name()
                for symbol in table.get_symbols()
                if symbol.is_local()
                and (symbol.is_assigned() or symbol.is_parameter() or symbol.is_imported())
            }
            for table in _tables(symtable.symtable(text, str(path), "exec"))
        }
        tree = ast.parse(text)
        inlined = _inlined(tree)
        for record in lower(tree).functions:
            if record.kind == FUNCTION_BODY:
                line = record.place >> 20
                known = [
                    names for (at, name), names in expected.items() if at <= line and name == record.name
                ]
                stores = set(record.stores)
                assert any(stores <= names and names - stores <= inlined for names in known), (
                    f"{path}:{line} {record.qualname}"
                )
                compared += 1
    assert compared > 500


def test_an_expression_that_is_nested_too_deeply_is_unknown() -> None:
    text = "x = " + "(" * 150 + "1" + ")" * 150 + "\ny = " + "+".join(["a"] * 900)
    record = lower(ast.parse(text)).functions[0]
    assert "unknown" in {NAMES[code] for code in record.code}
    assert set(record.stores) == {"x", "y"}


def test_a_name_that_is_read_behind_many_branches_is_found() -> None:
    branches = "".join(f"    if c{at}:\n        other = {at}\n" for at in range(1200))
    record = lower(ast.parse(f"def f(x):\n{branches}    return x + other\n")).functions[1]
    flow = Flow(record)
    added = record.operand[record.returned[0]]
    assert flow.definitions(record.operand[added]) == [0]
    assert len(flow.definitions(record.extra[added][0])) == 1201
    assert list(faults(record)) == []


def _global(count: int) -> str:
    """Each branch reads names of its own that are bound outside."""
    return "def f():\n" + "".join(f"    if c{at}:\n        g{at}()\n" for at in range(count))


def _local(count: int) -> str:
    """Each branch reads a name that was bound before all of them."""
    bound = "".join(f"    x{at} = {at}\n" for at in range(count))
    return "def f(c):\n" + bound + "".join(f"    if c:\n        c(x{at})\n" for at in range(count))


def _in_loop(count: int) -> str:
    """The same in each round of a loop."""
    return "def f(c):\n    while c:\n" + "".join(
        f"        if c.a:\n            g{at}()\n" for at in range(count)
    )


def _tried(count: int) -> str:
    """Each statement may be left by an exception, after which a name is read."""
    bound = "".join(f"        x{at} = g()\n" for at in range(count))
    return f"def f():\n    try:\n{bound}    except ValueError:\n        h()\n    h()\n"


@pytest.mark.parametrize("program_of", [_global, _local, _in_loop, _tried])
def test_twice_the_branches_take_twice_the_work(program_of: Any) -> None:
    few, many = (_lines_run(ast.parse(program_of(count))) for count in (100, 200))
    assert many <= 2.2 * few


def _lines_run(tree: ast.Module) -> int:
    """Return how many lines of Python lowering a file runs."""
    count = 0

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        lower(tree)
    finally:
        sys.settrace(before)
    return count


def test_what_a_loop_does_not_bind_is_the_same_behind_it() -> None:
    text = "def f(x):\n    for one in x:\n        y = one\n    return x\n"
    record = lower(ast.parse(text)).functions[1]
    assert record.operand[record.returned[0]] == 0


def test_a_long_chain_of_elif_is_lowered() -> None:
    chain = "    if x == 0:\n        y = 0\n" + "".join(
        f"    elif x == {at}:\n        y = {at}\n" for at in range(1, 1500)
    )
    record = lower(ast.parse(f"def f(x):\n{chain}    return y\n")).functions[1]
    assert len(Flow(record).definitions(record.operand[record.returned[0]])) == 1501
    assert list(faults(record)) == []


def test_names_are_bound_also_where_control_never_comes() -> None:
    text = """
def f(x):
    try:
        return x
    except ValueError:
        y = 1
    else:
        z = 2
    while True:
        x += y
    else:
        w = 3
"""
    record = lower(ast.parse(text)).functions[1]
    assert set(record.stores) == {"w", "x", "y", "z"}
    added = record.stores["x"][-1]
    read = record.extra[record.operand[added]][0]
    assert Flow(record).definitions(read) == record.stores["y"], "nothing comes behind `return x`"
    assert list(faults(record)) == []
