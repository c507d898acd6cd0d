"""Reports of tests as a page, and the command that writes it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.cli.main import main
from overhead_lint.report.html.page import Section, page
from overhead_lint.report.html.tests_page import render
from overhead_lint.report.html.tests_report import parse
from overhead_lint.report.html.text import quantity, shortened
from overhead_lint.support.shown_path import shown_path

from .pages import check, shown


def content(guards: int, **more: float) -> dict[str, Any]:
    causes = [
        {"amount": guards - 1, "path": "/src/model.py", "line": 7, "label": "guard on <L['self']>"},
        {"amount": 1, "path": "", "line": 0, "label": "guard on global state"},
    ]
    step = {"guards": guards, "event_record": 2, "guard_time_hot": 3e-6}
    tests: dict[str, Any] = {
        "test_a.py::test_step[<b>&\"']": {"values": step, "causes": {"guards": causes}},
        "test_a.py::test_free": {"values": {"guards": 0}, "causes": {}},
        **{f"test_a.py::{name}": {"values": {"opened": value}, "causes": {}} for name, value in more.items()},
    }
    for test in tests.values():
        test |= {"passed": True, "verdict": "", "limits": {}, "unavailable": {}}
    moments = [("event_record", 1e-4, 9), ("stream_sync", 3e-4, 12), ("event_record", 5e-4, 9)]
    tests["test_a.py::test_free"]["moments"] = [
        {"metric": metric, "at": at, "path": "/src/model.py", "line": line, "label": "forward"}
        for metric, at, line in moments
    ]
    over = guards > 20
    tests["test_a.py::test_step[<b>&\"']"] |= {"verdict": "over budget" * over, "limits": {"guards": 20}}
    fingerprint = {"torch": "2.13.0", "python": "3.11", "device": "cpu"}
    return {"schema": 1, "fingerprint": fingerprint, "tests": tests}


def test_a_page_shows_costs_lines_and_budgets() -> None:
    page = check(render([parse("new", content(29, test_new=3))], Path("/src")))
    text = shown(page)
    assert "3 tests, 1 did not keep their budget" in text
    assert "test_a.py::test_step[<b>&\"'] over budget guards 20 29" in text
    labels = [str(svg["aria-label"]) for svg in page.all("svg")]
    assert any(label.startswith("guards by source line. Bar chart of 2 of 2") for label in labels)
    assert any("model.py:7 guard on <L['self']>: 28" in label for label in labels)
    assert any("opened" in label for label in labels), "metrics of other plugins are shown, too"
    assert "3 us" in text
    when = "Events of test_a.py::test_free. 3 moments in 500 us from left to right, in 2 rows: "
    assert any(
        label.startswith(f"{when}event_record model.py:9 forward: 2, first at 100 us") for label in labels
    )
    assert "stream_sync model.py:12 forward 1 300 us 300 us" in text


def test_only_metrics_that_did_not_keep_their_limits_are_marked() -> None:
    report = content(29)
    test = report["tests"]["test_a.py::test_step[<b>&\"']"]
    test |= {"limits": {"guards": 20, "event_record": 3, "guard_time_hot": 1e-6}}
    test["faults"] = [
        {"metric": "guards", "verdict": "over budget", "limit": 20, "value": 29},
        {"metric": "event_record", "verdict": "over budget", "limit": 3, "value": 2},  # which it has to be
        {"metric": "recompiles", "verdict": "not measured", "limit": 0, "value": None},
    ]
    page = check(render([parse("new", report)], Path("/src")))
    text = shown(page)
    name = "test_a.py::test_step[<b>&\"']"
    assert f"{name} over budget guards 20 29 {name} over budget event_record 3 2" in text
    assert f"{name} not measured recompiles 0" in text
    labels = [str(svg["aria-label"]) for svg in page.all("svg")]
    marked = {label.partition(" ")[2].partition(".")[0] for label in labels if "over budget" in label}
    assert marked == {"by guards", "by event_record"}, "the time only warns"


def test_a_report_of_before_marks_the_metrics_that_are_over_their_limits() -> None:
    report = content(29)
    report["tests"]["test_a.py::test_step[<b>&\"']"]["limits"] |= {"event_record": 2}
    labels = [str(svg["aria-label"]) for svg in check(render([parse("a", report)], Path("/"))).all("svg")]
    marked = {label.partition(" ")[2].partition(".")[0] for label in labels if "over budget" in label}
    assert marked == {"by guards"}


def test_what_others_counted_is_told_apart() -> None:
    report = content(9)
    assert "Counted by others" not in shown(check(render([parse("new", report)], Path("/src"))))
    report["tests"]["test_a.py::test_free"]["others"] = {"alloc": {"thread 'prefetch'": 3, "collection": 1}}
    text = shown(check(render([parse("new", report)], Path("/src"))))
    assert "test_a.py::test_free alloc thread 'prefetch' 3 test_a.py::test_free alloc collection 1" in text


def test_history_and_changes() -> None:
    reports = [parse(f"run {n}", content(n)) for n in (10, 30, 12)]
    old = parse("old", {**content(9, test_gone=1), "fingerprint": {"torch": "2.12.0"}})
    page = check(render(reports, Path("/"), old))
    text = shown(page)
    assert "guards of 2 tests: 10 to 12, higher" in text
    labels = [str(svg["aria-label"]) for svg in page.all("svg")]
    line = "guards of 2 tests. Line over 3 reports: from 10 to 12 (higher), least 10, most 30."
    assert line in labels
    assert "guards 9 12 3 more" in text
    assert "Tests that are gone (1) test_a.py::test_gone" in text
    assert "torch 2.12.0 before, 2.13.0 now" in text


def test_a_report_without_tests_is_a_page() -> None:
    empty = {"schema": 1, "fingerprint": {}, "tests": {}}
    text = shown(check(render([parse("a", empty), parse("b", empty)], Path("/"), parse("c", empty))))
    assert "Every budget was kept." in text
    assert "No number changed." in text


def test_sections_need_different_names() -> None:
    with pytest.raises(ValueError, match="different names"):
        page("t", "", [Section("a", "A", ""), Section("a", "B", "")])


@pytest.mark.parametrize(
    ("value", "is_time", "text"),
    [(3, False, "3"), (0.5, False, "0.5"), (2.5e-6, True, "2.5 us"), (0, True, "0 ns"), (90, True, "90 s")],
)
def test_quantities(value: float, is_time: bool, text: str) -> None:
    assert quantity(value, is_time=is_time) == text


def test_paths_and_labels_are_shortened() -> None:
    assert shown_path("/a/b.py", "/a") == "b.py"
    assert shown_path("/x/site-packages/torch/nn.py", "/a") == "torch/nn.py"
    assert shown_path("/x/b.py", "/a") == "/x/b.py"
    assert shown_path("/x/lib/python3.11/json/decoder.py") == "json/decoder.py"
    assert shown_path("/a/lib/python3.11/b.py", "/a") == "lib/python3.11/b.py"
    assert shown_path("src/b.py") == "src/b.py"
    assert shortened("0123456789", 5) == "01…89"


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"{number}.json").write_text(json.dumps(content(10 * number)))
    out = tmp_path / "out.html"
    names = [str(tmp_path / f"{number}.json") for number in (2, 3)]
    assert main(["report", *names, "-o", str(out), "--against", str(tmp_path / "1.json")]) == 0
    assert "2 tests" in capsys.readouterr().out
    titles = [str(a["href"]) for a in check(out.read_text()).all("a")]
    assert titles == [
        "#content",
        "#budgets",
        "#changes",
        "#history",
        "#costs",
        "#guards",
        "#events",
        "#timeline",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot be read"),
        ("{", "is damaged: no JSON"),
        ("[]", "is no report"),
        ('{"schema": 1, "tests": {}}', "is no report"),
        ('{"schema": 2, "fingerprint": {}}', "newer overhead-lint"),
        ('{"schema": 1, "fingerprint": {}}', "is damaged: KeyError"),
        ('{"schema": 1, "fingerprint": {}, "tests": {"a": []}}', "is damaged: TypeError"),
        ('{"schema": 1, "fingerprint": {}, "tests": {"a": NaN}}', "is damaged: no JSON"),
        ('{"schema": 1, "fingerprint": {}, "tests": {"a": 1e999}}', "is damaged: no JSON"),
    ],
)
def test_bad_reports_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, complaint: str
) -> None:
    path = tmp_path / "a.json"
    if text is not None:
        path.write_text(text)
    assert main(["report", str(path), "-o", str(tmp_path / "out.html")]) == 2
    assert f"overhead-lint: {path}: " in (error := capsys.readouterr().err)
    assert complaint in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("passed", "no"),
        ("passed", 1),
        ("verdict", None),
        ("values guards", "29"),
        ("values guards", True),
        ("limits guards", "NaN"),
        ("causes guards 0 amount", "3"),
        ("causes guards 0 line", 3.5),
        ("causes guards 0 path", None),
        ("moments 0 at", "soon"),
        ("moments 0 line", True),
        ("others alloc thread", "3"),
    ],
)
def test_values_of_another_type_are_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, value: object
) -> None:
    report = content(29)
    test = report["tests"]["test_a.py::test_step[<b>&\"']"]
    test["moments"] = report["tests"]["test_a.py::test_free"]["moments"]
    test["others"] = {"alloc": {"thread": 3}}
    *way, last = where.split()
    parse("a", report)
    for key in way:
        test = test[int(key) if isinstance(test, list) else key]
    test[last] = value
    (tmp_path / "a.json").write_text(json.dumps(report))
    assert main(["report", str(tmp_path / "a.json"), "-o", str(tmp_path / "out.html")]) == 2
    assert f"a.json: is damaged: TypeError: {value!r} is no " in capsys.readouterr().err


def test_a_folder_that_is_missing_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(content(3)))
    assert main(["report", str(tmp_path / "a.json"), "-o", str(tmp_path / "no" / "out.html")]) == 2
    assert f"cannot be written: no such folder: {tmp_path / 'no'}\n" in capsys.readouterr().err


def test_a_page_is_named_as_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(content(3)))
    assert main(["report", str(tmp_path / "a.json"), "-o", str(tmp_path / "out.txt")]) == 2
    assert "out.txt: name it *.html" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_writing_pages_imports_neither_torch_nor_pytest() -> None:
    code = "import sys, overhead_lint.cli.report_html; print({'torch', 'pytest'} & sys.modules.keys())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
