"""Each rule says since which version it is stable, or is in preview."""

from __future__ import annotations

import pytest

from overhead_lint._version import __version__
from overhead_lint.engine import known_rules, packs

RULES = packs.load(())


def release(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: loaded.rule.code)
def test_a_rule_is_in_preview_or_stable_since_a_version_that_was(loaded: packs.LoadedRule) -> None:
    since = loaded.rule.stable_since
    assert loaded.rule.preview is (since is None)
    assert since is None or release(since) <= release(__version__)


def test_rules_that_a_cache_gives_know_it_too() -> None:
    again = known_rules.read(known_rules.written(RULES))
    assert [one.rule.stable_since for one in again] == [one.rule.stable_since for one in RULES]
    assert "0.2.0" in {one.rule.stable_since for one in again}
