"""Tables of a function that are computed from sizes and constants alone: masks, positions, rotary angles."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.writes import mutated_by_call
from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_self

from .._classes import is_buffer, method
from .._literals import elements_of
from .._names import own_name
from ._constants import is_constant
from ._factories import FACTORIES, Table, holders

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["largest_table"]

# What runs no operator of its own, or none that counts.
_VIEWS = frozenset(
    """contiguous detach expand flatten movedim permute reshape squeeze swapaxes t to transpose type_as unbind
    unflatten unsqueeze view view_as""".split()  # noqa: SIM905
)
_NUMBERS = frozenset({"abs", "float", "int", "max", "min", "round"})
_FREE = frozenset({"device", "dtype", "layout", "non_blocking", "pin_memory", "requires_grad"})
_CHANCE = (
    *("rand", "normal", "bernoulli", "multinomial", "empty", "dropout", "load"),
    *("uniform", "log_normal", "exponential", "geometric", "cauchy"),
)
_DEPTH = 30

_NUMBER: Table = frozenset()


def largest_table(function: ast.FunctionDef | ast.AsyncFunctionDef, ctx: Context) -> Table:
    """The operators of the table of a function that takes most of them; empty if there is none."""
    telling = holders(function, ctx)
    if not telling:
        return _NUMBER
    walk = _Walk(function, telling, ctx)
    walk.block(function.body)
    return max(walk.used, key=len, default=_NUMBER)


class _Walk:
    """Goes through the statements of a function in their order.

    Attributes:
        used: tables that something else is computed from, or that are returned.
    """

    def __init__(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, telling: set[ast.AST], ctx: Context
    ) -> None:
        self._ctx = ctx
        arguments = function.args
        self._parameters = {argument.arg: argument for argument in all_parameters(arguments)}
        self._sizes = {
            operation.left.id
            for operation in ctx.within(function, ast.BinOp)
            if isinstance(operation.op, ast.FloorDiv) and isinstance(operation.left, ast.Name)
        } & self._parameters.keys()
        self._telling = telling
        self._tables: dict[str, Table] = {}
        self.used: list[Table] = []

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Take the statements of a block."""
        for statement in statements:
            if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                self._assign(statement)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            else:
                for field in ast.iter_child_nodes(statement):
                    if isinstance(field, ast.expr):
                        self._use(field)
                for name in ("body", "orelse", "finalbody"):
                    self.block(getattr(statement, name, ()))

    def _assign(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = statement.value
        if value is None:
            return
        table = self._of(value)
        if table is None:
            self._use(value)
        for target in targets:
            if isinstance(target, ast.Name):
                kept = self._tables.pop(target.id, None)
                if table is not None and isinstance(statement, ast.AugAssign):
                    table = None if kept is None else table | kept | ({statement} if kept else _NUMBER)
                if table is not None:
                    self._tables[target.id] = table
            elif table is None or (
                isinstance(target, ast.Subscript) and not self._tells_places(target.slice, _DEPTH)
            ):
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        self._tables.pop(name.id, None)  # it is written to, or another thing now

    def _use(self, node: ast.expr) -> None:
        """Note the largest tables in an expression that is none itself, and forget what it writes to."""
        if node not in self._telling:
            return
        table = self._of(node)
        if table is not None:
            if table:
                self.used.append(frozenset(item for item in table if not isinstance(item, ast.Attribute)))
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Call):
            for written in mutated_by_call(node, self._ctx.qualified_name(node.func)) or ():
                self._tables.pop(_viewed_name(written), None)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._use(child)
            elif isinstance(child, ast.keyword):
                self._use(child.value)

    def _of(self, node: ast.expr, depth: int = _DEPTH) -> Table | None:
        """The operators of a table, none for a number; None if it depends on anything else."""
        if depth < 0:
            return None
        match node:
            case ast.Constant():
                return _NUMBER
            case ast.Name():
                table = self._tables.get(node.id)
                return table if table is not None else self._plain(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.UnaryOp(operand=operand):
                return self._operation(node, [operand], depth)
            case ast.BinOp(left=left, right=right):
                return self._operation(node, [left, right], depth)
            case ast.Compare(left=left, comparators=others):
                return self._operation(node, [left, *others], depth)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._all(parts, depth)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(value, index, depth)
            case ast.Starred(value=value):
                return self._of(value, depth - 1)
            case ast.ListComp(
                elt=item, generators=[ast.comprehension(target=ast.Name(), iter=sizes, ifs=[])]
            ):
                return self._of(item, depth - 1) if self._all_sizes(sizes) else None
            case ast.Call():
                return self._call(node, depth)
        return None

    def _all_sizes(self, node: ast.expr) -> bool:
        """Whether a comprehension goes over sizes: a shape or a part of it, sizes that are written out."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._all_sizes(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr == "shape"
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(map(self._is_size, node.elts))
        return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "size" and not node.args

    def _all(self, nodes: Iterable[ast.expr], depth: int) -> Table | None:
        found: Table = frozenset()
        for node in nodes:
            part = self._of(node, depth - 1)
            if part is None:
                return None
            found |= part
        return found

    def _operation(self, node: ast.expr, parts: list[ast.expr], depth: int) -> Table | None:
        found = self._all(parts, depth)
        return found | {node} if found else found

    def _plain(self, node: ast.expr) -> Table | None:
        """A number, or an object that tells where and how tensors are; what ``//`` halves is a size."""
        if isinstance(node, ast.Name) and node.id in self._sizes:
            return _NUMBER if self._ctx.kind(node) is Kind.UNKNOWN else None
        kind = self._ctx.kind(node)
        if kind in (Kind.TENSOR, Kind.MODULE):
            return None
        return _NUMBER if kind is Kind.NUMBER or is_constant(node, self._ctx) else None

    def _attribute(self, node: ast.Attribute) -> Table | None:
        if node.attr in {"device", "dtype", "shape"} or self._ctx.qualified_name(node) is not None:
            return _NUMBER
        if is_self(node.value) and is_buffer(node, self._ctx):
            return frozenset({node})
        return self._plain(node)

    def _subscript(self, value: ast.expr, index: ast.expr, depth: int) -> Table | None:
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            return _NUMBER
        return self._of(value, depth - 1) if self._tells_places(index, depth) else None

    def _tells_places(self, index: ast.expr, depth: int) -> bool:
        """Whether an index depends on sizes and constants alone."""
        for part in elements_of(index):
            ends = [part.lower, part.upper, part.step] if isinstance(part, ast.Slice) else [part]
            if self._all([end for end in ends if end is not None], depth) is None:
                return False
        return True

    def _call(self, node: ast.Call, depth: int) -> Table | None:
        ctx, function = self._ctx, node.func
        name = ctx.qualified_name(function)
        values = [*node.args, *(item.value for item in node.keywords if item.arg not in _FREE)]
        if any(item.arg in {"out", "generator", None} or _asks_for_gradients(item) for item in node.keywords):
            return None
        if name in FACTORIES:
            return frozenset({node}) if all(map(self._is_size, values)) else None
        last = own_name(function)
        if last.startswith(_CHANCE):
            return None
        if name is not None and name.startswith(("torch.nn.functional.", "math.", "torch.")):
            found = self._all(values, depth)
            return found | {node} if found else found
        if isinstance(function, ast.Name) and name is None and not ctx.is_bound(function.id, node):
            if function.id == "len":
                return _NUMBER
            return self._all(values, depth) if function.id in _NUMBERS else None
        if isinstance(function, ast.Attribute):
            if last in {"size", "dim", "numel", "nelement"}:
                return _NUMBER
            if is_self(function.value):
                return self._own(node, last, values, depth)
            return self._method(node, function.value, last, values, depth)
        return None

    def _method(
        self, node: ast.Call, owner: ast.expr, name: str, values: list[ast.expr], depth: int
    ) -> Table | None:
        found = self._of(owner, depth - 1)
        if not found or name == "requires_grad_":
            return None  # autograd differentiates by it: another one each time
        if name in {"to", "type_as"}:
            return found
        given = self._all(values, depth)
        if given is None:
            return None
        return found | given if name in _VIEWS else found | given | {node}

    def _own(self, node: ast.Call, name: str, values: list[ast.expr], depth: int) -> Table | None:
        """What a method of the class computes, if it reads nothing of ``self`` that changes."""
        found, cls = self._all(values, depth), self._ctx.cls(node)
        if not found or cls is None:
            return None
        made = method(cls, name)
        if made is None or not all(self._is_fixed(item) for item in self._ctx.within(made, ast.Attribute)):
            return None
        calls = [call for call in self._ctx.within(made, ast.Call) if self._runs_torch(call)]
        return found.union(calls)

    def _is_fixed(self, node: ast.Attribute) -> bool:
        own = is_self(node.value)
        return not own or is_constant(node, self._ctx)

    def _runs_torch(self, call: ast.Call) -> bool:
        return (self._ctx.qualified_name(call.func) or "").startswith("torch.")

    def _is_size(self, node: ast.expr) -> bool:
        """Whether an argument of a factory is a number: an untyped parameter in this place is one."""
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(map(self._is_size, node.elts))
        if isinstance(node, ast.BinOp):
            return self._is_size(node.left) and self._is_size(node.right)
        if isinstance(node, ast.Name) and node.id in self._parameters:
            return self._ctx.kind(node) in (Kind.NUMBER, Kind.UNKNOWN)
        return self._of(node) == _NUMBER


def _asks_for_gradients(argument: ast.keyword) -> bool:
    """Whether an argument makes a tensor a leaf, which autograd differentiates by."""
    value = argument.value
    return argument.arg == "requires_grad" and not (isinstance(value, ast.Constant) and value.value is False)


def _viewed_name(node: ast.expr) -> str:
    """The name of the tensor that an expression gives, or a view of: ``mask`` of ``mask.view(-1)``; or ""."""
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
