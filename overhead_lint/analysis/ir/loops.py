"""Which names keep over the rounds of a loop what one of them gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.paths import in_loop
from overhead_lint.analysis.ir.queries import NAMED, made_of

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.queries import Flow

__all__ = ["outlives_rounds"]


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
