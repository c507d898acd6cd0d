"""Branches that hardly ever run: every-N-steps logging, first calls, caches that miss, error paths."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from overhead_lint.project.conditions import (
    asks_empty_row,
    asks_finite,
    asks_level,
    attribute_asked,
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
    Block,
    asks_for,
    changes,
    ends_flow,
    fills_in,
    grows,
    is_undone,
    moves,
    sets_attribute,
    steps,
    stores,
    waits,
)
from overhead_lint.project.memoization import Kept
from overhead_lint.project.names import last_name, written
from overhead_lint.project.versions import certain
from overhead_lint.project.vocabulary import (
    CLOCKS,
    COUNTERS,
    ELAPSED,
    EXPORT_CALLS,
    EXPORT_FLAGS,
    FIRST,
    FIRST_FLAGS,
    MAIN_FLAGS,
    MAIN_RANK,
    NO_INTERVAL,
    OFF_FLAGS,
    PARTS,
    RARE_ACTS,
    RARE_FLAG_PAIRS,
    RARE_FLAGS,
    STEP_WORDS,
)
from overhead_lint.project.words import words

__all__ = ["Gates"]


_CLOCKS: Final = frozenset(name.rpartition(".")[2] for name in CLOCKS)

_ENVIRONMENT: Final = frozenset({"os.environ.get", "os.getenv"})
_CONVERSIONS: Final = frozenset({"bool", "int", "str"})
# What a switch in the environment is set to, or is by default, when it is off.
_OFF: Final = (None, "", "0", "false", "False", "FALSE", "off", "no", 0)

_INFINITE: Final = ("inf", "-inf", "+inf", "infinity")

# How many names are followed to the condition that they stand for.
_FOLLOWED: Final = 2


class Gates:
    """Judges the tests of branches.

    Args:
        qualified: gives the qualified name of an expression.
        value: gives the one expression that a name is bound to.
        values: gives the expressions that a local name may be bound to where it is used.
        lasts: tells whether a name outlives a call, as a module's own do, and whether an attribute stays
            as it is once it is cleared.
        outlives: tells whether a local name keeps what a branch gives it over the rounds of a hot loop.
        varies: tells whether a name is a function's ``*args``.
        counts: tells whether a name counts the rounds of a hot loop.
        raised: tells why a local flag is hardly ever true, "" if nothing says so.
        is_off: tells whether a name is a parameter that is false unless it is passed.
        sets: tells whether a method of the class, by its name, assigns to an attribute.
        numbers: tells whether a name is what a data set is asked for, which loaders ask by number.
        ends: tells whether a name says that an episode is over, in a loop that steps an environment.
    """

    def __init__(
        self,
        qualified: Callable[[ast.AST], str | None],
        value: Callable[[ast.expr], ast.expr | None],
        values: Callable[[ast.expr], list[ast.expr]],
        lasts: Callable[[ast.Attribute | ast.Name], bool],
        outlives: Callable[[ast.Name], bool],
        varies: Callable[[ast.Name], bool],
        counts: Callable[[ast.Name], bool],
        raised: Callable[[ast.Name], str],
        is_off: Callable[[ast.Name], bool],
        sets: Callable[[ast.Attribute, str], bool],
        numbers: Callable[[ast.Name], bool],
        ends: Callable[[ast.Name], bool],
    ) -> None:
        self._qualified = qualified
        self._value = value
        self._kept = Kept(value, values, lasts, outlives, sets)
        self._varies = varies
        self._counts = counts
        self._raised = raised
        self._is_off = is_off
        self._numbers = numbers
        self._ends = ends

    def rare(self, test: ast.expr, when: bool, then: Block = (), depth: int = 0) -> str:
        """Why `test` is hardly ever `when`, "" if nothing says so.

        Args:
            test: the test.
            when: the outcome asked about.
            then: the statements that run on that outcome: a test for something missing is only
                rare if they provide it.
            depth: how many names were followed already.
        """
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.rare(test.operand, not when, then, depth)
        if isinstance(test, ast.BoolOp):
            reasons = [self.rare(value, when, then, depth) for value in test.values]
            one_is_enough = isinstance(test.op, ast.And) == when
            if one_is_enough or all(reasons):
                return next(filter(None, reasons), "")
            return self._made_anew(test, when, then)
        if isinstance(test, ast.NamedExpr):
            return self.rare(test.value, when, then, depth)
        if isinstance(test, ast.Compare):
            found = self._compare(test, when, then)
            return "" if found and steps(then) else found
        if isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod):
            return "" if when else interval(test, self._counts)
        if isinstance(test, ast.Constant):
            return "never runs" if bool(test.value) is not when else ""
        return self._flag(test, when, then, depth)

    def _flag(self, test: ast.expr, when: bool, then: Block, depth: int) -> str:
        """Judge a plain name, attribute or call used as a test."""
        name = last_name(test)
        if not name:
            return ""
        if isinstance(test, ast.Call) and name == "hasattr" and not when:
            return self._kept.provides(attribute_asked(test), then) or sets_attribute(test, then)
        if isinstance(test, ast.Call) and name == "isinstance" and not when and self._asks_number(test):
            return "runs only for an index that is no number"
        if isinstance(test, ast.Call) and when:
            variable = self._environment(test)
            if variable:
                return f"runs only with {variable} set in the environment"
        if isinstance(test, ast.Call) and asks_finite(test, self._value) == (not when):
            return "runs only for numbers that are not finite"
        if isinstance(test, ast.Call) and fills_in(then) and asks_empty_row(test, self._value) is when:
            return "runs only for a row of which nothing is left"
        said = words(name)
        if self._qualified(test.func if isinstance(test, ast.Call) else test) in EXPORT_CALLS:
            return "runs only while exporting" if when else ""
        if isinstance(test, ast.Call) and not when and (counted := length_of(test)) is not None:
            return self._kept.begins(counted[0], then) or self._while_empty(*counted, then)
        found = self._named(name, said, test) if when else self._kept.until_set(name, said, test, then)
        if not found and when and isinstance(test, ast.Name) and said[:1] and said[0] in OFF_FLAGS:
            found = f"runs only with {name} on" if self._is_off(test) else ""
        if not found and when and isinstance(test, ast.Attribute) and is_undone(name, then):
            return f"runs once, until {name} is undone"
        if (
            not found
            and when
            and isinstance(test, (ast.Attribute, ast.Name))
            and self._kept.is_cleared(test, then)
        ):
            return f"runs once, until {name} is cleared"
        if not found and not when and isinstance(test, (ast.Attribute, ast.Name)):
            found = self._kept.begins(test, then)
        if not found and when and isinstance(test, ast.Name) and self._ends(test):
            return f"runs once an episode, when {name}"
        if not found and isinstance(test, ast.Name) and depth < _FOLLOWED:
            value = self._value(test)
            found = self.rare(value, when, then, depth + 1) if value is not None else ""
            found = found or (self._raised(test) if when else "")
        return found

    def _asks_number(self, call: ast.Call) -> bool:
        """Whether a call asks if the index of a data set is a number: ``isinstance(index, int)``."""
        if len(call.args) != 2 or not (isinstance(call.args[0], ast.Name) and self._numbers(call.args[0])):
            return False
        asked = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else [call.args[1]]
        return any(isinstance(one, ast.Name) and one.id == "int" for one in asked)

    def _environment(self, node: ast.expr, *, compared: bool = False) -> str:
        """The environment variable that an expression reads, if it is off unless somebody sets it.

        Any text but "" counts as true, unless it is `compared` with something, or made a number.
        """
        while isinstance(node, ast.Call) and last_name(node.func) in _CONVERSIONS and node.args:
            compared = compared or last_name(node.func) == "int"
            node = node.args[0]
        if not isinstance(node, ast.Call) or self._qualified(node.func) not in _ENVIRONMENT:
            return ""
        name, *default = node.args
        off = all(
            isinstance(one, ast.Constant) and (one.value in _OFF if compared else not one.value)
            for one in default
        )
        return str(name.value) if off and isinstance(name, ast.Constant) else ""

    def _asks_backend(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether a test asks for a library of pictures that torchvision takes only where it is told to."""
        return (
            isinstance(left, ast.Call)
            and self._qualified(left.func) == "torchvision.get_image_backend"
            and isinstance(right, ast.Constant)
            and right.value != "PIL"
        )

    @staticmethod
    def _named(name: str, said: tuple[str, ...], test: ast.expr) -> str:
        """Why something of this name is hardly ever true."""
        if name == "TYPE_CHECKING":
            return "never runs"
        if RARE_FLAGS & set(said) or name == "isEnabledFor":
            return f"runs only with {name} on"
        if EXPORT_FLAGS & set(said):
            return "runs only while exporting"
        if name in MAIN_FLAGS:
            return "runs on the main rank only"
        if said[:1] and said[0] in RARE_FLAG_PAIRS and RARE_ACTS & set(said):
            return f"runs only when {name}"
        if said[-1:] == ("warmup",) or said[-2:] == ("warm", "up"):
            return f"runs only while {name}"
        if FIRST & set(said) and (len(said) == 1 or FIRST_FLAGS & set(said)):
            return f"runs once, while {name}" if not isinstance(test, ast.Call) else ""
        return ""

    def _compare(self, test: ast.Compare, when: bool, then: Block) -> str:
        if len(test.ops) != 1:
            return ""
        left, op, right = test.left, test.ops[0], test.comparators[0]
        known = certain(test, self._qualified, self._value)
        if known is not None and known[0] is not when:
            return f"runs only with torch before {known[1]}"
        if isinstance(op, (ast.Is, ast.IsNot)) and is_none(right):
            return self._kept.lacks(left, then) if isinstance(op, ast.Is) == when else ""
        if asks_level(test) is when:
            return "runs only where debug messages are shown"
        if isinstance(op, (ast.In, ast.NotIn)):
            return stores(without_keys(right), then) if isinstance(op, ast.NotIn) == when else ""
        if isinstance(op, (ast.Eq, ast.NotEq)):
            if isinstance(op, ast.Eq) == when and (self._is_infinite(left) or self._is_infinite(right)):
                return "runs only for numbers that are not finite"
            if isinstance(op, ast.Eq) != when:
                moved = self._is_host(right) and moves(then)
                return moved or changes(left, right, then) or changes(right, left, then)
            if self._asks_backend(left, right):
                return "runs only with another library for pictures"
            variable = self._environment(left, compared=True) if isinstance(right, ast.Constant) else ""
            if variable and isinstance(right, ast.Constant) and right.value not in _OFF:
                return f"runs only with {variable} set in the environment"
            counted = length_of(left) if is_zero(right) else None
            if counted is not None:
                return self._kept.begins(counted[0], then) or self._while_empty(*counted, then)
            return self._equal(left, right)
        if is_above_zero(op, right) is not when and is_above_zero(op, right) is not None:
            counted = length_of(left)
            return self._while_empty(*counted, then) if counted else self._equal(left, ast.Constant(0))
        if isinstance(op, (ast.Gt, ast.GtE)) and when and self._is_elapsed(left):
            return "runs after some time has passed"
        if isinstance(op, (ast.Lt, ast.LtE)) and when and self._is_elapsed(right):
            return "runs after some time has passed"
        if isinstance(op, (ast.Gt, ast.GtE)) and when and waits(left, then, self._counts):
            return "runs every so many steps"
        if isinstance(op, (ast.Lt, ast.LtE)) and when and waits(right, then, self._counts):
            return "runs every so many steps"
        if isinstance(op, (ast.Lt, ast.LtE)) and when:
            return (
                grows(left, right, then)
                or self._kept.raises(left, then)
                or self._kept.is_best(left, right, then)
            )
        if isinstance(op, (ast.Gt, ast.GtE)) and when:
            return (
                grows(right, left, then)
                or self._kept.raises(right, then)
                or self._kept.is_best(left, right, then)
            )
        return ""

    def _made_anew(self, test: ast.BoolOp, when: bool, then: Block) -> str:
        """Why ``kept is None or kept.size < size`` is rare: `then` makes what is kept.

        All that is asked has to be about what is kept, and the block has to provide it.
        """
        for part in test.values:
            asked = part
            while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
                asked = asked.operand
            missing = (
                asked.left if isinstance(asked, ast.Compare) and is_none(asked.comparators[0]) else asked
            )
            if not isinstance(missing, ast.Attribute):
                continue
            wanted = written(missing)
            reason = self.rare(part, when, then)
            if reason and all(one is part or asks_for(wanted, one) for one in test.values):
                return reason
        return ""

    def _is_infinite(self, node: ast.expr) -> bool:
        """Whether an expression is infinity: ``torch.inf``, ``-math.inf``, ``float("inf")``."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            node = node.operand
        if isinstance(node, ast.Call) and last_name(node.func) == "float" and len(node.args) == 1:
            said = node.args[0]
            return isinstance(said, ast.Constant) and said.value in _INFINITE
        return self._qualified(node) in {"torch.inf", "math.inf", "numpy.inf"}

    def _is_host(self, node: ast.expr) -> bool:
        """Whether an expression is the host as a device: ``"cpu"``, ``torch.device("cpu")``."""
        if isinstance(node, ast.Call) and node.args and self._qualified(node.func) == "torch.device":
            node = node.args[0]
        return isinstance(node, ast.Constant) and node.value == "cpu"

    def _while_empty(self, counted: ast.expr, is_tensor: bool, then: Block) -> str:
        """Why what is counted is hardly ever empty: a batch of nothing, which a block leaves at once.

        Attributes may be lists of what was registered, and ``*args`` is what a caller left out: both are
        empty for good.
        """
        given = (
            isinstance(counted, ast.Name) and "shape" not in words(counted.id) and not self._varies(counted)
        )
        if is_tensor or (given and ends_flow(then)) or self._kept.replaces(counted, then):
            return f"runs only while {written(counted)} is empty"
        return ""

    def _equal(self, left: ast.expr, right: ast.expr) -> str:
        """Why ``left == right`` is rare."""
        if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mod):
            left, right = right, left
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
            return interval(left, self._counts)
        if isinstance(left, ast.Constant) or is_length(left):
            left, right = right, left
        if (is_length(right) or self._ends_rounds(right)) and self._is_last(left, right):
            return "runs once, in the last round"
        said = words(last_name(left))
        if said and said[-1] in MAIN_RANK and isinstance(right, ast.Constant):
            return f"runs on rank {right.value!r} only"
        counts = bool(STEP_WORDS & set(said)) and (said[-1] in STEP_WORDS | COUNTERS)
        number = not isinstance(right, ast.Constant) or isinstance(right.value, int)
        if counts and number and not isinstance(left, ast.Call):
            return f"runs once, when {last_name(left)} is {written(right)}"
        return ""

    @staticmethod
    def _ends_rounds(end: ast.expr) -> bool:
        """Whether something may be the last round's number, ``total - 1``, and not that of a step's parts."""
        if not isinstance(end, ast.BinOp) or not isinstance(end.right, ast.Constant):
            return False
        return end.right.value == 1 and not said_in(end) & (PARTS | NO_INTERVAL)

    def _is_last(self, counter: ast.expr, end: ast.expr) -> bool:
        """Whether a test asks for the last round: ``i == len(loader) - 1``, ``i + 1 == len(loader)``."""
        off = end.op if isinstance(end, ast.BinOp) else None
        if isinstance(counter, ast.BinOp) and isinstance(counter.op, ast.Add) and off is None:
            return isinstance(counter.left, ast.Name) and self._counts(counter.left)
        return isinstance(off, ast.Sub) and isinstance(counter, ast.Name) and self._counts(counter)

    def _is_elapsed(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            sides = [self._value(side) or side for side in (node.left, node.right)]
            return any(isinstance(side, ast.Call) and last_name(side.func) in _CLOCKS for side in sides)
        return bool(ELAPSED & set(words(last_name(node))))
