"""A process that used the device ends as it should, however it ends."""

from __future__ import annotations

import pytest

from device.endings import ENDINGS, ends

pytest.importorskip("torch")

TIMES = 2


@pytest.mark.parametrize("name", ENDINGS)
def test_process_ends_as_it_should(name: str) -> None:
    assert not "".join(ends(name, TIMES, jobs=TIMES))
