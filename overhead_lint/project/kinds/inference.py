"""What an expression is known to be: tensor, number, module, array, something else.

Inference goes backwards from a use, through the bindings that may reach it. It says "unknown"
whenever two of them disagree: a rule that speaks on a guess is a rule that gets switched off.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from overhead_lint.project.conditions import is_none
from overhead_lint.project.kinds.abstract_value import (
    ARRAY,
    DERIVED,
    GUESS,
    HOST,
    NOTHING,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    join,
)
from overhead_lint.project.kinds.attributes import Attributes
from overhead_lint.project.kinds.bindings import Bindings
from overhead_lint.project.kinds.call_kinds import CallKinds
from overhead_lint.project.kinds.containers import Containers
from overhead_lint.project.kinds.cycles import NO_CYCLE, Cycles
from overhead_lint.project.kinds.expressions import INFER, constant
from overhead_lint.project.kinds.kind_members import (
    KIND_ARRAY,
    KIND_HOST_TENSOR,
    KIND_MODULE,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.project.kinds.returns import Returned
from overhead_lint.project.kinds.uses import Uses

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import Kind

__all__ = ["Kinds"]

# Expressions looked at for one answer: more than any sane function needs.
_BUDGET: Final = 3000
# More paths than these are not looked at for what something depends on.
_MOST_DEPENDENCIES: Final = 12
# Expressions that are one of several others.
_JOINING: Final = frozenset({ast.BoolOp, ast.IfExp, ast.Name})
_NO_PATHS: Final[tuple[str, ...]] = ()


class Kinds:
    """Infers kinds within one file.

    Args:
        facts: the file.
        guesses: take all that other files may know for tensors, to see what would follow from that.
    """

    def __init__(self, facts: FileFacts, *, guesses: bool = False) -> None:
        self.facts = facts
        self._guesses = guesses
        self._known: dict[ast.AST, AbstractValue] = {}
        self._busy: dict[ast.AST, int] = {}
        self._left = _BUDGET
        self._cycle = NO_CYCLE
        self._cycles = Cycles()
        self._dependencies: tuple[str, ...] = ()
        self._elsewhere: dict[str, AbstractValue] = {}
        self._depends_on: dict[ast.AST, tuple[str, ...]] = {}

    @cached_property
    def bindings(self) -> Bindings:
        """What names are by how they are bound."""
        return Bindings(self)

    @cached_property
    def attributes(self) -> Attributes:
        """What attributes are by what their classes do with them."""
        return Attributes(self)

    @cached_property
    def uses(self) -> Uses:
        """What names are by how they are used."""
        return Uses(self.facts)

    @cached_property
    def containers(self) -> Containers:
        """What containers are filled with."""
        return Containers(self)

    @cached_property
    def calls(self) -> CallKinds:
        """What calls give."""
        return CallKinds(self)

    @cached_property
    def returned(self) -> Returned:
        """What functions give."""
        return Returned(self)

    def kind(self, node: ast.expr) -> Kind:
        """What the expression is known to be at its place."""
        return self.infer(node).kind

    def infer(self, node: ast.expr) -> AbstractValue:
        """What the expression is, with what it holds."""
        known = self._known.get(node)
        if known is not None:
            dependencies = self._depends_on.get(node)
            if dependencies is not None:
                self._add_dependencies(dependencies)
            return known
        if node.__class__ is ast.Constant:
            return constant(self, node)
        depth = self._busy.get(node)
        if depth is not None:
            self._cycle = min(self._cycle, depth)
            self._add_dependencies(self._depends_on.get(node, _NO_PATHS))
            return self._cycles.met(node)
        cycles = self._cycles
        if node in cycles.so_far:
            found, end = cycles.so_far[node]
            self._cycle = min(self._cycle, end)
            self._add_dependencies(self._depends_on.get(node, _NO_PATHS))
            return found
        depth = len(self._busy)
        if not depth:
            self._left = _BUDGET
        self._left -= 1
        if self._left < 0:
            return UNKNOWN
        around, self._cycle = self._cycle, NO_CYCLE
        outer, self._dependencies = self._dependencies, _NO_PATHS
        self._busy[node] = depth
        mark = len(cycles.order)
        inner: dict[ast.AST, AbstractValue] = {}
        try:
            infer = INFER.get(node.__class__)
            found = infer(self, node) if infer is not None else UNKNOWN
            if self._cycle == depth and infer is not None:
                found, inner = cycles.settle(node, found, partial(infer, self, node), mark)
        except RecursionError:  # an expression deeper than Python's own stack: say nothing
            found = UNKNOWN
        finally:
            del self._busy[node]
            dependencies, self._dependencies = self._dependencies, outer
        if dependencies and found.kind is KIND_UNKNOWN and not (found.of or found.pending):
            if node.__class__ in _JOINING:
                dependencies = _NO_PATHS  # it may be something of which nobody says more
            else:
                found = DERIVED
        if dependencies:
            self._depends_on[node] = dependencies
            self._add_dependencies(dependencies)
        # Within a cycle an answer depends on where it was entered: it holds where the cycle ends.
        if self._cycle >= depth:
            self._known[node] = found = NOTHING if found.pending else found
            if len(cycles.order) > mark:
                cycles.drop(mark)
            if inner and self._left >= 0:
                self._known.update(inner)
            self._cycle = around
        else:
            cycles.keep(node, found, self._cycle, depth, mark)
            self._cycle = min(around, self._cycle)
        return found

    def elsewhere(self, path: str | None) -> AbstractValue:
        """What a path stands for that leads into other files, as far as the project has told this one."""
        if path is None or not self.facts.near.leads_on(path):
            return UNKNOWN
        if self._guesses:
            return GUESS
        self._add_dependencies((path,))
        known = self._elsewhere.get(path)
        if known is None:
            told = self.facts.told_kinds.get(path)
            known = self._elsewhere[path] = told or AbstractValue(KIND_UNKNOWN, of=f"={path}")
        return known

    def _add_dependencies(self, paths: tuple[str, ...]) -> None:
        """Note that what is being found out depends on what other files say."""
        if not self._dependencies:
            self._dependencies = paths
        elif len(self._dependencies) < _MOST_DEPENDENCIES and self._dependencies != paths:
            self._dependencies = tuple(dict.fromkeys(self._dependencies + paths))[:_MOST_DEPENDENCIES]

    def depends_on(self, node: ast.expr) -> tuple[str, ...]:
        """Paths into other files that what an expression is, or whether it is known, depends on."""
        return self._depends_on.get(node, ())

    def any_of(self, nodes: Iterable[ast.expr]) -> AbstractValue:
        """What something is that may be any of these expressions; a tensor that may be missing is one."""
        given = list(nodes)
        there = [node for node in given if not is_none(node)]
        return join(self.infer(node) for node in there or given)

    def operation(self, nodes: Iterable[ast.expr]) -> AbstractValue:
        """What arithmetic on these gives."""
        found = [self.infer(node) for node in nodes]
        kinds = {what.kind for what in found if what.known}
        if KIND_TENSOR in kinds:
            return TENSOR
        if kinds == {KIND_HOST_TENSOR, KIND_UNKNOWN} and all(what.known for what in found):
            return HOST  # tensors of two devices cannot be combined, numbers with no dimension left out
        if KIND_UNKNOWN in kinds or KIND_MODULE in kinds or KIND_OBJECT in kinds:
            return OBJECT if kinds == {KIND_OBJECT} else UNKNOWN
        if not all(what.known for what in found):
            # `x = x + 1`: what x was before decides
            return PENDING if any(what.pending for what in found) else NOTHING
        for kind, what in ((KIND_HOST_TENSOR, HOST), (KIND_ARRAY, ARRAY)):
            if kind in kinds:
                return what
        return NUMBER
