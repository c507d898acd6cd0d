"""Buffers that modules register in place of tensors that they make on every call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional
from overhead_lint.edits import insert_after, remove_statement, replace
from overhead_lint.rule import Applicability, Fix

from .._classes import method
from .._families import family
from .._names import names_in
from .._sharing import may_be_shared
from .._taken import is_bound_in_function
from ._constants import is_constant

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit

__all__ = ["buffer"]

# What `nn.Module` keeps for itself, under names that a local one may have without the underscore.
_OF_MODULES = frozenset(
    {"_apply", "_backward_hooks", "_buffers", "_forward_hooks", "_modules", "_parameters", "_version"}
)


def buffer(node: ast.Call, whole: ast.expr, ctx: Context) -> Fix | None:
    """A buffer that ``__init__`` registers, for what is made on a given device and named in the method."""
    cls, holder = ctx.cls(node), ctx.parent(whole)
    if cls is None or not cls.is_module or whole is not node or not isinstance(holder, ast.Assign):
        return None
    target = holder.targets[0]
    maker = method(cls, "__init__")
    function = ctx.function(node)
    if maker is None or function is None or function.cls is not cls or not isinstance(target, ast.Name):
        return None
    if not (_has_self(maker) and _has_self(function.node)) or ctx.returns(maker):
        return None
    if not may_be_shared(node, ctx):
        return None
    device = [keyword for keyword in node.keywords if keyword.arg == "device"]
    others = [keyword for keyword in node.keywords if keyword.arg != "device"]
    name = f"_{target.id.lstrip('_')}"
    if len(device) != 1 or name in _OF_MODULES or any(name in ctx.text(one.node) for one in family(cls, ctx)):
        return None
    if not _is_plain_end(maker.body[-1]):
        return None
    if not all(_holds_in_init(value, ctx) for value in (*node.args, *(item.value for item in others))):
        return None
    if _has_names_of_its_own(node, others, maker, ctx):
        return None
    parts: dict[str, ast.expr] = {"factory": node.func}
    arguments = []
    for index, value in enumerate(node.args):
        parts[f"a{index}"] = value
        arguments.append(f"{{a{index}}}")
    for index, item in enumerate(others):
        parts[f"k{index}"] = item.value
        arguments.append(f"{item.arg}={{k{index}}}")
    made = f"{{factory}}({', '.join(arguments)})"
    unused = _without_last_use(device[0].value, function.node, ctx)
    if unused is None:
        return None
    registered = f'self.register_buffer("{name}", {made}, persistent=False)'
    edits: list[Edit] = [insert_after(maker.body[-1], registered, **parts), replace(node, f"self.{name}")]
    return Fix(Applicability.UNSAFE, f"register it as the buffer {name}", edits=tuple(edits + unused))


def _without_last_use(value: ast.expr, function: ast.AST, ctx: Context) -> list[Edit] | None:
    """Edits that remove the assignments to names that nothing but an expression reads.

    None where such a name is bound otherwise than by one plain assignment, or evaluating that may do more.
    """
    edits: list[Edit] = []
    for name in sorted({part.id for part in names_in(value)}):
        uses = [use for use in ctx.within(function, ast.Name) if use.id == name]
        bound = [use for use in uses if not isinstance(use.ctx, ast.Load)]
        if not bound or len(uses) - len(bound) > sum(use in uses for use in ast.walk(value)):
            continue
        statement = ctx.statement(bound[0])
        if not (isinstance(statement, ast.Assign) and statement.targets == bound):
            return None
        if not _only_reads(statement.value, ctx):
            return None
        edits.append(remove_statement(statement))
    return edits


def _only_reads(value: ast.expr, ctx: Context) -> bool:
    """Whether evaluating an expression changes nothing: attributes, and ways to ask for a device."""
    for part in ast.walk(value):
        if isinstance(part, ast.Call):
            is_next = isinstance(part.func, ast.Name) and part.func.id == "next"
            asks = isinstance(part.func, ast.Attribute) and part.func.attr in {"buffers", "parameters"}
            if not (is_next or asks or ctx.qualified_name(part.func) == "torch.device"):
                return False
        elif isinstance(part, (ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)):
            return False
    return True


def _has_names_of_its_own(
    node: ast.Call, others: list[ast.keyword], maker: ast.FunctionDef, ctx: Context
) -> bool:
    """Whether the method, or the constructor, binds a name that is read to make the tensor: by an import."""
    made = (node.func, *node.args, *(item.value for item in others))
    names = {part.id for value in made for part in names_in(value)}
    return any(
        is_bound_in_function(name, place, ctx) for name in names - {"self"} for place in (node, maker.body[0])
    )


def _has_self(method: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a method gets its object, and calls it ``self``."""
    first = positional(method.args)[:1]
    return [argument.arg for argument in first] == ["self"]


def _is_plain_end(statement: ast.stmt) -> bool:
    """Whether what is put after a statement runs, and on a line of its own."""
    return isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr))


def _holds_in_init(value: ast.expr, ctx: Context) -> bool:
    """Whether an argument can be moved to ``__init__``: no local names."""
    for part in ast.walk(value):
        if isinstance(part, ast.Name) and part.id != "self":
            bound = ctx.value(part)
            if ctx.qualified_name(part) is None and (bound is None or ctx.function(bound) is not None):
                return False
    return is_constant(value, ctx)
