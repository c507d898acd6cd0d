"""What the block behind a test does: leaves, or provides, stores or undoes what was tested."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.vocabulary import (
    DEPRECATING,
    DEPRECATIONS,
    NO_INTERVAL,
    OPTIMIZERS,
    STEP_WORDS,
    WARNINGS,
)
from overhead_lint.analysis.words import words
from overhead_lint.project.conditions import is_zero, said_in
from overhead_lint.project.names import dotted, last_name, written
from overhead_lint.project.scan import statements, walk

__all__ = [
    "Block",
    "all_nodes",
    "asks_for",
    "called_method",
    "changes",
    "comes_later",
    "deprecates",
    "ends_flow",
    "ends_in_error",
    "fills_in",
    "grows",
    "is_left_to_a_method",
    "is_stored",
    "is_undone",
    "keeps",
    "moves",
    "returned_method",
    "sets_attribute",
    "starts_over",
    "steps",
    "stores",
    "targets",
    "waits",
    "warns",
]

_WARNINGS: Final = frozenset(name.rpartition(".")[2] for name in WARNINGS)

Block = Sequence[ast.stmt]


def ends_flow(block: Block) -> bool:
    """Whether a block's last statement leaves it for good."""
    return bool(block) and isinstance(block[-1], (ast.Return, ast.Continue, ast.Break, ast.Raise))


def ends_in_error(block: Block) -> bool:
    """Whether a block ends by raising or by leaving the program."""
    if not block:
        return False
    last = block[-1]
    if last.__class__ is ast.Raise:
        return True
    return (
        last.__class__ is ast.Expr
        and last.value.__class__ is ast.Call
        and dotted(last.value.func) in {"sys.exit", "exit", "quit", "os._exit", "os.abort"}
    )


def fills_in(block: Block) -> bool:
    """Whether all that a block does is to write constants to places: ``mask[invalid, 0] = True``."""
    return bool(block) and all(
        statement.__class__ is ast.Assign
        and isinstance(statement.value, ast.Constant)
        and all(target.__class__ is ast.Subscript for target in statement.targets)
        for statement in block
    )


def steps(then: Block) -> bool:
    """Whether a block steps an optimizer: what comes every few micro-batches is the step itself."""
    calls = [node.func for node in all_nodes(then) if node.__class__ is ast.Call]
    methods = [function for function in calls if function.__class__ is ast.Attribute]
    if {"step", "zero_grad"} <= {method.attr for method in methods}:
        return True
    return any(
        method.attr == "step" and OPTIMIZERS.intersection(words(last_name(method.value)))
        for method in methods
    )


def warns(block: Block) -> bool:
    """Whether a block logs a warning or an error, which nobody wants to read once a step.

    ``warnings.warn`` and ``warning_once`` are shown once, and say nothing about how often a block runs.
    """
    return any(
        statement.__class__ is ast.Expr
        and statement.value.__class__ is ast.Call
        and statement.value.func.__class__ is ast.Attribute
        and statement.value.func.attr in _WARNINGS
        for statement in block
    )


def deprecates(block: Block) -> bool:
    """Whether a block says that the way something was called is deprecated: few take it for long."""
    for statement in block:
        call = statement.value if statement.__class__ is ast.Expr else None
        if call.__class__ is not ast.Call:
            continue
        told = (*call.args, *(item.value for item in call.keywords))
        by_category = last_name(call.func) == "warn" and any(last_name(one) in DEPRECATIONS for one in told)
        if by_category or DEPRECATING.intersection(words(last_name(call.func))[:1]):
            return True
    return False


def stores(container: ast.expr, then: Block) -> Gate | None:
    """Return the gate that ``key not in container`` is: `then` stores the key; None if it does not."""
    wanted = written(container)
    for target in targets(then):
        if target.__class__ is ast.Subscript and written(target.value) == wanted:
            return Gate(GateKind.MISS, wanted)
    for node in all_nodes(then):
        if (
            node.__class__ is ast.Call
            and node.func.__class__ is ast.Attribute
            and node.func.attr in {"add", "append", "setdefault", "put"}
            and written(node.func.value) == wanted
        ):
            return Gate(GateKind.MISS, wanted)
    return None


def keeps(kept: ast.expr, value: ast.expr, then: Block) -> bool:
    """Whether a block stores a value where it was looked for: ``self.size = size``."""
    if not isinstance(kept, (ast.Attribute, ast.Name, ast.Subscript)):
        return False
    wanted, given = written(kept), written(value)
    for node in all_nodes(then):
        if node.__class__ is not ast.Assign:
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if target.__class__ is ast.Tuple and node.value.__class__ is ast.Tuple:
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            if any(written(one) == wanted and given in _stored(other) for one, other in pairs):
                return True
    return False


def _stored(value: ast.expr) -> tuple[str, ...]:
    """What an assignment may store, in words: both sides of a choice."""
    if value.__class__ is ast.IfExp:
        return (*_stored(value.body), *_stored(value.orelse))
    return (written(value),)


def asks_for(wanted: str, test: ast.expr) -> bool:
    """Whether a test asks about something, or a part of it: ``kept.shape[0] < size`` about ``kept``."""
    return any(part.__class__ is ast.Attribute and written(part) == wanted for part in walk(test))


def grows(kept: ast.expr, value: ast.expr, then: Block) -> Gate | None:
    """Return the gate that ``kept < value`` is: `then` keeps the value: only a greater one comes again."""
    if kept.__class__ is ast.Name:
        return None
    return Gate(GateKind.GROWTH, written(kept)) if keeps(kept, value, then) else None


