"""What changed between two reports of tests, as a comment for a pull request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from overhead_lint.cli.main import main
from overhead_lint.report.comment import comment, in_short
from overhead_lint.report.count_changes import changed_counts
from overhead_lint.report.html.tests_report import Saved, parse

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

Values = dict[str, dict[str, float]]


def content(
    root: str, tests: Values, lines: dict[str, list[tuple[str, int, str, int]]] | None = None
) -> dict[str, Any]:
    """A report; `lines` are of the count ``stream_sync``: path, line, text and amount, by test."""
    entries = {}
    for test, values in tests.items():
        causes = [
            {
                "path": f"{root}/{path}",
                "line": line,
                "text": text,
                "amount": n,
                "label": "forward",
                "operators": [["item", n]],
            }
            for path, line, text, n in (lines or {}).get(test, ())
        ]
        entries[test] = {
            "passed": True,
            "verdict": "",
            "faults": [],
            "values": values,
            "limits": {},
            "causes": {"stream_sync": causes},
        }
    kinds = {
        "stream_sync": "count",
        "saved_bytes": "count",
        "guard_time_hot": "time",
        "step_overhead": "ratio",
    }
    return {"schema": 1, "root": root, "fingerprint": {"torch": "2.13"}, "metrics": kinds, "tests": entries}


def saved(
    tests: Values, name: str = "now", root: str = "/one", **lines: list[tuple[str, int, str, int]]
) -> Saved:
    return parse(name, content(root, tests, lines))


def test_changes_stand_the_largest_first_and_what_fell_last() -> None:
    old = saved(
        {"a": {"stream_sync": 5, "saved_bytes": 10}, "b": {"stream_sync": 5}, "c": {"stream_sync": 9}}
    )
    new = saved(
        {"a": {"stream_sync": 6, "saved_bytes": 9000}, "b": {"stream_sync": 8}, "c": {"stream_sync": 2}}
    )
    found = changed_counts(old, new)
    assert [(one.test, one.metric, one.delta) for one in found] == [
        ("b", "stream_sync", 3),
        ("a", "stream_sync", 1),
        ("a", "saved_bytes", 8990),
        ("c", "stream_sync", -7),
    ]
    assert in_short(found) == "3 counts rose, 1 fell"


def test_times_ratios_and_what_stays_are_left_out() -> None:
    old = saved({"a": {"stream_sync": 5, "guard_time_hot": 1e-6, "step_overhead": 3.0}})
    new = saved({"a": {"stream_sync": 5, "guard_time_hot": 2e-6, "step_overhead": 4.0}})
    assert changed_counts(old, new) == []
    assert comment(old, new).splitlines()[0] == "### Host overhead: no count changed"


def test_a_row_has_the_lines_that_came_and_went_in_whichever_checkout() -> None:
    old = saved({"t|1": {"stream_sync": 3}}, "main", "/runner/one", **{"t|1": [("a.py", 4, "x.item()", 3)]})
    new = saved(
        {"t|1": {"stream_sync": 5}},
        "now",
        "/other/two",
        **{"t|1": [("a.py", 9, "x.item()", 3), ("b_c.py", 2, "y.item()", 2)]},
    )
    assert comment(old, new).splitlines() == [
        "### Host overhead: 1 count rose",
        "",
        "Compared with `main`.",
        "",
        "| test | count | before | now | change | lines |",
        "|---|---|---:|---:|---:|---|",
        "| `t\\|1` | stream_sync | 3 | 5 | +2 | +2 at b\\_c.py:2 (item), was 0 |",
    ]


def test_reports_without_texts_of_lines_have_no_lines() -> None:
    before = content("/one", {"t": {"stream_sync": 3}}, {"t": [("a.py", 4, "", 3)]})
    after = saved({"t": {"stream_sync": 4}}, t=[("a.py", 4, "x.item()", 4)])
    (found,) = changed_counts(parse("main", before), after)
    assert found.lines == ()


def test_a_count_over_its_budget_says_so_and_other_versions_are_told() -> None:
    after = content("/one", {"t": {"stream_sync": 4}})
    after["tests"]["t"]["faults"] = [
        {"metric": "stream_sync", "verdict": "over budget", "limit": 3, "value": 4}
    ]
    after["fingerprint"] = {"torch": "2.14"}
    text = comment(saved({"t": {"stream_sync": 3}, "gone": {}}, "main"), parse("now", after))
    assert "| 3 | 4, over the budget of 3 | +1 |" in text
    assert "Measured with something else: torch 2.13 before, 2.14 now." in text
    assert text.endswith("1 test is gone.\n")


def test_a_long_comment_is_cut_and_says_by_how_much() -> None:
    old, new = ({f"t{n}{'x' * 400}": {"stream_sync": n + more} for n in range(90)} for more in (0.0, 1.0))
    text = comment(saved(old), saved(new))
    assert text.count("stream_sync") == 50
    assert "And 40 more changes." in text
    assert len(text) < 65_536


def test_the_command_writes_the_comment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / name for name in ("main.json", "branch.json", "out.md")]
    for path, amount in zip(paths, (3, 4), strict=False):
        path.write_text(json.dumps(content("/one", {"t": {"stream_sync": amount}})))
    assert main(["report", str(paths[1]), "--against", str(paths[0]), "-o", str(paths[2])]) == 0
    assert paths[2].read_text().startswith("### Host overhead: 1 count rose\n\nCompared with `main`.")
    assert capsys.readouterr().out == f"{paths[2]}: written, 1 count rose\n"
    assert main(["report", str(paths[1]), "-o", str(paths[2])]) == 2
    assert "say with --against OLD.json from what" in capsys.readouterr().err
