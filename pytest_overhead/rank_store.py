"""The store in which ranks tell each other what they measured: that of torchrun."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

__all__ = ["Place", "RankStore", "Share", "lost", "place_of"]

LONGEST_PAUSE = 0.05


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
    """

    number: int
    size: int
    host: str
    port: int
    run: str
    gathered: bool


def place_of(environ: Mapping[str, str]) -> Place | None:
    """The place that the environment gives this process; None for a process by itself."""
    try:
        number, size = int(environ["RANK"]), int(environ["WORLD_SIZE"])
        port = int(environ.get("MASTER_PORT", "0"))
    except (KeyError, ValueError):
        return None
    if size < 2:
        return None
    names = ("TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT")
    run = "/".join(environ.get(name, "") for name in names)
    gathered = environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True" and port > 0
    return Place(number, size, environ.get("MASTER_ADDR", "localhost"), port, run, gathered)


@dataclass(frozen=True, slots=True)
class Share:
    """What one rank tells of one test.

    Attributes:
        values: numbers by metric, for the body and each block that was measured.
        message: how its budget was not kept; "" where it was.
        verdict: that in two words, as in the summary.
        faults: which metrics did not keep it; see `pytest_overhead.stash.FAULTS`.
        ended: why there is no more to tell: how the test failed for another reason, or was skipped.
    """

    values: Sequence[Mapping[str, float]] = ()
    message: str = ""
    verdict: str = ""
    faults: Sequence[Mapping[str, object]] = ()
    ended: str = ""


class _Store(Protocol):
    """What is used of torch's stores."""

    def set(self, key: str, value: str) -> None: ...
    def get(self, key: str) -> bytes: ...
    def check(self, keys: list[str]) -> bool: ...
    def compare_set(self, key: str, expected: str, desired: str) -> bytes: ...


class RankStore:
    """The store that torchrun keeps for its workers.

    Args:
        place: this process.
        patience: seconds to wait for another rank.
    """

    def __init__(self, place: Place, patience: float) -> None:
        self.place = place
        self._patience = patience
        self._store: _Store | None = None

    def exchange(self, key: str, share: Share) -> list[Share]:
        """Tell the other ranks, and wait for what they tell; of a rank that does not, why."""
        deadline = time.monotonic() + self._patience
        try:
            self.tell(key, share)
        except RuntimeError as error:
            absent = Share(ended=lost(error))
            return [share if rank == self.place.number else absent for rank in range(self.place.size)]
        store = self._connected()
        return [self._read(store, key, rank, deadline) for rank in range(self.place.size)]

    def tell(self, key: str, share: Share) -> None:
        """Tell the other ranks without waiting for them.

        Raises:
            RuntimeError: the store cannot be reached.
        """
        self._connected().set(self._name(key, self.place.number), json.dumps(_plain(share)))

    def claim(self, key: str, text: str) -> tuple[int, str]:
        """Give `text` as what `key` stands for on all ranks; the first rank to do so may do it again.

        Returns:
            The rank that was first, and its text.

        Raises:
            RuntimeError: the store cannot be reached.
        """
        store, mine = self._connected(), json.dumps([self.place.number, text])
        name = self._name(key, "first")
        rank, first = json.loads(store.compare_set(name, "", mine))
        if rank == self.place.number and first != text:
            store.set(name, mine)
            first = text
        return rank, first

    def _name(self, key: str, rank: int | str) -> str:
        return f"overhead-lint/{self.place.run}/{key}/{rank}"

    def _read(self, store: _Store, key: str, rank: int, deadline: float) -> Share:
        name, pause = self._name(key, rank), 0.001
        try:
            while not store.check([name]):
                if time.monotonic() > deadline:
                    return Share(ended=f"did not come to this test within {self._patience:g} s")
                time.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)
            return Share(**json.loads(store.get(name)))
        except RuntimeError as error:
            return Share(ended=lost(error))

    def _connected(self) -> _Store:
        if self._store is None:
            from torch.distributed import TCPStore  # type: ignore[attr-defined] # without __all__

            self._store = TCPStore(
                self.place.host,
                self.place.port,
                is_master=False,
                wait_for_workers=False,
                timeout=timedelta(seconds=self._patience),
            )
        return self._store


def lost(error: RuntimeError) -> str:
    """What to say of torch's error for a store that cannot be reached (any longer)."""
    return f"cannot be asked: {str(error).partition(chr(10))[0]}"


def _plain(share: Share) -> dict[str, object]:
    return {
        "values": [dict(values) for values in share.values],
        "message": share.message,
        "verdict": share.verdict,
        "faults": list(share.faults),
        "ended": share.ended,
    }
