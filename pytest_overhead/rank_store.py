"""The store in which ranks tell each other what they measured: that of torchrun."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhead_lint.measure.torchrun_store import Place, connected, is_there, lost, place_of

if TYPE_CHECKING:
    from overhead_lint.measure.torchrun_store import Store

__all__ = ["Place", "RankStore", "Share", "lost", "place_of"]


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


class RankStore:
    """The store that torchrun keeps for its workers.

    Args:
        place: this process.
        patience: seconds to wait for another rank.
    """

    def __init__(self, place: Place, patience: float) -> None:
        self.place = place
        self._patience = patience
        self._store: Store | None = None

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

    def _read(self, store: Store, key: str, rank: int, deadline: float) -> Share:
        name = self._name(key, rank)
        try:
            if not is_there(store, name, deadline):
                return Share(ended=f"did not come to this test within {self._patience:g} s")
            return Share(**json.loads(store.get(name)))
        except RuntimeError as error:
            return Share(ended=lost(error))

    def _connected(self) -> Store:
        if self._store is None:
            self._store = connected(self.place, self._patience)
        return self._store


def _plain(share: Share) -> dict[str, object]:
    return {
        "values": [dict(values) for values in share.values],
        "message": share.message,
        "verdict": share.verdict,
        "faults": list(share.faults),
        "ended": share.ended,
    }
