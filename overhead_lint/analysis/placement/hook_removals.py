"""Where hooks are taken away again: ``handle.remove()``, in a function or in what it calls."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, CLASS, FUNCTION, YIELD
from overhead_lint.analysis.ir.paths import always_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.placement.frequencies import Frequencies
    from overhead_lint.analysis.values.project import Values

__all__ = ["HookRemovals"]

_DEFINING: Final = frozenset({CLASS, FUNCTION})


class HookRemovals:
    """Tells which functions of one file take hooks away.

    Args:
        module: the name of the file's module.
        names: the names of the file.
        values: its values.
        frequencies: how often its program points run.
        is_hot: whether a loop takes steps, by its function and number.
    """

    def __init__(
        self,
        module: str,
        names: Names,
        values: Values,
        frequencies: Frequencies,
        is_hot: Callable[[int, int], bool],
    ) -> None:
        self._module = module
        self._names = names
        self._values = values
        self._frequencies = frequencies
        self._is_hot = is_hot

    def take_back(self, place: int, at: int) -> bool:
        """Whether the function of an operation takes hooks away behind it, or the first around that does.

        Not where it holds a loop of steps, all of which run the hook, or gives others the time in between.
        """
        while not any(one > at for one in self._calls.get(place, ())):
            inner, place = place, self._names.functions[place].parent
            if place < 0:
                return False
            record = self._names.functions[place]
            at = next(
                at for at, code in enumerate(record.code) if code in _DEFINING and record.operand[at] == inner
            )
        record = self._names.functions[place]
        has_steps = any(self._is_hot(place, loop) for loop in range(len(record.loops)))
        return place > 0 and not has_steps and YIELD not in record.code

    def are_always(self, place: int) -> bool:
        """Whether each call of a function that no exception ends takes hooks away."""
        flow = self._names.flow(place)
        return any(always_runs(flow, flow.block_of(one)) for one in self._calls.get(place, ()))

    @cached_property
    def _calls(self) -> Mapping[int, Sequence[int]]:
        """By functions the calls in them that take hooks away, themselves or by what they run."""
        found = defaultdict[int, list[int]](list)
        for place, record in enumerate(self._names.functions):
            for at, code in enumerate(record.code):
                if code == CALL and _is_removal(record, at) and self._counts(place, at):
                    found[place].append(at)
        waiting = list(found)
        callers = self._callers() if found else {}
        for removing in waiting:  # it grows
            for place, at in callers.get(removing, ()):
                if self._counts(place, at):
                    if place not in found:
                        waiting.append(place)
                    found[place].append(at)
        return found

    def _callers(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """By functions of the file the calls that run them and nothing else."""
        found = defaultdict[int, list[tuple[int, int]]](list)
        for place, record in enumerate(self._names.functions):
            for at, code in enumerate(record.code):
                runs = self._values.certain_callee(self._module, place, at) if code == CALL else None
                if runs is not None:
                    found[runs].append((place, at))
        return found

    def _counts(self, place: int, at: int) -> bool:
        block = self._names.flow(place).block_of(at)
        return self._frequencies.of(place, block, at).frequency >= SAME


def _is_removal(record: FunctionIR, at: int) -> bool:
    """Whether a call takes a hook away, by its handle: ``handle.remove()``."""
    called, (given, _) = record.operand[at], record.extra[at]
    return record.code[called] == ATTRIBUTE and record.extra[called] == "remove" and not given
