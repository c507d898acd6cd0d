"""Tensors where a function of torch takes a Python number: it reads them back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._assignments import assigned_values
from ._sizes import is_tensor

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["LENGTH_CALLS", "NUMBER_CALLS", "lengths", "numbers"]

# Of functions of torch, and of methods of tensors, which lack the first argument: where numbers stand.
_PLACES: Final = {
    "chunk": (1,),
    "full": (1,),
    "full_like": (1,),
    "index_fill": (3,),
    "index_fill_": (3,),
    "kthvalue": (1,),
    "masked_fill": (2,),
    "masked_fill_": (2,),
    "multinomial": (1,),
    "narrow": (2, 3),
    "new_full": (2,),
    "normal_": (1, 2),
    "one_hot": (1,),
    "pad": (1,),
    "roll": (1,),
    "split": (1,),
    "topk": (1,),
}
_KEYWORDS: Final = {
    **dict.fromkeys(("add", "add_", "rsub", "sub", "sub_", "subtract", "subtract_"), ("alpha",)),
    **dict.fromkeys(("addcdiv", "addcdiv_", "addcmul", "addcmul_"), ("value",)),
    **dict.fromkeys(
        """addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_""".split(),  # noqa: SIM905
        ("alpha", "beta"),
    ),
    "full": ("fill_value",),
    "full_like": ("fill_value",),
    **dict.fromkeys(("index_fill", "index_fill_", "masked_fill", "masked_fill_"), ("value",)),
    "new_full": ("fill_value",),
    "normal_": ("mean", "std"),
    "one_hot": ("num_classes",),
    "pad": ("value",),
    "roll": ("shifts",),
    "topk": ("k",),
}
NUMBER_CALLS: Final = frozenset({*_PLACES, *_KEYWORDS})
"""Names of what is called where `numbers` may find something."""
_MODULES: Final = frozenset({"torch", "torch.nn.functional"})


def numbers(node: ast.Call, function: ast.Attribute, name: str, ctx: Context) -> Iterator[ast.expr]:
    """Tensors of the device among the numbers that a call is told, sizes left aside."""
    module, _, last = name.rpartition(".")
    if last not in NUMBER_CALLS and function.attr not in NUMBER_CALLS:
        return
    if name:
        if module not in _MODULES:
            return
        places = _PLACES.get(last, ())
    elif ctx.kind(function.value) is Kind.TENSOR:
        last, places = function.attr, tuple(place - 1 for place in _PLACES.get(function.attr, ()))
    else:
        return
    given = [node.args[place] for place in places if place < len(node.args)]
    given += [item.value for item in node.keywords if item.arg in _KEYWORDS.get(last, ())]
    for value in given:
        for number in value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]:
            if is_tensor(number, ctx) and not _is_number_elsewhere(number, ctx):
                yield number


def _is_number_elsewhere(node: ast.expr, ctx: Context) -> bool:
    """Whether another assignment makes a number of a name: 0.0 in one branch, ``x.mean()`` in the other."""
    return isinstance(node, ast.Name) and any(
        ctx.kind(one) is Kind.NUMBER for one in assigned_values(node, ctx)
    )


LENGTH_CALLS: Final = frozenset({"ctc_loss"})
"""Names of what is called where `lengths` may find something."""
_LENGTHS: Final = ("input_lengths", "target_lengths")


def lengths(node: ast.Call, function: ast.Attribute, name: str, ctx: Context) -> Iterator[ast.expr]:
    """Lengths on the device that a loss copies to the host: of ``F.ctc_loss``, and of ``CTCLoss``."""
    if name:
        if name not in {"torch.ctc_loss", "torch.nn.functional.ctc_loss"}:
            return
    else:
        made = ctx.value(function)
        if not isinstance(made, ast.Call) or ctx.qualified_name(made.func) != "torch.nn.CTCLoss":
            return
    for value in (*node.args[2:4], *(item.value for item in node.keywords if item.arg in _LENGTHS)):
        if is_tensor(value, ctx):
            yield value
