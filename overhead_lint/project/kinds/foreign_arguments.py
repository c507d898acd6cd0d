"""What the calls of a file pass to functions of other files: tensors of the device, of the host, arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.argument_letters import LETTERS, OTHER, UNKNOWN
from overhead_lint.project.kinds.kind_members import KIND_UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.file_calls import FileCalls
    from overhead_lint.project.kinds.abstract_value import AbstractValue

__all__ = ["passed_on"]

# Calls with more arguments than these are looked at for the first ones only.
_MOST_ARGUMENTS: Final = 8


def passed_on(facts: FileCalls) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Paths of what is called in other files, with what arguments are: ``0t`` for a tensor at first place.

    Calls of functions that are imported are looked at, in files that import torch, for those that pass a
    tensor or an array: classes and methods are called with too much else to be worth the time.
    """
    if not any(name.partition(".")[0] == "torch" for name in facts.names.top_level.values()):
        return
    found: dict[str, dict[str, None]] = {}
    for call in facts.scan.of_class(ast.Call):
        if not (call.args or call.keywords):
            continue
        path = facts.paths.certain(call.func)
        if path is None or path[0] == "." or path[path.rfind(".") + 1].isupper() or not facts.leads_on(path):
            continue
        for slot in _slots(call, facts):
            found.setdefault(path, {})[slot] = None
    for path, slots in found.items():
        if any(slot[-1] in LETTERS.values() for slot in slots):
            yield path, tuple(slots)


def _slots(call: ast.Call, facts: FileCalls) -> Iterator[str]:
    """The arguments of a call by place or keyword, each with a letter for what it is."""
    for place, value in enumerate(call.args[:_MOST_ARGUMENTS]):
        if value.__class__ is ast.Starred:
            return
        yield f"{place}{_letter(value, facts)}"
    for keyword in call.keywords[:_MOST_ARGUMENTS]:
        if keyword.arg is not None:
            yield f"{keyword.arg}{_letter(keyword.value, facts)}"


def _letter(value: ast.expr, facts: FileCalls) -> str:
    if isinstance(value, ast.Constant):
        return UNKNOWN if value.value is None else OTHER
    what: AbstractValue = facts.kinds.infer(value)
    if what.kind is KIND_UNKNOWN:
        return UNKNOWN
    return LETTERS.get(what.kind, OTHER)
