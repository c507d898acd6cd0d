"""OVH312: context managers made outside of the compiled code that enters them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Rule, Tier
from overhead_lint.syntax.dotted_names import root_of

from .._call_graph import may_overlap
from .._calls import argument_values
from .._releases import KEPT_SINCE, OWN_CLASS, may_precede, spelled
from .._taken import is_bound_in_function
from .._wording import short
from ..contexts._stock import GRAD_MODES
from ._compiled import runs_compiled

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH312",
    name="context-instance-in-compiled",
    summary="compiled code enters a context manager made elsewhere",
    triggers=(b"compile", b"dynamo"),
    heat=Heat.COLD,
    tier=Tier.CORRECTNESS,
    stable_since="0.2.0",
)

# What breaks the graph when it is made outside, and is traced when it is made in the compiled code.
_TRACED_WHEN_FRESH = GRAD_MODES | {"torch.set_grad_enabled", "contextlib.ExitStack", "contextlib.suppress"}
# What breaks the graph wherever it is made.
_NEVER_TRACED = frozenset(
    {
        "threading.Lock",
        "threading.RLock",
        "torch.device",
        "torch.nn.attention.sdpa_kernel",
        "torch.autograd.set_detect_anomaly",
        "torch.autograd.graph.saved_tensors_hooks",
        "torch.autograd.graph.save_on_cpu",
        "torch.random.fork_rng",
    }
)


@RULE.on(ast.withitem)
def check(node: ast.withitem, ctx: Context) -> Iterator[Finding]:
    """``with self.context:`` in compiled code."""
    entered = node.context_expr
    if not isinstance(entered, (ast.Name, ast.Attribute)) or not runs_compiled(entered, ctx):
        return
    made = ctx.value(entered)
    if not isinstance(made, ast.Call) or ctx.function(made) is ctx.function(entered):
        return
    name = ctx.qualified_name(made.func)
    what, who = short(entered, ctx), "Dynamo"
    if name in _NEVER_TRACED:
        help = "enter it outside of the compiled function"
    elif name in _TRACED_WHEN_FRESH or _is_context_class(made, ctx):
        kept = KEPT_SINCE.get(name if name in _TRACED_WHEN_FRESH else OWN_CLASS)
        if kept is not None:
            if not may_precede(kept, ctx):
                return
            who = f"before torch {spelled(kept)} Dynamo"
        help = f"make it where it is entered: with {' '.join(ctx.text(made).split())}:"
    else:
        return
    yield ctx.finding(
        RULE,
        entered,
        f"{what} was made before the function was compiled: {who} traces only contexts that it sees made, "
        "and runs the function eagerly (fullgraph=True raises)",
        help=help,
        fix=None if name in _NEVER_TRACED else _fix(entered, made, name, ctx),
    )


def _is_context_class(made: ast.Call, ctx: Context) -> bool:
    """Whether a call builds an instance of a class of this file that has ``__enter__``."""
    name = ctx.qualified_name(made.func)
    return any(name == f".{cls.qualname}" and "__enter__" in cls.methods for cls in ctx.classes())


def _fix(entered: ast.expr, made: ast.Call, name: str | None, ctx: Context) -> Fix | None:
    """Write the call where the instance is entered, if it takes nothing but literals."""
    values = argument_values(made)
    if not all(isinstance(item, ast.Constant) for item in values) or any(
        item.arg is None for item in made.keywords
    ):
        return None
    root = root_of(made.func)
    if not isinstance(root, ast.Name) or not _is_of_module(root, ctx):
        return None
    if any(is_bound_in_function(root.id, place, ctx) for place in (entered, made)):
        return None  # there the name is another one
    # An instance of set_grad_enabled restores the mode in which it was made, not that around the block.
    stateless = name in GRAD_MODES and _is_entered_alone(entered, made, ctx)
    return Fix(
        Applicability.SAFE if stateless else Applicability.UNSAFE,
        "make it where it is entered",
        edits=(replace(entered, "{made}", made=made),),
    )


def _is_entered_alone(entered: ast.expr, made: ast.expr, ctx: Context) -> bool:
    """Whether a name of the module is bound in any case, and nothing but this place speaks of it.

    An attribute may be bound elsewhere: by a subclass, by who uses the instance, through ``__dict__``. An
    instance that is entered while it is active does not restore the mode that was there at first.
    """
    if not isinstance(entered, ast.Name) or ctx.parent(ctx.statement(made)) is not ctx.tree:
        return False
    function = ctx.function(entered)
    if function is not None and may_overlap(ctx.statement(entered), {function.qualname}, ctx):
        return False
    name = entered.id
    return (
        sum(item.id == name for item in ctx.nodes(ast.Name)) == 2
        and not any(isinstance(item.value, str) and name in item.value for item in ctx.nodes(ast.Constant))
        and not any(item.arg == name for item in ctx.nodes(ast.keyword))
    )


def _is_of_module(name: ast.Name, ctx: Context) -> bool:
    """Whether an import, class or function of the module's own level binds a name."""
    for item in ctx.tree.body:
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            if any(name.id == (alias.asname or alias.name.partition(".")[0]) for alias in item.names):
                return True
        elif isinstance(item, (ast.ClassDef, ast.FunctionDef)) and item.name == name.id:
            return True
    return False
