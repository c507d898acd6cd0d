"""OVH611: modules that are made in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Kind, Rule

from .._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH611",
    name="module-per-step",
    summary="module made on every step",
    triggers=(b"nn",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_NN = "torch.nn."
# Layers whose weights are drawn when they are made.
_WITH_WEIGHTS = frozenset(
    {
        "Bilinear",
        "Embedding",
        "EmbeddingBag",
        "GRU",
        "GRUCell",
        "LSTM",
        "LSTMCell",
        "Linear",
        "MultiheadAttention",
    }
    | {"RNN", "RNNCell", "Transformer", "TransformerEncoderLayer"}
    | {f"{name}{size}d" for name in ("Conv", "ConvTranspose") for size in (1, 2, 3)}
)
# Made around other modules for what they are to do there, or no modules.
_OTHERS = frozenset({"Buffer", "DataParallel", "Module", "Parameter", "UninitializedParameter"})


@RULE.on(ast.Call)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``nn.Softmax(dim=-1)(x)`` and kin, outside of compiled code."""
    name = _class_of(node, ctx)
    if not name or not _is_called(node, ctx) or ctx.is_compiled(node):
        return
    last = name.rpartition(".")[2]
    drawn = name.startswith(_NN) and last in _WITH_WEIGHTS
    yield ctx.finding(
        RULE,
        node,
        f"{last} is built on every call: a module sets up a dozen dictionaries before it runs"
        + (", and its weights are drawn again" if drawn else ""),
        help="make it once, in __init__"
        if drawn or not name.startswith(_NN)
        else "make it once, in __init__, or call the function for it in torch.nn.functional",
    )


def _class_of(node: ast.Call, ctx: Context) -> str:
    """The name of the module's class that a call makes an instance of; "" for other calls."""
    if not own_name(node.func)[:1].isupper():
        return ""  # of most calls
    name = ctx.qualified_name(node.func)
    if name is None:
        return ""
    module, _, last = name.rpartition(".")
    if not last[:1].isupper() or last in _OTHERS:
        return ""
    if name.startswith(_NN):
        return name if module == "torch.nn" or module.startswith("torch.nn.modules") else ""
    return name if ctx.kind(node) is Kind.MODULE else ""


def _is_called(node: ast.Call, ctx: Context) -> bool:
    """Whether the function that makes a module calls it: others build what is kept."""
    parent = ctx.parent(node)
    if isinstance(parent, ast.Call):
        return parent.func is node
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return False
    target, function = parent.targets[0], ctx.function(node)
    if function is None or not isinstance(target, (ast.Name, ast.Attribute)):
        return False
    text = ctx.text(target)
    return any(
        call.func.__class__ is target.__class__ and call.lineno > node.lineno and ctx.text(call.func) == text
        for call in ctx.within(function.node, ast.Call)
    )
