"""How heat spreads from function to function along calls."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import REPEATED, SAME, STEP
from overhead_lint.analysis.graph.requests import leading_to_steps, requesting
from overhead_lint.project.graph.by_options import run_by_options
from overhead_lint.project.graph.numbered_graph import (
    ANSWERS,
    BESIDE_TRAINING,
    BY_WORD,
    COLD,
    EVALUATES,
    FREQUENCY,
    GIVEN,
    HEAT,
    HEAT_BITS,
    HOT,
    HOT_LOOP,
    IN_ROUND,
    MODULE_CALL,
    OF_DATA,
    OFFERED,
    ONCE,
    OPTIONAL,
    PLAIN,
    PRIVATELY,
    SHUT,
    STEPS,
    SURE,
    TARGET,
    TENSORS,
    TRAINS,
    UNNAMED,
    VIA,
    NumberedGraph,
)
from overhead_lint.project.via import Via
from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = [
    "AS_HOT",
    "AS_OFFERED",
    "AS_PRESUMED",
    "AS_STEPPING",
    "AS_UNNAMED",
    "BY_EDGE",
    "HeatFlow",
    "by_edge",
]

AS_HOT: Final = -1
"""A function is hot for what it is."""
AS_OFFERED: Final = -2
"""It is offered to users, and nobody in the project calls it."""
AS_PRESUMED: Final = -3
"""It works with tensors, and nobody calls it."""
AS_STEPPING: Final = -4
"""It takes a step of an optimizer each time, and nobody who calls it is known to run in steps."""
AS_UNNAMED: Final = -5
"""It would be hot, offered or stepping, but nothing in the project names it."""
BY_EDGE: Final = -6
"""An edge begins it, the first: of a hot loop, or of what is handed over. Others are so much less."""

# How a place runs its targets, in the bits that edges have for it.
_SAME: Final = SAME << 3
_REPEATED: Final = REPEATED << 3
_IN_ROUNDS: Final = STEP << 3
# The bits that all other ways have than these two. A method's name alone may mean another's; a function that
# is handed over is called by who knows whom.
_UNKNOWN_WAYS: Final = VIA & ~(Via.CALL | Via.READ)
_GIVEN_AWAY: Final = int(Via.HOOK)
_PRESUMED: Final = int(Heat.PRESUMED)
_REQUEST: Final = int(Heat.REQUEST)
_STEP: Final = int(Heat.STEP)
_LOOP: Final = int(Heat.LOOP)
_ROLE: Final = int(Via.ROLE)
_CALLING: Final = frozenset({int(Via.CALL), int(Via.METHOD)})
# Through how many more methods a call of a module is followed to the one that holds a hot loop.
_MOST_SURE: Final = 2
# What keeps heat out of a function, see `HeatFlow._walls`.
_DRIVES: Final = 1
_WHOLE: Final = 2


class _Calls(NamedTuple):
    """What is known of the functions by the edges that lead to them, by their numbers.

    Attributes:
        callers: those that may run it, other than by a role; most have one, and need no list.
        called: whether others are known to call it.
        by_default: whether one of those that may run it does so by default.
    """

    callers: list[int | list[int] | None]
    called: bytearray
    by_default: bytearray


def by_edge(edge: int) -> int:
    """How heat came that an edge begins, and which edge that is of how it came."""
    return BY_EDGE - edge


class HeatFlow:
    """Lets heat flow through the functions of a project.

    Functions, edges and what heat reaches are numbers, as `overhead_lint.project.graph.numbered_graph` says.

    Args:
        graph: the project.
    """

    def __init__(self, graph: NumberedGraph) -> None:
        self._graph = graph

    def all(self) -> dict[int, int]:
        """What heat reaches, and what from: the number of a caller that it has reached, or how it began.

        It starts at hot loops and at functions that are hot for what they are, data sets' last: what nothing
        else runs as often works on the host. Then operators without a known
        caller are, and what works with tensors and has none is presumed to be, but for what takes a step of
        an optimizer, which is one. What nothing in the project names is presumed, whichever of these it is.
        A word makes no step of what the project calls, where only options that are off by default let it.
        Functions may be reached more than once, by greater heat each time.
        """
        reached: dict[int, int] = {}
        heats = bytearray(len(self._graph))
        self._spread(reached, heats, self._from_loops())
        flags = self._graph.flags
        hot = [one for one in self._having(HOT) if not (self._is_whole(one) or self._is_optional(one))]
        unnamed = [one for one in hot if flags[one] & UNNAMED]
        hot = [one for one in hot if not flags[one] & UNNAMED] if unnamed else hot
        steps = [(one << HEAT_BITS | _STEP, AS_HOT) for one in hot if not flags[one] & OF_DATA]
        self._spread(reached, heats, [*steps, *self._from_hooks()])
        self._spread(
            reached, heats, [(one << HEAT_BITS | _STEP, AS_HOT) for one in hot if flags[one] & OF_DATA]
        )
        self._spread(reached, heats, [(one << HEAT_BITS | _REQUEST, AS_HOT) for one in self._having(ANSWERS)])
        called, wanted = self._calls.called, PLAIN | HOT_LOOP
        uncalled = [one for one, has in enumerate(flags) if has & wanted == PLAIN and not called[one]]
        self._spread(reached, heats, self._offered(uncalled))
        working = [one for one in uncalled if self._working[one]]
        unnamed += [one for one in working if flags[one] & UNNAMED and flags[one] & (OFFERED | STEPS)]
        self._spread(reached, heats, [(one << HEAT_BITS | _PRESUMED, AS_UNNAMED) for one in unnamed])
        self._spread(reached, heats, [(one << HEAT_BITS | _PRESUMED, AS_PRESUMED) for one in working])
        self._spread(reached, heats, self._steps(heats))
        return reached

    def _having(self, flag: int) -> list[int]:
        """The functions that have a flag."""
        return [function for function, has in enumerate(self._graph.flags) if has & flag]

    def _is_whole(self, function: int) -> bool:
        """Whether each call of a module is no step: it says so, or calls a method that holds the hot loop."""
        return bool(self._graph.flags[function] & MODULE_CALL) and self._leads_surely(function)

    def _is_optional(self, function: int) -> bool:
        """Whether only a word makes a function a step, and all that call it do by options alone."""
        is_called = self._graph.flags[function] & BY_WORD and self._calls.called[function]
        return bool(is_called) and not self._calls.by_default[function]

    def _leads_surely(self, function: int, depth: int = 0) -> bool:
        """Whether each call of a function calls one that holds the hot loop, or itself is no step."""
        sure = [edge >> TARGET for edge in self._graph.of(function) if edge & (SURE | SHUT) == SURE]
        return any(target == function or self._holds_loop(target) for target in sure) or (
            depth < _MOST_SURE and any(self._leads_surely(target, depth + 1) for target in sure)
        )

    def _holds_loop(self, function: int) -> bool:
        return self._graph.flags[function] & (HOT_LOOP | HOT) == HOT_LOOP

    def _from_loops(self) -> Iterator[tuple[int, int]]:
        """What is called from hot loops."""
        graph = self._graph
        for at in graph.marked.hot:
            edge = graph.edges[at]
            if edge & SHUT or graph.flags[graph.source(at)] & COLD:
                continue
            if self.enters(edge):
                heat = _STEP if edge & FREQUENCY == _IN_ROUNDS else _LOOP
                if graph.source(at) in self.requests:
                    heat = _REQUEST
                if edge & OPTIONAL or graph.source(at) in self.by_options:
                    heat = _PRESUMED
                yield edge >> TARGET << HEAT_BITS | heat, by_edge(at)

    def enters(self, edge: int) -> bool:
        """Whether heat comes along an edge into the function that it leads to."""
        wall = self._walls[edge >> TARGET]
        return not wall or (wall == _DRIVES and edge & VIA != _ROLE)

    def _from_hooks(self) -> Iterator[tuple[int, int]]:
        """What is handed to something that runs it in every step, or to the compiler."""
        flags = self._graph.flags
        for at in self._graph.marked.given:
            edge = self._graph.edges[at]
            runs_once = flags[edge >> TARGET] & ONCE and edge & VIA == Via.HOOK
            if not edge & SHUT and not runs_once:
                is_optional = edge & OPTIONAL or self._graph.source(at) in self.by_options
                yield edge >> TARGET << HEAT_BITS | (_PRESUMED if is_optional else _STEP), by_edge(at)

    def _spread(self, reached: dict[int, int], heats: bytearray, start: Iterable[tuple[int, int]]) -> None:
        """Let heat flow from functions along their calls, wherever it makes something hotter."""
        flags, edges, first, walls = self._graph.flags, self._graph.edges, self._graph.first, self._walls
        queue = list(start)
        for code, before in queue:  # it grows
            function, heat = code >> HEAT_BITS, code & HEAT
            if heats[function] >= heat or flags[function] & COLD:
                continue
            reached[code] = before
            heats[function] = heat
            for edge in edges[first[function] : first[function + 1]]:
                frequency = edge & FREQUENCY
                if not _SAME <= frequency <= _REPEATED or edge & GIVEN == _GIVEN_AWAY or edge & SHUT:
                    continue  # a hot loop's calls were there from the start
                target = edge >> TARGET
                now = _LOOP if heat == _STEP and frequency == _REPEATED else heat
                if edge & BESIDE_TRAINING and now >= _STEP and target in self._generations:
                    now = _REQUEST
                if edge & OPTIONAL:
                    now = _PRESUMED
                wall = walls[target]
                if heats[target] < now and (not wall or (wall == _DRIVES and edge & VIA != _ROLE)):
                    queue.append((target << HEAT_BITS | now, code))

    @cached_property
    def by_options(self) -> dict[int, int]:
        """The functions that only options let run, each with one that runs it."""
        return run_by_options(self._graph)

    @cached_property
    def requests(self) -> frozenset[int]:
        """The functions whose hot loops go round once a request, and not once a step."""
        graph, rounds = self._graph, defaultdict[int, list[int]](list)
        for at in graph.marked.hot:
            edge = graph.edges[at]
            if (
                not edge & IN_ROUND
                and self._is_run(edge)
                and not graph.flags[graph.source(at)] & (COLD | TRAINS)
            ):
                rounds[graph.source(at)].append(edge >> TARGET)
        return requesting(rounds, self._runs, self._holds_steps, lambda one: bool(graph.flags[one] & TRAINS))

    @staticmethod
    def _is_run(edge: int) -> bool:
        """Whether what an edge leads to is run where it begins, by default."""
        return not edge & (SHUT | OPTIONAL) and edge & GIVEN != _GIVEN_AWAY

    @cached_property
    def _generations(self) -> frozenset[int]:
        """What runs in other modes than training alone, and holds, or leads to, a loop of steps.

        Each call of one is a whole generation, which is no part of a step of training.
        """
        graph = self._graph
        begin = {edge >> TARGET for edge in graph.edges if edge & BESIDE_TRAINING}
        return leading_to_steps(begin, self._runs, self._holds_steps) if begin else frozenset()

    def _runs(self, function: int) -> list[int]:
        """What a function runs as often as itself, or more often, by default."""
        return [
            edge >> TARGET
            for edge in self._graph.of(function)
            if edge & FREQUENCY >= _SAME and self._is_run(edge)
        ]

    def _holds_steps(self, function: int) -> bool:
        """Whether a function holds a loop whose rounds are steps."""
        return bool(self._graph.flags[function] & HOT_LOOP)

    @cached_property
    def _walls(self) -> bytearray:
        """Functions that not all can run in a step: those that drive a hot loop, and wholes among them.

        What plays a role in a step is no whole training or generation. Nor does a step hold a whole
        evaluation, though it may come to ask whether one is due, or what records no gradients and, whatever
        it is given, calls another that holds a hot loop: each call is a whole generation.
        """
        found, flags = bytearray(self.driving), self._graph.flags
        for function in range(len(found)):
            if not found[function] or flags[function] & HOT:
                continue
            if flags[function] & EVALUATES or self._leads_surely(function):
                found[function] = _DRIVES | _WHOLE
        return found

    @cached_property
    def driving(self) -> bytearray:
        """Functions that hold, or lead to, a hot loop."""
        return self._with_callers(self._having(HOT_LOOP))

    @cached_property
    def _working(self) -> bytearray:
        """Functions that work with tensors, themselves or through what they call."""
        return self._with_callers(self._having(TENSORS))

    def _offered(self, uncalled: Iterable[int]) -> Iterator[tuple[int, int]]:
        """What a library offers, for users to call in their own steps.

        What leads to a hot loop is a whole training or generation instead. What is private is for the
        project, and counts only where that hands it over to somebody. What the project itself runs, or hands
        over, by options alone that are off by default users hardly ever run.
        """
        flags = self._graph.flags
        for function in uncalled:
            is_for_users = flags[function] & (OFFERED | UNNAMED) == OFFERED
            is_optional = self._calls.callers[function] is not None and not self._calls.by_default[function]
            if is_for_users and self._working[function] and not (self.driving[function] or is_optional):
                if flags[function] & PRIVATELY and self._calls.callers[function] is None:
                    continue
                yield function << HEAT_BITS | _STEP, AS_OFFERED

    def _steps(self, heats: bytearray) -> Iterator[tuple[int, int]]:
        """What takes a step of an optimizer each time that it is called, where nobody knows when that is.

        Who does so through others is told where nobody calls it: heat flows from there. What leads to a hot
        loop is a whole training instead.
        """
        called, flags = self._calls.called, self._graph.flags
        for function in self._stepping():
            is_first = flags[function] & STEPS or not called[function]
            if is_first and heats[function] == Heat.PRESUMED and not self.driving[function]:
                yield function << HEAT_BITS | _STEP, AS_STEPPING

    def _stepping(self) -> Iterable[int]:
        """Functions that take a step of an optimizer each time, themselves or by a call outside of loops."""
        flags, others = self._graph.flags, COLD | HOT_LOOP | UNNAMED
        found = dict.fromkeys(one for one in self._having(STEPS) if not flags[one] & others)
        queue = list(found)
        for target in queue:  # it grows
            known = self._calls.callers[target]
            for caller in () if known is None else (known,) if isinstance(known, int) else known:
                is_one = not flags[caller] & (COLD | UNNAMED) and self._calls_once(caller, target)
                if caller not in found and is_one:
                    found[caller] = None
                    queue.append(caller)
        return queue

    def _calls_once(self, caller: int, target: int) -> bool:
        """Whether a function calls another in its flow, outside of its loops."""
        return any(
            edge >> TARGET == target and edge & (FREQUENCY | SHUT) == _SAME and edge & VIA in _CALLING
            for edge in self._graph.of(caller)
        )

    @cached_property
    def _calls(self) -> _Calls:
        """All that one way through all edges finds."""
        callers: list[int | list[int] | None] = [None] * len(self._graph)
        called, by_default = bytearray(len(self._graph)), bytearray(len(self._graph))
        first, edges = self._graph.first, self._graph.edges
        end = 0
        for function in range(len(self._graph)):
            begin, end = end, first[function + 1]
            for edge in edges[begin:end] if begin != end else ():
                if edge & SHUT or edge & VIA == _ROLE:
                    continue
                target = edge >> TARGET
                if not edge & _UNKNOWN_WAYS and target != function:
                    called[target] = 1
                if not edge & OPTIONAL:
                    by_default[target] = 1
                known = callers[target]
                if known is None:
                    callers[target] = function
                elif isinstance(known, list):
                    known.append(function)
                elif known != function:
                    callers[target] = [known, function]
        return _Calls(callers, called, by_default)

    def _with_callers(self, names: Collection[int]) -> bytearray:
        """Functions and all that may run them, directly or not."""
        found, callers = bytearray(len(self._graph)), self._calls.callers
        stack = list(names)
        for function in stack:
            found[function] = 1
        while stack:
            known = callers[stack.pop()]
            for caller in () if known is None else (known,) if isinstance(known, int) else known:
                if not found[caller]:
                    found[caller] = 1
                    stack.append(caller)
        return found
