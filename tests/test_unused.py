"""What is told of a record of what ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import unused

SOURCE = """\
def found(x):
    if x > 3:
        return x
    return None


def empty(x):
    return [one for one in x if one > 9]


def true(x):
    return isinstance(x, int)


def uncalled(x):
    return x


def done(x) -> None:
    x.clear()
"""


EMPTY = [
    "rules/one.py:7-8 empty: gives nothing",
    "rules/one.py:11-12 true: always true",
    "rules/one.py:15-16 uncalled: never called",
]


@pytest.mark.parametrize(
    ("most", "expected"), [(0, EMPTY), (1, ["rules/one.py:1-4 found: gives nothing", *EMPTY])]
)
def test_places_that_hardly_a_folder_needs_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    most: int,
    expected: list[str],
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(unused, "ROOT", tmp_path)

    def places(*lines: int) -> list[tuple[str, int]]:
        return [("rules/one.py", line) for line in lines]

    run = places(1, 2, 4, 7, 8, 11, 12, 15, 19, 20)
    records: list[dict[str, object]] = [
        {
            "folder": "a",
            "run": [*run, *places(3)],
            "found": places(1),
            "empty": places(1, 7, 19),
            "true": places(11),
        },
        {"folder": "b", "run": run, "found": [], "empty": places(1, 7, 19), "true": places(11)},
    ]
    record = tmp_path / "run.jsonl"
    record.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    assert unused.main(["--read", str(record), "--under", "rules", "--places", "--most", str(most)]) == 0
    assert capsys.readouterr().out.partition("\nfile ")[0].splitlines() == expected
