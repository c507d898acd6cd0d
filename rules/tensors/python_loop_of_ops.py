"""OVH706: a Python loop that does row by row what one operator does for the whole tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import JOINS
from overhead_lint.rule import Heat, Kind, Rule

from .._blocks import scope_of
from .._names import mentions
from ..streams._elements import targets as named_elements
from ._loops import TENSORS, bound_names, has_moving_end, is_elementwise, is_short, reads_element
from ._scans import carried_sum

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH706",
    name="python-loop-of-ops",
    summary="tensor worked on row by row in Python",
    triggers=(b"torch",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_MAKES_ONE = JOINS | {"torch.tensor"}
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Continue, ast.Pass)


@RULE.on(ast.For)
def check_loop(node: ast.For, ctx: Context) -> Iterator[Finding]:
    """``for i in range(n): out[i] = x[i] * y[i]``, ``total += x[i]``, ``rows.append(x[i] * 2)``."""
    if node.orelse or is_short(node.iter) or ctx.is_compiled(node):
        return
    statements = list(ctx.within(node, ast.stmt))
    if any(_fills(item, node, ctx) for item in statements) and not _is_nested(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            "puts a number into a device's tensor on each round: as many small operators as there are rounds",
            help="make one tensor of all, compare with torch.arange, or assign with a tensor of indices",
        )
        return
    if carried_sum(node, ctx) is not None:
        yield ctx.finding(
            RULE,
            node,
            "carries a weighted sum from step to step: as many small operators as there are steps",
            help="compute all steps at once (cumsum, sums over chunks of steps), or compile the function",
        )
        return
    if not all(isinstance(item, _SIMPLE) for item in statements) or _is_nested(node, ctx):
        return
    names = bound_names(node, ctx)
    if any(_packs(item, names) for item in statements):
        return
    said = [act for act in (_act(item, names, node, ctx) for item in statements) if act]
    if not said or _carries(node, ctx):
        return
    appends = [call for call in ctx.within(node, ast.Call) if _is_append(call)]
    if not all(_is_joined(call.func, node, ctx) for call in appends):
        return
    if not is_elementwise([part for item in _leaves(node, ctx) for part in _parts(item)], ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{said[0]} on each round: as many small operators as there are rounds",
        help="write it for the whole tensor: broadcasting, a mask, torch.where, index_add_, bmm",
    )


def _fills(item: ast.stmt, loop: ast.For, ctx: Context) -> bool:
    """Whether a statement of a loop itself puts a Python number where a variable of the loop says."""
    if not (isinstance(item, ast.Assign) and len(item.targets) == 1 and ctx.parent(item) is loop):
        return False
    target = item.targets[0]
    if not isinstance(target, ast.Subscript) or not mentions(target.slice, bound_names(loop.target, ctx)):
        return False
    if mentions(target.value, bound_names(loop, ctx)):
        return False  # another tensor on each round, as loops over images have
    return ctx.kind(target.value) is Kind.TENSOR and ctx.kind(item.value) is Kind.NUMBER


def _packs(item: ast.stmt, names: frozenset[str]) -> bool:
    """Whether a statement copies a piece of another length on each round, as padding and packing do."""
    if not (isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Subscript)):
        return False
    target = item.targets[0]
    moving = has_moving_end(target.slice, names) and mentions(item.value, names)
    return moving or has_moving_end(item.value, names)


def _is_nested(node: ast.For, ctx: Context) -> bool:
    """Whether a loop around it would be told of instead."""
    around = ctx.parent(node)
    return isinstance(around, ast.For) and around.body == [node]


def _leaves(node: ast.For, ctx: Context) -> Iterator[ast.AST]:
    """The simple statements of a loop, and the tests and iterables of those in it."""
    for item in ctx.within(node, ast.stmt):
        if isinstance(item, ast.If):
            yield item.test
        elif isinstance(item, ast.For):
            yield item.iter
        else:
            yield item


def _act(item: ast.stmt, names: frozenset[str], loop: ast.For, ctx: Context) -> str:
    """What a statement does for one element of a tensor, in words; "" if nothing."""
    added = _added(item)
    if added is not None:
        return "adds an element" if _is_of_element(added, loop, ctx) else ""
    if isinstance(item, ast.Assign) and len(item.targets) == 1:
        target = item.targets[0]
        return "writes to a part of a tensor" if _writes(target, item.value, names, loop, ctx) else ""
    if isinstance(item, ast.AugAssign) and _writes(item.target, item.value, names, loop, ctx, added=True):
        return "changes a part of a tensor"
    if isinstance(item, ast.Expr) and _is_append(item.value):
        assert isinstance(item.value, ast.Call)
        value = item.value.args[0]
        if _is_picked(value, names, ctx):
            return "picks an element"
        if not isinstance(value, ast.Subscript) and _is_computed(value, loop, ctx):
            return "computes an element" if _is_of_element(value, loop, ctx) else ""
    return ""


def _added(item: ast.stmt) -> ast.expr | None:
    """What a statement adds to a name: ``total += x``, ``total = total + x``, and no list to a list."""
    if isinstance(item, (ast.Assign, ast.AugAssign)):
        last = item.value.right if isinstance(item.value, ast.BinOp) else item.value
        if isinstance(last, (ast.List, ast.ListComp, ast.Tuple)):
            return None
    if isinstance(item, ast.AugAssign):
        return item.value if isinstance(item.op, ast.Add) and isinstance(item.target, ast.Name) else None
    if not (isinstance(item, ast.Assign) and len(item.targets) == 1 and isinstance(item.value, ast.BinOp)):
        return None
    target, left = item.targets[0], item.value.left
    same = isinstance(target, ast.Name) and isinstance(left, ast.Name) and target.id == left.id
    return item.value.right if same and isinstance(item.value.op, ast.Add) else None


def _is_picked(value: ast.expr, names: frozenset[str], ctx: Context) -> bool:
    """Whether a value is the element at two places that are told for each round: ``x[i, labels[i]]``."""
    if not (isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Tuple)):
        return False
    if ctx.kind(value.value) not in TENSORS or has_moving_end(value.slice, names):
        return False
    told = [part for part in value.slice.elts if mentions(part, names)]
    return len(told) > 1 and any(isinstance(part, ast.Subscript) for part in told)


def _is_computed(value: ast.expr, loop: ast.For, ctx: Context) -> bool:
    """Whether a value is more than an element as it is, also through a name that a loop over indices binds.

    Loops over sizes and other things often work on pieces of various shapes.
    """
    if not isinstance(value, ast.Name):
        return True
    if not (isinstance(loop.iter, ast.Call) and ctx.text(loop.iter.func) == "range"):
        return False
    made = [given for names, given in _bindings(loop, ctx) if value.id in names]
    return bool(made) and all(isinstance(one, (ast.BinOp, ast.Call, ast.UnaryOp)) for one in made)


def _bindings(loop: ast.For, ctx: Context) -> list[tuple[frozenset[str], ast.expr]]:
    """The assignments in a loop: which names are given what."""
    plain = [(bound_names(item, ctx), item.value) for item in ctx.within(loop, ast.Assign)]
    annotated = [(bound_names(item, ctx), item.value) for item in ctx.within(loop, ast.AnnAssign)]
    found = [*plain, *((names, value) for names, value in annotated if value is not None)]
    return sorted(found, key=lambda one: (one[1].lineno, one[1].col_offset))


def _is_of_element(value: ast.expr, loop: ast.For, ctx: Context) -> bool:
    """Whether a value is computed from an element of a tensor, another one on each round."""
    targets = bound_names(loop.target, ctx)
    if reads_element(value, targets, ctx):
        return True
    elements: set[str] = set()
    elements |= _rows(loop, ctx)
    for names, given in _bindings(loop, ctx):
        if reads_element(given, targets, ctx) or mentions(given, frozenset(elements)):
            elements |= names
    return mentions(value, frozenset(elements)) and not has_moving_end(value, targets)


def _rows(loop: ast.For | ast.comprehension, ctx: Context) -> set[str]:
    """The names that a loop gives rows of tensors, through ``zip`` and ``enumerate``."""
    found = {
        target.id for target, items in named_elements(loop.target, loop.iter) if ctx.kind(items) in TENSORS
    }
    others = [items for _, items in named_elements(loop.target, loop.iter) if ctx.kind(items) not in TENSORS]
    zipped = isinstance(loop.iter, ast.Call) and ctx.text(loop.iter.func) == "zip"
    return set() if zipped and others else found


def _writes(
    target: ast.expr,
    value: ast.expr,
    names: frozenset[str],
    loop: ast.For,
    ctx: Context,
    *,
    added: bool = False,
) -> bool:
    """Whether ``target = value`` fills another part of the same tensor on each round."""
    if not isinstance(target, ast.Subscript) or not mentions(target.slice, names):
        return False
    base = target.value
    while isinstance(base, ast.Subscript):
        base = base.value
    if mentions(base, names) or ctx.kind(base) not in TENSORS:
        return False
    if has_moving_end(value, names):
        return False  # pieces of various lengths: padding, packing
    if has_moving_end(target.slice, names) and (added or mentions(value, names)):
        return False  # pieces that may overlap
    text = ctx.text(base)
    own = {*ast.walk(target), *ast.walk(loop.iter)}
    return not any(
        use not in own
        and ctx.text(use) == text
        and isinstance(getattr(use, "ctx", None), ast.Load)
        and not isinstance(_outer(use, ctx), ast.Store)
        for use in ctx.within(loop, type(base))
    )


def _outer(node: ast.AST, ctx: Context) -> ast.expr_context:
    """Whether the subscripts around a node are read or written."""
    holder = ctx.parent(node)
    while isinstance(holder, ast.Subscript) and holder.value is node:
        if isinstance(holder.ctx, ast.Store):
            return holder.ctx
        node, holder = holder, ctx.parent(holder)
    return ast.Load()


def _carries(loop: ast.For, ctx: Context) -> bool:
    """Whether a round needs what an earlier one left in a name, sums left aside."""
    own = bound_names(loop.target, ctx)
    seen: set[str] = set(own)
    inner = {name for item in ctx.within(loop, ast.For) for name in bound_names(item.target, ctx)}
    stored = bound_names(loop, ctx) - own - inner
    sums = {item.target.id for item in ctx.within(loop, ast.AugAssign) if isinstance(item.target, ast.Name)}
    own_terms: set[ast.AST] = set()
    for one in ctx.within(loop, ast.Assign):
        if _added(one) is not None and isinstance(one.value, ast.BinOp):
            own_terms.add(one.value.left)
            sums |= bound_names(one.targets[0], ctx)
    for item in ctx.within(loop, ast.stmt):
        for name in _read_by(item):
            is_left = name.id in sums or (name.id in stored and name.id not in seen)
            if is_left and name not in own_terms:
                return True
        if isinstance(item, (ast.Assign, ast.AnnAssign)):
            seen |= bound_names(item, ctx)
    return False


def _read_by(statement: ast.stmt) -> Iterator[ast.Name]:
    """The names that a statement reads; a branch or a loop by its head alone."""
    head: ast.AST = statement
    if isinstance(statement, (ast.If, ast.For)):
        head = statement.test if isinstance(statement, ast.If) else statement.iter
    for name in ast.walk(head):
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
            yield name


def _is_append(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "append"
        and len(value.args) == 1
        and not value.keywords
    )


def _parts(item: ast.AST) -> list[ast.AST]:
    """What a statement computes, without the list that takes it."""
    if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call) and _is_append(item.value):
        return [item.value.args[0]]
    return [item]


def _is_joined(append: ast.expr, loop: ast.For, ctx: Context) -> bool:
    """Whether the function makes one tensor of the list that a loop appends to."""
    assert isinstance(append, ast.Attribute)
    text = ctx.text(append.value)
    return any(
        call.args and ctx.text(call.args[0]) == text and ctx.qualified_name(call.func) in _MAKES_ONE
        for call in ctx.within(scope_of(loop, ctx), ast.Call)
    )


@RULE.on(ast.Call, named=("sum",))
def check_sum(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``sum(x)`` of a tensor."""
    if not (isinstance(node.func, ast.Name) and node.func.id == "sum" and len(node.args) == 1):
        return
    if ctx.is_bound("sum", node):
        return
    if ctx.kind(node.args[0]) not in TENSORS or ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        "adds up one row after the other: as many small operators as there are rows",
        help=f"write {ctx.text(node.args[0])}.sum(0)",
    )


