"""What a compiled callable did so far."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True, slots=True)
class CompileStats:
    """Counts since the callable was made. Threads that race may lose single counts.

    Args:
        guard_eval: The mode in effect: ``"full"``, ``"token"``, ``"frozen"`` or ``"stock"``.
        hits: Calls whose guards passed here and that ran the compiled code directly.
        misses: Calls that no entry's guards accepted, the first one included; stock served them.
        fallbacks: Calls that stock served for another reason, by reason.
        entries: Compiled code objects known now.
        unsupported: Why every call goes to stock, or None.
        recognised: Those hits in which "token" recognised the state and evaluated no guard.
        not_recognised: Why "token" evaluates the guards as "full" does, or None.
        dispatched_natively: Those hits that the native gate served.
        not_native: Why Python serves them all, or None.
        frozen: Those hits for which nothing but the arguments was looked at, between ``freeze`` and ``thaw``.
        resumed: Calls of functions that resume after a graph break, whose guards passed here, too.
    """

    guard_eval: str
    hits: int
    misses: int
    fallbacks: Mapping[str, int]
    entries: int
    unsupported: str | None
    recognised: int = 0
    not_recognised: str | None = None
    dispatched_natively: int = 0
    not_native: str | None = None
    frozen: int = 0
    resumed: int = 0
