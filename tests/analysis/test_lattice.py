"""Abstract values form a lattice, and more that is known of operands gives no less for results."""

from __future__ import annotations

import pytest
from abstract_values import REFERENCES, is_at_most, values
from hypothesis import given, settings
from hypothesis import strategies as st

from overhead_lint.analysis.ir.records import MODULE_BODY, FunctionIR
from overhead_lint.analysis.values.arithmetic import binary, compare, unary
from overhead_lint.analysis.values.engine import Engine
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOTTOM,
    HOST_TENSOR,
    INT,
    MANY,
    MODULE,
    MOST_CONSTANTS,
    MOST_REFERENCES,
    NONE_TYPE,
    NOTHING,
    OPEN,
    TENSOR,
    VARIES,
    Value,
    is_certainly,
    join,
    join_all,
    names_of,
    of_bits,
)
from overhead_lint.analysis.values.linker import Linker
from overhead_lint.analysis.values.narrowing import IS_INSTANCE, IS_NONE, IS_TRUE, Refinement, narrowed
from overhead_lint.analysis.values.promises import within
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.symbols import Body, ModuleSymbol

LINKER = Linker({}, ())
TESTS = [
    Refinement(test, outcome, classes)
    for outcome in (True, False)
    for test, classes in (
        (IS_NONE, ()),
        (IS_TRUE, ()),
        (IS_INSTANCE, (LINKER.api("torch.Tensor"),)),
        (IS_INSTANCE, (LINKER.api("builtins.int"), LINKER.api("builtins.list"))),
        (IS_INSTANCE, (LINKER.api("torch.nn.Module"),)),
    )
]


@settings(derandomize=True, deadline=None)
@given(values, values)
def test_a_join_is_commutative(one: Value, other: Value) -> None:
    assert join(one, other) == join(other, one)


@settings(derandomize=True, deadline=None)
@given(values, values, values)
def test_a_join_is_associative(one: Value, other: Value, third: Value) -> None:
    assert join(join(one, other), third) == join(one, join(other, third))


@settings(derandomize=True, deadline=None)
@given(values)
def test_a_join_is_idempotent(one: Value) -> None:
    assert join(one, one) == one
    assert join(one, Value(one.bits, tuple(one.references))) == one
    assert join(BOTTOM, one) == one


@settings(derandomize=True, deadline=None)
@given(values, values)
def test_a_join_is_as_large_as_both(one: Value, other: Value) -> None:
    both = join(one, other)
    assert is_at_most(one, both)
    assert is_at_most(other, both)


def test_more_references_than_can_be_told_are_open_and_not_some_of_them() -> None:
    held = [Value(MODULE, (one,)) for one in REFERENCES[: MOST_REFERENCES + 1]]
    assert join_all(held) == Value(MODULE | OPEN | MANY)
    assert join(join_all(held), held[0]) == Value(MODULE | OPEN | MANY)
    assert len(join_all(held[1:]).references) == MOST_REFERENCES


def test_more_constants_than_can_be_told_are_any_number() -> None:
    held = [Value(INT, (Constant(one),)) for one in range(MOST_CONSTANTS + 1)]
    assert join_all(held) == Value(INT | VARIES)
    assert join(join_all(held[1:]), of_bits(INT | VARIES)) == Value(INT | VARIES)
    assert join(held[0], Value(INT, (Constant(0),))) == held[0]
    assert join(held[1], Value(INT, (Constant(True),))).references != held[1].references


def test_a_value_is_certainly_what_it_may_be_alone_or_missing() -> None:
    assert is_certainly(of_bits(TENSOR | NONE_TYPE), TENSOR)
    assert not is_certainly(of_bits(TENSOR | INT), TENSOR)
    assert not is_certainly(join(of_bits(TENSOR), ANYTHING), TENSOR)
    assert not is_certainly(BOTTOM, TENSOR)
    assert not is_certainly(NOTHING, TENSOR)
    assert names_of(TENSOR | OPEN) == ["tensor", "open"]


# Transfer functions


def _body() -> Body:
    module = ModuleSymbol("m", is_package=False)
    return Body(FunctionIR("", "", -1, MODULE_BODY, 0), 0, module, None)


@pytest.mark.parametrize("operator", ["+", "/", "**", "&", "@", "*=", "%"])
@settings(derandomize=True, deadline=None)
@given(values, values, values)
def test_operators_are_monotone(operator: str, left: Value, right: Value, more: Value) -> None:
    engine = Engine(LINKER)
    body = _body()
    small = binary(engine, body, 0, left, right, operator)
    assert is_at_most(small, binary(engine, body, 0, join(left, more), right, operator))
    assert is_at_most(small, binary(engine, body, 0, left, join(right, more), operator))


@pytest.mark.parametrize("operator", ["==", "<", "is", "in"])
@settings(derandomize=True, deadline=None)
@given(values, values, values)
def test_comparisons_are_monotone(operator: str, left: Value, right: Value, more: Value) -> None:
    small = compare(left, right, operator)
    assert is_at_most(small, compare(join(left, more), right, operator))
    assert is_at_most(small, compare(left, join(right, more), operator))


@pytest.mark.parametrize("operator", ["-", "not", "~"])
@settings(derandomize=True, deadline=None)
@given(values, values)
def test_operators_of_one_operand_are_monotone(operator: str, value: Value, more: Value) -> None:
    assert is_at_most(unary(value, operator), unary(join(value, more), operator))


@settings(derandomize=True, deadline=None)
@given(values, values, st.sampled_from(TESTS))
def test_what_tests_leave_is_monotone(value: Value, more: Value, test: Refinement) -> None:
    assert is_at_most(narrowed(value, (test,)), narrowed(join(value, more), (test,)))


@settings(derandomize=True, deadline=None)
@given(values, values, values)
def test_what_annotations_let_through_is_monotone(value: Value, more: Value, told: Value) -> None:
    assert is_at_most(within(value, told), within(join(value, more), told))


def test_a_test_for_tensors_leaves_what_is_known_of_them() -> None:
    tensors = (LINKER.api("torch.Tensor"),)
    value = join(of_bits(HOST_TENSOR), of_bits(INT | VARIES))
    assert narrowed(value, (Refinement(IS_INSTANCE, True, tensors),)).bits & ~VARIES == HOST_TENSOR
    assert narrowed(value, (Refinement(IS_INSTANCE, False, tensors),)) == of_bits(INT | VARIES)
    assert is_certainly(narrowed(ANYTHING, (Refinement(IS_INSTANCE, True, tensors),)), TENSOR)
