"""Expressions, lowered to operations."""

from __future__ import annotations

import ast
from typing import Any, Final

from overhead_lint.analysis.ir.annotations import annotation
from overhead_lint.analysis.ir.builder import Builder, Trace
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    AWAIT,
    BINARY,
    BOOLEAN,
    BUILD,
    CALL,
    COMPARE,
    CONSTANT,
    FORMAT,
    FUNCTION,
    ITEM,
    NEXT,
    PARAMETER,
    SET_ATTRIBUTE,
    SET_ITEM,
    SLICE,
    STAR,
    UNARY,
    UNKNOWN,
    UNPACK,
    YIELD,
)
from overhead_lint.analysis.ir.records import (
    COMPREHENSION_LOOP,
    FUNCTION_BODY,
    LAMBDA_BODY,
    NONE,
    FunctionIR,
    Parameter,
    position,
)
from overhead_lint.analysis.parameters import positional

__all__ = ["OPERATORS", "Expressions"]

_DEEPEST: Final = 180
"""Expressions within each other that are lowered; what is deeper is unknown."""

OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.MatMult: "@",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Not: "not",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Invert: "~",
}
_SEQUENCES: Final[dict[type[ast.AST], str]] = {ast.Tuple: "tuple", ast.List: "list", ast.Set: "set"}
_COMPREHENSIONS: Final[dict[type[ast.AST], str]] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}
_TEMPLATES: Final[tuple[type[ast.AST], ...]] = tuple(
    getattr(ast, name) for name in ("TemplateStr",) if hasattr(ast, name)
)


