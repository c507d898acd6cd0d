"""What loops over numbers go through, and which names keep over the rounds what one of them gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import NAMED, made_of
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.queries import Flow
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["outlives_rounds", "range_end", "range_of"]

_RANGES: Final = frozenset({"range", "trange"})


def range_of(record: FunctionIR, value: int) -> int:
    """Return the call of ``range`` that is gone over, within others such as ``tqdm``; `NONE` if none is."""
    while record.code[value] == CALL and record.extra[value][0]:
        if last_name(record, value) in _RANGES:
            return value
        value = record.extra[value][0][0]
    return NONE


def range_end(record: FunctionIR, call: int) -> int:
    """Return ``n`` of ``range(n)`` and ``range(a, n)``."""
    given = record.extra[call][0]
    return int(given[1] if len(given) > 1 else given[0])


def outlives_rounds(flow: Flow, asked: int, name: str, loop: int) -> bool:
    """Whether a name keeps over the rounds of a loop what a test of it decides about.

    It is bound before the loop; in the loop only under that test, or to something made of itself:
    ``if kept is None: kept = ...``, ``kept = join(kept, new)``.
    """
    record = flow.record
    bindings = record.stores.get(name, [])
    is_bound_before = False
    for binding in bindings:
        block = flow.block_of(binding)
        if not in_loop(record, block, loop):
            is_bound_before = True
        elif not any(asked in made_of(record, guard.condition, NAMED) for guard in flow.guards_of(block)):
            parts = made_of(record, record.operand[binding], NAMED)
            if not any(not set(bindings).isdisjoint(flow.definitions(one)) for one in parts):
                return False
    return is_bound_before
