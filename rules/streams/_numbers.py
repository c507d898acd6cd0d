"""Tensors where a function of torch takes a Python number: it reads them back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from ._sizes import is_tensor

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["NUMBER_CALLS", "numbers"]

# Of functions of torch, and of methods of tensors, which lack the first argument: where numbers stand.
_PLACES: Final = {
    "chunk": (1,),
    "full": (1,),
    "full_like": (1,),
    "kthvalue": (1,),
    "multinomial": (1,),
    "narrow": (2, 3),
    "new_full": (2,),
    "one_hot": (1,),
    "pad": (1,),
    "roll": (1,),
    "split": (1,),
    "topk": (1,),
}
_KEYWORDS: Final = {
    **dict.fromkeys(("add", "add_", "rsub", "sub", "sub_"), ("alpha",)),
    **dict.fromkeys(("addcdiv", "addcdiv_", "addcmul", "addcmul_"), ("value",)),
    **dict.fromkeys(("addbmm", "addmm", "addmm_", "addmv", "baddbmm"), ("alpha", "beta")),
    "full": ("fill_value",),
    "full_like": ("fill_value",),
    "new_full": ("fill_value",),
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
            if is_tensor(number, ctx):
                yield number
