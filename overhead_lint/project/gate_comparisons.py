"""Comparisons that are hardly ever true: of steps with intervals, of ranks, of the best so far."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.vocabulary import (
    CLOCKS,
    COUNTERS,
    ELAPSED,
    MAIN_RANK,
    NO_INTERVAL,
    PARTS,
    STEP_WORDS,
)
from overhead_lint.analysis.words import words
from overhead_lint.api.torch_calls import named_device
from overhead_lint.project.conditions import (
    asks_level,
    interval,
    is_above_zero,
    is_length,
    is_none,
    is_zero,
    length_of,
    said_in,
    without_keys,
)
from overhead_lint.project.gated_blocks import (
    changes,
    comes_later,
    ends_flow,
    grows,
    moves,
    starts_over,
    stores,
    waits,
)
from overhead_lint.project.names import last_name, written
from overhead_lint.project.versions import certain

if TYPE_CHECKING:
    from overhead_lint.project.gate_names import GateNames
    from overhead_lint.project.gated_blocks import Block
    from overhead_lint.project.memoization import Kept

__all__ = ["Comparisons", "switch"]

_CLOCKS: Final = frozenset(name.rpartition(".")[2] for name in CLOCKS)
_ENVIRONMENT: Final = frozenset({"os.environ.get", "os.getenv"})
_NO_NUMBERS: Final = frozenset({"batch", "batches"})
_CONVERSIONS: Final = frozenset({"bool", "int", "str"})
_OFF: Final = (None, "", "0", "false", "False", "FALSE", "off", "no", 0)
_INFINITE: Final = ("inf", "-inf", "+inf", "infinity")


class Comparisons:
    """Judges the comparisons in the tests of branches.

    Args:
        names: tells what the names in them stand for.
        kept: judges tests of what is kept.
    """

    def __init__(self, names: GateNames, kept: Kept) -> None:
        self._names = names
        self._kept = kept

    def gate(self, test: ast.Compare, when: bool, then: Block) -> Gate | None:
        """Return the gate that a comparison is where it is `when`; None if it is none."""
        if len(test.ops) != 1:
            return None
        left, op, right = test.left, test.ops[0], test.comparators[0]
        known = certain(test, self._names.qualified, self._names.value)
        if known is not None and known[0] is not when:
            return Gate(GateKind.OLD_TORCH, value=known[1])
        if isinstance(op, (ast.Is, ast.IsNot)) and is_none(right):
            return self._kept.lacks(left, then) if isinstance(op, ast.Is) == when else None
        if asks_level(test) is when:
            return Gate(GateKind.DEBUG_MESSAGES)
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(op, ast.In) == when:
                return self._among(left, right)
            return stores(without_keys(right), then)
        if isinstance(op, (ast.Eq, ast.NotEq)):
            if isinstance(op, ast.Eq) == when and (self._is_infinite(left) or self._is_infinite(right)):
                return Gate(GateKind.NOT_FINITE)
            if isinstance(op, ast.Eq) != when:
                moved = moves(then) if named_device(right, self._names.qualified) == "cpu" else None
                return moved or changes(left, right, then) or changes(right, left, then)
            if left.__class__ is ast.Attribute and _is_unset(right):
                found = self._kept.provides(left, then)
                if found is not None:
                    return found
            if self._asks_backend(left, right):
                return Gate(GateKind.PICTURE_LIBRARY)
            variable = switch(left, self._names, compared=True) if isinstance(right, ast.Constant) else ""
            if variable and isinstance(right, ast.Constant) and right.value not in _OFF:
                return Gate(GateKind.ENVIRONMENT, variable)
            counted = self._counted(left) if is_zero(right) else None
            if counted is not None:
                return self._kept.begins(counted[0], then) or self.while_empty(*counted, then)
            return self._equal(left, right)
        if is_above_zero(op, right) is not when and is_above_zero(op, right) is not None:
            counted = self._counted(left)
            return self.while_empty(*counted, then) if counted else self._equal(left, ast.Constant(0))
        if not isinstance(op, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
            return None
        less, more = (left, right) if isinstance(op, (ast.Lt, ast.LtE)) else (right, left)
        if when:
            return self._exceeded(less, more, then)
        return _some_steps(less) if comes_later(less, more, then) else None

    def _exceeded(self, limit: ast.expr, counter: ast.expr, then: Block) -> Gate | None:
        """Return the gate that ``limit < counter`` is."""
        if self._is_elapsed(counter):
            return Gate(GateKind.TIME, written(counter))
        if (
            waits(counter, then, self._names.counts)
            or self._is_filled(counter, limit, then)
            or comes_later(counter, limit, then)
        ):
            return _some_steps(counter)
        return (
            grows(limit, counter, then)
            or self._kept.raises(limit, then)
            or self._kept.is_best(limit, counter, then)
        )

    def _is_filled(self, counter: ast.expr, limit: ast.expr, then: Block) -> bool:
        """Whether what is added up has come to a limit, and begins at 0 again: ``if seen > every``."""
        if not isinstance(counter, (ast.Attribute, ast.Name)) or said_in(limit) & NO_INTERVAL:
            return False
        if isinstance(limit, ast.Constant) and limit.value in (0, 1):
            return False
        return starts_over(counter, then) and self._names.adds_up(counter)

    def _is_infinite(self, node: ast.expr) -> bool:
        """Whether an expression is infinity: ``torch.inf``, ``-math.inf``, ``float("inf")``."""
        if node.__class__ is ast.UnaryOp and node.op.__class__ is ast.USub:
            node = node.operand
        if node.__class__ is ast.Call and last_name(node.func) == "float" and len(node.args) == 1:
            said = node.args[0]
            return isinstance(said, ast.Constant) and said.value in _INFINITE
        return self._names.qualified(node) in {"torch.inf", "math.inf", "numpy.inf"}

    def _asks_backend(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether a test asks for a library of pictures that torchvision takes only where it is told to."""
        return (
            left.__class__ is ast.Call
            and self._names.qualified(left.func) == "torchvision.get_image_backend"
            and isinstance(right, ast.Constant)
            and right.value != "PIL"
        )

    def while_empty(self, counted: ast.expr, is_tensor: bool, then: Block) -> Gate | None:
        """Return the gate of what is counted and empty: a batch of nothing, which a block leaves at once.

        Attributes may be lists of what was registered, and ``*args`` is what a caller left out: both are
        empty for good.
        """
        given = (
            counted.__class__ is ast.Name
            and "shape" not in words(counted.id)
            and not self._names.varies(counted)
        )
        left = given and ends_flow(then)
        if is_tensor or left or self._kept.replaces(counted, then) or self._kept.collects_nothing(counted):
            return Gate(GateKind.EMPTY, written(counted))
        return None

    def _counted(self, node: ast.expr) -> tuple[ast.expr, bool] | None:
        """What an expression gives the length of, also by a name: ``count = x.shape[0]``."""
        value = self._names.value(node) if node.__class__ is ast.Name else None
        return length_of(value or node)

    def _equal(self, left: ast.expr, right: ast.expr) -> Gate | None:
        """Return the gate that ``left == right`` is."""
        if right.__class__ is ast.BinOp and right.op.__class__ is ast.Mod:
            left, right = right, left
        if left.__class__ is ast.BinOp and left.op.__class__ is ast.Mod:
            return interval(left, self._names.counts)
        if isinstance(left, ast.Constant) or is_length(left):
            left, right = right, left
        if (is_length(right) or self._ends_rounds(right)) and self._is_last(left, right):
            return Gate(GateKind.LAST_ROUND)
        said = words(last_name(left))
        if said and said[-1] in MAIN_RANK and isinstance(right, ast.Constant):
            return Gate(GateKind.RANK, written(left), repr(right.value))
        number = not isinstance(right, ast.Constant) or isinstance(right.value, int)
        if number and (self._counts(left) or (_is_next(left) and not said_in(right) & (PARTS | NO_INTERVAL))):
            return Gate(GateKind.COUNT, last_name(left) or written(left), written(right))
        return None

    def _counts(self, node: ast.expr) -> bool:
        """Whether an expression is a number of steps, by what is done to it or by its name.

        So is what a function gives that is given nothing itself: ``get_num_updates()``.
        """
        if node.__class__ is ast.Call:
            if node.args or node.keywords:
                return False
            given = self._names.given_by(node)
            node = given[0] if len(given) == 1 else node.func
        is_counted = isinstance(node, (ast.Attribute, ast.Name)) and self._names.counts_up(node)
        return is_counted or _is_counter(node)

    @staticmethod
    def _among(left: ast.expr, right: ast.expr) -> Gate | None:
        """Return the gate that ``step in self.logged`` is.

        Ranges and calls may hold many, and a batch is no number.
        """
        listed = isinstance(right, (ast.Name, ast.Attribute, ast.List, ast.Set, ast.Tuple))
        if listed and _is_counter(left) and words(last_name(left))[-1] not in _NO_NUMBERS:
            return Gate(GateKind.LISTED, last_name(left), written(right))
        return None

    @staticmethod
    def _ends_rounds(end: ast.expr) -> bool:
        """Whether something may be the last round's number, ``total - 1``, and not that of a step's parts."""
        if end.__class__ is not ast.BinOp or not isinstance(end.right, ast.Constant):
            return False
        return end.right.value == 1 and not said_in(end) & (PARTS | NO_INTERVAL)

    def _is_last(self, counter: ast.expr, end: ast.expr) -> bool:
        """Whether a test asks for the last round: ``i == len(loader) - 1``, ``i + 1 == len(loader)``."""
        off = end.op if end.__class__ is ast.BinOp else None
        if counter.__class__ is ast.BinOp and counter.op.__class__ is ast.Add and off is None:
            return counter.left.__class__ is ast.Name and self._names.counts(counter.left)
        return off.__class__ is ast.Sub and counter.__class__ is ast.Name and self._names.counts(counter)

    def _is_elapsed(self, node: ast.expr) -> bool:
        if node.__class__ is ast.BinOp and node.op.__class__ is ast.Sub:
            sides = [self._names.value(side) or side for side in (node.left, node.right)]
            return any(side.__class__ is ast.Call and last_name(side.func) in _CLOCKS for side in sides)
        return bool(ELAPSED & set(words(last_name(node))))


