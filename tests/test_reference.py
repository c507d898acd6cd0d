"""The reference holds what commands do and write: exit statuses, JSON, and the names of the Python API."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import site_reference

from overhead_lint.cli.main import COMMANDS
from overhead_lint.engine.pages import Page

ROOT = Path(__file__).parent.parent
STATUS = (ROOT / "docs" / "exit-status.md").read_text(encoding="utf-8")


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "overhead_lint", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def schema(name: str) -> Any:
    """A validator of a schema that we publish."""
    jsonschema = pytest.importorskip("jsonschema")
    content = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


def test_the_page_of_exit_statuses_has_every_command() -> None:
    assert re.findall(r"^\| `([\w-]+)`", STATUS, re.MULTILINE) == sorted(
        COMMANDS, key=lambda name: (name != "check", name)
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_use_ends_every_command_with_2(command: str, tmp_path: Path) -> None:
    done = lint(tmp_path, command, "--no-such-option")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_findings_are_what_their_schema_says(tmp_path: Path) -> None:
    """Of the examples of all rules, at any heat, with their fixes; as files and as a notebook."""
    for page in sorted(ROOT.glob("rules/*/*.md")):
        code = Page.parse(page.read_text(encoding="utf-8"), page.stem).code("Example")
        (tmp_path / f"{page.stem}.py").write_text(code, encoding="utf-8")
    cell: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": [code],
    }
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "notebook.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    options = ("--isolated", "--no-cache", "--preview", "--min-heat", "presumed", "--output-format", "json")
    found = json.loads(lint(tmp_path, *options, ".").stdout)
    assert {one["code"] for one in found} >= {"OVH101", "OVH404", "OVH701"}
    assert any("cell" in one for one in found) and any(one["fix"] for one in found)
    assert [error.message for error in schema("findings").iter_errors(found)] == []


def test_a_baseline_is_what_its_schema_says(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "for batch in loader:\n    optimizer.step()\n" + "    print(loss.item())\n" * 2
    )
    assert (
        lint(
            tmp_path, "--isolated", "--no-cache", "--min-heat", "presumed", "--write-baseline", "."
        ).returncode
        == 0
    )
    lines = (tmp_path / "overhead-baseline.jsonl").read_text(encoding="utf-8").splitlines()
    validator = schema("baseline")
    assert [error.message for line in lines for error in validator.iter_errors(json.loads(line))] == []
    assert list(validator.iter_errors({"path": "a.py"}))


def test_a_report_of_tests_is_what_its_schema_says(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "test_a.py").write_text(
        "import pytest, torch\n\n"
        "@pytest.mark.overhead_budget(dispatches=0)\ndef test_over():\n    torch.ones(2).neg()\n\n"
        "@pytest.mark.overhead_budget(stream_sync=1)\ndef test_on_device(simulated_cuda):\n"
        "    torch.ones(2, device='cuda').sum().item()\n"
    )
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--overhead-budget",
            "--overhead-report",
            "report.json",
            "test_a.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert found["tests"]["test_a.py::test_over"]["verdict"] == "over budget"
    assert [error.message for error in schema("report").iter_errors(found)] == []


def test_the_python_api_names_modules_that_say_what_is_public() -> None:
    page = site_reference.python_api()
    assert re.findall(r"^::: (\S+)$", page, re.MULTILINE) == list(site_reference.MODULES)
    for name in site_reference.MODULES:
        module = importlib.import_module(name)
        assert module.__doc__ and module.__all__
        assert [public for public in module.__all__ if not hasattr(module, public)] == []
