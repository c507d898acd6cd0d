"""OVH302: module lists that a loop reads by index."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import remove_statement, replace
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.tuples import NamedTuple

from .._blocks import scope_of
from .._names import mentions, own_name
from .._taken import bound_by_words, free_name, is_declared_outer, is_read_unbound
from ._doubts import gives_index_to_method, is_read_later, locals_are_seen
from ._list_changes import MUTATORS, is_changed_outside
from ._modules import is_module_list

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit, Finding

RULE = Rule(
    code="OVH302",
    name="indexed-module-list",
    summary="module list read by index in a loop",
    triggers=(b"ModuleList", b"Sequential"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_Scope = ast.For | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class _Loop(NamedTuple):
    """A loop whose target runs over a range."""

    scope: _Scope
    """The node that holds every use of the index within the loop."""
    target: ast.Name
    iter: ast.expr
    whole: ast.expr | None
    """The list in ``range(len(list))``; None for any other range."""


class _Reads(NamedTuple):
    """What a loop does with its index."""

    by_list: dict[str, list[ast.Subscript]]
    """``self.layers[i]`` by the source text of ``self.layers``, module lists only."""
    index_needed: bool
    """Whether the index serves anything else as well, in the loop or after it."""


@RULE.on(ast.For)
def check_loop(node: ast.For, ctx: Context) -> Iterator[Finding]:
    """``for i in range(...)``."""
    loop = _ranged(node, node.target, node.iter, ctx)
    if loop is not None:
        yield from _judge(loop, ctx)


@RULE.on(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
def check_comprehension(
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, ctx: Context
) -> Iterator[Finding]:
    """``... for i in range(...)`` with one generator."""
    if len(node.generators) == 1 and not node.generators[0].is_async:
        loop = _ranged(node, node.generators[0].target, node.generators[0].iter, ctx)
        if loop is not None:
            yield from _judge(loop, ctx)


def _ranged(scope: _Scope, target: ast.expr, iterable: ast.expr, ctx: Context) -> _Loop | None:
    if not isinstance(target, ast.Name) or not _is_builtin(iterable, "range", ctx):
        return None
    assert isinstance(iterable, ast.Call)
    arguments = iterable.args
    if not arguments:
        return None
    if len(arguments) == 2 and isinstance(arguments[0], ast.Constant) and arguments[0].value == 0:
        arguments = arguments[1:]
    whole = None
    if len(arguments) == 1 and _is_builtin(arguments[0], "len", ctx):
        assert isinstance(arguments[0], ast.Call)
        whole = arguments[0].args[0] if len(arguments[0].args) == 1 else None
    return _Loop(scope, target, iterable, whole)


def _end(loop: _Loop) -> ast.expr:
    """Where the range of a loop ends."""
    assert isinstance(loop.iter, ast.Call)
    return loop.iter.args[min(len(loop.iter.args), 2) - 1]


def _is_builtin(node: ast.expr, name: str, ctx: Context) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and not node.keywords
        and not ctx.is_bound(name, node)
    )


def _judge(loop: _Loop, ctx: Context) -> Iterator[Finding]:
    if ctx.is_compiled(loop.scope) or ctx.by_default(_end(loop)) == 1:
        return
    reads = _reads(loop, ctx)
    if reads is None or not reads.by_list:
        return
    names = list(reads.by_list)
    yield ctx.finding(
        RULE,
        loop.iter,
        f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} read by index in a loop: "
        "each read checks the index, makes a string of it and looks that up",
        help=_help(loop, names, reads.index_needed),
        fix=_fix(loop, reads, ctx),
    )


def _reads(loop: _Loop, ctx: Context) -> _Reads | None:
    """The uses of the index; None when the list or the index changes, or is used with an offset."""
    name = loop.target.id
    by_list: dict[str, list[ast.Subscript]] = {}
    plain: set[ast.Name] = set()
    for item in ctx.within(loop.scope, ast.Subscript):
        if mentions(item.slice, {name}) and is_module_list(item.value, ctx):
            if not (isinstance(item.slice, ast.Name) and isinstance(item.ctx, ast.Load)):
                return None
            by_list.setdefault(ctx.text(item.value), []).append(item)
            plain.add(item.slice)
    if not by_list or _changed(loop, by_list, ctx):
        return None
    if name in bound_by_words(loop.scope, ctx):
        return None  # behind that, or inside that function, the name is another one
    others = [
        item
        for item in ctx.within(loop.scope, ast.Name)
        if item.id == name and item not in plain and item is not loop.target
    ]
    if any(not isinstance(item.ctx, ast.Load) for item in others):
        return None
    return _Reads(by_list, bool(others) or _read_after(loop, ctx))


def _read_after(loop: _Loop, ctx: Context) -> bool:
    """Whether the index may be read outside the loop: a ``for`` target outlives it."""
    if is_declared_outer(loop.target.id, scope_of(loop.scope, ctx), ctx):
        return True
    inside = set(ctx.within(loop.scope, ast.Name))
    return any(use not in inside for use in ctx.uses(loop.target))


def _changed(loop: _Loop, lists: dict[str, list[ast.Subscript]], ctx: Context) -> bool:
    for item in ctx.within(loop.scope, ast.Subscript):
        if not isinstance(item.ctx, ast.Load) and ctx.text(item.value) in lists:
            return True
    for attribute in ctx.within(loop.scope, ast.Attribute):
        if not isinstance(attribute.ctx, ast.Load) and ctx.text(attribute) in lists:
            return True
        if attribute.attr in MUTATORS and ctx.text(attribute.value) in lists:
            return True
    roots = {name.partition(".")[0] for name in lists}
    return any(
        not isinstance(name.ctx, ast.Load) and name.id in roots for name in ctx.within(loop.scope, ast.Name)
    )


def _help(loop: _Loop, names: Sequence[str], index_needed: bool) -> str:
    if loop.whole is None:
        return f"iterate over {names[0]} itself, with itertools.islice for a part of it"
    if len(names) > 1:
        return f"iterate over zip({', '.join(names)})"
    return f"iterate over enumerate({names[0]})" if index_needed else f"iterate over {names[0]} itself"


def _fix(loop: _Loop, reads: _Reads, ctx: Context) -> Fix | None:
    if loop.whole is None or ctx.text(loop.whole) not in reads.by_list:
        return None
    if any(ctx.is_bound(name, loop.scope) for name in ("enumerate", "zip")):
        return None  # they are other ones here
    lists = {name: items[0].value for name, items in reads.by_list.items()}
    taken = _names_around(loop, ctx)
    locals_ = {name: _local_name(node, loop, taken, ctx) for name, node in lists.items()}
    named = _named_at_once(loop, reads)
    if named is not None:
        locals_ = dict.fromkeys(lists, named.id)
    target, source = ", ".join(locals_.values()), "{whole}"
    if len(lists) > 1:
        keys = {f"list{number}": node for number, node in enumerate(lists.values())}
        source = f"zip({', '.join('{' + key + '}' for key in keys)})"
    else:
        keys = {"whole": loop.whole}
    if reads.index_needed:
        target = f"{loop.target.id}, ({target})" if len(lists) > 1 else f"{loop.target.id}, {target}"
        source = f"enumerate({source})"
    edits: list[Edit] = [replace(loop.target, target), replace(loop.iter, source, **keys)]
    if named is not None:
        edits.append(remove_statement(ctx.statement(named)))
    else:
        for name, items in reads.by_list.items():
            edits.extend(replace(item, locals_[name]) for item in items)
    # zip stops at the shorter list, where an index would have raised.
    doubtful = (
        len(lists) > 1
        or gives_index_to_method(loop.scope, loop.target.id, ctx)
        or is_read_later(loop.scope, reads.by_list, ctx)
        or locals_are_seen(loop.scope, ctx)
        or is_changed_outside(list(lists.values()), ctx)
    )
    applicability = Applicability.UNSAFE if doubtful else Applicability.SAFE
    return Fix(applicability, f"iterate over {', '.join(lists)}", edits=tuple(edits))


def _named_at_once(loop: _Loop, reads: _Reads) -> ast.Name | None:
    """The name in ``layer = self.layers[i]``, if that is how the body begins, and the only read."""
    items = [item for items in reads.by_list.values() for item in items]
    first = loop.scope.body[0] if isinstance(loop.scope, ast.For) and len(loop.scope.body) > 1 else None
    if len(items) != 1 or not isinstance(first, ast.Assign) or first.value is not items[0]:
        return None
    target = first.targets[0]
    if len(first.targets) != 1 or not isinstance(target, ast.Name) or target.id == loop.target.id:
        return None
    return target


def _around(loop: _Loop, ctx: Context) -> Iterator[_Loop]:
    """The loops over ranges that this one stands in, outermost first, through functions too."""
    scopes, scope = [], ctx.parent(loop.scope)
    while scope is not None:
        scopes.append(scope)
        scope = ctx.parent(scope)
    for scope in reversed(scopes):
        found = None
        if isinstance(scope, ast.For):
            found = _ranged(scope, scope.target, scope.iter, ctx)
        elif isinstance(scope, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            found = _ranged(scope, scope.generators[0].target, scope.generators[0].iter, ctx)
        if found is not None:
            yield found


def _names_around(loop: _Loop, ctx: Context) -> set[str]:
    """Names that fixes of the loops around this one may introduce: its own must be others."""
    taken: set[str] = set()
    for outer in _around(loop, ctx):
        reads = _reads(outer, ctx)
        for items in reads.by_list.values() if reads is not None else ():
            _local_name(items[0].value, outer, taken, ctx)
    return taken


def _local_name(node: ast.expr, loop: _Loop, taken: set[str], ctx: Context) -> str:
    plural = own_name(node).lstrip("_")
    if plural.endswith("ies") and len(plural) > 4:
        name = plural[:-3] + "y"
    elif plural.endswith("s") and not plural.endswith("ss") and len(plural) > 2:
        name = plural[:-1]
    else:
        name = "module"
    if not name.isidentifier():
        name = "module"
    name = free_name(
        name, lambda one: one in taken or ctx.is_bound(one, loop.scope) or is_read_unbound(one, ctx)
    )
    taken.add(name)
    return name
