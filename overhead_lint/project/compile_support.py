"""What shows that code is written to be compiled, whoever compiles it: its users, or another file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_bindings import FileBindings

__all__ = ["Support", "asking", "only_compiled", "support"]

_ASKS: Final = frozenset(
    {"is_compiling", "is_dynamo_compiling", "is_torchdynamo_compiling", "is_torchdynamo_exporting"}
)
_COMPILING: Final = _ASKS - {"is_torchdynamo_exporting"}
_ADVICE: Final = frozenset(
    """allow_in_graph assume_constant_result cudagraph_mark_step_begin custom_op disable graph_break
    impl_abstract mark_dynamic mark_static mark_static_address mark_unbacked maybe_mark_dynamic
    nested_compile_region register_fake substitute_in_graph triton_op""".split()  # noqa: SIM905
)
_FOLLOWED: Final = 2
_OF_TORCH: Final = ("torch._dynamo.", "torch.compiler.", "torch.library.")


class Support(NamedTuple):
    """What a file shows.

    Attributes:
        node: the place.
        said: what it does there, as a verb with its object.
    """

    node: ast.AST
    said: str


def support(facts: FileBindings) -> Iterator[Support]:
    """The places that show it: questions whether code is compiled, advice to the compiler, fake kernels.

    To compile something shows nothing: a trainer compiles what it is given, and is not compiled itself.
    """
    for name in sorted(_ASKS.intersection(facts.call_index.by_name)):
        for call in facts.call_index.by_name[name]:
            if call.func.__class__ is not ast.Name or facts.scan.lookup(name, call) is not None:
                yield Support(call, f"asks {name}()")
    for node in facts.scan.of_class(ast.Attribute):
        if node.attr in _ADVICE:
            yield from _advice(node, facts)
    imported = {
        alias.asname or alias.name
        for statement in facts.scan.by_class.get(ast.ImportFrom, ())
        if statement.__class__ is ast.ImportFrom
        for alias in statement.names
        if alias.name in _ADVICE
    }
    for used in facts.scan.by_class.get(ast.Name, ()) if imported else ():
        assert isinstance(used, ast.Name)
        if used.id in imported:
            yield from _advice(used, facts)


def _advice(node: ast.Attribute | ast.Name, facts: FileBindings) -> Iterator[Support]:
    name = facts.names.qualified(node) or ""
    if name.startswith(_OF_TORCH):
        yield Support(node, f"uses {name}")


def asking(places: Iterable[Support], facts: FileBindings) -> frozenset[ast.AST]:
    """The functions that hold such a place, and the methods of classes that do."""
    found: set[ast.AST] = set()
    classes: set[ast.AST] = set()
    for place in places:
        cls, function = facts.class_of(place.node), facts.function_node(place.node)
        if cls is not None:
            classes.add(cls.node)
        if function is not None:
            found.add(function)
    for node in facts.scan.scopes if classes else ():
        holder = facts.class_holding(node) if isinstance(node, FUNCTIONS) else None
        if holder is not None and holder.node in classes:
            found.add(node)
    return frozenset(found)


def only_compiled(node: ast.AST, facts: FileBindings) -> bool:
    """Whether compiled code alone comes to a place in its function: ``if torch.compiler.is_compiling():``.

    So is what follows a branch that eager code leaves by.
    """
    if _COMPILING.isdisjoint(facts.call_index.by_name):
        return False
    parents = facts.scan.parents
    child, parent = node, parents.get(node)
    while parent is not None and not isinstance(child, FUNCTIONS):
        if parent.__class__ is ast.If and child is not parent.test:
            if _compiles(parent.test, child in parent.body, facts):
                return True
        elif parent.__class__ is ast.IfExp and child is not parent.test:
            if _compiles(parent.test, child is parent.body, facts):
                return True
        elif parent.__class__ is ast.BoolOp:
            asked = parent.values[: parent.values.index(child)] if child in parent.values else ()
            if any(_compiles(one, isinstance(parent.op, ast.And), facts) for one in asked):
                return True
        for block in (getattr(parent, field, None) for field in ("body", "orelse", "finalbody")):
            before = block[: block.index(child)] if isinstance(block, list) and child in block else ()
            if any(_leaves_eagerly(one, facts) for one in before):
                return True
        child, parent = parent, parents.get(parent)
    return False


def _leaves_eagerly(statement: ast.stmt, facts: FileBindings) -> bool:
    """Whether a statement is a branch by which code that is not compiled leaves."""
    return (
        statement.__class__ is ast.If
        and not statement.orelse
        and _ends_flow(statement.body)
        and _compiles(statement.test, False, facts)
    )


def _compiles(test: ast.expr, when: bool, facts: FileBindings, depth: int = 0) -> bool:
    """Whether a test is `when` in compiled code alone."""
    if test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
        return _compiles(test.operand, not when, facts, depth)
    if test.__class__ is ast.BoolOp:
        one_is_enough = isinstance(test.op, ast.And) is when
        return (any if one_is_enough else all)(_compiles(one, when, facts, depth) for one in test.values)
    if test.__class__ is ast.Name and depth < _FOLLOWED:
        value = facts.value(test)
        return value is not None and _compiles(value, when, facts, depth + 1)
    return when and test.__class__ is ast.Call and last_name(test.func) in _COMPILING


def _ends_flow(block: Sequence[ast.stmt]) -> bool:
    """Whether a block's last statement leaves it for good."""
    return bool(block) and isinstance(block[-1], (ast.Return, ast.Continue, ast.Break, ast.Raise))
