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
from ._attributes import initial
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

_Scope = ast.For | ast.While | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class _Loop(NamedTuple):
    """A loop whose target runs over a range, or is counted up."""

    scope: _Scope
    """The node that holds every use of the index within the loop."""
    target: ast.Name
    iter: ast.expr
    """The range, or the test that ends it."""
    rounds: ast.expr | None
    """How many there are in a range from 0 in steps of 1; None for any other, and for a test."""


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


@RULE.on(ast.While)
def check_while(node: ast.While, ctx: Context) -> Iterator[Finding]:
    """``while i < len(list)`` whose body ends by counting up."""
    match node.test, node.body[-1]:
        case (
            ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[end]),
            ast.AugAssign(target=ast.Name() as target, op=ast.Add(), value=ast.Constant(value=1)),
        ) if name == target.id and _is_builtin(end, "len", ctx):
            yield from _judge(_Loop(node, target, node.test, None), ctx)


def _ranged(scope: _Scope, target: ast.expr, iterable: ast.expr, ctx: Context) -> _Loop | None:
    if not isinstance(target, ast.Name) or not _is_builtin(iterable, "range", ctx):
        return None
    assert isinstance(iterable, ast.Call)
    arguments = iterable.args
    if not arguments:
        return None
    if len(arguments) == 2 and isinstance(arguments[0], ast.Constant) and arguments[0].value == 0:
        arguments = arguments[1:]
    return _Loop(scope, target, iterable, arguments[0] if len(arguments) == 1 else None)


def _runs_once(loop: _Loop, ctx: Context) -> bool:
    """Whether a range ends at 1 while parameters have their defaults."""
    if not isinstance(loop.iter, ast.Call):
        return False
    return ctx.by_default(loop.iter.args[min(len(loop.iter.args), 2) - 1]) == 1


def _is_builtin(node: ast.expr, name: str, ctx: Context) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and not node.keywords
        and not ctx.is_bound(name, node)
    )


def _judge(loop: _Loop, ctx: Context) -> Iterator[Finding]:
    if ctx.is_compiled(loop.scope) or _runs_once(loop, ctx):
        return
    reads = _reads(loop, ctx)
    if reads is None or not reads.by_list:
        return
    names, whole = list(reads.by_list), _whole(loop, reads, ctx)
    yield ctx.finding(
        RULE,
        loop.iter,
        f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} read by index in a loop: "
        "each read checks the index, makes a string of it and looks that up",
        help=_help(whole is not None, names, reads.index_needed),
        fix=_fix(loop, whole, reads, ctx) if whole is not None else None,
    )


def _reads(loop: _Loop, ctx: Context) -> _Reads | None:
    """The uses of the index; None when a list or the index changes, or a list is also read with an offset."""
    name = loop.target.id
    by_list: dict[str, list[ast.Subscript]] = {}
    plain: set[ast.Name] = set()
    offset: set[str] = set()
    for item in ctx.within(loop.scope, ast.Subscript):
        if mentions(item.slice, {name}) and is_module_list(item.value, ctx):
            if isinstance(item.slice, ast.Name) and isinstance(item.ctx, ast.Load):
                by_list.setdefault(ctx.text(item.value), []).append(item)
                plain.add(item.slice)
            else:
                offset.add(ctx.text(item.value))
    if not by_list or not offset.isdisjoint(by_list) or _changed(loop, by_list, ctx):
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


def _help(is_whole: bool, names: Sequence[str], index_needed: bool) -> str:
    if not is_whole:
        return f"iterate over {names[0]} itself, with itertools.islice for a part of it"
    if len(names) > 1:
        return f"iterate over zip({', '.join(names)})"
    return f"iterate over enumerate({names[0]})" if index_needed else f"iterate over {names[0]} itself"


def _whole(loop: _Loop, reads: _Reads, ctx: Context) -> ast.expr | None:
    """Return the list that is read from one end to the other; None if it may go on behind the range."""
    count = loop.rounds
    if isinstance(count, ast.Call):
        measured = count.args[0] if _is_builtin(count, "len", ctx) and len(count.args) == 1 else None
        return measured if measured is not None and ctx.text(measured) in reads.by_list else None
    lists = [items[0].value for items in reads.by_list.values()]
    return next((one for one in lists if count is not None and _holds_as_many(one, count, ctx)), None)


def _holds_as_many(items: ast.expr, count: ast.expr, ctx: Context) -> bool:
    """Whether the constructor makes a list of as many modules as the number says that it keeps."""
    made = initial(items, ctx) if isinstance(items, ast.Attribute) else None
    kept = initial(count, ctx) if isinstance(count, ast.Attribute) else None
    match made:
        case ast.Call(
            args=[
                ast.ListComp(generators=[rounds])
                | ast.GeneratorExp(generators=[rounds])
                | ast.Starred(value=ast.ListComp(generators=[rounds]))
            ]
        ) if kept is not None and not rounds.ifs and _is_builtin(rounds.iter, "range", ctx):
            assert isinstance(rounds.iter, ast.Call)
            return len(rounds.iter.args) == 1 and _are_same(rounds.iter.args[0], count, kept, ctx)
    return False


def _are_same(end: ast.expr, count: ast.expr, kept: ast.expr, ctx: Context) -> bool:
    """Whether a number is what an attribute keeps, by the attribute itself or by the name that it is of."""
    if isinstance(end, ast.Name) and isinstance(kept, ast.Name):
        return end.id == kept.id and list(ctx.bindings(end)) == list(ctx.bindings(kept))
    return ctx.text(end) == ctx.text(count)


def _fix(loop: _Loop, whole: ast.expr, reads: _Reads, ctx: Context) -> Fix | None:
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
        keys = {"whole": whole}
    if reads.index_needed:
        target = f"{loop.target.id}, ({target})" if len(lists) > 1 else f"{loop.target.id}, {target}"
        source = f"enumerate({source})"
    edits: list[Edit] = [replace(loop.target, target), replace(loop.iter, source, **keys)]
    if named is not None:
        edits.append(remove_statement(ctx.statement(named)))
    else:
        for name, items in reads.by_list.items():
            edits.extend(replace(item, locals_[name]) for item in items)
    # zip stops at the shorter list, where an index would have raised; a number may be set from outside.
    doubtful = (
        len(lists) > 1
        or not isinstance(loop.rounds, ast.Call)
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
