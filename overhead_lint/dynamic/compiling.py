"""Notes what Dynamo compiles in the whole run; calls of compiled frames cost nothing by it."""

from __future__ import annotations

import contextlib
import types
from typing import TYPE_CHECKING, Any

from overhead_lint.probes.guards_api import Unsupported, on_compilations, traced_code
from overhead_lint.probes.guards_causes import break_causes, recompile_causes
from overhead_lint.probes.guards_dynamo import Watch, watch

if TYPE_CHECKING:
    from overhead_lint.probes.api import Cause
    from overhead_lint.probes.guards_listener import Break, Compilation

__all__ = ["CompileLog"]

_MOST = 5000


class CompileLog:
    """Told of compilations. See `overhead_lint.probes.guards_listener.Listener`.

    Attributes:
        unavailable: why nothing is noted; "" where it is.
        begun: how often something began to compile, or was compiled; more than one for each.
    """

    def __init__(self) -> None:
        self.unavailable = ""
        self.begun = 0
        self._watch: Watch | None = None
        self._recompiled: list[Compilation] = []
        self._breaks: list[Break] = []
        self._ranges: dict[str, set[tuple[int, int]]] = {}

    def start(self, dynamo: types.ModuleType) -> None:
        """Dynamo was imported."""
        try:
            self._watch = watch()
        except Unsupported as error:
            self.unavailable = str(error)
        else:
            self._watch.add(self, calls=False)
            on_compilations(self._count)

    def _count(self) -> None:
        self.begun += 1

    def stop(self) -> None:
        """Note no more."""
        if self._watch is not None:
            with contextlib.suppress(ValueError):  # stopped before
                self._watch.remove(self)

    def has_compiled(self) -> bool:
        """Whether anything was compiled, so far as can be told."""
        return bool(self._ranges or self.unavailable)

    def is_compiled(self, path: str, line: int) -> bool:
        """Whether a line lies in a function that went into a compilation."""
        return any(first <= line <= last for first, last in self._ranges.get(path, ()))

    def causes(self) -> dict[str, tuple[Cause, ...]]:
        """Lines behind recompilations and graph breaks of the whole run, by metric."""
        given_up = self._watch.given_up if self._watch is not None else ()
        return {
            "recompiles": recompile_causes(self._recompiled, ()),
            "graph_breaks": break_causes(self._breaks, given_up),
        }

    # What the watch tells.

    def compiled(self, compilation: Compilation) -> None:
        """A frame was compiled."""
        assert self._watch is not None, "told by it"
        self._count()
        self._note(compilation.code)
        if compilation.recompiled and len(self._recompiled) < _MOST:
            self._recompiled.append(compilation)
        if len(self._breaks) < _MOST:
            self._breaks.extend(self._watch.breaks(compilation.new) or ())

    def guarded(self, code: types.CodeType, new: types.CodeType, guards: Any, f_locals: Any) -> None:
        """Its guards are there, and so is the record of what was traced."""
        for traced in traced_code():
            self._note(traced)

    def wants(self, new: types.CodeType) -> bool:
        """Never: it is not told of calls."""
        return False

    def entered(self, code: types.CodeType, new: types.CodeType, guards: Any, frame: types.FrameType) -> None:
        """It is not told of calls."""

    def missed(self, path: str, line: int) -> None:
        """It is not told of calls."""

    def ran_eagerly(self, function: str, failed: str) -> None:
        """Not told, as no call is."""

    def lost(self, why: str) -> None:
        """It is not told of calls."""

    def deaf(self, why: str) -> None:
        """It is not told of calls."""

    def _note(self, code: types.CodeType) -> None:
        last = max((line for _, _, line in code.co_lines() if line is not None), default=code.co_firstlineno)
        self._ranges.setdefault(code.co_filename, set()).add((code.co_firstlineno, last))
