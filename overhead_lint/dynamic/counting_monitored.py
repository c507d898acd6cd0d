"""Counts with `sys.monitoring`: from Python 3.12 on, code objects stay as they are.

Events are asked for only in the code objects that hold a place, and all instructions of these but the
counted ones turn their events off when they first run. So everything else runs at full speed.
"""

from __future__ import annotations

import ast
import sys
import types
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.dynamic.calls_at_places import NO_CALLS
from overhead_lint.dynamic.places import counted_nodes
from overhead_lint.dynamic.untraced import untraced
from overhead_lint.syntax.text_parsing import parse_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from overhead_lint.dynamic.places import Counted
    from overhead_lint.rule import Finding, Span
    from overhead_lint.syntax.source import Source

__all__ = ["MonitoredCounter"]

_MONITORING: Final[Any] = getattr(sys, "monitoring", None)
_NOTHING: Final[dict[int, Any]] = {}
_NAME: Final = "overhead-lint"
_UNNAMED_TOOLS: Final = (4, 3)  # 0 to 2 and 5 are meant for debuggers, coverage, profilers, optimisers


class MonitoredCounter:
    """See `overhead_lint.dynamic.counting.Counter`.

    Raises:
        RuntimeError: other tools use the tool numbers that are free for all.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._counts: list[int] = []
        self._places: dict[types.CodeType, dict[int, list[int]]] = {}
        self._calls: dict[types.CodeType, dict[int, Callable[[], None]]] = {}
        self._starts: dict[types.CodeType, Callable[[types.FrameType], None]] = {}
        self._returns: dict[types.CodeType, Callable[[types.FrameType], None]] = {}
        self._tool = next((tool for tool in _UNNAMED_TOOLS if _MONITORING.get_tool(tool) is None), -1)
        if self._tool < 0:
            raise RuntimeError("other tools use sys.monitoring's free tool numbers, 3 and 4")
        _MONITORING.use_tool_id(self._tool, _NAME)
        _MONITORING.register_callback(self._tool, _MONITORING.events.INSTRUCTION, self._on_instruction)
        _MONITORING.register_callback(self._tool, _MONITORING.events.PY_START, self._on_start)
        _MONITORING.register_callback(self._tool, _MONITORING.events.PY_RETURN, self._on_return)

    def watch(
        self,
        code: types.CodeType,
        source: Source,
        findings: Sequence[Finding],
        calls: Mapping[Span, Callable[[], None]] = NO_CALLS,
    ) -> types.CodeType:
        """See `Counter`."""
        spans = [*(finding.span for finding in findings), *calls]
        nodes = counted_nodes(parse_text(source.text), source, spans)
        every = list(_codes(code))
        for finding in findings:
            node = nodes.get(finding.span)
            place = _place(every, node) if node is not None else None
            if place is not None:
                holder, offset = place
                places = self._places.setdefault(holder, {})
                places.setdefault(offset, []).append(len(self.findings))
                self.findings.append(finding)
                self._counts.append(0)
        for span, call in calls.items():
            place = _place(every, nodes[span]) if span in nodes else None
            if place is not None:
                self._calls.setdefault(place[0], {})[place[1]] = call
        for holder in every:
            if holder in self._places or holder in self._calls:
                self._listen(holder)
        return code

    def on_start(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """See `Counter`."""
        return self._calling(self._starts, function.__code__, call)

    def on_return(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """See `Counter`."""
        return self._calling(self._returns, function.__code__, call)

    def _calling(
        self,
        calls: dict[types.CodeType, Callable[[types.FrameType], None]],
        code: types.CodeType,
        call: Callable[[types.FrameType], None],
    ) -> Callable[[], None]:
        calls[code] = call
        self._listen(code)

        def end() -> None:
            if calls.pop(code, None) is not None and _MONITORING.get_tool(self._tool) == _NAME:
                self._listen(code)

        return end

    def _listen(self, code: types.CodeType) -> None:
        """Ask for the events of a code object that something is to be called at."""
        events = _MONITORING.events
        wanted = (
            (events.INSTRUCTION, code in self._places or code in self._calls),
            (events.PY_START, code in self._starts),
            (events.PY_RETURN, code in self._returns),
        )
        _MONITORING.set_local_events(self._tool, code, sum(event for event, is_on in wanted if is_on))

    def counts(self) -> list[int]:
        """See `Counter`."""
        return list(self._counts)

    def stop(self) -> None:
        """See `Counter`."""
        if _MONITORING.get_tool(self._tool) == _NAME:
            for holder in (*self._places, *self._calls, *self._starts, *self._returns):
                _MONITORING.set_local_events(self._tool, holder, 0)
            events = _MONITORING.events
            for event in (events.INSTRUCTION, events.PY_START, events.PY_RETURN):
                _MONITORING.register_callback(self._tool, event, None)
            _MONITORING.free_tool_id(self._tool)

    @untraced
    def _on_start(self, code: types.CodeType, offset: int) -> object:
        call = self._starts.get(code)
        if call is None:
            return _MONITORING.DISABLE
        call(sys._getframe(1))
        return None

    @untraced
    def _on_return(self, code: types.CodeType, offset: int, value: object) -> object:
        call = self._returns.get(code)
        if call is None:
            return _MONITORING.DISABLE
        call(sys._getframe(1))
        return None

    @untraced
    def _on_instruction(self, code: types.CodeType, offset: int) -> object:
        places = self._places.get(code, _NOTHING).get(offset)
        call = self._calls.get(code, _NOTHING).get(offset)
        for place in places or ():
            self._counts[place] += 1
        if call is not None:
            call()
        return _MONITORING.DISABLE if places is None and call is None else None


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _place(codes: Sequence[types.CodeType], node: Counted) -> tuple[types.CodeType, int] | None:
    """Code object and offset of the instruction that runs once for each evaluation of a node.

    For an expression it is the one that has its very position, else the first one inside.
    """
    start = node.lineno, node.col_offset
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    first: tuple[types.CodeType, int] | None = None
    for code in codes:
        for index, (line, end_line, column, end_column) in enumerate(_positions(code)):
            if line is None or end_line is None or column is None or end_column is None:
                continue
            if isinstance(node, ast.expr) and (line, column) == start and (end_line, end_column) == end:
                return code, 2 * index
            if first is None and start <= (line, column) and (end_line, end_column) <= end:
                first = code, 2 * index
    return first


def _positions(code: types.CodeType) -> Iterator[tuple[int | None, int | None, int | None, int | None]]:
    """Lines and columns of each instruction: first line, last line, first column, end column."""
    positions: Iterator[tuple[int | None, int | None, int | None, int | None]] = code.co_positions()  # type: ignore[attr-defined]
    return positions
