"""Runs of ranks on several nodes, without a shared disk: the store of torchrun makes one file of theirs."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.dynamic.ranks import merged, note_missing, without, write_part
from overhead_lint.measure import evidence as evidence_file
from overhead_lint.measure.torchrun_store import connected, give, lost, taken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.dynamic.ranks import Rank
    from overhead_lint.measure.evidence import Evidence
    from overhead_lint.measure.torchrun_store import Place

__all__ = ["PATIENCE", "write"]

PATIENCE: Final = 60.0
"""Seconds that rank 0 waits for the ranks that have not ended when it does."""


def write(
    path: Path, evidence: Evidence, rank: Rank, place: Place, patience: float = PATIENCE
) -> Evidence | None:
    """Write what one rank measured, give it to rank 0, and as rank 0 merge what all give.

    Args:
        path: the evidence file; that of rank 0 holds all ranks in the end, that of another node its own.
        evidence: of this rank.
        rank: which one it is, for the files beside that of other ranks.
        place: the same, for the store.
        patience: seconds to wait for others.

    Returns:
        The evidence of all ranks, on rank 0; where the store cannot be reached, that of this node, by the
        rank that ends last there. None where another rank has it.

    Raises:
        OSError: a file cannot be written.
    """
    of_node = write_part(path, evidence, rank, place.here)
    deadline = time.monotonic() + patience
    try:
        store = connected(place, patience)
        give(store, _key(place, place.number), evidence_file.packed(evidence))
        if place.number:
            return None
        given = [taken(store, _key(place, number), deadline) for number in range(1, place.size)]
    except RuntimeError as error:
        why = f"those of other nodes: the store of torchrun {lost(error)}"
        note_missing(path, rank, why)
        return of_node and without(of_node, why)
    whole = merged([evidence, *(_unpacked(one) for one in given if one is not None)])
    absent = [number for number, one in enumerate(given, 1) if one is None]
    if absent:
        whole = without(whole, _late(absent, patience))
    evidence_file.write(path, whole)
    return whole


def _key(place: Place, number: int) -> str:
    return f"overhead-lint/{place.run}/evidence/{number}"


def _late(absent: Sequence[int], patience: float) -> str:
    numbers = ", ".join(map(str, absent))
    return f"{numbers}: not ended within {patience:g} s of rank 0"


def _unpacked(content: bytes) -> Evidence:
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as folder:
        path = Path(folder, "part.json")
        path.write_bytes(content)
        return evidence_file.read(path)
