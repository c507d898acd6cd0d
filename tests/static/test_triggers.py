"""Byte strings that are looked for all at once."""

from __future__ import annotations

import random

import pytest

from overhead_lint.engine import packs
from overhead_lint.engine.triggers import Triggers

TRIGGERS = sorted({trigger for loaded in packs.load() for trigger in loaded.rule.triggers})


@pytest.mark.parametrize("seed", range(20))
def test_what_is_held_is_what_a_search_finds(seed: int) -> None:
    chance = random.Random(seed)
    pieces = [*TRIGGERS, b" ", b"\n", b".", b"(", b"x", b"_", "é".encode(), b"import", b"to", b"\xff"]
    data = b"".join(chance.choice(pieces) for _ in range(chance.randrange(60)))
    assert Triggers(TRIGGERS).held_by(data) == {trigger for trigger in TRIGGERS if trigger in data}


def test_a_string_across_words_is_found_and_one_of_no_letters() -> None:
    looked_for = Triggers([b"import amp", b"->", b"a.b"])
    assert looked_for.held_by(b"import\namp") == set()
    assert looked_for.held_by(b"from x import amp") == {b"import amp"}
    assert looked_for.held_by(b"def f() -> a . b") == {b"->"}
    assert looked_for.held_by(b"xa.by") == {b"a.b"}
