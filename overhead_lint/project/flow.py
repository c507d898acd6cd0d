"""Asks the control-flow graph of a file by the nodes of its tree."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.builder import ENTRY, Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.names import Names
from overhead_lint.analysis.ir.paths import always_runs, runs_before, runs_each_round
from overhead_lint.analysis.ir.queries import NAMED
from overhead_lint.analysis.options.stored import StoredAttributes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.ir.records import FileIR, FunctionIR
    from overhead_lint.project.scan import Scan

__all__ = ["FileFlow"]

_NO_EXPRESSIONS: Final = frozenset(
    one
    for one in vars(ast).values()
    if isinstance(one, type) and issubclass(one, ast.AST) and not issubclass(one, ast.expr)
)
"""What else is lowered: definitions, parameters, imports, handlers."""


class FileFlow:
    """Control and data flow of one file.

    Args:
        scan: the file's tree, walked.

    Attributes:
        names: what names mean over its functions.
        stored: what methods store in attributes.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._trace = Trace()
        self._ir = lower(scan.tree, self._trace)
        self.names = Names(self._ir)
        self.stored = StoredAttributes(self.names)

    @property
    def record(self) -> FileIR:
        """The file, lowered."""
        return self._ir

    def operation(self, node: ast.AST) -> tuple[int, int] | None:
        """Return the place of the function that evaluates an expression, and the operation that does; None
        if none does.
        """
        at = self._trace.values.get(node)
        return (self._trace.homes[node], at) if at is not None else None

    def function(self, node: ast.AST) -> int | None:
        """Return the place of a function, lambda or class among those of the file."""
        return self._trace.functions.get(node)

    def holds_loop(self, function: ast.AST, shape: Callable[[FunctionIR, int], bool]) -> bool:
        """Whether a function itself holds a loop of a shape, told by its record and the loop's number."""
        place = self.function(function)
        record = self.names.functions[place] if place is not None else None
        return record is not None and any(shape(record, loop) for loop in range(len(record.loops)))

    def definition(self, place: int) -> ast.AST:
        """Return the function, class or module that stands at a place among those of the file."""
        return self._definitions[place]

    @cached_property
    def _definitions(self) -> dict[int, ast.AST]:
        return {place: node for node, place in self._trace.functions.items()}

    def number_of(self, loop: ast.AST) -> tuple[int, int]:
        """Return the place of the function that a loop or comprehension is in, and its number there."""
        return self._home(loop), self._trace.loops[loop]

    def loops(self) -> Iterator[tuple[ast.AST, int, int]]:
        """Yield the loops and comprehensions of the file, each with the place of its function and its number
        there, the outermost of several.
        """
        for loop, number in self._trace.loops.items():
            yield loop, self._home(loop), number

    def expression(self, home: int, at: int) -> ast.expr | None:
        """Return the expression that an operation of a function evaluates; None if it is none's."""
        return self._expressions[home].get(at)

    @cached_property
    def _expressions(self) -> list[dict[int, ast.expr]]:
        """For each function by its operations the expressions that were lowered to them first."""
        found: list[dict[int, ast.expr]] = [{} for _ in self._ir.functions]
        trace = self._trace
        for (node, at), home in zip(trace.values.items(), trace.homes.values(), strict=True):
            if node.__class__ not in _NO_EXPRESSIONS and at not in (held := found[home]):
                held[at] = node
        return found

    def use(self, node: ast.AST) -> tuple[int, int, int | None] | None:
        """Return the place of the function that evaluates an expression, the operation that does, and the
        block in which its value is used; None if no operation does.
        """
        found = self.operation(node)
        if found is None:
            return None
        if node.__class__ is ast.arg:  # the block around its function's head is one of another function
            return (*found, None)
        trace, parents = self._trace, self._scan.parents
        holder: ast.AST | None = node
        while holder is not None and holder not in trace.blocks:
            holder = parents.get(holder)
            if holder.__class__ is ast.Lambda:
                return (*found, None)
        return (*found, trace.blocks[holder] if holder is not None else None)

    def reaching(self, use: ast.AST, bindings: Sequence[ast.AST]) -> list[ast.AST]:
        """Return the bindings that may hold when a use is evaluated, in order.

        Args:
            use: a name, or what reads an attribute or item.
            bindings: what binds a name, all of the scope that `use` stands in, or writes an attribute or
            item; in
                source order.
        """
        if len(bindings) == 1 and bindings[0].__class__ is ast.arg:
            return list(bindings)
        home = self._home(use)
        values = self._trace.values
        flow = self._flow(home)
        at = values.get(use)
        if at is None:  # an annotation, of which nothing is lowered
            return list(bindings)
        if use.__class__ is ast.Name and use.ctx.__class__ is not ast.Store:
            found = set(flow.definitions(at))
        else:
            # What other functions bind may have run at any time.
            here = {values[one] for one in bindings if one in values and self._home(one) == home}
            found = set(flow.reaching(at, here)[0])
        return [one for one in bindings if values.get(one) in found or self._home(one) != home]

    def bindings(self, name: ast.Name) -> list[ast.AST]:
        """Return what may have bound a name where it is read, in order; nothing where another scope does."""
        found, own = self._scan.lookup(name.id, name), self._scan.scope_of(name).function_or_module()
        if found is None or found[0].function_or_module() is not own:
            return []
        return self.reaching(name, found[1])

    def uses(self, target: ast.Name) -> list[ast.Name]:
        """Return what reads, changes (``+=``) or deletes a name that may hold what a target gave it.

        Functions within that read it may run at any time, so all their uses count.
        """
        found = self._scan.lookup(target.id, target)
        home, bound = self._home(target), self._trace.values.get(target)
        if found is None or bound is None:
            return []
        flow = self._flow(home)
        uses = []
        for use in self._scan.within(found[0].node, ast.Name):
            if use.id != target.id:
                continue
            if self._home(use) == home:
                held = self._held(use, flow.record)
                sees = held is not None and bound in flow.definitions(held)
            else:
                other = self._scan.lookup(use.id, use)
                sees = use.ctx.__class__ is not ast.Store and other is not None and other[0] is found[0]
            if sees:
                uses.append(use)
        return uses

    def _held(self, use: ast.Name, record: FunctionIR) -> int | None:
        """Return what a name holds where it is read, changed or deleted; None where it is only bound."""
        value = self._trace.values.get(use)
        if value is None or use.ctx.__class__ is not ast.Store:
            return value
        if self._scan.parents[use].__class__ is not ast.AugAssign:
            return None
        return record.operand[record.operand[value]]

    def runs_always(self, node: ast.AST, function: ast.AST) -> bool:
        """Whether a node runs in each call of the function around it that no exception ends."""
        home = self._trace.functions.get(function)
        return home is not None and always_runs(self._flow(home), self._place(node)[0])

    def runs_each_round(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a node of a loop runs in each of its rounds that no exception ends."""
        home = self._home(loop)
        if self._home(node) != home:
            return False
        return runs_each_round(self._flow(home), self._place(node)[0], self._trace.loops[loop])

    def runs_before(self, first: ast.AST, node: ast.AST) -> bool:
        """Whether a node of a function has run whenever another one of it is about to."""
        home = self._home(first)
        if self._home(node) != home:
            return False
        return runs_before(self._flow(home), self._place(first), self._place(node))

    def point(self, node: ast.AST) -> tuple[int, int, int]:
        """Return the function, the block and the operation in which a node runs, or is bound."""
        trace, parents = self._trace, self._scan.parents
        one: ast.AST | None = node
        while isinstance(one, (ast.List, ast.Starred, ast.Tuple)) and isinstance(one.ctx, ast.Store):
            one = (
                one.elts[0] if not isinstance(one, ast.Starred) and one.elts else getattr(one, "value", None)
            )
        while one is not None:
            if one in trace.blocks:
                home = self._holder(one) if isinstance(one, ast.stmt) else self._home(one)
                return home, trace.blocks[one], trace.starts[one]
            at = trace.values.get(one)
            if at is not None:
                home = self._home(one)
                is_binding = isinstance(getattr(one, "ctx", None), ast.Store) or not isinstance(one, ast.expr)
                if is_binding or self._ir.functions[home].code[at] not in NAMED:
                    return home, self._flow(home).block_of(at), at
            one = parents.get(one)  # what was bound before is taken where it stands
            if one.__class__ is ast.Lambda:
                return trace.functions[one], ENTRY, 0
        return 0, ENTRY, 0

    def _holder(self, statement: ast.AST) -> int:
        """Return the place of the function, class or module that a statement is in."""
        functions, holder = self._trace.functions, self._scan.parents[statement]
        while holder not in functions:
            holder = self._scan.parents[holder]
        return functions[holder]

    def _place(self, node: ast.AST) -> tuple[int, int]:
        """Return the block and the operation that a node runs in: where a statement begins, or an assignment
        binds its first target.
        """
        trace = self._trace
        if node.__class__ is ast.Assign:
            node = node.targets[0] if node.targets[0] in trace.values else node
        home = self._home(node)
        while node not in trace.blocks:
            value = trace.values.get(node)
            if value is not None and not (node.__class__ is ast.Name and node.ctx.__class__ is ast.Load):
                return self._flow(home).block_of(value), value
            node = self._scan.parents[node]  # a name is where it is taken, not where it is bound
        return trace.blocks[node], trace.starts[node]

    def _flow(self, place: int) -> Flow:
        return self.names.flow(place)

    def _home(self, node: ast.AST) -> int:
        """Return the place of the function, class or module that a node is evaluated in."""
        home = self._trace.homes.get(node)
        if home is not None:
            return home
        if node.__class__ is ast.arg:
            holder = self._scan.parents[self._scan.parents[node]]
            return self._trace.functions[holder]
        return self._trace.functions[self._scan.scope_of(node).function_or_module().node]
