"""Statements, lowered to blocks."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.ir.annotations import annotation
from overhead_lint.analysis.ir.builder import EXIT_BLOCK
from overhead_lint.analysis.ir.expressions import OPERATORS, Expressions
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    CLASS,
    DELETE_ATTRIBUTE,
    DELETE_ITEM,
    ENTER,
    EXCEPTION,
    EXIT,
    IMPORT,
    ITEM,
    MATCH,
    NEXT,
    RAISE,
    RETURN,
    SET_ATTRIBUTE,
    SET_ITEM,
    UNKNOWN,
    UNPACK,
)
from overhead_lint.analysis.ir.records import (
    CLASS_BODY,
    FOR_LOOP,
    GUARD_HANDLER,
    NONE,
    WHILE_LOOP,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Statements"]


class Statements(Expressions):
    """Lowers a function, class or module."""

    def block_of(self, statements: list[Any]) -> None:
        """Lower a block of statements."""
        trace = self.trace
        for statement in statements:
            if self.dead:  # lowered all the same: findings in it are wrong, but its names are asked for
                self.after()
            if trace is not None:
                trace.blocks[statement] = self.block
                trace.starts[statement] = len(self.code)
            handler = _HANDLERS.get(statement.__class__)
            if handler is not None:
                handler(self, statement)

    def give(self, body: Any) -> None:
        """Lower the body of a lambda."""
        self._return(self.expression(body), body)

    # Plain statements

    def _expression_statement(self, node: ast.Expr) -> None:
        if node.value.__class__ is not ast.Constant:
            self.expression(node.value)

    def _assignment(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if self.record.kind == CLASS_BODY and node.target.__class__ is ast.Name:
            said = annotation(node.annotation)
            if said is not None:
                self.record.annotations[node.target.id] = said
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))
        elif node.target.__class__ is not ast.Name:
            self.expression(node.target.value)  # type: ignore[union-attr]

    def _augmented(self, node: ast.AugAssign) -> None:
        operator = OPERATORS[node.op.__class__] + "="
        target: Any = node.target
        if target.__class__ is ast.Name:
            old = self.read(target.id)
            value = self.emit(BINARY, old, (self.expression(node.value), operator), node)
            self.bind(target.id, value, target)
            return
        holder = self.expression(target.value)
        if target.__class__ is ast.Attribute:
            old = self.emit(ATTRIBUTE, holder, target.attr, target)
            value = self.emit(BINARY, old, (self.expression(node.value), operator), node)
            done = self.emit(SET_ATTRIBUTE, holder, (target.attr, value), target)
        else:
            index = self.expression(target.slice)
            old = self.emit(ITEM, holder, index, target)
            value = self.emit(BINARY, old, (self.expression(node.value), operator), node)
            done = self.emit(SET_ITEM, holder, (index, value), target)
        self.note(target, done)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._delete_one(target)

    def _delete_one(self, target: Any) -> None:
        kind = target.__class__
        if kind is ast.Name:
            held = self.read(target.id)
            self.note(target, held)
            self.unbind(target.id, target)
        elif kind is ast.Attribute:
            self.emit(DELETE_ATTRIBUTE, self.expression(target.value), target.attr, target)
        elif kind is ast.Subscript:
            holder = self.expression(target.value)
            self.emit(DELETE_ITEM, holder, self.expression(target.slice), target)
        else:
            for one in target.elts:
                self._delete_one(one)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else name
            self.bind(name, self.emit(IMPORT, 0, (module, ""), alias), alias)

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            value = self.emit(IMPORT, node.level, (node.module or "", alias.name), alias)
            self.bind(alias.asname or alias.name, value, alias)

    def _declare(self, node: ast.Global | ast.Nonlocal) -> None:
        self.declared.update(node.names)

    def _type_alias(self, node: Any) -> None:
        self.bind(node.name.id, self.emit(UNKNOWN, NONE, None, node), node.name)

    # Jumps

    def _return(self, value: int, node: Any) -> None:
        self.record.returned.append(self.emit(RETURN, value, None, node))
        self.leave_function()

    def _return_statement(self, node: ast.Return) -> None:
        self._return(self.expression(node.value) if node.value is not None else NONE, node)

    def _raise(self, node: ast.Raise) -> None:
        raised = self.expression(node.exc) if node.exc is not None else NONE
        if node.cause is not None:
            self.expression(node.cause)
        self.emit(RAISE, raised, None, node)
        self.raise_()

    def _break(self, node: ast.Break) -> None:
        self.leave_loop(next_round=False)

    def _continue(self, node: ast.Continue) -> None:
        self.leave_loop(next_round=True)

    # Definitions

    def _definition(self, node: Any) -> None:
        decorators = tuple([self.expression(one) for one in node.decorator_list])
        self.bind(node.name, self.function(node, node.name, decorators, node), node)

    def _class(self, node: ast.ClassDef) -> None:
        decorators = tuple([self.expression(one) for one in node.decorator_list])
        bases = tuple([self.expression(one) for one in node.bases])
        for keyword in node.keywords:
            self.expression(keyword.value)
        record, place = self.open(node.name, CLASS_BODY, node)
        record.decorators, record.bases = decorators, bases
        if self.trace is not None:
            self.trace.functions[node] = place
        inner = self.__class__(record, self.trace, self.functions, place)
        inner.block_of(node.body)
        inner.finish()
        self.bind(node.name, self.emit(CLASS, place, None, node), node)

    # Branches

    def _if(self, node: ast.If) -> None:
        """Lower a chain of ``if`` and ``elif``, each of which the tree holds in the one before."""
        around = self.guard
        end = self.new_block(sealed=False)
        survivors: list[int] = []
        orelse: list[Any] = [node]
        while len(orelse) == 1 and orelse[0].__class__ is ast.If:
            node = orelse[0]
            if self.trace is not None:
                self.trace.blocks[node] = self.block
                self.trace.starts[node] = len(self.code)
            condition = self.expression(node.test)
            start, tested_under = self.block, self.guard
            self.branch(condition, True, node)
            self.after(start)
            self._branch(node.body, end, survivors)
            self.guard = tested_under
            self.branch(condition, False, node)
            self.after(start)
            orelse = node.orelse
        self._branch(orelse, end, survivors)
        self._meet(end, around, survivors)

    def _branch(self, statements: list[Any], end: int, survivors: list[int]) -> None:
        """Lower a branch that goes on at a block, and note its guard if it comes to its end."""
        self.block_of(statements)
        self.link(end)
        if not self.dead:
            survivors.append(self.guard)

    def _meet(self, end: int, around: int, survivors: list[int]) -> None:
        """Go on where branches meet: under the guard of the one that came here, if it was only one.

        Args:
            end: the block.
            around: the guard around the branches.
            survivors: for each branch that comes to its end, its guard there.
        """
        self.guard = survivors[0] if len(survivors) == 1 else around
        self.enter(end)
        self.seal(end)
        if not survivors:
            self.jump()

    def _assert(self, node: ast.Assert) -> None:
        condition = self.expression(node.test)
        if node.msg is None:
            return
        around, start = self.guard, self.block
        self.branch(condition, False, node)
        self.after(start)
        self.emit(RAISE, self.expression(node.msg), None, node)
        self.raise_()
        self.guard = around
        self.after(start)

    def _match(self, node: ast.Match) -> None:
        subject = self.expression(node.subject)
        around, start = self.guard, self.block
        end = self.new_block(sealed=False)
        survivors: list[int] = []
        for case in node.cases:
            self.guard = around
            self.after(start)
            matched = self.emit(MATCH, subject, case.pattern.__class__.__name__, case.pattern)
            failed = [self.block]
            self.branch(matched, True, case.pattern)
            self.after(self.block)
            self._bind_pattern(case.pattern, subject)
            if case.guard is not None:
                asked = self.expression(case.guard)
                failed.append(self.block)
                self.branch(asked, True, case.guard)
                self.after(self.block)
            self._branch(case.body, end, survivors)
            if _matches_all(case):
                break
            self.guard = around
            start = self.after(*failed)
        else:
            self.record.predecessors[end].append(start)
            survivors.append(around)
        self._meet(end, around, survivors if len(survivors) != 1 else [around])

    def _bind_pattern(self, pattern: Any, subject: int) -> None:
        for part in ast.walk(pattern):
            name = part.rest if part.__class__ is ast.MatchMapping else getattr(part, "name", None)
            if name:
                whole = part is pattern and getattr(part, "pattern", None) is None
                value = subject if whole else self.emit(UNPACK, subject, None, pattern)
                self.bind(name, value, part)
            elif part.__class__ is ast.MatchValue:
                self.expression(part.value)

    # Loops

    def _for(self, node: Any) -> None:
        iterated = self.expression(node.iter)
        around_loop, around_guard = self.loop, self.guard
        header = self.header()
        behind, end = self.new_block(sealed=False), self.new_block(sealed=False)
        self.loop = self.new_loop(FOR_LOOP, header, iterated, node)
        self.enter(header)
        self.link(behind)
        self.after(header)
        self.push_loop(header, end)
        self.assign(node.target, self.emit(NEXT, iterated, None, node.target))
        self.block_of(node.body)
        self._close_loop(node.orelse, header, behind, end, around_loop, around_guard)

    def _while(self, node: ast.While) -> None:
        around_loop, around_guard = self.loop, self.guard
        header = self.header()
        behind, end = self.new_block(sealed=False), self.new_block(sealed=False)
        self.loop = self.new_loop(WHILE_LOOP, header, NONE, node)
        self.enter(header)
        endless = node.test.__class__ is ast.Constant and bool(node.test.value)
        if not endless:
            condition = self.expression(node.test)
            loops = self.record.loops
            loops[self.loop] = loops[self.loop]._replace(value=condition)
            self.link(behind)
            self.branch(condition, True, node)
        self.after(self.block)
        self.push_loop(header, end)
        self.block_of(node.body)
        self._close_loop(node.orelse, header, behind, end, around_loop, around_guard)

    def _close_loop(
        self, orelse: list[Any], header: int, behind: int, end: int, loop: int, guard: int
    ) -> None:
        """End a loop: rounds come back, and what is behind it runs once."""
        self.link(header)
        self.seal(header)
        self.pop_loop()
        self.loop, self.guard = loop, guard
        self.enter(behind)
        self.seal(behind)
        self.dead = not self.record.predecessors[behind]
        self._after_all(orelse)
        self.link(end)
        self.guard = guard
        self.enter(end)
        self.seal(end)
        if not self.record.predecessors[end]:
            self.jump()

    def _after_all(self, orelse: list[Any]) -> None:
        """Lower what runs when a loop or ``try`` came to its end; nothing goes on behind it if none does."""
        never = self.dead
        self.block_of(orelse)
        if never:
            self.jump()

    # Contexts and exceptions

    def _with(self, node: Any) -> None:
        entered = []
        for item in node.items:
            context = self.expression(item.context_expr)
            entered.append(self.emit(ENTER, context, None, item.context_expr))
            if item.optional_vars is not None:
                self.assign(item.optional_vars, entered[-1])
        self.block_of(node.body)
        for one in reversed(entered):
            self.emit(EXIT, one, None, node)

    def _try(self, node: Any) -> None:
        if not node.finalbody:
            self._try_except(node)
            return
        entry = self.push_finally()
        self.push_try()
        if node.handlers:
            self._try_except(node)
        else:
            self.block_of(node.body)
        inside = self.pop_try()
        self._finally(node.finalbody, entry, inside)

    def _try_except(self, node: Any) -> None:
        around = self.guard
        end = self.new_block(sealed=False)
        self.push_try()
        self.block_of(node.body)
        inside = self.pop_try()
        self._after_all(node.orelse)
        self.link(end)
        survivors = [] if self.dead else [self.guard]
        for handler in node.handlers:
            self.guard = around
            self.branch(NONE, True, handler, kind=GUARD_HANDLER)
            self.after(*inside)
            self._handler(handler)
            self._branch(handler.body, end, survivors)
        self._meet(end, around, survivors)

    def _finally(self, statements: list[Any], entry: int, inside: list[int]) -> None:
        """Lower the block that runs however its ``try``, of which some blocks are, is left."""
        falls_through = not self.dead
        self.link(entry)
        pending = self.pop_finally()
        known = self.record.predecessors[entry]
        known.extend([one for one in inside if one not in known])
        self.enter(entry)
        self.seal(entry)
        self.block_of(statements)
        if self.dead:
            return
        for target, frames in pending.items():
            self.leave(target, frames)
            self.dead = False
        if not self._tries:
            self.link(EXIT_BLOCK)  # an exception goes on
        if falls_through:
            self.after(self.block)
        else:
            self.jump()

    def _handler(self, handler: ast.ExceptHandler) -> None:
        asked = self.expression(handler.type) if handler.type is not None else NONE
        if handler.name:
            self.bind(handler.name, self.emit(EXCEPTION, asked, None, handler), handler)


def _matches_all(case: ast.match_case) -> bool:
    """Whether a case takes whatever comes."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None


