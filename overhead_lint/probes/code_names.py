"""What a function is called, told from its code."""

from __future__ import annotations

import gc
from types import CodeType, FunctionType

__all__ = ["qualified_name"]


def qualified_name(code: CodeType) -> str:
    """The qualified name of the function that a code object belongs to: ``Model.forward``.

    Code knows it from Python 3.11 on. Before, a function that has the code is looked for; where none is
    left, the plain name has to do.
    """
    known = getattr(code, "co_qualname", None)
    if known is not None:
        return str(known)
    for holder in gc.get_referrers(code):
        if isinstance(holder, FunctionType) and holder.__code__ is code:
            return holder.__qualname__
    return code.co_name
