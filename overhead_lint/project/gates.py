"""Branches that hardly ever run: every-N-steps logging, first calls, caches that miss, error paths."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.vocabulary import (
    CAPTURE_CALLS,
    CAPTURE_FLAGS,
    CHECKING_CALLS,
    EXPORT_CALLS,
    EXPORT_FLAGS,
    FIRST,
    FIRST_FLAGS,
    MAIN_FLAGS,
    NO_INTERVAL,
    OFF_FLAGS,
    RARE_ACTS,
    RARE_FLAG_PAIRS,
    RARE_FLAGS,
)
from overhead_lint.analysis.words import words
from overhead_lint.project.conditions import (
    asks_empty_row,
    asks_finite,
    attribute_asked,
    interval,
    is_none,
    length_of,
)
from overhead_lint.project.gate_comparisons import Comparisons, switch
from overhead_lint.project.gated_blocks import asks_for, fills_in, is_undone, sets_attribute, steps
from overhead_lint.project.memoization import Kept
from overhead_lint.project.names import last_name, written

if TYPE_CHECKING:
    from overhead_lint.project.gate_names import GateNames
    from overhead_lint.project.gated_blocks import Block

__all__ = ["Gates"]

_FOLLOWED: Final = 3


class Gates:
    """Judges the tests of branches.

    Args:
        names: tells what the names in them stand for.
    """

    def __init__(self, names: GateNames) -> None:
        self._names = names
        self._kept = Kept(names)
        self._comparisons = Comparisons(names, self._kept)

    def gate(self, test: ast.expr, when: bool, then: Block = (), depth: int = 0) -> Gate | None:
        """Return the gate that `test` is where it is `when`; None if nothing says that it hardly ever is.

        Args:
            test: the test.
            when: the outcome asked about.
            then: the statements that run on that outcome: a test for something missing is only
                rare if they provide it.
            depth: how many names and functions were followed already.
        """
        if test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
            return self.gate(test.operand, not when, then, depth)
        if test.__class__ is ast.BoolOp:
            gates = [self.gate(value, when, then, depth) for value in test.values]
            one_is_enough = isinstance(test.op, ast.And) == when
            if one_is_enough or None not in gates:
                return next(filter(None, gates), None)
            # Nobody asks for each tenth step as well where the others asked for are many.
            every = next((gate for gate in gates if _is_every(gate)), None)
            return every or self._made_anew(test, when, then)
        if test.__class__ is ast.NamedExpr:
            return self.gate(test.value, when, then, depth)
        if test.__class__ is ast.Compare:
            found = self._comparisons.gate(test, when, then)
            return None if found is not None and steps(then) else found
        if test.__class__ is ast.BinOp and test.op.__class__ is ast.Mod:
            return None if when or steps(then) else interval(test, self._names.counts)
        if isinstance(test, ast.Constant):
            return Gate(GateKind.NEVER) if bool(test.value) is not when else None
        return self._flag(test, when, then, depth)

    def _flag(self, test: ast.expr, when: bool, then: Block, depth: int) -> Gate | None:
        """Judge a plain name, attribute or call used as a test."""
        name = last_name(test)
        if not name:
            return None
        by_call = self._call(test, name, when, then) if test.__class__ is ast.Call else None
        if by_call is not None:
            return by_call
        asked = self._names.qualified(test.func if test.__class__ is ast.Call else test)
        if asked in EXPORT_CALLS:
            return Gate(GateKind.EXPORT) if when else None
        if asked in CAPTURE_CALLS:
            return Gate(GateKind.CAPTURE) if when else None
        if asked in CHECKING_CALLS:
            return Gate(GateKind.MODE, asked) if when and asked is not None else None
        said = words(name)
        found = self._named(name, said, test) if when else self._kept.until_set(name, said, test, then)
        if not found and isinstance(test, (ast.Attribute, ast.Name)):
            found = self._state(test, name, when, then)
        found = found or self._values(test, when, then, depth)
        by_name = when and test.__class__ is ast.Call and said[:1] == ("every",)
        if found or not by_name or NO_INTERVAL & set(said) or steps(then):
            return found
        return Gate(GateKind.EVERY, written(test))

    def _call(self, test: ast.Call, name: str, when: bool, then: Block) -> Gate | None:
        """Judge a call by the function that is asked; None if that says nothing."""
        if name == "hasattr" and not when:
            return self._kept.provides(attribute_asked(test), then) or sets_attribute(test, then)
        if name == "isinstance" and not when and self._asks_number(test):
            return Gate(GateKind.OTHER_INDEX)
        variable = switch(test, self._names) if when else ""
        if variable:
            return Gate(GateKind.ENVIRONMENT, variable)
        if asks_finite(test, self._names.value) == (not when):
            return Gate(GateKind.NOT_FINITE)
        if fills_in(then) and asks_empty_row(test, self._names.value) is when:
            return Gate(GateKind.EMPTY_ROW)
        counted = length_of(test) if not when else None
        if counted is not None:
            return self._kept.begins(counted[0], then) or self._comparisons.while_empty(*counted, then)
        return None

    def _state(self, flag: ast.Attribute | ast.Name, name: str, when: bool, then: Block) -> Gate | None:
        """Return the gate that a flag is by what the branch does to it, or what the function has it for."""
        if not when:
            found = self._kept.begins(flag, then)
            nothing = found is None and self._kept.collects_nothing(flag)
            return Gate(GateKind.EMPTY, name) if nothing else found
        asks_for_files = bool(OFF_FLAGS.intersection(words(name)[:1]))
        if asks_for_files and flag.__class__ is ast.Name and self._names.is_off(flag):
            return Gate(GateKind.FLAG, name)
        if flag.__class__ is ast.Attribute and is_undone(name, then):
            return Gate(GateKind.DONE, name)
        if self._kept.is_cleared(flag, then):
            return Gate(GateKind.CLEARED, name)
        if flag.__class__ is ast.Name and self._names.ends(flag):
            return Gate(GateKind.EPISODE, name)
        return None

    def _values(self, test: ast.expr, when: bool, then: Block, depth: int) -> Gate | None:
        """Return the gate that what a name may hold, or a function may give, is."""
        if depth >= _FOLLOWED:
            return None
        if test.__class__ is ast.Call:
            return self._every(self._names.given_by(test), when, then, depth)
        if test.__class__ is not ast.Name:
            return None
        value = self._names.value(test)
        found = self.gate(value, when, then, depth + 1) if value is not None else None
        found = found or (self._names.raised(test) if when else None)
        if found is not None or value is not None:  # a name of one value was judged by it
            return found
        return self._every(self._names.values(test), when, then, depth)

    def _every(self, values: list[ast.expr], when: bool, then: Block, depth: int) -> Gate | None:
        """Return the gate of values that are all `when` every so many steps alone; None if one is no such.

        Which rank a function asks for says less than where a branch does: on one machine it is always true.
        """
        gates = [self.gate(value, when, then, depth + 1) for value in values]
        return gates[0] if gates and all(map(_is_every, gates)) else None

    def _asks_number(self, call: ast.Call) -> bool:
        """Whether a call asks if the index of a data set is a number: ``isinstance(index, int)``."""
        if len(call.args) != 2 or not (
            call.args[0].__class__ is ast.Name and self._names.is_index(call.args[0])
        ):
            return False
        asked = call.args[1].elts if call.args[1].__class__ is ast.Tuple else [call.args[1]]
        return any(one.__class__ is ast.Name and one.id == "int" for one in asked)

    @staticmethod
    def _named(name: str, said: tuple[str, ...], test: ast.expr) -> Gate | None:
        """Return the gate that something of this name is where it is true."""
        if name == "TYPE_CHECKING":
            return Gate(GateKind.NEVER)
        if RARE_FLAGS & set(said) or name == "isEnabledFor":
            return Gate(GateKind.FLAG, name)
        if EXPORT_FLAGS & set(said):
            return Gate(GateKind.EXPORT)
        if CAPTURE_FLAGS & set(said) or said[-2:] == ("capture", "mode"):
            return Gate(GateKind.CAPTURE)
        if name in MAIN_FLAGS:
            return Gate(GateKind.MAIN_RANK)
        if said[:1] and said[0] in RARE_FLAG_PAIRS and RARE_ACTS & set(said):
            return Gate(GateKind.WHEN, name)
        if said[-1:] == ("warmup",) or said[-2:] == ("warm", "up"):
            return Gate(GateKind.WARM_UP, name)
        if FIRST & set(said) and (len(said) == 1 or FIRST_FLAGS & set(said)):
            return Gate(GateKind.FIRST, name) if test.__class__ is not ast.Call else None
        return None

    def _made_anew(self, test: ast.BoolOp, when: bool, then: Block) -> Gate | None:
        """Return the gate that ``kept is None or kept.size < size`` is: `then` makes what is kept.

        All that is asked has to be about what is kept, and the block has to provide it.
        """
        for part in test.values:
            asked = part
            while asked.__class__ is ast.UnaryOp and asked.op.__class__ is ast.Not:
                asked = asked.operand
            missing = (
                asked.left if asked.__class__ is ast.Compare and is_none(asked.comparators[0]) else asked
            )
            if missing.__class__ is not ast.Attribute:
                continue
            wanted = written(missing)
            gate = self.gate(part, when, then)
            if gate is not None and all(one is part or asks_for(wanted, one) for one in test.values):
                return gate
        return None


def _is_every(gate: Gate | None) -> bool:
    return gate is not None and gate.kind is GateKind.EVERY
