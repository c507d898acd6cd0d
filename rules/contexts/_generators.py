"""Rewrites context managers that are generators: to the context that they enter, or to a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import (
    insert_after,
    insert_before,
    remove_decorator,
    remove_statement,
    replace,
    replace_commented,
    replace_statement,
)
from overhead_lint.rule import Applicability, Edit, Fix, Import
from overhead_lint.tuples import NamedTuple

from .._blocks import before
from .._by_name import attributes_named, variables_named
from .._calls import call_of
from ._context_class import ANNOTATION, as_class, beside_method
from ._decorating import WRAPS, is_decorating
from ._moved import CannotMove, Lines
from ._stock import entered_item
from ._yielding import gives_what_it_enters

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["rewritten"]

_GENERATORS = frozenset({"Generator", "Iterator", "Iterable"})
# Decorators that give back what they are given.
_MARKS = frozenset({"typing.override", "typing_extensions.override"})
_OF_METHODS = frozenset({"classmethod", "staticmethod"})
_MANAGER = Import("contextlib", "AbstractContextManager", "manager")
_WRAPS = Import("functools", "wraps")
_NULLCONTEXT = Import("contextlib", "nullcontext")


def rewritten(node: ast.FunctionDef, decorator: ast.expr, ctx: Context) -> Fix | None:
    """Return the unsafe fix of a function decorated with ``contextmanager``; None where it needs a person."""
    others = [item for item in node.decorator_list if item is not decorator]
    if not all(ctx.qualified_name(item) in _MARKS or _is_of_methods(item, ctx) for item in others):
        return None
    documented = ast.get_docstring(node, clean=False) is not None
    body = node.body[1:] if documented else node.body
    returned = None if _decorates(node, ctx) else _returned(node, decorator, body, ctx)
    if returned is not None:
        return returned
    holder = ctx.parent(node)
    try:
        uses = _uses(node.name, ctx) if isinstance(holder, ast.Module) and not others else None
        if uses is not None and all(_is_entered(use, ctx) or is_decorating(use, ctx) for use in uses):
            return _written(node, uses, ctx)
        if isinstance(holder, ast.ClassDef) and isinstance(ctx.parent(holder), ast.Module):
            return _written_beside(node, holder, others, ctx)
    except CannotMove:
        pass
    return None


def _is_of_methods(decorator: ast.expr, ctx: Context) -> bool:
    return (
        isinstance(decorator, ast.Name)
        and decorator.id in _OF_METHODS
        and not ctx.is_bound(decorator.id, decorator)
    )


def _written(node: ast.FunctionDef, uses: Sequence[ast.Name], ctx: Context) -> Fix:
    """Write a class in place of a function that is used so."""
    decorates = any(is_decorating(use, ctx) for use in uses)
    text = _escaped("\n".join(as_class(node, ctx, decorates=decorates).lines)).replace(WRAPS, "{wraps}")
    return Fix(
        Applicability.UNSAFE,
        "write it as a class",
        edits=(replace_commented(node, text),),
        imports=(_WRAPS,) if decorates else (),
        only_entered=() if decorates else (node.name,),
    )


def _written_beside(
    node: ast.FunctionDef, owner: ast.ClassDef, others: Sequence[ast.expr], ctx: Context
) -> Fix | None:
    """Write a class above that of a method, which gives an instance of it."""
    words = "".join(part.capitalize() for part in node.name.split("_"))
    name = f"_{owner.name.lstrip('_')}{words}"
    annotation = _annotation(node, ctx)
    if ctx.is_bound(name, node) or annotation is None or not _is_only_entered_as_method(node, owner, ctx):
        return None
    made = beside_method(node, name, ctx)
    doc = ast.get_docstring(node, clean=False)
    body = [ctx.text(node.body[0])] if doc is not None else []
    body.append(f"return {name}({', '.join(made.parameters)})")
    lines = [*made.above, *(f"@{ctx.text(item)}" for item in others)]
    lines += [_escaped(line).replace(ANNOTATION, annotation) for line in made.header]
    lines += [f"    {_escaped(line)}" for line in body]
    text = _escaped("\n".join(made.lines))
    # Below what is above: comments above the class stay with it.
    above = before(owner, ctx)
    added = insert_after(above[-1], f"\n\n{text}") if above else insert_before(owner, text, blank_lines=2)
    edits = (added, replace_commented(node, "\n".join(lines)))
    imports = (_MANAGER,) if node.returns is not None else ()
    return Fix(
        Applicability.UNSAFE, "write it as a class", edits=edits, imports=imports, only_entered=(node.name,)
    )


def _escaped(text: str) -> str:
    """Return a text as a template of itself."""
    return text.replace("{", "{{").replace("}", "}}")


def _annotation(node: ast.FunctionDef, ctx: Context) -> str | None:
    """Return the annotation of what gives a context, as a template: "" for none; None if it is odd."""
    if node.returns is None:
        return ""
    base = node.returns.value if isinstance(node.returns, ast.Subscript) else node.returns
    known = (ctx.qualified_name(base) or "").rpartition(".")[2] in _GENERATORS
    return "{manager}" if known else None


def _returned(
    node: ast.FunctionDef, decorator: ast.expr, body: Sequence[ast.stmt], ctx: Context
) -> Fix | None:
    """Return the one context that the generator enters around its ``yield``, in each of its branches."""
    leaves = list(_leaves(body))
    yields = [
        item for part in body for item in ast.walk(part) if isinstance(item, (ast.Yield, ast.YieldFrom))
    ]
    annotation, lines = _annotation(node, ctx), Lines(node, ctx)
    if annotation is None or len(leaves) != len(yields) or not any(leaf.item for leaf in leaves):
        return None
    edits: list[Edit] = [remove_decorator(node, decorator)]
    imports: list[Import] = []
    notes = _notes_of(decorator, node, lines)
    for leaf in leaves:
        edits.append(_return(leaf, notes, lines))
        notes = []
        if leaf.item is None:
            imports = [_NULLCONTEXT]
        if leaf.left is not None:
            if leaf.left.lineno in lines.comments:
                return None
            edits.append(remove_statement(leaf.left))
    if node.returns is not None:
        edits.append(replace(node.returns, annotation))
        imports.append(_MANAGER)
    return Fix(
        Applicability.UNSAFE,
        "return the context",
        edits=tuple(edits),
        imports=tuple(imports),
        only_entered=(node.name,),
    )


def _notes_of(decorator: ast.expr, node: ast.FunctionDef, lines: Lines) -> list[str]:
    """Return the comments that go with a decorator: on its lines, and between it and the one above."""
    index = node.decorator_list.index(decorator)
    above = node.decorator_list[index - 1] if index else None
    first = (above.end_lineno or 0) + 1 if above is not None else decorator.lineno
    return lines.notes(first, decorator.end_lineno or decorator.lineno)


class _Leaf(NamedTuple):
    """A way through a generator that does nothing but to enter a context, or none.

    Attributes:
        block: the ``with`` statement, or the bare ``yield``.
        item: what is entered; None for nothing.
        given: what the caller's block is given, where nothing is entered.
        left: the ``return`` right after it.
    """

    block: ast.stmt
    item: ast.withitem | None
    given: ast.expr | None
    left: ast.Return | None = None


def _leaves(body: Sequence[ast.stmt]) -> Iterator[_Leaf]:
    """Yield the ways through a body; not all of them where it does anything else."""
    match body:
        case [block, ast.Return(value=None) as left]:
            yield from (leaf._replace(left=left) for leaf in _leaves([block]) if leaf.block is block)
        case [ast.With(items=[item], body=[ast.Expr(value=ast.Yield(value=given))]) as block]:
            if gives_what_it_enters(item, given):
                yield _Leaf(block, item, None)
        case [ast.Expr(value=ast.Yield(value=given)) as block]:
            yield _Leaf(block, None, given)
        case [ast.If(body=inner, orelse=[]), *rest] if rest and isinstance(inner[-1], ast.Return):
            yield from (*_leaves(inner), *_leaves(rest))
        case [ast.If(body=inner, orelse=orelse)] if orelse:
            yield from (*_leaves(inner), *_leaves(orelse))


def _return(leaf: _Leaf, notes: Sequence[str], lines: Lines) -> Edit:
    """The edit by which a way through the generator returns its context; comments stand above."""
    parts: dict[str, ast.expr] = {}
    if leaf.item is not None:
        context = parts["context"] = leaf.item.context_expr
        own = range(context.lineno, context.end_lineno or context.lineno)  # these go with it
        until = leaf.block.end_lineno or leaf.block.lineno
        notes = [*notes, *lines.notes(leaf.block.lineno, until - 1, without=own)]
    elif leaf.given is not None:
        parts["given"] = leaf.given
    result = "{context}" if leaf.item is not None else f"{{nullcontext}}({'{given}' if parts else ''})"
    template = "".join(f"{_escaped(note)}\n" for note in notes) + f"return {result}"
    return replace_statement(leaf.block, template, **parts)


def _uses(name: str, ctx: Context, seen: frozenset[str] = frozenset()) -> list[ast.Name] | None:
    """The places that read a function of the module, by its own name or another that the module gives it.

    None where the module binds such a name to anything else, or something else to it.
    """
    if name in seen:
        return None
    found: list[ast.Name] = []
    for use in variables_named(name, ctx):
        if not isinstance(use.ctx, ast.Load):
            continue
        holder = ctx.parent(use)
        if not (isinstance(holder, ast.Assign) and ctx.parent(holder) is ctx.tree and holder.value is use):
            found.append(use)
            continue
        for target in holder.targets:
            if not isinstance(target, ast.Name) or not _is_bound_once(target.id, ctx):
                return None
            others = _uses(target.id, ctx, seen | {name})
            if others is None:
                return None
            found += others
    return found


def _decorates(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether the file decorates functions with what a function gives, under any name that it has there."""
    named = _uses(node.name, ctx) or variables_named(node.name, ctx)
    reads = attributes_named(node.name, ctx)
    return any(is_decorating(use, ctx) for use in (*named, *reads))


def _is_bound_once(name: str, ctx: Context) -> bool:
    return sum(isinstance(use.ctx, ast.Store) for use in variables_named(name, ctx)) == 1


def _is_only_entered_as_method(node: ast.FunctionDef, owner: ast.ClassDef, ctx: Context) -> bool:
    """Whether all that the file does with attributes of a method's name is to enter what they give."""
    named = [use for use in ctx.within(owner, ast.Name) if use.id == node.name and ctx.function(use) is None]
    reads = attributes_named(node.name, ctx)
    return not named and all(_is_entered(use, ctx) for use in reads)


def _is_entered(use: ast.expr, ctx: Context) -> bool:
    call = call_of(use, ctx)
    return call is not None and entered_item(call, ctx) is not None
