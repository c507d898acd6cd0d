"""What is kept between calls, or between the rounds of a hot loop: branches that make it hardly ever run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from overhead_lint.project.conditions import is_none
from overhead_lint.project.gated_blocks import (
    Block,
    all_nodes,
    called_method,
    is_left_to_a_method,
    is_stored,
    keeps,
    returned_method,
    stores,
    targets,
)
from overhead_lint.project.names import last_name, written
from overhead_lint.project.vocabulary import DONE_FLAGS

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.project.gate_names import GateNames

__all__ = ["Kept", "memoizes"]


class Kept:
    """Judges tests of what the branch that they guard makes, fills, sets or clears.

    Args:
        names: tells what names stand for.
    """

    def __init__(self, names: GateNames) -> None:
        self._names = names

    def provides(self, missing: ast.expr | None, then: Block) -> str:
        """Why a test for something missing is rare: `then` provides it, where it stays."""
        if missing is None:
            return ""
        wanted = written(missing)
        stays = isinstance(missing, (ast.Attribute, ast.Subscript)) or (
            isinstance(missing, ast.Name) and self._names.stays(missing)
        )
        assigned = isinstance(missing, ast.Attribute) and (
            is_left_to_a_method(missing, then) or self._names.sets(missing, returned_method(missing, then))
        )
        for target in targets(then):
            # A property `step_index` is provided by assigning `_step_index`.
            assigned = assigned or written(target).replace("._", ".") == wanted.replace("._", ".")
        stays = stays or is_stored(then) or self._is_stored_in_module(then)
        return f"runs once, while {wanted} is missing" if assigned and stays else ""

    def lacks(self, missing: ast.expr, then: Block) -> str:
        """Why ``missing is None`` is rare: `then` provides it, or stores it for ``table.get(key)``."""
        if isinstance(missing, ast.NamedExpr):
            missing = missing.value
        elif isinstance(missing, ast.Name):
            found = self._names.value(missing)
            if isinstance(found, ast.Call) and last_name(found.func) == "get":
                missing = found
        if (
            isinstance(missing, ast.Call)
            and isinstance(missing.func, ast.Attribute)
            and missing.func.attr == "get"
            and missing.args
        ):
            return stores(missing.func.value, then)
        return self.provides(missing, then)

    def fills(self, table: ast.expr, then: Block) -> str:
        """Why a table is rarely empty: `then` stores something in it, and it is not made on each call."""
        made = self._names.value(table)
        fresh = isinstance(made, (ast.Dict, ast.List, ast.Set)) or (
            isinstance(made, ast.Call) and last_name(made.func) in {"dict", "list", "set", "defaultdict"}
        )
        if isinstance(table, ast.Name) and (fresh and not self._names.stays(table)):
            return ""
        return f"runs once, while {written(table)} is empty" if stores(table, then) else ""

    def begins(self, table: ast.expr, then: Block) -> str:
        """Why a table is rarely empty: it is filled, or is the state of a parameter, empty in its first step.

        An optimizer's ``step`` fills ``self.state[p]`` itself, whatever ``then`` leaves to others.
        """
        made = self._names.values(table) if isinstance(table, ast.Name) else [table]
        if made and all(_is_state_of_parameter(one) for one in made):
            return "runs once a parameter, in its first step"
        return self.fills(table, then)

    def replaces(self, found: ast.expr, then: Block) -> bool:
        """Whether `then` puts something in the place of a list that was begun empty, and is so still."""
        made = self._names.values(found) if isinstance(found, ast.Name) else []
        return (
            bool(made)
            and all(isinstance(one, ast.List) and not one.elts for one in made)
            and any(isinstance(target, ast.Name) and target.id == written(found) for target in targets(then))
        )

    def collects_nothing(self, found: ast.expr) -> bool:
        """Whether a list is asked about that was begun empty, and whose parts are joined: it has some."""
        if not isinstance(found, ast.Name) or not self._names.joins(found):
            return False
        made = self._names.values(found)
        return bool(made) and all(
            isinstance(one, ast.List) and not one.elts and self._names.begins_beside(one, found)
            for one in made
        )

    def until_set(self, name: str, said: tuple[str, ...], test: ast.expr, then: Block) -> str:
        """Why something is hardly ever false: it is set for good when it is, or its name says so."""
        stays = isinstance(test, ast.Attribute) or (isinstance(test, ast.Name) and self._names.stays(test))
        is_set = (stays and _sets_to(True, test, then)) or bool(DONE_FLAGS & set(said))
        if not is_set and isinstance(test, ast.Attribute) and _makes(test, then):
            return f"runs once, while {written(test)} is missing"
        return f"runs once, until {name} is set" if is_set else ""

    def is_cleared(self, flag: ast.Attribute | ast.Name, then: Block) -> bool:
        """Whether the block clears the flag that let it run: ``if self.fresh: self.fresh = False``.

        A method that it calls may do so as well: nothing but ``__init__`` sets such a flag to true.
        """
        if not self._names.stays(flag):
            return False
        if isinstance(flag, ast.Attribute) and any(
            self._names.sets(flag, called_method(flag, statement)) for statement in then
        ):
            return True
        return _sets_to(False, flag, then)

    def is_best(self, left: ast.expr, right: ast.expr, then: Block) -> str:
        """Why a better value than the one that is kept is rare: `then` keeps it."""
        for kept, value in ((left, right), (right, left)):
            stays = isinstance(kept, ast.Attribute) or (
                isinstance(kept, ast.Name) and self._names.stays(kept)
            )
            if stays and keeps(kept, value, then):
                return f"runs when {written(value)} is the best so far"
        return ""

    def raises(self, kept: ast.expr, then: Block) -> str:
        """Why ``kept < value`` is rare: `then` calls a method that assigns to what is kept."""
        if not isinstance(kept, ast.Attribute):
            return ""
        raised = any(self._names.sets(kept, called_method(kept, statement)) for statement in then)
        return f"runs when {written(kept)} grows" if raised else ""

    def _is_stored_in_module(self, then: Block) -> bool:
        """Whether a block assigns to a name of the module: ``global known; known = found``."""
        return any(isinstance(target, ast.Name) and self._names.lasts(target) for target in targets(then))


def _sets_to(what: bool, flag: ast.expr, then: Block) -> bool:
    """Whether a block assigns a truth value to a flag."""
    return any(
        isinstance(value, ast.Constant) and value.value is what for value in _assigned(flag, all_nodes(then))
    )


def _makes(kept: ast.Attribute, then: Block) -> bool:
    """Whether a block, whatever it asks for besides, assigns what it works out to an attribute."""
    return any(not isinstance(value, ast.Constant) for value in _assigned(kept, then))


def _assigned(target: ast.expr, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What those of some nodes that are assignments to something assign to it."""
    wanted = written(target)
    for node in nodes:
        if isinstance(node, ast.Assign) and any(written(one) == wanted for one in node.targets):
            yield node.value


