"""A generator with one ``yield``, and others that give way with nothing to leave, taken apart there."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from overhead_lint.tuples import NamedTuple

from ._moved import CannotMove

__all__ = ["Generator", "Guard", "gives_what_it_enters", "taken_apart"]


class Guard(NamedTuple):
    """A branch that gives way to the block and does nothing else.

    Attributes:
        before: the statements before it, since the guard above.
        block: the ``if``, whose other branch, or what follows it, is the rest of the generator.
        yielding: the statement that is the ``yield``.
        left: the ``return`` after that; None where the rest is the other branch.
    """

    before: Sequence[ast.stmt]
    block: ast.If
    yielding: ast.Expr
    left: ast.Return | None

    @property
    def value(self) -> ast.expr | None:
        """What the block is given."""
        return _value(self.yielding)


class Generator(NamedTuple):
    """A generator taken apart at its only ``yield`` that is no guard's.

    Attributes:
        node: its function.
        documented: whether its body begins with a docstring.
        guards: the branches before it that end with a ``yield`` of their own.
        before: the statements before the block, since the last guard.
        yielding: the statement that is the ``yield``.
        tried: the ``try`` around that alone, where the body ends.
        inner: the ``with`` around that alone, where the body ends, also where another one stands in it.
        after: the statements after the block.
    """

    node: ast.FunctionDef
    documented: bool
    guards: Sequence[Guard]
    before: Sequence[ast.stmt]
    yielding: ast.Expr
    tried: ast.Try | None
    inner: ast.With | None
    after: Sequence[ast.stmt]

    @property
    def value(self) -> ast.expr | None:
        """What the block is given."""
        return _value(self.yielding)

    @property
    def contexts(self) -> list[ast.expr]:
        """What is entered around that alone, outermost first."""
        block, found = self.inner, list[ast.expr]()
        while isinstance(block, ast.With):
            found += [item.context_expr for item in block.items]
            (inside,) = block.body
            block = inside if isinstance(inside, ast.With) else None
        return found

    @property
    def entering(self) -> list[ast.AST]:
        """What runs before the block."""
        guarding: list[ast.AST] = []
        for guard in self.guards:
            guarding += [*guard.before, guard.block.test, *_given(guard.value)]
        if self.inner is not None:
            return [*guarding, *self.before, *self.contexts]
        return [*guarding, *self.before, *_given(self.value)]

    @property
    def leaving(self) -> list[ast.AST]:
        """What runs after the block."""
        tried = self.tried
        return [
            *self.after,
            *([*tried.handlers, *tried.orelse, *tried.finalbody] if tried is not None else []),
        ]


def taken_apart(node: ast.FunctionDef) -> Generator:
    """Return the parts of a generator with one ``yield`` that is a statement of its own, but for guards'.

    Raises:
        CannotMove: there is no such place.
    """
    documented = ast.get_docstring(node, clean=False) is not None
    guards, body = _guarded(node.body[1:] if documented else node.body)
    yields = [item for statement in body for item in ast.walk(statement) if isinstance(item, ast.Yield)]
    for index, statement in enumerate(body):
        last = index == len(body) - 1
        tried = statement if isinstance(statement, ast.Try) and last and len(statement.body) == 1 else None
        inner = statement if last and isinstance(statement, ast.With) and _is_handed_on(statement) else None
        holder: ast.stmt | None = tried or inner
        leaf = statement
        while isinstance(holder, (ast.Try, ast.With)):
            leaf = holder.body[0]
            holder = leaf if isinstance(leaf, ast.With) and inner is not None else None
        if isinstance(leaf, ast.Expr) and len(yields) == 1 and leaf.value is yields[0]:
            return Generator(node, documented, guards, body[:index], leaf, tried, inner, body[index + 1 :])
    raise CannotMove("it has no one place that gives way to the block")


def _guarded(body: Sequence[ast.stmt]) -> tuple[list[Guard], Sequence[ast.stmt]]:
    """Return the guards at the beginning of a body, and the rest of it."""
    for index, statement in enumerate(body):
        before, rest = body[:index], body[index + 1 :]
        match statement:
            case ast.If(
                body=[ast.Expr(value=ast.Yield()) as yielding, ast.Return(value=None) as left], orelse=[]
            ):
                guards, rest = _guarded(rest)
                return [Guard(before, statement, yielding, left), *guards], rest
            case ast.If(body=[ast.Expr(value=ast.Yield()) as yielding], orelse=[_, *_] as other) if not rest:
                guards, rest = _guarded(other)
                return [Guard(before, statement, yielding, None), *guards], rest
    return [], body


def _value(yielding: ast.Expr) -> ast.expr | None:
    assert isinstance(yielding.value, ast.Yield)
    return yielding.value.value


def _given(value: ast.expr | None) -> list[ast.AST]:
    return [value] if value is not None else []


def _is_handed_on(block: ast.With) -> bool:
    """Whether a block enters contexts around a ``yield`` alone, which gives what one enters or nothing."""
    match block:
        case ast.With(items=[item], body=[ast.Expr(value=ast.Yield(value=given))]):
            return gives_what_it_enters(item, given)
        case ast.With(items=items, body=[inside]) if all(item.optional_vars is None for item in items):
            if isinstance(inside, ast.With):
                return _is_handed_on(inside) and not _gives(inside)
            return isinstance(inside, ast.Expr) and isinstance(inside.value, ast.Yield) and not _gives(inside)
    return False


def _gives(block: ast.stmt) -> bool:
    """Whether the ``yield`` in a block gives something."""
    return any(isinstance(item, ast.Yield) and item.value is not None for item in ast.walk(block))


def gives_what_it_enters(item: ast.withitem, given: ast.expr | None) -> bool:
    """Whether a block is given what entering the context gives, or nothing, and nobody else sees that."""
    target = item.optional_vars
    bound = ast.walk(target) if target is not None else ()
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in bound):
        return False  # the binding is seen outside of the generator
    return given is None or (target is not None and ast.dump(given) == _as_read(target))


def _as_read(target: ast.expr) -> str:
    from copy import deepcopy  # costs start-up

    read = deepcopy(target)
    for item in ast.walk(read):
        if hasattr(item, "ctx"):
            item.ctx = ast.Load()
    return ast.dump(read)
