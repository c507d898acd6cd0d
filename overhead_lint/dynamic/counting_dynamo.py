"""Lets Dynamo read instrumented code as it was before.

What it uses is looked for by name. Where it is missing, instrumented functions are compiled with the
calls in them, which costs graph breaks: so `read_without` says what is missing, and nothing is counted.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

from overhead_lint.dynamic.untraced import skip_ours

__all__ = ["MODULE", "read_program_only", "read_without"]

MODULE: Final = "torch._dynamo.bytecode_transformation"
"""To be given to `read_program_only`, best as soon as it is imported."""

_PACKAGE: Final = "torch._dynamo."
_FUNCTION: Final = "cleaned_instructions"


def read_program_only(module: ModuleType) -> None:
    """Have Dynamo compile the program as if nothing of ours were there.

    Args:
        module: Dynamo's module of the name `MODULE`.

    Raises:
        RuntimeError: see `read_without`.
    """
    skip_ours()
    if sys.version_info < (3, 12):  # where nothing is put into the program's code
        read_without(module)


def read_without(module: ModuleType) -> None:
    """Drop the calls of counters from the instructions that Dynamo reads.

    Args:
        module: Dynamo's module of the name `MODULE`.

    Raises:
        RuntimeError: it has no function that gives the instructions of a code object.
    """
    original = getattr(module, _FUNCTION, None)
    if original is None:
        raise RuntimeError(f"this torch has no {MODULE}.{_FUNCTION}")

    def cleaned_instructions(*arguments: Any, **options: Any) -> Any:
        return _without_calls(original(*arguments, **options))

    setattr(module, _FUNCTION, cleaned_instructions)
    for name, other in list(sys.modules.items()):
        if name.startswith(_PACKAGE) and vars(other).get(_FUNCTION) is original:
            setattr(other, _FUNCTION, cleaned_instructions)


def _without_calls(instructions: list[Any]) -> list[Any]:
    """Instructions without the load of a counter, its call, and the jump or pop that takes the result."""
    dropped: dict[int, int] = {}
    for start, instruction in enumerate(instructions):
        if instruction.opname != "LOAD_CONST" or not callable(instruction.argval):
            continue  # Python itself makes no constant that can be called
        first = start - (start > 0 and instructions[start - 1].opname == "PUSH_NULL")
        end = start + 1
        while not instructions[end].opname.startswith("CALL"):
            end += 1
        end += 2
        dropped.update((index, end) for index in range(first, end))
    if not dropped:
        return instructions

    def kept(instruction: Any) -> Any:
        index = positions[id(instruction)]
        while index in dropped:
            index = dropped[index]
        return instructions[index]

    positions = {id(instruction): index for index, instruction in enumerate(instructions)}
    left = [one for index, one in enumerate(instructions) if index not in dropped]
    for one in left:
        if one.target is not None:
            one.target = kept(one.target)
        table = getattr(one, "exn_tab_entry", None)
        if table is not None:
            table.start, table.end = (
                kept(table.start),
                _last_kept(instructions, positions, dropped, table.end),
            )
            table.target = kept(table.target)
    return left


def _last_kept(instructions: list[Any], positions: dict[int, int], dropped: dict[int, int], last: Any) -> Any:
    """The last instruction, at or before one, that is not dropped: ends of ranges are inclusive."""
    index = positions[id(last)]
    while index in dropped:
        index -= 1
    return instructions[index]