_HANDLERS: Final[dict[type[ast.AST], Callable[[Statements, Any], None]]] = {
    ast.AnnAssign: Statements._annotated,
    ast.Assert: Statements._assert,
    ast.Assign: Statements._assignment,
    ast.AsyncFor: Statements._for,
    ast.AsyncFunctionDef: Statements._definition,
    ast.AsyncWith: Statements._with,
    ast.AugAssign: Statements._augmented,
    ast.Break: Statements._break,
    ast.ClassDef: Statements._class,
    ast.Continue: Statements._continue,
    ast.Delete: Statements._delete,
    ast.Expr: Statements._expression_statement,
    ast.For: Statements._for,
    ast.FunctionDef: Statements._definition,
    ast.Global: Statements._declare,
    ast.If: Statements._if,
    ast.Import: Statements._import,
    ast.ImportFrom: Statements._import_from,
    ast.Match: Statements._match,
    ast.Nonlocal: Statements._declare,
    ast.Raise: Statements._raise,
    ast.Return: Statements._return_statement,
    ast.Try: Statements._try,
    ast.While: Statements._while,
    ast.With: Statements._with,
}
_HANDLERS.update(
    (getattr(ast, name), handler)
    for name, handler in (("TryStar", Statements._try), ("TypeAlias", Statements._type_alias))
    if hasattr(ast, name)
)
