"""What tests say of the values that they test, for what runs under them: found once, by names alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BOOLEAN,
    CALL,
    COMPARE,
    COPY,
    PHI,
    UNARY,
)
from overhead_lint.analysis.ir.queries import is_none, operands
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    BOTTOM,
    KINDS,
    MANY,
    MODULE,
    NONE_TYPE,
    NOTHING,
    OBJECT,
    OPEN,
    TENSOR,
    TENSOR_TRAITS,
    UNKNOWN,
    VARIES,
    Value,
    join,
)
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.linker import Linker, Symbol
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["RESULT", "Refinement", "narrowed", "refine", "tests_of"]

RESULT: Final = -1
"""In place of an operand: what the operation gives is refined."""
IS_NONE: Final = 0
IS_TRUE: Final = 1
IS_INSTANCE: Final = 2
_MODULE: Final = "torch.nn.Module"
"""The base of all modules, those of torch, too."""
_DEEPEST: Final = 12
# Classes of `collections.abc` that tensors are instances of by the methods that they have.
_TENSORS_ARE: Final = frozenset({"Collection", "Container", "Iterable", "Reversible", "Sized"})


class Refinement(NamedTuple):
    """What one test says of a value.

    Attributes:
        test: `IS_NONE`, `IS_TRUE` or `IS_INSTANCE`.
        outcome: whether it held.
        classes: the classes that `isinstance` was asked for.
    """

    test: int
    outcome: bool
    classes: tuple[Symbol, ...] = ()


Tests = dict[int | tuple[int, str], tuple[Refinement, ...]]
"""Refinements by value, or by a value and the name of an attribute of it."""


def refine(linker: Linker, body: Body) -> None:
    """Note for each operation of a body what the tests that it stands under say of its operands."""
    record = body.record
    if not record.guards:
        return
    by_guard: list[Tests] = []
    for guard in record.guards:
        tests = dict(by_guard[guard.parent]) if guard.parent >= 0 else {}
        if guard.condition >= 0:
            for key, said in _says(linker, body, guard.condition, guard.outcome, 0):
                tests[key] = (*tests.get(key, ()), said)
        by_guard.append(tests)
    body.tests = by_guard
    guard_of: list[int] = [NONE] * len(record)
    for block, number in enumerate(record.block_guard):
        if number >= 0 and by_guard[number]:
            start, end = record.block_start[block], record.block_end[block]
            guard_of[start:end] = [number] * (end - start)
    tested = {key if isinstance(key, int) else key[0] for tests in by_guard for key in tests}
    for at in sorted({user for value in tested for user in body.uses[value]}):
        if guard_of[at] >= 0 and record.code[at] != PHI:
            _refine_operation(body, at, by_guard[guard_of[at]])
    for at, code in enumerate(record.code):
        if code == BOOLEAN:
            _refine_parts(linker, body, at)
    for block, phis in enumerate(record.block_phis):
        for phi in phis:
            _refine_phi(body, phi, record.predecessors[block], by_guard)


def _refine_operation(body: Body, at: int, tests: Tests) -> None:
    record = body.record
    found = [(one, tests[one]) for one in operands(record, at) if one in tests]
    if record.code[at] == ATTRIBUTE:
        said = tests.get((record.operand[at], record.extra[at]))
        if said is not None:
            found.append((RESULT, said))
    if found:
        body.refined[at] = found


def _refine_parts(linker: Linker, body: Body, at: int) -> None:
    """Note what is said of the values that a conditional may give, by the tests before each."""
    word, *parts = body.record.extra[at]
    found: list[tuple[Refinement, ...]] = []
    if word == "if":
        condition, *parts = parts
        for part, outcome in zip(parts, (True, False), strict=True):
            found.append(_said_of(linker, body, part, [condition], outcome))
    else:
        for place, part in enumerate(parts):
            found.append(_said_of(linker, body, part, parts[:place], word == "and"))
    if any(found):
        body.branches[at] = found


def _said_of(
    linker: Linker, body: Body, value: int, conditions: list[int], outcome: bool
) -> tuple[Refinement, ...]:
    """Return what some conditions with an outcome say of a value."""
    return tuple(
        [
            said
            for condition in conditions
            for key, said in _says(linker, body, condition, outcome, 0)
            if key == value
        ]
    )


def _refine_phi(body: Body, phi: int, predecessors: list[int], by_guard: list[Tests]) -> None:
    """Note what is said of what a phi joins: by the tests that each way stands under."""
    record = body.record
    found = []
    for place, way in enumerate(record.extra[phi]):
        guard = record.block_guard[predecessors[place]] if place < len(predecessors) else -1
        said = by_guard[guard].get(way) if guard >= 0 else None
        if said:
            found.append((place, said))
    if found:
        body.refined[phi] = found


def tests_of(body: Body, block: int) -> Tests:
    """Return what the tests say that a block stands under."""
    guard = body.record.block_guard[block]
    return body.tests[guard] if guard >= 0 and body.tests else {}


# What a condition says


def _says(
    linker: Linker, body: Body, at: int, outcome: bool, depth: int
) -> Iterator[tuple[int | tuple[int, str], Refinement]]:
    """Yield what it says of values that a condition has an outcome."""
    record = body.record
    code = record.code[at]
    if depth > _DEEPEST:
        return
    if code == UNARY and record.extra[at] == "not":
        yield from _says(linker, body, record.operand[at], not outcome, depth + 1)
    elif code == BOOLEAN:
        word, *parts = record.extra[at]
        if (word == "and" and outcome) or (word == "or" and not outcome):
            for part in parts:
                yield from _says(linker, body, part, outcome, depth + 1)
        elif word == "or":
            yield from _says_either([dict(_says(linker, body, part, outcome, depth + 1)) for part in parts])
    elif code == CALL:
        yield from _says_call(linker, body, at, outcome)
    elif code == COMPARE:
        others, operators = record.extra[at]
        if len(operators) == 1 and operators[0] in {"is", "is not"} and is_none(record, others[0]):
            for key in _keys(record, record.operand[at]):
                yield key, Refinement(IS_NONE, outcome == (operators[0] == "is"))
    else:
        for key in _keys(record, at):
            yield key, Refinement(IS_TRUE, outcome)


def _says_either(
    parts: Sequence[dict[int | tuple[int, str], Refinement]],
) -> Iterator[tuple[int | tuple[int, str], Refinement]]:
    """Yield what several conditions say of which one holds, where each asks for the class of one value."""
    for key in parts[0]:
        said = [part[key] for part in parts if key in part]
        if len(said) == len(parts) and all(one.test == IS_INSTANCE and one.outcome for one in said):
            yield key, said[0]._replace(classes=tuple(cls for one in said for cls in one.classes))


def _says_call(
    linker: Linker, body: Body, at: int, outcome: bool
) -> Iterator[tuple[int | tuple[int, str], Refinement]]:
    record = body.record
    given = record.extra[at][0]
    called = linker.static(body, record.operand[at]) if given else None
    if not isinstance(called, Api):
        return
    if called.path == "builtins.isinstance" and len(given) == 2:
        classes = tuple(_classes(linker, body, given[1]))
        if not classes:
            return
    elif called.path == "torch.is_tensor":
        classes = (linker.api("torch.Tensor"),)
    else:
        return
    for key in _keys(record, given[0]):
        yield key, Refinement(IS_INSTANCE, outcome, classes)


def _keys(record: FunctionIR, at: int) -> Iterator[int | tuple[int, str]]:
    """Yield the values by which others read what a test is about."""
    yield at
    if record.code[at] == ATTRIBUTE:
        yield record.operand[at], record.extra[at]
    if record.code[at] in (BIND, COPY):
        yield record.operand[at]


def _classes(linker: Linker, body: Body, at: int) -> Iterator[Symbol]:
    """Yield the classes that ``isinstance`` is asked for; none where some are not known."""
    found = [linker.static(holder, one) for holder, one in linker.choices(body, at)]
    if all(one is not None for one in found):
        yield from (one for one in found if one is not None)


# What it makes of a value


def narrowed(value: Value, tests: tuple[Refinement, ...]) -> Value:
    """Return what a value may be where some tests have had their outcomes."""
    for one in tests:
        if not value.bits:
            break
        if one.test == IS_NONE:
            value = _if_none(value, one.outcome)
        elif one.test == IS_TRUE:
            if one.outcome and value.bits & NONE_TYPE:
                value = _without_none(value)
        elif one.outcome:
            value = _if_instance(value, one.classes)
        else:
            value = _if_no_instance(value, one.classes)
    return value


def _if_none(value: Value, outcome: bool) -> Value:
    if not outcome:
        return _without_none(value) if value.bits & NONE_TYPE else value
    return NOTHING if value.bits & (NONE_TYPE | UNKNOWN) else BOTTOM


def _without_none(value: Value) -> Value:
    bits = value.bits & ~NONE_TYPE
    return Value(bits, value.references) if bits & KINDS else BOTTOM


def _if_instance(value: Value, classes: tuple[Symbol, ...]) -> Value:
    """Return what a value may be that is an object of one of some classes."""
    found = BOTTOM
    for cls in classes:
        found = join(found, _within(value, cls))
    return found


def _within(value: Value, cls: Symbol) -> Value:
    """Return the part of a value that may be an object of a class."""
    if isinstance(cls, ClassSymbol):
        whole = Value(cls.kind, (cls.instance,))
    elif isinstance(cls, Api) and cls.bits:
        bits = cls.bits
        whole = Value(bits if bits & TENSOR else bits | OPEN, () if bits & TENSOR else (cls.instance,))
    else:
        return value
    kept = value.bits & whole.bits & KINDS
    # Objects may be of a class that derives from it by ways that nobody sees.
    hidden = whole if value.bits & (UNKNOWN | OBJECT) else BOTTOM
    if not kept:
        return hidden
    held: list[Reference] = []
    for one in value.references:
        if not isinstance(one, Instance) or isinstance(cls, Api):
            held.append(one)
        elif _is_base(one.cls, cls):
            if not one.is_exact:
                held.append(cls.instance)
        elif isinstance(one.cls, Api) or cls in one.cls.resolution_order:
            held.append(one)
    bits = kept | (value.bits & (VARIES | OPEN | MANY)) | (value.bits & TENSOR_TRAITS if kept & TENSOR else 0)
    return join(Value(bits, tuple(sorted(set(held), key=lambda one: one.order))), hidden)


def _is_base(base: ClassSymbol | Api, cls: ClassSymbol) -> bool:
    """Whether a class derives from another one."""
    if isinstance(base, Api) and base.path == _MODULE:
        return bool(cls.kind & MODULE)
    return base is not cls and base in cls.resolution_order


def _if_no_instance(value: Value, classes: tuple[Symbol, ...]) -> Value:
    """Return what a value may be that is no object of any of some classes."""
    drop = 0
    for cls in classes:
        if isinstance(cls, Api):
            bits = cls.bits & KINDS
            if (bits and cls.path.startswith(("builtins.", "torch.Tensor", "numpy."))) or bits & TENSOR:
                drop |= bits
            if cls.path.rpartition(".")[2] in _TENSORS_ARE:
                drop |= TENSOR
    bits = value.bits & ~drop
    if not bits & KINDS:
        return BOTTOM
    if drop & ANY_TENSOR & TENSOR:
        bits &= ~TENSOR_TRAITS
    return Value(bits, value.references) if bits != value.bits else value
