"""What expressions of a file are known to be: asked of its values by the nodes of its tree."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import SET_ATTRIBUTE, SET_ITEM
from overhead_lint.analysis.values.elsewhere import Elsewhere, Others, elsewhere_among
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import KINDS, NONE_TYPE, OPEN, SEQUENCE, Value, join_all
from overhead_lint.analysis.values.project import Values, solve
from overhead_lint.analysis.values.symbols import ClassSymbol, FunctionSymbol, Instance
from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue
from overhead_lint.project.kinds.abstraction import abstracted, value_of
from overhead_lint.project.kinds.dependencies import Dependencies
from overhead_lint.project.kinds.kind_members import KIND_UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.project.file_bindings import FileBindings
    from overhead_lint.rule import Kind

__all__ = ["Kinds"]

_NO_PATHS: Final[tuple[str, ...]] = ()


class Kinds:
    """Says what expressions of one file are.

    Args:
        facts: the file.
        leads_on: whether other files of the project may say what a path stands for.
        told: what paths into other files stand for, as far as the project has told this file.
    """

    def __init__(
        self, facts: FileBindings, leads_on: Callable[[str], bool], told: Mapping[str, AbstractValue]
    ) -> None:
        self._facts = facts
        self._leads_on = leads_on
        self._told = told
        self._known: dict[ast.AST, AbstractValue] = {}
        self._found: dict[ast.AST, Value | None] = {}
        self._paths: dict[ast.AST, tuple[str, ...]] = {}
        self._solved: Values | None = None

    def release(self) -> None:
        """Let go of the values, if somebody has asked for them."""
        if self._solved is not None:
            self._solved.release()

    @property
    def values(self) -> Values:
        """What the operations of the file give, with what the project tells of other files."""
        if self._solved is None:
            self._solved = self._solve()
        return self._solved

    def _solve(self) -> Values:
        facts = self._facts
        told = {path: value_of(what, path) for path, what in self._told.items()}
        packages = [facts.module] if facts.is_package else []
        others = Others(self._leads_on, told, facts.names.elsewhere)
        return solve({facts.module: facts.flow.record}, packages, others=others)

    @cached_property
    def _dependencies(self) -> Dependencies:
        return Dependencies(self.values, self._facts.module)

    def kind(self, node: ast.AST) -> Kind:
        """What the expression is known to be at its place."""
        return self.infer(node).kind

    def infer(self, node: ast.AST) -> AbstractValue:
        """What the expression is, or what a parameter is given, with what it holds."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._inferred(node)
        return known

    def _inferred(self, node: ast.AST) -> AbstractValue:
        value = self._value(node)
        return abstracted(value) if value is not None else UNKNOWN

    def _value(self, node: ast.AST) -> Value | None:
        """Return what an expression may be where it is used; None of what nothing evaluates."""
        if node not in self._found:
            self._found[node] = self._looked_up(node)
        return self._found[node]

    def _looked_up(self, node: ast.AST) -> Value | None:
        place = self._facts.flow.use(node)
        if place is None:
            return None
        home, at, block = place
        body = self.values.body(self._facts.module, home)
        if body.record.code[at] in (SET_ATTRIBUTE, SET_ITEM):
            at = body.record.extra[at][1]  # a target is what it is given
        return self.values.value(body, at, block)

    def items_of_list(self, node: ast.AST) -> Kind | None:
        """What a list that the file makes holds; None for what is not certainly such a list."""
        value = self._value(node)
        if value is None or value.bits & KINDS & ~NONE_TYPE != SEQUENCE or value.bits & OPEN:
            return None
        lists = [one for one in value.references if isinstance(one, Container) and one.kind == "list"]
        if not lists or len(lists) < len(value.references):
            return None
        held = join_all(one.element.value for one in lists)
        return abstracted(held).kind if held.bits & KINDS else KIND_UNKNOWN

    def depends_on(self, node: ast.AST) -> tuple[str, ...]:
        """Paths into other files that may say more of what something is, or what that depends on."""
        known = self._paths.get(node)
        if known is None:
            known = self._paths[node] = self._found_paths(node)
        return known

    def _found_paths(self, node: ast.AST) -> tuple[str, ...]:
        value = self._value(node)
        place = self._facts.flow.operation(node)
        if value is None or place is None:
            return _NO_PATHS
        is_asked = self.infer(node).kind is KIND_UNKNOWN or elsewhere_among(value)
        return self._dependencies.of(*place) if is_asked else _NO_PATHS

    def paths_of(self, place: int, at: int) -> tuple[str, ...]:
        """Paths into other files that may say more of what an operation of a function gives."""
        return self._dependencies.of(place, at)

    def returned(self, function: ast.AST) -> AbstractValue:
        """What a function of the file gives."""
        symbol = self._symbol(function)
        return abstracted(self.values.returned(symbol)) if isinstance(symbol, FunctionSymbol) else UNKNOWN

    def attribute(self, cls: ast.ClassDef, name: str) -> AbstractValue:
        """What an attribute of objects of a class of the file is."""
        symbol = self._symbol(cls)
        return abstracted(self.values.attribute(symbol, name)) if isinstance(symbol, ClassSymbol) else UNKNOWN

    def stored(self, cls: ast.ClassDef) -> Collection[str]:
        """Names of the attributes of objects of a class of the file that something is stored in."""
        symbol = self._symbol(cls)
        return self.values.attributes(symbol).keys() if isinstance(symbol, ClassSymbol) else ()

    def instance_class(self, node: ast.AST) -> ast.AST | None:
        """Return the class of the file that an expression is an object of; None if nobody knows."""
        value = self._value(node)
        found = value.references if value is not None else ()
        classes = {
            one.cls if isinstance(one, (Instance, Container)) else None  # a named tuple is a container
            for one in found
            if not isinstance(one, Elsewhere)
        }
        cls = classes.pop() if len(classes) == 1 else None
        if not isinstance(cls, ClassSymbol):
            return None
        is_ours = cls.body.module.name == self._facts.module
        return self._facts.flow.definition(cls.body.place) if is_ours else None

    def _symbol(self, defined: ast.AST) -> Reference | None:
        """Return what a function or class of the file is among its values."""
        place = self._facts.flow.function(defined)
        return self.values.body(self._facts.module, place).symbol if place is not None else None

    def top_level(self) -> dict[str, AbstractValue]:
        """What names of the file's top level stand for, but for functions, classes and imports."""
        body = self.values.body(self._facts.module, 0)
        return {
            name: abstracted(slot.value)
            for name, slot in body.cells.items()
            if slot.value.bits & KINDS and not self._is_defined(name)
        }

    def _is_defined(self, name: str) -> bool:
        bound = self._facts.scan.scopes[self._facts.scan.tree].names.get(name, ())
        return not all(one.__class__ is ast.Name for one in bound)
