"""Records wait in memory, and in a file when they are many."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from overhead_lint.cache.spill import Spill

if TYPE_CHECKING:
    import pytest

RECORDS = [bytes([number]) * 300_000 for number in range(8)]


def test_records_come_back_as_they_were_put() -> None:
    spill = Spill()
    places = [spill.put(record) for record in RECORDS]
    assert [spill.get(place) for place in places] == RECORDS
    assert [isinstance(place, bytes) for place in places] == [True] * 3 + [False] * 5
    spill.close()


def test_without_a_folder_for_files_they_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_there(**options: object) -> None:
        raise FileNotFoundError("no usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", none_there)
    spill = Spill()
    assert [spill.get(spill.put(record)) for record in RECORDS] == RECORDS
