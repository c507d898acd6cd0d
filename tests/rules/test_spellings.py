"""Each way to write an overhead is told of by its rule, or let be for a reason that stands beside it."""

from __future__ import annotations

import pytest
from context_spellings import CODES as CONTEXT_CODES
from context_spellings import CONTEXTS
from event_spellings import CODES as EVENT_CODES
from event_spellings import EVENTS
from key_spellings import CODES as KEY_CODES
from key_spellings import KEYS
from spelled import Spelling, spoken

FAMILIES = [
    ("context", CONTEXTS, CONTEXT_CODES),
    ("event", EVENTS, EVENT_CODES),
    ("key", KEYS, KEY_CODES),
]
_MANY = 40


@pytest.mark.parametrize(("spellings", "codes"), [(each, codes) for _, each, codes in FAMILIES])
def test_spellings_are_many_and_each_has_its_name(spellings: list[Spelling], codes: tuple[str, ...]) -> None:
    assert len(spellings) >= _MANY
    assert len({one.name for one in spellings}) == len({one.text for one in spellings}) == len(spellings)
    assert all((one.rule in codes) != bool(one.why) for one in spellings)


@pytest.mark.parametrize(
    ("spelling", "codes"),
    [
        pytest.param(one, codes, id=f"{family}: {one.name}")
        for family, spellings, codes in FAMILIES
        for one in spellings
    ],
)
def test_a_spelling_is_told_of_or_let_be(spelling: Spelling, codes: tuple[str, ...]) -> None:
    compile(spelling.text, spelling.name, "exec")
    found = spoken(spelling.text, codes)
    if spelling.rule:
        assert spelling.rule in found
    else:
        assert found == set()
