"""Keeps the native gate of one dispatcher in step with what the Python dispatcher knows.

The gate serves the calls that nothing stands against, by facts, a binding and entries that it is given
here. It leaves every other call to the Python dispatcher, which knows why, and which gives the gate a new
state after the next call that hits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import ambient, native
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .entry import Entry
    from .freezer import Freezer
    from .memory import Memory
    from .routes import Route
    from .states import Remembered

_KINDS = ("types", "attributes", "namespaces", "keys", "empty", "codes", "off_in_thread")


class Gatekeeper:
    """Makes the gate when it is first needed.

    Args:
        slow: The callable that the gate falls back on, and ``enter`` while there is no gate.
        installed: Called with the gate once it is made.
        memory: Where "token" remembers states; None for the other modes.
        freezer: For "frozen": whether the gate is frozen, and how often it verifies.
        disagree: Called by a frozen gate with the function and the names of a call that does not verify.
        is_outermost: Whether its calls are those that stock counts.
    """

    def __init__(
        self,
        slow: Callable[..., Any],
        installed: Callable[[Any], None],
        memory: Memory | None,
        freezer: Freezer | None,
        disagree: Callable[[Any, dict[str, Any]], None],
        is_outermost: bool,
    ) -> None:
        self.enter = slow
        self._is_outermost = is_outermost
        self._freezer = freezer
        self._disagree = disagree
        self._slow = slow
        self.refusal: str | None = None
        self._installed = installed
        self._memory = memory
        self._gate: Any = None
        self._armed: tuple[Any, ...] | None = None

    @property
    def hits(self) -> int:
        """Calls that the gate served."""
        return 0 if self._gate is None else int(self._gate.hits)

    @property
    def recognised(self) -> int:
        """Those of them that evaluated no guard."""
        return 0 if self._gate is None else int(self._gate.recognised)

    @property
    def frozen(self) -> int:
        """Those of them for which nothing but the arguments was looked at."""
        return 0 if self._gate is None else int(self._gate.frozen)

    def follow(self, freezer: Freezer) -> None:
        """Freeze or thaw the gate, where there is one."""
        if self._gate is None:
            return
        if freezer.is_on:
            self._gate.freeze(freezer.verify_every, self._disagree)
        else:
            self._gate.thaw()

    def disarm(self) -> None:
        """Leave every call to Python until the next ``update``."""
        self._armed = None
        if self._gate is not None:
            self._gate.disarm()

    def update(self, route: Route, entries: Sequence[Entry]) -> None:
        """Give the gate what is known after a call that the Python dispatcher served by an entry.

        Args:
            route: What calls resolve to.
            entries: The entries, those that nobody ran yet among them.
        """
        if self.refusal is not None:
            return
        memory = self._memory
        ready = [(entry, state) for entry in entries for state in _states(entry, memory)]
        wanted = (route, id(ambient.stance()), *ready)
        limited = memory is not None and memory.verify_every > 0
        if not ready or (wanted == self._armed and not limited):
            return
        try:
            if self._gate is None:
                self._make()
            allowance = memory.verify_every - 1 if limited and memory is not None else -1
            self._gate.arm(_facts(route), route.binding(), tuple(_parts(*one) for one in ready), allowance)
        except (Unsupported, TypeError, ValueError) as error:
            # TypeError, ValueError: the native core met what it cannot compare or bind.
            self.refusal = str(error)
            self.disarm()
            return
        self._armed = wanted

    def _make(self) -> None:
        gate = native.core().Gate(self._slow, self._is_outermost)
        self._installed(gate)
        self._gate = gate
        if self._freezer is not None:
            self.follow(self._freezer)
        self.enter = gate


def _states(entry: Entry, memory: Memory | None) -> list[Remembered | None]:
    """The states by which the gate may serve calls; None is to evaluate the guards.

    The guards of an entry that could be remembered are left to Python.
    """
    if entry.run is None or entry.autocast is None:
        return []
    states = entry.states
    return [*states.known(), *([None] if memory is None or states.has_given_up() else [])]


def _facts(route: Route) -> dict[str, list[tuple[Any, ...]]]:
    facts: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    facts["keys"] += ambient.facts()
    facts["off_in_thread"] += [(one.local, one.name) for one in ambient.thread_flags()]
    for kind, more in route.facts().items():
        facts[kind] += more
    return facts


def _parts(entry: Entry, remembered: Any) -> tuple[Any, ...]:
    flat, global_state = (None, None) if remembered is None else remembered.parts()
    check = entry.check if remembered is None else None
    assert entry.autocast is not None
    restore = functools.partial(ambient.restore_after_error, entry.autocast)
    return entry.run, vars(entry.manager), check, flat, global_state, restore
