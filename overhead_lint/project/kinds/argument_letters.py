"""Letters for what calls pass to parameters, and what those of all calls agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.kind_members import KIND_ARRAY, KIND_HOST_TENSOR, KIND_TENSOR

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LETTERS", "OTHER", "UNKNOWN", "agreed"]

LETTERS: Final = {KIND_TENSOR: "t", KIND_HOST_TENSOR: "h", KIND_ARRAY: "a"}
OTHER: Final = "x"
UNKNOWN: Final = "?"


def agreed(letters: Iterable[str]) -> str:
    """What a parameter is that calls pass these for; "" where those that are known do not agree.

    What is unknown may be anything: a tensor of the device is one all the same where it is passed, but what
    is said to be on the host has to be so in all calls.
    """
    told = set(letters)
    if told - {UNKNOWN} == {"t"}:
        return "t"
    return next(iter(told)) if len(told) == 1 and told <= {"a", "h"} else ""
