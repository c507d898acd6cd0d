"""A process that used the device ends as it should, however it ends."""

from __future__ import annotations

import pytest

from device.endings import ENDINGS, backward_works_in_forks, ends

pytest.importorskip("torch")

TIMES = 2


@pytest.mark.parametrize("name", ENDINGS)
def test_process_ends_as_it_should(name: str) -> None:
    if name == "forked" and not backward_works_in_forks():
        pytest.skip("the engine of this torch runs no backward in a forked child")
    wrong = "".join(ends(name, TIMES, jobs=TIMES))
    assert not wrong, wrong  # in full: the reason for a skip may be in the middle
