"""Branches that hardly ever run: every-N-steps logging, first calls, caches that miss, error paths."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.conditions import (
    EVERY,
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
from overhead_lint.project.vocabulary import (
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
from overhead_lint.project.words import words

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

    def rare(self, test: ast.expr, when: bool, then: Block = (), depth: int = 0) -> str:
        """Why `test` is hardly ever `when`, "" if nothing says so.

        Args:
            test: the test.
            when: the outcome asked about.
            then: the statements that run on that outcome: a test for something missing is only
                rare if they provide it.
            depth: how many names and functions were followed already.
        """
        if test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
            return self.rare(test.operand, not when, then, depth)
        if test.__class__ is ast.BoolOp:
            reasons = [self.rare(value, when, then, depth) for value in test.values]
            one_is_enough = isinstance(test.op, ast.And) == when
            if one_is_enough or all(reasons):
                return next(filter(None, reasons), "")
            # Nobody asks for each tenth step as well where the others asked for are many.
            every = next((reason for reason in reasons if reason.startswith(EVERY)), "")
            return every or self._made_anew(test, when, then)
        if test.__class__ is ast.NamedExpr:
            return self.rare(test.value, when, then, depth)
        if test.__class__ is ast.Compare:
            found = self._comparisons.rare(test, when, then)
            return "" if found and steps(then) else found
        if test.__class__ is ast.BinOp and test.op.__class__ is ast.Mod:
            return "" if when or steps(then) else interval(test, self._names.counts)
        if isinstance(test, ast.Constant):
            return "never runs" if bool(test.value) is not when else ""
        return self._flag(test, when, then, depth)

    def _flag(self, test: ast.expr, when: bool, then: Block, depth: int) -> str:
        """Judge a plain name, attribute or call used as a test."""
        name = last_name(test)
        if not name:
            return ""
        by_call = self._call(test, name, when, then) if test.__class__ is ast.Call else None
        if by_call is not None:
            return by_call
        asked = self._names.qualified(test.func if test.__class__ is ast.Call else test)
        if asked in EXPORT_CALLS:
            return "runs only while exporting" if when else ""
        if asked in CHECKING_CALLS:
            return f"runs only with {asked}() on" if when else ""
        said = words(name)
        found = self._named(name, said, test) if when else self._kept.until_set(name, said, test, then)
        if not found and isinstance(test, (ast.Attribute, ast.Name)):
            found = self._state(test, name, when, then)
        found = found or self._values(test, when, then, depth)
        by_name = when and test.__class__ is ast.Call and said[:1] == ("every",)
        if found or not by_name or NO_INTERVAL & set(said) or steps(then):
            return found
        return f"{EVERY}so many steps"

    def _call(self, test: ast.Call, name: str, when: bool, then: Block) -> str | None:
        """Judge a call by the function that is asked; None if that says nothing."""
        if name == "hasattr" and not when:
            return self._kept.provides(attribute_asked(test), then) or sets_attribute(test, then)
        if name == "isinstance" and not when and self._asks_number(test):
            return "runs only for an index that is no number"
        variable = switch(test, self._names) if when else ""
        if variable:
            return f"runs only with {variable} set in the environment"
        if asks_finite(test, self._names.value) == (not when):
            return "runs only for numbers that are not finite"
        if fills_in(then) and asks_empty_row(test, self._names.value) is when:
            return "runs only for a row of which nothing is left"
        counted = length_of(test) if not when else None
        if counted is not None:
            return self._kept.begins(counted[0], then) or self._comparisons.while_empty(*counted, then)
        return None

    def _state(self, flag: ast.Attribute | ast.Name, name: str, when: bool, then: Block) -> str:
        """Why a flag is hardly ever so by what the branch does to it, or what the function has it for."""
        if not when:
            found = self._kept.begins(flag, then)
            nothing = not found and self._kept.collects_nothing(flag)
            return f"runs only while {name} is empty" if nothing else found
        asks_for_files = bool(OFF_FLAGS.intersection(words(name)[:1]))
        if asks_for_files and flag.__class__ is ast.Name and self._names.is_off(flag):
            return f"runs only with {name} on"
        if flag.__class__ is ast.Attribute and is_undone(name, then):
            return f"runs once, until {name} is undone"
        if self._kept.is_cleared(flag, then):
            return f"runs once, until {name} is cleared"
        if flag.__class__ is ast.Name and self._names.ends(flag):
            return f"runs once an episode, when {name}"
        return ""

    def _values(self, test: ast.expr, when: bool, then: Block, depth: int) -> str:
        """Why what a name may hold, or a function may give, is hardly ever so."""
        if depth >= _FOLLOWED:
            return ""
        if test.__class__ is ast.Call:
            return self._every(self._names.given_by(test), when, then, depth)
        if test.__class__ is not ast.Name:
            return ""
        value = self._names.value(test)
        found = self.rare(value, when, then, depth + 1) if value is not None else ""
        found = found or (self._names.raised(test) if when else "")
        if found or value is not None:  # a name of one value was judged by it
            return found
        return self._every(self._names.values(test), when, then, depth)

    def _every(self, values: list[ast.expr], when: bool, then: Block, depth: int) -> str:
        """Why whatever a name may hold, or a function may give, is `when` every so many steps alone.

        Which rank a function asks for says less than where a branch does: on one machine it is always true.
        """
        reasons = [self.rare(value, when, then, depth + 1) for value in values]
        return reasons[0] if reasons and all(one.startswith(EVERY) for one in reasons) else ""

    def _asks_number(self, call: ast.Call) -> bool:
        """Whether a call asks if the index of a data set is a number: ``isinstance(index, int)``."""
        if len(call.args) != 2 or not (
            call.args[0].__class__ is ast.Name and self._names.is_index(call.args[0])
        ):
            return False
        asked = call.args[1].elts if call.args[1].__class__ is ast.Tuple else [call.args[1]]
        return any(one.__class__ is ast.Name and one.id == "int" for one in asked)

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
            return f"runs once, while {name}" if test.__class__ is not ast.Call else ""
        return ""

    def _made_anew(self, test: ast.BoolOp, when: bool, then: Block) -> str:
        """Why ``kept is None or kept.size < size`` is rare: `then` makes what is kept.

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
            reason = self.rare(part, when, then)
            if reason and all(one is part or asks_for(wanted, one) for one in test.values):
                return reason
        return ""