@RULE.on(ast.ListComp, ast.GeneratorExp)
def check_comprehension(node: ast.ListComp | ast.GeneratorExp, ctx: Context) -> Iterator[Finding]:
    """``torch.stack([x[i] * y[i] for i in range(n)])``, ``torch.stack([row.sum() for row in x])``."""
    holder = ctx.parent(node)
    if not (isinstance(holder, ast.Call) and holder.args[:1] == [node]):
        return
    if ctx.qualified_name(holder.func) not in _MAKES_ONE or ctx.is_compiled(node):
        return
    loop = node.generators[0]
    if isinstance(node.elt, ast.Starred):
        return  # rows that are joined, not worked on
    if len(node.generators) != 1 or loop.ifs or loop.is_async or is_short(loop.iter):
        return
    names = bound_names(loop.target, ctx)
    rows = bool(_rows(loop, ctx)) and len(_rows(loop, ctx)) == len(names)
    computed = isinstance(node.elt, (ast.BinOp, ast.Call, ast.Compare, ast.UnaryOp))
    if not (rows or reads_element(node.elt, names, ctx)) or not is_elementwise([node.elt], ctx):
        return
    if rows and not (computed and mentions(node.elt, names)):
        return
    if not computed and ctx.qualified_name(holder.func) != "torch.stack":
        return
    yield ctx.finding(
        RULE,
        node,
        "computes a tensor row by row: as many small operators as there are rows",
        help=(
            "write it for the whole tensor: broadcasting, a reduction over dim, bmm"
            if computed
            else "index with all of them at once: x[indices]"
        ),
    )
