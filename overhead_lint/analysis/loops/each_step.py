"""Which functions of a file its code runs in every step, whatever they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.ir.paths import always_runs, in_loop, runs_each_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.values.project import Values

__all__ = ["run_each_step"]


def run_each_step(
    module: str,
    names: Names,
    values: Values,
    is_hot: Callable[[int, int], bool],
    steps: Iterable[int],
) -> frozenset[int]:
    """Return the functions that rounds of hot loops, or other functions, call each time and certainly.

    Args:
        module: the name of the file's module.
        names: the names of the file.
        values: its values.
        is_hot: whether the rounds of a loop are steps, by its function and number.
        steps: functions that run in every step for what they are.
    """

    def called(place: int, loop: int | None) -> Iterator[int]:
        """Yield what each round of a loop calls, or with none each call of the function."""
        record, flow = names.functions[place], names.flow(place)
        for at, code in enumerate(record.code):
            if code != CALL:
                continue
            block = flow.block_of(at)
            if loop is None:
                is_each = always_runs(flow, block)
            else:
                is_each = in_loop(record, block, loop) and runs_each_round(flow, block, loop)
            runs = values.certain_callee(module, place, at) if is_each else None
            if runs is not None:
                yield runs

    found = {
        one
        for place, record in enumerate(names.functions)
        for loop in range(len(record.loops))
        if is_hot(place, loop)
        for one in called(place, loop)
    }
    waiting = [*steps, *found]
    for place in waiting:  # it grows
        for one in called(place, None):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return frozenset(found)