def _some_steps(counter: ast.expr) -> Gate:
    return Gate(GateKind.EVERY, written(counter))


def _is_unset(node: ast.expr) -> bool:
    """Whether a number tells that there is none: -1."""
    return (
        node.__class__ is ast.UnaryOp
        and node.op.__class__ is ast.USub
        and isinstance(node.operand, ast.Constant)
        and node.operand.value == 1
    )


def _is_counter(node: ast.expr) -> bool:
    """Whether an expression is a number of steps or batches by its name."""
    said = words(last_name(node))
    named = bool(STEP_WORDS & set(said)) and said[-1] in STEP_WORDS | COUNTERS
    return named and node.__class__ is not ast.Call


def _is_next(node: ast.expr) -> bool:
    """Whether an expression is the number of the next round, counted from one: ``batch_idx + 1``."""
    return (
        node.__class__ is ast.BinOp
        and node.op.__class__ is ast.Add
        and isinstance(node.right, ast.Constant)
        and node.right.value == 1
        and _is_counter(node.left)
    )


def switch(node: ast.expr, names: GateNames, *, compared: bool = False) -> str:
    """The environment variable that an expression reads, if it is off unless somebody sets it.

    Any text but "" counts as true, unless it is `compared` with something, or made a number.
    """
    while node.__class__ is ast.Call and last_name(node.func) in _CONVERSIONS and node.args:
        compared = compared or last_name(node.func) == "int"
        node = node.args[0]
    if node.__class__ is not ast.Call or names.qualified(node.func) not in _ENVIRONMENT:
        return ""
    name, *default = node.args
    off = all(
        isinstance(one, ast.Constant) and (one.value in _OFF if compared else not one.value)
        for one in default
    )
    return str(name.value) if off and isinstance(name, ast.Constant) else ""
