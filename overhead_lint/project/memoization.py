"""What is kept between calls, or between the rounds of a hot loop: branches that make it hardly ever run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.vocabulary import DONE_FLAGS
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

if TYPE_CHECKING:
    from overhead_lint.project.gate_names import GateNames

__all__ = ["Kept"]

_FILLING: Final = frozenset({"copy_", "fill_"})


class Kept:
    """Judges tests of what the branch that they guard makes, fills, sets or clears.

    Args:
        names: tells what names stand for.
    """

    def __init__(self, names: GateNames) -> None:
        self._names = names

    def provides(self, missing: ast.expr | None, then: Block) -> Gate | None:
        """Return the gate that a test for something missing is: `then` provides it, where it stays."""
        if missing is None:
            return None
        wanted = written(missing)
        stays = isinstance(missing, (ast.Attribute, ast.Subscript)) or (
            missing.__class__ is ast.Name and self._names.stays(missing)
        )
        assigned = missing.__class__ is ast.Attribute and (
            is_left_to_a_method(missing, then) or self._names.sets(missing, returned_method(missing, then))
        )
        for target in targets(then):
            # A property `step_index` is provided by assigning `_step_index`.
            assigned = assigned or written(target).replace("._", ".") == wanted.replace("._", ".")
        stays = stays or is_stored(then) or self._is_stored_in_module(then)
        return Gate(GateKind.MISSING, wanted) if assigned and stays else None

    def lacks(self, missing: ast.expr, then: Block) -> Gate | None:
        """Return the gate that ``missing is None`` is: `then` provides it, or stores it for a look-up."""
        if missing.__class__ is ast.NamedExpr:
            missing = missing.value
        elif missing.__class__ is ast.Name:
            found = self._names.value(missing)
            if found.__class__ is ast.Call and last_name(found.func) == "get":
                missing = found
        if (
            missing.__class__ is ast.Call
            and missing.func.__class__ is ast.Attribute
            and missing.func.attr == "get"
            and missing.args
        ):
            return stores(missing.func.value, then)
        return self.provides(missing, then)

    def fills(self, table: ast.expr, then: Block) -> Gate | None:
        """Return the gate of an empty table: `then` stores something in it, and no call makes it anew."""
        made = self._names.value(table)
        fresh = isinstance(made, (ast.Dict, ast.List, ast.Set)) or (
            made.__class__ is ast.Call and last_name(made.func) in {"dict", "list", "set", "defaultdict"}
        )
        if table.__class__ is ast.Name and (fresh and not self._names.stays(table)):
            return None
        return Gate(GateKind.UNFILLED, written(table)) if stores(table, then) else None

    def begins(self, table: ast.expr, then: Block) -> Gate | None:
        """Return the gate of an empty table: it is filled, or a parameter's state, empty in its first step.

        An optimizer's ``step`` fills ``self.state[p]`` itself, whatever ``then`` leaves to others.
        """
        made = self._names.values(table) if table.__class__ is ast.Name else [table]
        if made and all(_is_state_of_parameter(one) for one in made):
            return Gate(GateKind.FIRST_OF_PARAMETER)
        return self.fills(table, then)

    def replaces(self, found: ast.expr, then: Block) -> bool:
        """Whether `then` puts something in the place of a list that was begun empty, and is so still."""
        made = self._names.values(found) if found.__class__ is ast.Name else []
        return (
            bool(made)
            and all(one.__class__ is ast.List and not one.elts for one in made)
            and any(target.__class__ is ast.Name and target.id == written(found) for target in targets(then))
        )

    def collects_nothing(self, found: ast.expr) -> bool:
        """Whether a list is asked about that was begun empty, and whose parts are joined: it has some."""
        if found.__class__ is not ast.Name or not self._names.joins(found):
            return False
        made = self._names.values(found)
        return bool(made) and all(
            one.__class__ is ast.List and not one.elts and self._names.begins_beside(one, found)
            for one in made
        )

    def until_set(self, name: str, said: tuple[str, ...], test: ast.expr, then: Block) -> Gate | None:
        """Return the gate of what is false: it is set for good when it is, or its name says so."""
        stays = test.__class__ is ast.Attribute or (test.__class__ is ast.Name and self._names.stays(test))
        is_set = (stays and _sets_to(True, test, then)) or bool(DONE_FLAGS & set(said))
        is_set = is_set or (test.__class__ is ast.Attribute and self._is_set_by_method(test, then))
        if not is_set and test.__class__ is ast.Attribute and _makes(test, then):
            return Gate(GateKind.MISSING, written(test))
        return Gate(GateKind.SET, name) if is_set else None

    def _is_set_by_method(self, flag: ast.Attribute, then: Block) -> bool:
        """Whether a method that a block calls sets a flag that ``__init__`` has false: ``self.prepare()``."""
        return self._names.begins_false(flag) and any(
            self._names.sets_true(flag, called_method(flag, statement)) for statement in then
        )

    def is_cleared(self, flag: ast.Attribute | ast.Name, then: Block) -> bool:
        """Whether the block clears the flag that let it run: ``if self.fresh: self.fresh = False``.

        A method that it calls may do so as well: nothing but ``__init__`` sets such a flag to true.
        """
        if not self._names.stays(flag):
            return False
        if flag.__class__ is ast.Attribute and any(
            self._names.sets(flag, called_method(flag, statement)) for statement in then
        ):
            return True
        return _sets_to(False, flag, then)

    def is_best(self, left: ast.expr, right: ast.expr, then: Block) -> Gate | None:
        """Return the gate of a better value than the one that is kept: `then` keeps it."""
        for kept, value in ((left, right), (right, left)):
            stays = kept.__class__ is ast.Attribute or (
                kept.__class__ is ast.Name and self._names.stays(kept)
            )
            if stays and keeps(kept, value, then):
                return Gate(GateKind.BEST, written(value))
        return None

    def raises(self, kept: ast.expr, then: Block) -> Gate | None:
        """Return the gate that ``kept < value`` is: `then` calls a method that assigns to what is kept."""
        if kept.__class__ is not ast.Attribute:
            return None
        raised = any(self._names.sets(kept, called_method(kept, statement)) for statement in then)
        return Gate(GateKind.GROWTH, written(kept)) if raised else None

    def _is_stored_in_module(self, then: Block) -> bool:
        """Whether a block assigns to a name of the module: ``global known; known = found``."""
        return any(target.__class__ is ast.Name and self._names.lasts(target) for target in targets(then))


def _sets_to(what: bool, flag: ast.expr, then: Block) -> bool:
    """Whether a block assigns a truth value to a flag, or writes it to one that is a tensor."""
    nodes = all_nodes(then)
    return any(
        isinstance(value, ast.Constant) and value.value is what for value in _assigned(flag, nodes)
    ) or any(isinstance(value, ast.Constant) and value.value == what for value in _filled(flag, nodes))


def _filled(flag: ast.expr, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """The single values that some nodes write to a tensor: ``flag.data.copy_(torch.tensor([True]))``."""
    wanted = {written(flag), f"{written(flag)}.data"}
    for node in nodes:
        if not (node.__class__ is ast.Call and node.func.__class__ is ast.Attribute and len(node.args) == 1):
            continue
        if node.func.attr in _FILLING and written(node.func.value) in wanted:
            value = node.args[0]
            if value.__class__ is ast.Call and value.args:
                value = value.args[0]
            yield value.elts[0] if value.__class__ is ast.List and len(value.elts) == 1 else value


def _makes(kept: ast.Attribute, then: Block) -> bool:
    """Whether a block, whatever it asks for besides, assigns what it works out to an attribute."""
    return any(not isinstance(value, ast.Constant) for value in _assigned(kept, then))


def _assigned(target: ast.expr, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What those of some nodes that are assignments to something assign to it."""
    wanted = written(target)
    for node in nodes:
        if node.__class__ is ast.Assign and any(written(one) == wanted for one in node.targets):
            yield node.value


def _is_state_of_parameter(table: ast.expr) -> bool:
    """Whether a table is what an optimizer keeps for one parameter: ``self.state[p]``."""
    return (
        table.__class__ is ast.Subscript
        and table.value.__class__ is ast.Attribute
        and table.value.attr == "state"
        and not isinstance(table.slice, ast.Constant)
    )
