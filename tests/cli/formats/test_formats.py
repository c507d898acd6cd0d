"""The output formats: each read back by what its readers expect."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from overhead_lint import report as output

from .format_runs import TRAIN, Done, Lint, broken


def test_every_format_is_found_by_the_name_of_its_module() -> None:
    folder = Path(output.__file__).parent
    assert set(output.formats()) == {path.stem.removesuffix("_format") for path in folder.glob("*_format.py")}


def test_every_format_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "usage.md").read_text(encoding="utf-8")
    table = page.split("## Output formats")[1].split("\n\n")[2]
    assert [name for name in output.formats() if f"`{name}`" not in table] == []


@pytest.mark.parametrize("name", output.formats())
def test_every_format_reports_findings_a_clean_file_and_a_broken_one(
    lint: Lint, tmp_path: Path, name: str
) -> None:
    found = lint("--output-format", name, ".")
    assert (found.err, found.status) == ("", 1)
    assert "OVH101" in found.out and "OVH404" in found.out and found.out.endswith("\n")
    (tmp_path / "clean.py").write_text("x = 1\n")
    clean = lint("--output-format", name, "clean.py")
    assert ("OVH101 " in clean.out, clean.err, clean.status) == (False, "", 0)
    broken(tmp_path)
    wrong = lint("--output-format", name, "broken.py")
    assert (wrong.err, wrong.status) == ("broken.py:1:7: syntax error: invalid syntax\n", 2)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("sarof", "did you mean sarif?"), ("JSON", "did you mean json?"), ("xyzzy", "there are ")],
)
def test_an_unknown_format_is_one_line_with_the_nearest_name(lint: Lint, name: str, hint: str) -> None:
    done = lint("--output-format", name, ".")
    assert done.err.startswith(f"overhead-lint: unknown output format '{name}': {hint}")
    assert (done.out, done.err.count("\n"), done.status) == ("", 1, 2)


@pytest.mark.parametrize("name", output.formats())
def test_every_format_can_name_a_file_whose_name_is_not_utf_8(lint: Lint, tmp_path: Path, name: str) -> None:
    (tmp_path / "a b" / "train.py").rename(tmp_path / os.fsdecode(b"\xff.py"))
    assert lint("--output-format", name, "--output-file", "out", ".") == Done("", "", 1)
    assert b"OVH101" in (tmp_path / "out").read_bytes()
    if name == "sarif":
        assert '"uri": "%FF.py"' in (tmp_path / "out").read_text()


def test_grouped_names_each_file_once(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(TRAIN)
    lines = lint("--output-format", "grouped", ".").out.splitlines()
    assert [line for line in lines if line.endswith(".py:")] == ["a b/train.py:", "b.py:"]
    assert lines[1].startswith("   8:14  OVH101 ") and lines[1].endswith(" [micro, step] (safe fix)")
    assert lines[2].startswith("  16:12  OVH404 ") and lines[2].endswith(" [stall, step]")


def test_table_has_a_row_for_each_finding(lint: Lint) -> None:
    header, rule, first, second, *_ = lint("--output-format", "table", ".").out.splitlines()
    assert header.split() == ["place", "code", "tier", "cost", "heat", "fix", "message"]
    assert set(rule) == {"-", " "}
    assert re.match(r"a b/train.py:16:12  OVH404  stall +step   ", first)
    assert re.match(r"a b/train.py:8:14   OVH101  micro   ~[\d.]+ us  step    safe   ", second)


def test_jsonl_lines_are_the_objects_of_json(lint: Lint) -> None:
    lines = lint("--output-format", "jsonl", ".").out.splitlines()
    assert [json.loads(line) for line in lines] == json.loads(lint("--output-format", "json", ".").out)
    assert json.loads(lines[0])["fix"]["edits"]


def test_github_commands_escape_what_would_end_them(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "a b" / "train.py").rename(tmp_path / "50%,a:b.py")
    broken(tmp_path)
    first, second, error = lint("--output-format", "github", ".").out.splitlines()
    command = re.fullmatch(r"::warning ([^:]*)::(.*)", second)
    assert command is not None
    assert dict(part.split("=") for part in command[1].split(",")) == {
        "title": "OVH101 autocast-per-step",
        "file": "50%25%2Ca%3Ab.py",
        "line": "8",
        "endLine": "8",
        "col": "14",
        "endColumn": "58",
    }
    assert first.startswith("::warning title=OVH404 ") and "[stall, step: " in first
    assert error == "::error title=overhead-lint::broken.py:1:7: syntax error: invalid syntax"


def test_paths_for_servers_are_relative_to_their_checkout(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "a b")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert "file=a b/train.py," in lint("--output-format", "github", "train.py").out
    assert (
        json.loads(lint("--output-format", "gitlab", "train.py").out)[0]["location"]["path"] == "a b/train.py"
    )
    assert '"uri": "a%20b/train.py"' in lint("--output-format", "sarif", "train.py").out


REVIEWED = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print(x.max().item())
        self.seen.append(x.max().item())
        print(x.nonzero(), "\u00e4", x.is_cuda and torch.ones(2).to(x.device))
        return x
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_reviews_get_whole_lines_as_what_a_fix_makes_of_them(
    lint: Lint, tmp_path: Path, newline: str
) -> None:
    (tmp_path / "review.py").write_bytes(REVIEWED.replace("\n", newline).encode())
    shown = json.loads(lint("--output-format", "rdjson", "review.py").out)
    assert shown["source"] == {"name": "overhead-lint"}
    by_code = {one["code"]["value"]: one for one in reversed(shown["diagnostics"])}
    assert {"OVH404", "OVH409", "OVH701"} <= by_code.keys()
    assert "suggestions" not in by_code["OVH409"]
    read, made = by_code["OVH404"], by_code["OVH701"]
    assert read["location"] == {"path": "review.py", "range": {"start": {"line": 7}, "end": {"line": 7}}}
    assert read["severity"] == "INFO" and "\nunsafe fix: read it once" in read["message"]
    once = "        max_value = x.max().item()\n        print(max_value)\n        self.seen.append(max_value)"
    assert read["suggestions"] == [
        {"range": {"start": {"line": 7, "column": 1}, "end": {"line": 8, "column": 41}}, "text": once}
    ]
    (suggestion,) = made["suggestions"]
    line = REVIEWED.splitlines()[8]
    assert suggestion["range"]["end"] == {"line": 9, "column": len(line.encode()) + 1}
    assert suggestion["text"] == line.replace("torch.ones(2).to(x.device)", "torch.ones(2, device=x.device)")


@pytest.mark.parametrize(("between", "suggested"), [(2, True), (30, False)])
def test_a_fix_whose_lines_lie_far_apart_is_no_suggestion(
    lint: Lint, tmp_path: Path, between: int, suggested: bool
) -> None:
    body = "        model(x)\n" * between
    text = f"import torch\n\n\ndef train(model, loader):\n    for x in loader:\n{body}"
    (tmp_path / "far.py").write_text(f"{text}        with torch.autocast('cuda'):\n            model(x)\n")
    shown = json.loads(lint("--output-format", "rdjson", "--select", "OVH101", "far.py").out)
    (diagnostic,) = shown["diagnostics"]
    assert ("suggestions" in diagnostic) is suggested


def test_gitlab_issues_have_what_the_report_type_requires(lint: Lint) -> None:
    issues = json.loads(lint("--output-format", "gitlab", ".").out)
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["path"] == "a b/train.py"
    assert [issue["location"]["lines"] for issue in issues] == [
        {"begin": 8, "end": 8},
        {"begin": 16, "end": 16},
    ]
    assert len({issue["fingerprint"] for issue in issues}) == 2


def test_gitlab_fingerprints_stay_when_lines_move(lint: Lint, tmp_path: Path) -> None:
    def fingerprints() -> list[str]:
        return [issue["fingerprint"] for issue in json.loads(lint("--output-format", "gitlab", ".").out)]

    before = fingerprints()
    (tmp_path / "a b" / "train.py").write_text("# a new comment\n\n" + TRAIN)
    assert fingerprints() == before


def test_junit_counts_failures_and_errors(lint: Lint, tmp_path: Path) -> None:
    broken(tmp_path)
    suites = ET.fromstring(lint("--output-format", "junit", ".").out)
    (suite,) = suites
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "2",
        "errors": "1",
    }
    assert [case.get("name") for case in suite.iter("testcase")][:2] == [
        "OVH101 autocast-per-step 8:14",
        "OVH404 sync-in-step 16:12",
    ]
    assert [failure.get("type") for failure in suite.iter("failure")] == ["OVH101", "OVH404"]


def test_junit_of_a_clean_run_is_a_test_that_passed(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    (case,) = ET.fromstring(lint("--output-format", "junit", "clean.py").out).iter("testcase")
    assert list(case) == []


def test_junit_leaves_out_what_xml_cannot_hold(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "a b" / "train.py").rename(tmp_path / "bell\a.py")
    case = next(ET.fromstring(lint("--output-format", "junit", ".").out).iter("testcase"))
    assert case.get("file") == "bell\N{REPLACEMENT CHARACTER}.py"
