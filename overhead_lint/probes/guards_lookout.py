"""Waits for Dynamo without importing it: that takes longer than most tests do, and some compile nothing.

It is watched as soon as its own code has run, so before anything can be compiled. Importing this module
imports neither torch nor what reads guards.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from overhead_lint.probes.api import ProbeUnavailable
from overhead_lint.support.after_import import after_import

if TYPE_CHECKING:
    from overhead_lint.probes.guards_dynamo import Watch

__all__ = [
    "NOTHING_CALLED",
    "NOTHING_RAN",
    "given_up_before",
    "import_dynamo",
    "is_imported",
    "leave",
    "prepare",
    "release",
    "wait",
]

NOTHING_RAN: Final = "no compiled frame ran while it was measured"
NOTHING_CALLED: Final = "nothing that torch.compile made was called, or Dynamo is disabled"
_DYNAMO: Final = "torch._dynamo"


@dataclass
class _State:
    given_up: int | None = None
    """From when on frames that could not be compiled belong to the next block."""
    waiting: list[Callable[[], None]] = field(default_factory=list)


_state = _State()


def is_imported() -> bool:
    """Whether somebody has imported Dynamo."""
    return _DYNAMO in sys.modules


def wait(call: Callable[[], None]) -> None:
    """Watch Dynamo once somebody imports it, and call a function then.

    Args:
        call: raises nothing; called on the thread that imports it.
    """
    _state.waiting.append(call)
    after_import(_DYNAMO, _on_import)


def leave(call: Callable[[], None]) -> None:
    """Wait no more."""
    if call in _state.waiting:
        _state.waiting.remove(call)


def prepare() -> None:
    """Watch Dynamo from now on, so that the next blocks know the graph breaks of frames compiled before.

    Where nobody has imported it, it is watched once somebody does.

    Raises:
        ProbeUnavailable: this torch lacks what the probe needs, as far as shows before anything is compiled.
    """
    if is_imported():
        found = _installed()
        found.drain()
        _state.given_up = len(found.given_up)
    else:
        after_import(_DYNAMO, _on_import)
        _state.given_up = 0  # none by then


def import_dynamo() -> None:
    """Import Dynamo, and watch it, before a block that compiles and would count what the import does.

    Raises:
        ProbeUnavailable: it cannot be imported, or lacks a piece.
    """
    _installed()


def release() -> None:
    """Take back `prepare`; Dynamo goes on being watched, since its history is needed."""
    _state.given_up = None


def given_up_before() -> int | None:
    """How many frames had been given up when `prepare` was called; None where it was not."""
    return _state.given_up


def _on_import() -> None:
    with contextlib.suppress(ProbeUnavailable):  # which whoever measures is told again
        _installed()
    while _state.waiting:
        _state.waiting.pop()()


def _installed() -> Watch:
    from overhead_lint.probes.guards_api import Unsupported
    from overhead_lint.probes.guards_dynamo import watch

    try:
        return watch()
    except Unsupported as error:
        raise ProbeUnavailable("guards", str(error)) from error
