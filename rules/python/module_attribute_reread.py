"""OVH608: parameters, buffers and submodules read from ``self`` on every round of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Edit, Fix, Heat, Kind, Rule
from overhead_lint.syntax.receivers import is_own_attribute

from .._attributes_there import is_always_there, may_be_replaced, registrations
from .._literals import has_few_rounds
from .._module_level import in_f_string
from .._names import own_name
from .._taken import free_name

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context, Finding

RULE = Rule(
    code="OVH608",
    name="module-attribute-reread",
    summary="parameter, buffer or submodule read from self in a loop",
    triggers=(b"forward", b"Module"),
    heat=Heat.LOOP,
    preview=True,
)

_FEW_ROUNDS = 3
_SEVERAL = 2
_CONTAINERS = frozenset({"ModuleList", "ModuleDict", "Sequential", "ParameterList", "ParameterDict"})
_OF_TENSORS = frozenset({"register_buffer", "register_parameter"})
_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"})


@RULE.on(ast.For, ast.While)
def check(node: ast.For | ast.While, ctx: Context) -> Iterator[Finding]:
    """A loop of a module's method that is in no other loop, outside compiled code."""
    cls, function = ctx.cls(node), ctx.function(node)
    if cls is None or not cls.is_module or function is None or function.compiled:
        return
    if isinstance(node, ast.For) and has_few_rounds(node.iter, _FEW_ROUNDS):
        return
    if ctx.loops(node) or _calls_large_module(node, ctx):
        return
    reread = {name: reads for name, reads in _reads(node, ctx).items() if _is_reread(reads, node, cls, ctx)}
    if not reread:
        return
    *others, last = [f"self.{name}" for name in reread]
    listed = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    yield ctx.finding(
        RULE,
        min((reads[0] for reads in reread.values()), key=lambda read: (read.lineno, read.col_offset)),
        f"{listed} read on every round of the loop at line {node.lineno}: "
        "a module's __getattr__ looks up what was registered, in Python",
        help="bind it to a local name before the loop",
        fix=_fix(node, reread, cls, ctx),
    )


def _reads(node: ast.For | ast.While, ctx: Context) -> dict[str, list[ast.Attribute]]:
    """Where the loop reads attributes of ``self`` that it never sets, by name."""
    found: dict[str, list[ast.Attribute]] = {}
    changed = set()
    for part in [*node.body, *([node.test] if isinstance(node, ast.While) else [])]:
        for item in [part, *ctx.within(part, ast.Attribute)]:
            if not is_own_attribute(item):
                continue
            if not isinstance(item.ctx, ast.Load) or ctx.function(item) is not ctx.function(node):
                changed.add(item.attr)
            else:
                found.setdefault(item.attr, []).append(item)
    return {name: reads for name, reads in found.items() if name not in changed}


def _is_reread(
    reads: Sequence[ast.Attribute], loop: ast.For | ast.While, cls: ClassFacts, ctx: Context
) -> bool:
    """Whether an attribute is registered with the module, and read so often that it shows.

    A parameter or buffer is: the operators on it cost little more. A module of torch is, if it is read
    twice a round or in an inner loop.
    """
    if _is_tensor(reads[0], cls, ctx):
        return True
    if not _is_of_torch(reads[0], ctx):
        return False
    inner = any(len(ctx.loops(read)) > len(ctx.loops(loop)) + 1 for read in reads)
    return inner or sum(_times(part, reads) for part in loop.body) >= _SEVERAL


def _is_of_torch(node: ast.expr, ctx: Context) -> bool:
    """Whether an attribute is a module of torch, no container."""
    made = ctx.value(node)
    name = ctx.qualified_name(made.func) if isinstance(made, ast.Call) else None
    if name is None or not name.startswith("torch.nn.") or name.startswith("torch.nn.functional."):
        return False
    return name.rpartition(".")[2] not in _CONTAINERS and name.rpartition(".")[2][:1].isupper()


def _calls_large_module(loop: ast.For | ast.While, ctx: Context) -> bool:
    """Whether the loop calls a module of the project, or one of many: a read beside it is nothing."""
    calls = [call.func for part in loop.body for call in ctx.within(part, ast.Call)]
    return any(not _is_of_torch(called, ctx) and _may_be_module(called, ctx) for called in calls)


def _may_be_module(called: ast.expr, ctx: Context) -> bool:
    """Whether what is called is a module, or an attribute of ``self`` that is no method of the class."""
    if ctx.kind(called) is Kind.MODULE:
        return True
    cls = ctx.cls(called)
    return is_own_attribute(called) and (cls is None or called.attr not in cls.methods)


def _is_tensor(node: ast.Attribute, cls: ClassFacts, ctx: Context) -> bool:
    """Whether an attribute is a parameter or buffer by what its class does."""
    if any(own_name(call.func) in _OF_TENSORS for call in registrations(node.attr, cls, ctx)):
        return True
    made = ctx.value(node)
    return isinstance(made, ast.Call) and ctx.qualified_name(made.func) in _PARAMETERS


def _times(node: ast.AST, reads: Sequence[ast.AST]) -> int:
    """How many of the reads one round runs: of two branches, those of the one with more."""
    if node in reads:
        return 1
    if isinstance(node, (ast.If, ast.IfExp)):
        branches = [
            sum(_times(part, reads) for part in (block if isinstance(block, list) else [block]))
            for block in (node.body, node.orelse)
        ]
        return _times(node.test, reads) + max(branches)
    return sum(_times(part, reads) for part in ast.iter_child_nodes(node))


def _fix(
    loop: ast.stmt, reread: Mapping[str, Sequence[ast.Attribute]], cls: ClassFacts, ctx: Context
) -> Fix | None:
    """Unsafe: what the loop calls might register another one under the name.

    None where a read before the loop may be another, or may raise though no round reads it.
    """
    edits: list[Edit] = []
    function = ctx.function(loop)
    assert function is not None
    taken = {item.id for item in ctx.within(function.node, ast.Name)}
    taken |= {item.arg for item in ctx.within(function.node, ast.arg)}
    bound = []
    for name, reads in reread.items():
        if any(in_f_string(item, ctx) for item in reads):
            return None
        if not is_always_there(reads[0], cls, ctx) or may_be_replaced(name, loop, cls, ctx):
            return None
        local = free_name(
            name.lstrip("_") or "module", lambda choice: choice in taken or ctx.is_bound(choice, loop)
        )
        taken.add(local)
        bound.append(f"{local} = self.{name}")
        edits += (replace(item, local) for item in reads)
    edits.append(insert_before(loop, "\n".join(bound)))
    return Fix(Applicability.UNSAFE, "bind it to a local name", edits=tuple(edits))
