"""OVH305: nested attributes that compiled code reads, and guards, again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, replace
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.syntax.receivers import is_own_attribute

from .._blocks import runs_each_time
from ._submodules import chains, methods_compiled

if TYPE_CHECKING:
    from overhead_lint.edits.model import AnyEdit
    from overhead_lint.rule import ClassFacts, Context, Finding

RULE = Rule(
    code="OVH305",
    name="guarded-attribute-chain",
    summary="compiled module that reads many values of a configuration",
    triggers=(b"compile", b"dynamo"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_MANY = 3
"""So many different values of one configuration are worth a message."""


@RULE.on(ast.ClassDef)
def check(node: ast.ClassDef, ctx: Context) -> Iterator[Finding]:
    """``self.config.a``, ``self.config.b``, ``self.config.c`` in the compiled methods of a module."""
    cls = next((item for item in ctx.classes() if item.node is node), None)
    if cls is None or not cls.is_module:
        return
    found: dict[str, list[ast.Attribute]] = {}
    for function in methods_compiled(cls, ctx):
        for read, owner in chains(function, ctx):
            found.setdefault(owner, []).append(read)
    for owner, reads in found.items():
        values = len({read.attr for read in reads})
        if values >= _MANY:
            yield ctx.finding(
                RULE,
                min(reads, key=lambda read: (read.lineno, read.col_offset)),
                f"compiled {cls.qualname} reads {values} values of self.{owner}: each is guarded on "
                "every call, and so are the type of the object and its dictionary",
                help="read them in __init__, into attributes of the module",
                fix=_fix(cls, owner, reads, ctx),
            )


def _fix(cls: ClassFacts, owner: str, reads: list[ast.Attribute], ctx: Context) -> Fix | None:
    """Attributes of the module that ``__init__`` reads; None where the file shows a reason against them."""
    stored = _stored(cls, owner, ctx)
    # What a branch alone reads may be missing: it depends on another value of the configuration.
    certain = {read.attr for read in reads if runs_each_time(read, ctx)}
    reads = [read for read in reads if read.attr in certain]
    names = {read.attr: f"_{owner.strip('_')}_{read.attr}" for read in reads}
    taken = {node.attr for node in ctx.nodes(ast.Attribute)} | {node.id for node in ctx.nodes(ast.Name)}
    written = {node.attr for node in ctx.nodes(ast.Attribute) if not isinstance(node.ctx, ast.Load)}
    if stored is None or not reads or not taken.isdisjoint(names.values()) or not written.isdisjoint(names):
        return None
    lines = [f"self.{kept} = {{given}}.{attribute}" for attribute, kept in names.items()]
    edits: list[AnyEdit] = [insert_after(stored, "\n".join(lines), given=stored.value)]
    edits += [replace(read, f"self.{names[read.attr]}") for read in reads]
    return Fix(
        Applicability.UNSAFE, f"read {len(names)} values of self.{owner} in __init__", edits=tuple(edits)
    )


def _stored(cls: ClassFacts, owner: str, ctx: Context) -> ast.Assign | None:
    """``self.config = config`` as a statement of ``__init__`` itself, and no other in the class."""
    writes = [
        node
        for node in ctx.within(cls.node, ast.Attribute)
        if node.attr == owner and not isinstance(node.ctx, ast.Load) and is_own_attribute(node)
    ]
    statement = ctx.statement(writes[0]) if len(writes) == 1 else None
    if not isinstance(statement, ast.Assign) or statement.targets != writes:
        return None
    init = ctx.parent(statement)
    is_init = isinstance(init, ast.FunctionDef) and init.name == "__init__" and ctx.parent(init) is cls.node
    return statement if is_init and isinstance(statement.value, ast.Name) else None