def _is_state_of_parameter(table: ast.expr) -> bool:
    """Whether a table is what an optimizer keeps for one parameter: ``self.state[p]``."""
    return (
        isinstance(table, ast.Subscript)
        and isinstance(table.value, ast.Attribute)
        and table.value.attr == "state"
        and not isinstance(table.slice, ast.Constant)
    )


def memoizes(decorator: ast.expr, facts: FileFacts) -> bool:
    """Whether a decorator of the file has what it decorates run once an object, which keeps what it gave.

    What stands in for the function leaves at once with what ``getattr(self, key)`` gives, where that is
    there, and else calls ``setattr(self, key, ...)``.
    """
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not isinstance(called, ast.Name) or "setattr" not in facts.call_index.by_name:
        return False
    found = facts.scan.lookup(called.id, called)
    maker = found[1][0] if found is not None and len(found[1]) == 1 else None
    return isinstance(maker, ast.FunctionDef) and any(
        inner is not maker and _keeps_result(inner) for inner in facts.scan.within(maker, ast.FunctionDef)
    )


def _keeps_result(wrapper: ast.FunctionDef) -> bool:
    """Whether a function gives what an attribute holds if that is there, and else sets it."""
    read: dict[str, list[str]] = {}
    for at, statement in enumerate(wrapper.body):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            value = statement.value
            if isinstance(value, ast.Call) and last_name(value.func) == "getattr":
                read[statement.targets[0].id] = [ast.dump(one) for one in value.args[:2]]
        elif isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
            given = statement.body[0].value if isinstance(statement.body[0], ast.Return) else None
            if isinstance(given, ast.Name) and given.id in read and _is_asked_for(given.id, statement.test):
                return any(
                    isinstance(node, ast.Call)
                    and last_name(node.func) == "setattr"
                    and [ast.dump(one) for one in node.args[:2]] == read[given.id]
                    for node in all_nodes(wrapper.body[at + 1 :])
                )
    return False


def _is_asked_for(name: str, test: ast.expr) -> bool:
    """Whether a test is true where something is there: ``x is not None``, ``exists(x)``, ``x``."""
    if isinstance(test, ast.Compare):
        there = isinstance(test.ops[0], ast.IsNot) and len(test.ops) == 1 and is_none(test.comparators[0])
        return there and isinstance(test.left, ast.Name) and test.left.id == name
    asked = test.args[0] if isinstance(test, ast.Call) and len(test.args) == 1 else test
    return isinstance(asked, ast.Name) and asked.id == name
