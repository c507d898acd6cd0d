"""What is remembered from file to file, and tables that are only read when they are asked for."""

from __future__ import annotations

from overhead_lint.analysis import remembered
from overhead_lint.analysis.words import words
from overhead_lint.project.graph.project_tables import Kept, compressed


def test_remembers_what_a_function_gave_until_it_is_forgotten() -> None:
    asked = []

    @remembered.remembered(4)
    def doubled(text: str) -> str:
        asked.append(text)
        return text * 2

    assert [doubled(text) for text in ("a", "b", "a")] == ["aa", "bb", "aa"] and asked == ["a", "b"]
    remembered.forget()
    assert doubled("a") == "aa" and asked == ["a", "b", "a"]


def test_says_the_same_once_it_has_forgotten() -> None:
    before = words("trainLoader_2")
    remembered.forget()
    assert words("trainLoader_2") == before == ("train", "loader", "2")


def test_a_table_that_nobody_asked_for_stays_as_it_was_kept() -> None:
    pieces = compressed({"f": {"1": 2}})
    kept = Kept(pieces)
    assert kept.pieces() is pieces
    kept.table["g"] = {}
    assert Kept(kept.pieces()).table == {"f": {"1": 2}, "g": {}}


def test_tables_that_are_made_share_nothing() -> None:
    one, other = Kept(), Kept()
    one.table["f"] = 1
    assert other.table == {} and other.pieces() == ()