class Expressions(Builder):
    """Lowers expressions; statements are its subclass's.

    Args:
        record: takes the rows.
        trace: takes where nodes went; None if nobody asks.
        functions: all functions of the file so far; takes those that are defined here.
        place: where `record` stands among them.
    """

    def __init__(
        self, record: FunctionIR, trace: Trace | None, functions: list[FunctionIR], place: int
    ) -> None:
        super().__init__(record, trace, place)
        self.functions = functions
        self._nesting = 0

    def expression(self, node: Any) -> int:
        """Lower an expression and return its value."""
        kind = node.__class__
        if kind is ast.Name:
            value = self.read(node.id)
        elif kind is ast.Constant:
            value = self.emit(CONSTANT, NONE, node.value, node)
        elif self._nesting >= _DEEPEST:
            value = self.emit(UNKNOWN, NONE, None, node)
        else:
            self._nesting += 1
            if kind is ast.Attribute:
                value = self.emit(ATTRIBUTE, self.expression(node.value), node.attr, node)
            elif kind is ast.Call:
                value = self._call(node)
            elif kind is ast.Subscript:
                container = self.expression(node.value)
                value = self.emit(ITEM, container, self.expression(node.slice), node)
            elif kind is ast.BinOp:
                left = self.expression(node.left)
                right = self.expression(node.right)
                value = self.emit(BINARY, left, (right, OPERATORS[node.op.__class__]), node)
            else:
                value = self._other(node, kind)
            self._nesting -= 1
        if self.trace is not None:
            self.trace.values[node] = value
            self.trace.homes[node] = self.place
        return value

    def _other(self, node: Any, kind: type) -> int:
        """Lower an expression of a rarer class."""
        if kind in _SEQUENCES:
            return self.emit(BUILD, NONE, (_SEQUENCES[kind], *self._each(node.elts)), node)
        if kind is ast.Compare:
            left = self.expression(node.left)
            others = tuple(self._each(node.comparators))
            return self.emit(
                COMPARE, left, (others, tuple([OPERATORS[op.__class__] for op in node.ops])), node
            )
        if kind is ast.BoolOp:
            return self._boolean(node)
        if kind is ast.UnaryOp:
            operand, sign = self.expression(node.operand), OPERATORS[node.op.__class__]
            number = self.extra[operand] if sign == "-" and self.code[operand] == CONSTANT else None
            if isinstance(number, (int, float)):
                return self.emit(CONSTANT, NONE, -number, node)
            return self.emit(UNARY, operand, sign, node)
        if kind is ast.JoinedStr or kind in _TEMPLATES:
            return self._text(node)
        if kind is ast.Dict:
            return self._dict(node)
        if kind is ast.IfExp:
            return self._conditional(node)
        if kind in _COMPREHENSIONS:
            return self._comprehension(node, _COMPREHENSIONS[kind])
        if kind is ast.Slice:
            parts = [
                self.expression(one) if one is not None else NONE
                for one in (node.lower, node.upper, node.step)
            ]
            return self.emit(SLICE, NONE, tuple(parts), node)
        if kind is ast.Starred:
            return self.emit(STAR, self.expression(node.value), None, node)
        if kind is ast.NamedExpr:
            value = self.expression(node.value)
            self.bind(node.target.id, value, node.target)
            return value
        if kind is ast.Lambda:
            return self.function(node, "<lambda>", (), node)
        if kind is ast.Yield or kind is ast.YieldFrom:
            self.record.is_generator = True
            given = self.expression(node.value) if node.value is not None else NONE
            return self.emit(YIELD, given, kind is ast.YieldFrom, node)
        if kind is ast.Await:
            return self.emit(AWAIT, self.expression(node.value), None, node)
        return self.emit(UNKNOWN, NONE, None, node)

    def _each(self, nodes: list[Any]) -> list[int]:
        return [self.expression(one) for one in nodes]

    def _call(self, node: Any) -> int:
        called = self.expression(node.func)
        given = [self.expression(one) for one in node.args]
        if not node.keywords:
            return self.emit(CALL, called, (tuple(given), ()), node)
        names = []
        for keyword in node.keywords:
            names.append(keyword.arg or "")
            given.append(self.expression(keyword.value))
        return self.emit(CALL, called, (tuple(given), tuple(names)), node)

    def _text(self, node: Any) -> int:
        """Lower an f-string, or a template string; texts that say how to format are looked into as well."""
        shown: list[int] = []
        texts: list[str] = []
        by_repr: list[int] = []
        for part in node.values:
            if part.__class__ is ast.Constant:
                texts.append(str(part.value))
                continue
            shown.append(self.expression(part.value))
            if part.conversion == ord("r"):
                by_repr.append(len(shown) - 1)
            self.note(part, shown[-1])
            if part.format_spec is not None:
                self.expression(part.format_spec)
        return self.emit(FORMAT, NONE, (tuple(shown), tuple(texts), tuple(by_repr)), node)

    def _dict(self, node: Any) -> int:
        parts: list[int] = []
        for key, value in zip(node.keys, node.values, strict=True):
            parts.append(self.expression(key) if key is not None else NONE)
            parts.append(self.expression(value))
        return self.emit(BUILD, NONE, ("dict", *parts), node)

    def _begin(self, node: Any) -> None:
        """Note that an expression begins a block."""
        if self.trace is not None:
            self.trace.blocks[node] = self.block
            self.trace.starts[node] = len(self.code)

    def _boolean(self, node: Any) -> int:
        is_and = node.op.__class__ is ast.And
        around = self.guard
        end = self.new_block(sealed=False)
        values = [self.expression(node.values[0])]
        for part in node.values[1:]:
            self.link(end)
            self.branch(values[-1], is_and, node)
            self.after(self.block)
            self._begin(part)
            values.append(self.expression(part))
        self.link(end)
        self.guard = around
        self.enter(end)
        self.seal(end)
        return self.emit(BOOLEAN, NONE, ("and" if is_and else "or", *values), node)

    def _conditional(self, node: Any) -> int:
        condition = self.expression(node.test)
        around, start = self.guard, self.block
        end = self.new_block(sealed=False)
        values = []
        for part, outcome in ((node.body, True), (node.orelse, False)):
            self.guard = around
            self.branch(condition, outcome, node)
            self.after(start)
            self._begin(part)
            values.append(self.expression(part))
            self.link(end)
        self.guard = around
        self.enter(end)
        self.seal(end)
        return self.emit(BOOLEAN, NONE, ("if", condition, *values), node)

    def _comprehension(self, node: Any, made: str) -> int:
        """Lower a comprehension to loops; its names are its own."""
        guard, outer_loop = self.guard, self.loop
        renamed = self.renamed
        loops: list[tuple[int, int, int, int]] = []  # header, block behind it, loop and guard around it
        for clause in node.generators:
            iterated = self.expression(clause.iter)
            around = self.loop
            header = self.header()
            behind = self.new_block(sealed=False)
            loops.append((header, behind, around, self.guard))
            self.loop = self.new_loop(COMPREHENSION_LOOP, header, iterated, node)
            self.enter(header)
            self.link(behind)
            self.after(header)
            item = self.emit(NEXT, iterated, None, clause.target)
            self.hide(_bound_names(clause.target), header)
            self.assign(clause.target, item)
            for test in clause.ifs:
                condition = self.expression(test)
                before = self.block
                if self.trace is not None:
                    self.trace.blocks[test] = before
                    self.trace.starts[test] = len(self.code)
                self.record.predecessors[header].append(before)
                self.branch(condition, True, test)
                self.after(before)
        if made == "dict":
            self._begin(node.key)
            self._begin(node.value)
            parts = [self.expression(node.key), self.expression(node.value)] if node.value is not None else []
        else:
            self._begin(node.elt)
            parts = [self.expression(node.elt)]
        for header, behind, around, guard_around in reversed(loops):
            self.link(header)
            self.seal(header)
            self.loop, self.guard = around, guard_around
            self.enter(behind)
            self.seal(behind)
        self.loop, self.guard = outer_loop, guard
        self.renamed = renamed
        return self.emit(BUILD, NONE, (made + " of rounds" if made != "generator" else made, *parts), node)

    # Targets

    def assign(self, target: Any, value: int) -> None:
        """Bind a target to a value."""
        kind = target.__class__
        if kind is ast.Name:
            self.bind(target.id, value, target)
        elif kind is ast.Attribute:
            holder = self.expression(target.value)
            done = self.emit(SET_ATTRIBUTE, holder, (target.attr, value), target)
            self.note(target, done)
        elif kind is ast.Subscript:
            holder = self.expression(target.value)
            done = self.emit(SET_ITEM, holder, (self.expression(target.slice), value), target)
            self.note(target, done)
        elif kind is ast.Starred:
            self.assign(target.value, value)
        else:
            self._unpack(target.elts, value)

    def _unpack(self, targets: list[Any], value: int) -> None:
        starred = next((at for at, one in enumerate(targets) if one.__class__ is ast.Starred), len(targets))
        parts = self._written_parts(value)
        if starred == len(targets) == len(parts):  # `self.deep, size = deep, 3`
            for one, part in zip(targets, parts, strict=True):
                self.assign(one, part)
            return
        for at, one in enumerate(targets):
            place: int | None = at
            if at == starred:
                place = None
            elif at > starred:
                place = at - len(targets)
            self.assign(one, self.emit(UNPACK, value, place, one))

    def _written_parts(self, value: int) -> tuple[int, ...]:
        """Return what a tuple or list holds that is written out; nothing for what has other parts as well."""
        if self.code[value] != BUILD or self.extra[value][0] not in ("list", "tuple"):
            return ()
        parts: tuple[int, ...] = self.extra[value][1:]
        return parts if all(self.code[one] != STAR for one in parts) else ()

    # Functions

    def function(self, node: Any, name: str, decorators: tuple[int, ...], where: Any) -> int:
        """Lower a function or lambda, and return its value."""
        record, place = self.open(name, LAMBDA_BODY if node.__class__ is ast.Lambda else FUNCTION_BODY, where)
        record.decorators = decorators
        record.is_async = node.__class__ is ast.AsyncFunctionDef
        record.returns = annotation(getattr(node, "returns", None))
        record.parameters = tuple(self._parameters(node.args))
        if self.trace is not None:
            self.trace.functions[node] = place
        inner = self.__class__(record, self.trace, self.functions, place)
        nodes = _argument_nodes(node.args)
        for at, (argument, parameter) in enumerate(zip(nodes, record.parameters, strict=True)):
            value = inner.emit(PARAMETER, at, None, argument)
            inner.define_parameter(parameter.name, value)
            inner.note(argument, value)
        if node.__class__ is ast.Lambda:
            inner.give(node.body)
        else:
            inner.block_of(node.body)
        inner.finish()
        return self.emit(FUNCTION, place, None, where)

    def open(self, name: str, kind: int, where: Any) -> tuple[FunctionIR, int]:
        """Add a function or class body to those of the file."""
        outer = self.record
        qualname = f"{outer.qualname}.{name}" if outer.qualname else name
        record = FunctionIR(name, qualname, self.place, kind, position(where.lineno, where.col_offset))
        self.functions.append(record)
        return record, len(self.functions) - 1

    def give(self, body: Any) -> None:
        """Lower the body of a lambda."""
        raise NotImplementedError

    def block_of(self, statements: list[Any]) -> None:
        """Lower a block of statements."""
        raise NotImplementedError

    def _parameters(self, arguments: ast.arguments) -> list[Parameter]:
        """Return the parameters of a function; defaults are evaluated here, outside of it."""
        by_place = positional(arguments)
        defaults = [NONE] * (len(by_place) - len(arguments.defaults))
        defaults += [self.expression(one) for one in arguments.defaults]
        named = [self.expression(one) if one is not None else NONE for one in arguments.kw_defaults]
        found = []
        for at, one in enumerate(by_place):
            kind = "/" if at < len(arguments.posonlyargs) else ""
            found.append(Parameter(one.arg, kind, defaults[at], annotation(one.annotation)))
        if arguments.vararg is not None:
            found.append(Parameter(arguments.vararg.arg, "*", NONE, annotation(arguments.vararg.annotation)))
        for one, default in zip(arguments.kwonlyargs, named, strict=True):
            found.append(Parameter(one.arg, "=", default, annotation(one.annotation)))
        if arguments.kwarg is not None:
            found.append(Parameter(arguments.kwarg.arg, "**", NONE, annotation(arguments.kwarg.annotation)))
        return found


def _argument_nodes(arguments: ast.arguments) -> list[ast.arg]:
    """Return the nodes of parameters in the order of `Expressions._parameters`."""
    found = positional(arguments)
    if arguments.vararg is not None:
        found.append(arguments.vararg)
    found += arguments.kwonlyargs
    if arguments.kwarg is not None:
        found.append(arguments.kwarg)
    return found


def _bound_names(target: Any) -> list[str]:
    """Return the names that a target binds."""
    kind = target.__class__
    if kind is ast.Name:
        return [target.id]
    if kind is ast.Starred:
        return _bound_names(target.value)
    if kind is ast.Tuple or kind is ast.List:
        return [name for one in target.elts for name in _bound_names(one)]
    return []