def changes(kept: ast.expr, value: ast.expr, then: Block) -> Gate | None:
    """Return the gate that ``kept != value`` is: `then` keeps the value, and only another one comes again."""
    if kept.__class__ is ast.Name:
        return None
    return Gate(GateKind.CHANGE, written(kept)) if keeps(kept, value, then) else None


def waits(node: ast.expr, then: Block, counts: Callable[[ast.Name], bool]) -> bool:
    """Whether something is how far a counter has come since `then` ran: ``step - last``, ``last = step``.

    It may be told in intervals, ``(step - last) / every``, and noted by ``last += every``. What ``counts``
    the rounds of a hot loop is a counter by any name.
    """
    if node.__class__ is ast.BinOp and isinstance(node.op, (ast.Div, ast.FloorDiv)):
        node = node.left
    if node.__class__ is not ast.BinOp or node.op.__class__ is not ast.Sub or said_in(node) & NO_INTERVAL:
        return False
    counter, last = node.left, node.right
    if not (
        last.__class__ is ast.Attribute
        or (counter.__class__ is ast.Name and counts(counter))
        or said_in(counter) & STEP_WORDS
    ):
        return False
    wanted = written(last)
    return keeps(last, counter, then) or any(
        part.__class__ is ast.AugAssign and part.op.__class__ is ast.Add and written(part.target) == wanted
        for part in statements(then)
    )


def comes_later(counter: ast.expr, end: ast.expr, then: Block) -> bool:
    """Whether a counter has come some way since `then` ran: to ``last + every``, where ``last = counter``."""
    sides = (end.left, end.right) if end.__class__ is ast.BinOp and end.op.__class__ is ast.Add else ()
    return any(keeps(last, counter, then) for last in sides)


def starts_over(counter: ast.expr, then: Block) -> bool:
    """Whether a block sets something back to 0."""
    wanted = written(counter)
    return any(
        node.__class__ is ast.Assign
        and is_zero(node.value)
        and any(written(target) == wanted for target in node.targets)
        for node in statements(then)
    )


def is_stored(then: Block) -> bool:
    """Whether a block stores something that is there after the call."""
    stored = any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets(then))
    return stored or any(
        node.__class__ is ast.Call and last_name(node.func) == "setattr" for node in all_nodes(then)
    )


def sets_attribute(asked: ast.Call, then: Block) -> Gate | None:
    """Return the gate that ``not hasattr(x, name)`` is: `then` calls ``setattr(x, name, ...)``."""
    wanted = [ast.dump(argument) for argument in asked.args]
    for node in all_nodes(then):
        sets = node.__class__ is ast.Call and last_name(node.func) == "setattr"
        if sets and [ast.dump(argument) for argument in node.args[:2]] == wanted:  # type: ignore[attr-defined]
            return Gate(GateKind.ATTRIBUTE_MISSING, written(asked.args[0]))
    return None


def is_undone(flag: str, then: Block) -> bool:
    """Whether the block only calls what undoes the state that a flag tells: ``if x.merged: x.unmerge()``."""
    if len(then) != 1 or then[0].__class__ is not ast.Expr:
        return False
    name, stem = last_name(then[0].value), flag.removesuffix("ed")
    return any(name.startswith(prefix + stem) for prefix in ("un", "de", "dis"))


def moves(then: Block) -> Gate | None:
    """Return the gate of what is not on the host: the block moves a module, for the effect, and it stays."""
    for statement in then:
        call = statement.value if statement.__class__ is ast.Expr else None
        if call.__class__ is ast.Call and call.func.__class__ is ast.Attribute:
            to_host = call.func.attr in {"cpu", "offload"} or (
                call.func.attr == "to" and any(_is_cpu(argument) for argument in call.args)
            )
            if to_host:
                return Gate(GateKind.MOVED, written(call.func.value))
    return None


def _is_cpu(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "cpu"


def is_left_to_a_method(missing: ast.Attribute, then: Block) -> bool:
    """Whether the block only calls a method of the object that lacks the attribute, for its effect."""
    if len(then) != 1 or then[0].__class__ is not ast.Expr or then[0].value.__class__ is not ast.Call:
        return False
    function = then[0].value.func
    return function.__class__ is ast.Attribute and written(function.value) == written(missing.value)


def returned_method(missing: ast.Attribute, then: Block) -> str:
    """The method whose result is all that a block returns, of the object that lacks something; "" if none."""
    value = then[0].value if len(then) == 1 and then[0].__class__ is ast.Return else None
    if value.__class__ is not ast.Call or value.func.__class__ is not ast.Attribute:
        return ""
    return value.func.attr if written(value.func.value) == written(missing.value) else ""


def called_method(flag: ast.Attribute, statement: ast.stmt) -> str:
    """The method of the object with a flag that a statement calls for its effect; "" if it calls none."""
    call = statement.value if statement.__class__ is ast.Expr else None
    if call.__class__ is not ast.Call or call.func.__class__ is not ast.Attribute:
        return ""
    return call.func.attr if written(call.func.value) == written(flag.value) else ""


def targets(block: Block) -> Iterable[ast.expr]:
    """What a block assigns to, attributes and items included."""
    for node in statements(block):
        if node.__class__ is ast.Assign:
            yield from node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            yield node.target


def all_nodes(block: Block) -> list[ast.AST]:
    """The statements of a block and all below them."""
    found: list[ast.AST] = []
    for statement in block:
        found += walk(statement)
    return found
