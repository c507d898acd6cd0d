"""Counts how often the places of findings are executed; by the means that this Python has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from overhead_lint.dynamic.calls_at_places import NO_CALLS

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.rule import Finding, Span
    from overhead_lint.syntax.source import Source

__all__ = ["Counter", "counter"]


class Counter(Protocol):
    """Counts executions of places, in all threads of this process."""

    findings: list[Finding]
    """The findings whose places are counted."""

    def watch(
        self,
        code: types.CodeType,
        source: Source,
        findings: Sequence[Finding],
        calls: Mapping[Span, Callable[[], None]] = NO_CALLS,
    ) -> types.CodeType:
        """Count the places of a file's findings from now on.

        Args:
            code: the file's code, that has not run yet.
            source: the file.
            findings: what to count.
            calls: what to call each time before statements or expressions with these spans.

        Returns:
            The code to run in place of `code`; the same where nothing has to be changed.
        """
        ...

    def on_start(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """Call something each time that a function begins.

        Dynamo reads the function as it was, so what is compiled of it calls nothing.

        Args:
            function: of a source file.
            call: given the function's frame.

        Returns:
            What ends that. Compiled code that holds the function is compiled anew after it.

        Raises:
            ValueError: the function's source is not there, or no such function.
        """
        ...

    def on_return(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """Call something each time that a function is about to return; see `on_start`.

        What the last ``return`` works out may come after it. By an exception a function does not return.
        """
        ...

    def counts(self) -> list[int]:
        """Executions so far, in the order of `findings`."""
        ...

    def stop(self) -> None:
        """Count no more; what was counted stays."""
        ...


def counter() -> Counter:
    """A counter for this Python: its own monitoring from 3.12 on, instrumented source before."""
    if sys.version_info >= (3, 12):
        from overhead_lint.dynamic.counting_monitored import MonitoredCounter

        return MonitoredCounter()
    from overhead_lint.dynamic.counting_instrumented import InstrumentedCounter

    return InstrumentedCounter()
