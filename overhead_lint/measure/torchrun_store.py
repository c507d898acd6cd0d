"""The store that torchrun keeps for its workers on all nodes: there ranks tell what they measured."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol, cast

__all__ = ["Place", "Store", "connected", "give", "is_there", "lost", "place_of", "taken"]

_LONGEST_PAUSE: Final = 0.05
_PIECE: Final = 1 << 20
"""Bytes of a value; the store ends the connection of whoever sends more than 8 MiB at once."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which of several processes this one is.

    Attributes:
        number: from 0.
        size: how many there are.
        host: where the store of the run listens.
        port: and on which port.
        run: tells apart runs, and restarts of one, that share a store.
        gathered: whether there is such a store.
        here: the ranks of this node; all of them where nobody says which.
    """

    number: int
    size: int
    host: str
    port: int
    run: str
    gathered: bool
    here: range

    @property
    def is_on_several_nodes(self) -> bool:
        """Whether some ranks run on another node, which may share no disk with this one."""
        return len(self.here) < self.size


def place_of(environ: Mapping[str, str]) -> Place | None:
    """The place that the environment gives this process; None for a process by itself."""
    try:
        number, size = int(environ["RANK"]), int(environ["WORLD_SIZE"])
        port = int(environ.get("MASTER_PORT", "0"))
        first = number - int(environ.get("LOCAL_RANK", number))
        here = range(first, first + int(environ.get("LOCAL_WORLD_SIZE", size)))
    except (KeyError, ValueError):
        return None
    if size < 2:
        return None
    names = ("TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT")
    run = "/".join(environ.get(name, "") for name in names)
    gathered = environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True" and port > 0
    return Place(number, size, environ.get("MASTER_ADDR", "localhost"), port, run, gathered, here)


class Store(Protocol):
    """What is used of torch's stores."""

    def set(self, key: str, value: str | bytes) -> None: ...
    def get(self, key: str) -> bytes: ...
    def check(self, keys: list[str]) -> bool: ...
    def compare_set(self, key: str, expected: str, desired: str) -> bytes: ...


def connected(place: Place, patience: float) -> Store:
    """Return the store of a run.

    Args:
        place: this process.
        patience: seconds to wait for the store's answers.

    Raises:
        RuntimeError: it cannot be reached.
    """
    from torch.distributed import TCPStore  # type: ignore[attr-defined] # without __all__

    store = TCPStore(
        place.host,
        place.port,
        is_master=False,
        wait_for_workers=False,
        timeout=timedelta(seconds=patience),
    )
    return cast("Store", store)  # it takes bytes as well


def is_there(store: Store, key: str, deadline: float) -> bool:
    """Whether a key is set by a time of the monotonic clock.

    Raises:
        RuntimeError: the store cannot be reached any longer.
    """
    pause = 0.001
    while not store.check([key]):
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, 2 * pause)
    return True


def give(store: Store, key: str, content: bytes) -> None:
    """Keep bytes under a key, in pieces; the key itself comes last, so that whoever finds it finds all.

    Raises:
        RuntimeError: the store cannot be reached any longer.
    """
    packed = zlib.compress(content)
    pieces = [packed[start : start + _PIECE] for start in range(0, len(packed), _PIECE)]
    for number, piece in enumerate(pieces):
        store.set(f"{key}/{number}", piece)
    store.set(key, str(len(pieces)))


def taken(store: Store, key: str, deadline: float) -> bytes | None:
    """Return what was given under a key; None where nothing was by a time of the monotonic clock.

    Raises:
        RuntimeError: the store cannot be reached any longer.
    """
    if not is_there(store, key, deadline):
        return None
    pieces = int(store.get(key))
    return zlib.decompress(b"".join(store.get(f"{key}/{number}") for number in range(pieces)))


def lost(error: RuntimeError) -> str:
    """What to say of torch's error for a store that cannot be reached (any longer)."""
    return f"cannot be asked: {str(error).partition(chr(10))[0]}"
