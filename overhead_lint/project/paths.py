"""What an expression stands for, as a path that the project graph can follow into other files."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir import opcodes
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.values.lattice import FUNCTION, MAPPING, OBJECT, SEQUENCE, UNKNOWN
from overhead_lint.project.origins import Origins, Ways
from overhead_lint.project.path_syntax import INSTANCE, MANY, is_outside
from overhead_lint.project.reference_paths import ReferencePaths
from overhead_lint.project.stores import Given, Stores

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_values import FileValues

__all__ = ["Paths"]

_MAY_BE_FUNCTIONS: Final = FUNCTION | MAPPING | OBJECT | SEQUENCE | UNKNOWN
"""Kinds of what may be a function, or hold some."""


class Paths:
    """Paths of the expressions of one file.

    Args:
        facts: the file.

    Attributes:
        references: writes what values refer to as paths.
        origins: follows the operations that make values.
        stores: knows what is stored in attributes.
    """

    def __init__(self, facts: FileValues) -> None:
        self._facts = facts
        self._values = facts.kinds.values
        self._functions: dict[ast.expr, list[str]] = {}
        self._ways: dict[ast.expr, Ways] = {}
        self.references = ReferencePaths(facts)
        self.origins = Origins(facts, self.references)
        self.stores = Stores(self._values)

    def of(self, node: ast.expr) -> str | None:
        """Return the path of an expression, the first where it has several; None if it has none."""
        return next(iter(self._ways_of(node)), None)

    def certain(self, node: ast.expr) -> str | None:
        """Return the path of an expression if it stands for one thing only."""
        ways = self._ways_of(node)
        return next(iter(ways)) if len(ways) == 1 else None

    def alternatives(self, node: ast.expr) -> dict[str, ast.expr]:
        """Return all that an expression may stand for, by path, with what gives it in a branch."""
        ways = {path: at for path, at in self._ways_of(node).items() if not is_outside(path)}
        if len(ways) < 2:
            return dict.fromkeys(ways, node)
        place = self._facts.flow.operation(node)
        assert place is not None
        return {path: self._facts.flow.expression(place[0], at) or node for path, at in ways.items()}

    def referred(self, node: ast.expr) -> list[str]:
        """Return the paths of what an expression stands for, and of what its value refers to."""
        place = self._facts.flow.operation(node)
        if place is None:
            return []
        body, at = self.place(*place)
        found = dict.fromkeys((*self.origins.ways(body, at), *self.references.of(body.values[at].references)))
        return [path for path in found if not is_outside(path)]

    def held(self, node: ast.expr) -> dict[str, ast.expr]:
        """Return `alternatives`, and what is stored in an attribute of ``self`` that an expression reads."""
        found = self.alternatives(node)
        place = self._facts.flow.operation(node)
        body, at = self.place(*place) if place is not None else (None, 0)
        if body is not None and body.record.code[at] == opcodes.ATTRIBUTE:
            for one in self.stores.kept(body, body.record.operand[at], body.record.extra[at]):
                found |= {path: node for path in self.origins.ways(*one) if not is_outside(path)}
        return found

    def made_by(self, node: ast.expr) -> ast.Call | None:
        """Return the call that gives what an expression stands for; None if none does, or one of several."""
        place = self._facts.flow.operation(node)
        if place is None:
            return None
        body, at = self.place(*place)
        made = self._facts.flow.expression(place[0], bound(body.record, at))
        return made if isinstance(made, ast.Call) else None

    def functions(self, node: ast.expr) -> list[str]:
        """Return the paths of the functions that an expression stands for or holds, if it may be such.

        What a parameter is given is none: who gives it has handed that over.
        """
        known = self._functions.get(node)
        if known is None:
            known = self._functions[node] = self._found_functions(node)
        return known

    def _found_functions(self, node: ast.expr) -> list[str]:
        place = self._facts.flow.operation(node)
        if place is None:
            return []
        body, at = self.place(*place)
        is_given = body.record.code[bound(body.record, at)] == opcodes.PARAMETER
        if is_given or not body.values[at].bits & _MAY_BE_FUNCTIONS:
            return []
        found = [path.rstrip(MANY) for path in self.referred(node)]
        return [path for path in found if self._may_be_function(path)]

    def _may_be_function(self, path: str) -> bool:
        """Whether a path may lead to a function: of an object only to a method of the file's classes."""
        if path[-1] in ")#]":
            return False
        known = self._facts.definitions.get(path)
        if known is not None or path[-1] == ">":
            return known.__class__ is not ast.ClassDef
        if INSTANCE[0] in path:
            return self._facts.definitions.is_method(path[path.rfind(".") + 1 :])
        return path[0] not in ".^"

    def place(self, home: int, at: int) -> Given:
        """Return the body at a place among the functions of the file, with the number of an operation."""
        return self._values.body(self._facts.module, home), at

    def _ways_of(self, node: ast.expr) -> Ways:
        known = self._ways.get(node)
        if known is None:
            place = self._facts.flow.operation(node)
            known = self.origins.ways(*self.place(*place)) if place is not None else {}
            if known:  # what is cut off for a cycle is none for now
                self._ways[node] = known
        return known

    def body(self, defined: ast.AST) -> Body:
        """Return the body of a function, lambda or class of the file."""
        place = self._facts.flow.function(defined)
        assert place is not None
        return self._values.body(self._facts.module, place)

    def stored(self, cls: ast.ClassDef) -> dict[str, list[Given]]:
        """Return what the methods of a class store in attributes of ``self``, by attribute."""
        return self.stores.of(self.body(cls).symbol)
