"""OVH704: a tensor that grows by ``torch.cat`` on every round of a loop, or in every step."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, insert_before, replace_statement
from overhead_lint.rule import Applicability, Clause, Fix, Heat, HeatFilter, Rule
from overhead_lint.syntax.grammar import TRIES
from overhead_lint.tuples import NamedTuple

from .._assignments import is_given_anew
from .._blocks import before, holders
from .._literals import has_few_rounds, is_none
from .._names import is_named, mentions, names_in
from .._taken import bound_within, is_declared_outer
from .._wording import short
from ._parts import may_join_later

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH704",
    name="cat-in-loop",
    summary="tensor grown by torch.cat in a loop",
    triggers=(b"cat(", b"cat ", b"stack(", b"stack ", b"concat"),
    heat=Heat.COLD,
    in_cold_files=False,
    stable_since="0.2.0",
)

_JOINS = frozenset(
    {"torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack", "torch.dstack"}
)
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_OF_TABLES = frozenset({"items", "keys"})
_FEW = 3
"""Rounds of a loop over something written out that are too few to matter."""


class _Growth(NamedTuple):
    """``x = torch.cat([x, y])`` in a loop.

    Attributes:
        assign: the statement.
        call: the call.
        grown: what grows, as read in the call.
        added: what is joined to it on each round.
        last: whether that comes after what is there already.
    """

    assign: ast.Assign
    call: ast.Call
    grown: ast.expr
    added: tuple[ast.expr, ...]
    last: bool


@RULE.on(ast.Assign)
def check(node: ast.Assign, ctx: Context) -> Iterator[Finding]:
    """``x = torch.cat([x, y])`` where nothing else in the loop needs ``x`` yet."""
    growth = _growth(node, ctx)
    loop = _loop(node, ctx) if growth is not None else None
    if growth is None or loop is None or ctx.is_compiled(node):
        return
    keys = _keys_of(growth, loop, ctx)
    if keys:  # the same ones on each round of the loop around
        loop = _loop(loop, ctx)
        if loop is None:
            return
    text = ctx.text(growth.grown)
    if (
        (not isinstance(loop, ast.While) and has_few_rounds(loop.iter, _FEW))
        or not _only_grows(growth, loop, keys, ctx)
        or ctx.is_error_path(node)
    ):
        return
    yield ctx.finding(
        RULE,
        growth.call,
        f"copies all of {text} on every round of the loop: N rounds copy N*N/2 parts",
        help="append to a list, and join it once after the loop",
        fix=_fix(growth, loop, ctx) if not keys else None,
    )


@RULE.on(ast.Assign)
def check_kept(node: ast.Assign, ctx: Context) -> Iterator[Finding]:
    """``self.seen = torch.cat([self.seen, x])`` in a method that every step calls."""
    growth = _growth(node, ctx)
    if growth is None or not isinstance(growth.grown, ast.Attribute) or _loop(node, ctx) is not None:
        return
    if ctx.is_compiled(node) or _is_cut(growth.grown, ctx):
        return
    if is_given_anew(growth.grown, node, ctx):
        return
    text = short(growth.grown, ctx)
    yield ctx.finding(
        RULE,
        growth.call,
        (f"copies all of {text} ", Clause.FREQUENCY, ": N steps copy N*N/2 parts"),
        help="append to a list and join it where it is read, or write into a tensor that is large enough",
        runs=node,
        only=HeatFilter(least=Heat.STEP),
    )


def _is_cut(grown: ast.Attribute, ctx: Context) -> bool:
    """Whether an attribute gets shorter somewhere: a window, or a queue that is worked off."""
    text, cls = ctx.text(grown), ctx.cls(grown)
    return any(
        isinstance(item.value, ast.Subscript)
        and ctx.text(item.value.value) == text
        and any(ctx.text(target) == text for target in item.targets)
        for item in ctx.within(cls.node if cls is not None else ctx.tree, ast.Assign)
    )


def _growth(node: ast.Assign, ctx: Context) -> _Growth | None:
    call = node.value
    if len(node.targets) != 1 or not isinstance(call, (ast.Call, ast.IfExp)):
        return None
    if isinstance(call, ast.IfExp):  # x = y if x is None else torch.cat([x, y])
        call = next((part for part in (call.body, call.orelse) if isinstance(part, ast.Call)), call)
    if not (isinstance(call, ast.Call) and call.args and ctx.qualified_name(call.func) in _JOINS):
        return None
    joined = call.args[0]
    if not isinstance(joined, (ast.List, ast.Tuple)) or len(joined.elts) < 2:
        return None
    text = ctx.text(node.targets[0])
    first, last = joined.elts[0], joined.elts[-1]
    if ctx.text(first) == text:
        return _Growth(node, call, first, tuple(joined.elts[1:]), last=True)
    if ctx.text(last) == text:
        return _Growth(node, call, last, tuple(joined.elts[:-1]), last=False)
    return None


def _loop(node: ast.stmt, ctx: Context) -> ast.For | ast.While | ast.AsyncFor | None:
    """The innermost loop around a statement."""
    loops = [loop for loop in ctx.loops(node) if loop is not node]
    return loops[-1] if loops and isinstance(loops[-1], _LOOPS) else None


def _keys_of(growth: _Growth, loop: ast.AST, ctx: Context) -> frozenset[str]:
    """The variables of a loop that entries of a table are told apart by: ``found[key] = torch.cat(...)``.

    Empty where each round of the loop around it may have other keys: those of a written table, or of what the
    loop around does not change, stay the same.
    """
    if not isinstance(growth.grown, ast.Subscript) or not isinstance(loop, ast.For):
        return frozenset()
    named = [item for item in ast.walk(loop.target) if isinstance(item, ast.Name)]
    targets = frozenset(name.id for name in named)
    stored = {
        item.id
        for item in ctx.within(loop, ast.Name)
        if isinstance(item.ctx, ast.Store) and item not in named
    }
    told, around = {name.id for name in names_in(growth.grown.slice)}, _loop(loop, ctx)
    if not told & targets or told & stored or around is None:
        return frozenset()
    over = loop.iter
    is_table = (
        isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr in _OF_TABLES
    )
    if not is_table and mentions(over, {*bound_within(around, ctx)} - targets):
        return frozenset()
    return targets


def _only_grows(growth: _Growth, loop: ast.AST, keys: frozenset[str], ctx: Context) -> bool:
    """Whether the loop does nothing else with what grows than to ask whether there is any yet."""
    text, own = ctx.text(growth.grown), {growth.grown, growth.assign.targets[0]}
    root = text.split(".")[0].split("[")[0]
    changing = {*bound_within(loop, ctx)}
    if mentions(growth.grown, changing - {text} - keys):
        return False  # x[i] = torch.cat([x[i], y]) with another i on each round: another tensor, too
    if keys and isinstance(growth.grown, ast.Subscript):
        table = ctx.text(growth.grown.value)
        if any(
            ctx.text(use.value) == table and ctx.text(use) != text for use in ctx.within(loop, ast.Subscript)
        ):
            return False  # an entry under a name of its own may be any of them
    for use in ctx.within(loop, type(growth.grown)):
        if use not in own and ctx.text(use) == text and not _asks_for_it(use, growth, ctx):
            return False
    if isinstance(growth.grown, ast.Name):
        return True
    # Methods of `self`, and what the whole object is given to, may read an attribute or an item.
    return not any(
        ctx.text(call.func).startswith(f"{root}.") or any(is_named(item, root) for item in call.args)
        for call in ctx.within(loop, ast.Call)
    )


def _asks_for_it(use: ast.AST, growth: _Growth, ctx: Context) -> bool:
    """Whether a use is ``x is None``, or the ``x = y`` of the first round behind such a test."""
    holder = ctx.parent(use)
    if isinstance(holder, ast.Compare):
        other = holder.comparators[0]
        return isinstance(holder.ops[0], (ast.Is, ast.IsNot)) and is_none(other)
    if isinstance(holder, ast.Assign) and use in holder.targets:
        around = ctx.parent(holder)
        return isinstance(around, ast.If) and around is ctx.parent(growth.assign)
    return False


def _fix(growth: _Growth, loop: ast.For | ast.While | ast.AsyncFor, ctx: Context) -> Fix | None:
    """A list that starts with what is there, and one ``cat`` after the loop."""
    name = growth.grown
    if not isinstance(name, ast.Name) or growth.assign.value is not growth.call or loop.orelse:
        return None
    first = _defined_before(name, loop, ctx)
    if first is None or len(growth.added) != 1 or _is_guarded(growth, loop, ctx):
        return None
    if not may_join_later(name, first, growth.added[0], loop, ctx):
        return None
    if isinstance(growth.added[0], ast.Starred) or len(growth.call.args) + len(growth.call.keywords) > 2:
        return None
    parts = f"{name.id}_parts"
    if ctx.is_bound(parts, loop) or any(isinstance(item, ast.Await) for item in ast.walk(growth.call)):
        return None
    if any(True for _ in ctx.within(loop, ast.Return, ast.Yield, ast.YieldFrom)) or _escapes(name, loop, ctx):
        return None
    joins = {name.id for name in names_in(growth.call.func)}
    if joins.intersection(bound_within(loop, ctx)):
        return None  # where there are no rounds, nothing joins
    given: dict[str, ast.expr] = {"join": growth.call.func}
    arguments = ""
    if len(growth.call.args) == 2:
        given["dim"], arguments = growth.call.args[1], ", {dim}"
    elif growth.call.keywords:
        keyword = growth.call.keywords[0]
        if keyword.arg not in ("dim", "axis"):
            return None
        given["dim"], arguments = keyword.value, f", {keyword.arg}={{dim}}"
    if "dim" in given and not isinstance(given["dim"], (ast.Constant, ast.UnaryOp)):
        return None
    order = parts if growth.last else f"{parts}[::-1]"
    return Fix(
        Applicability.UNSAFE,
        "collect the parts in a list, and join them once",
        edits=(
            insert_before(loop, f"{parts} = [{name.id}]"),
            replace_statement(growth.assign, f"{parts}.append({{added}})", added=growth.added[0]),
            insert_after(loop, f"{name.id} = {{join}}({order}{arguments})", **given),
        ),
    )


def _is_guarded(growth: _Growth, loop: ast.AST, ctx: Context) -> bool:
    """Whether the loop joins in a context, or where an exception is caught: after it there is neither."""
    inside = itertools.takewhile(lambda one: one[0] is not loop, holders(growth.assign, ctx))
    return any(isinstance(holder, (ast.With, ast.AsyncWith, *TRIES)) for holder, _ in inside)


def _defined_before(name: ast.Name, loop: ast.stmt, ctx: Context) -> ast.expr | None:
    """What a statement further up in the block of the loop binds the name to; None where others may, too."""
    found: ast.Assign | None = None
    for statement in before(loop, ctx):
        if isinstance(statement, ast.Assign) and any(
            is_named(target, name.id) for target in statement.targets
        ):
            found = statement if len(statement.targets) == 1 else None
        elif found is not None and mentions(statement, {name.id}):
            return None  # it may be bound again, or have another name
    return None if found is None or is_none(found.value) else found.value


def _escapes(name: ast.Name, loop: ast.AST, ctx: Context) -> bool:
    """Whether a function inside may read the name, or it belongs to a scope outside."""
    function = ctx.function(loop)
    where = function.node if function is not None else ctx.tree
    if is_declared_outer(name.id, where, ctx):
        return True
    return any(use.id == name.id and ctx.function(use) is not function for use in ctx.within(where, ast.Name))
