"""Which functions of a file hardly ever say yes where they are asked: ``return step % every == 0``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.passed_arguments import Role
from overhead_lint.analysis.ir.queries import constant, is_constant
from overhead_lint.analysis.ir.records import FUNCTION_BODY, NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.gates.judge import Gates
    from overhead_lint.analysis.ir.names import Names

__all__ = ["answers"]


def answers(names: Names, gates: Gates) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the plain names of functions that hardly ever say yes, and those of others that may say it.

    Each come with the number of their `Role`.

    Args:
        names: the names of the file.
        gates: judges what its functions give.
    """
    found: dict[Role, dict[str, None]] = {Role.SELDOM: {}, Role.ANSWERING: {}}
    for place, record in enumerate(names.functions):
        if record.kind == FUNCTION_BODY and _may_say_yes(names, place):
            found[Role.ANSWERING if gates.answer(place) is None else Role.SELDOM][record.name] = None
    return tuple((int(role), tuple(sorted(said))) for role, said in found.items() if said)


def _may_say_yes(names: Names, place: int) -> bool:
    """Whether a function gives something else than constants that are false."""
    record = names.functions[place]
    given = [record.operand[at] for at in record.returned]
    return any(one != NONE and not (is_constant(record, one) and not constant(record, one)) for one in given)
