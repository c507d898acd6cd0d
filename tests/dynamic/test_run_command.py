"""`overhead-lint run`: from the program to its evidence, and what wrong use is told."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from overhead_lint.cli.main import main

from .run_cases import TRAIN, evidence, python, run, run_with_torch


def test_a_training_script_from_run_to_ranked_findings(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    done = run(tmp_path, "--warmup", "2", "train.py", "--lr", "1")
    assert (done.returncode, done.stdout) == (0, "done ['train.py', '--lr', '1']\n")
    assert "OVH101" in done.stderr
    assert [line.split()[:3] for line in done.stderr.splitlines() if "autocast-per-step" in line] == [
        ["1", "1", "train.py:6"]
    ]
    content = evidence(tmp_path)
    assert content["schema"] == 4
    assert content["steps"]["found_by"] == "optimizer steps"
    assert (content["steps"]["count"], content["steps"]["warmup"]) == (8, 2)
    found = {entry["code"]: entry for entry in content["findings"]}
    assert (found["OVH101"]["executions"], found["OVH101"]["total"]) == (8, 10)
    assert found["OVH101"]["cost_seconds"] > 0
    assert content["trace"]["step"] in (3, 5, 7)
    assert len(content["trace"]["recorded_ns"]) == 3
    assert "train.py" in content["trace"]["paths"]
    linted = python(tmp_path, "-m", "overhead_lint", ".", "--evidence", "overhead.json")
    assert "measured: once a step" in linted.stdout


def test_enough_steps_end_the_program_where_asked_for(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.replace("range(10)", "range(10**9)"))
    done = run_with_torch(
        tmp_path, "-o", "out.json", "--report-to", "report.txt", "--steps", "4", "--exit", "train.py"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert evidence(tmp_path, "out.json")["steps"]["count"] == 4
    assert "OVH101" in (tmp_path / "report.txt").read_text()


def test_lines_of_a_folder_that_runs_are_counted(tmp_path: Path) -> None:
    app = tmp_path / "elsewhere" / "app"
    app.mkdir(parents=True)
    (app / "__main__.py").write_text("import train\n")
    (app / "train.py").write_text(TRAIN)
    (tmp_path / "here").mkdir()
    done = run_with_torch(tmp_path / "here", "../elsewhere/app")
    assert done.returncode == 0
    (finding,) = (one for one in evidence(tmp_path / "here")["findings"] if one["code"] == "OVH101")
    assert (finding["path"], finding["executions"]) == (str(app / "train.py"), 7)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name a script"),
        (["-o", "no/where.json", "x.py"], "no/where.json: cannot be written: no such folder: no"),
        (["--step-function", "x", "x.py"], "write pkg.module:function"),
        (["--exit", __file__], "--exit goes with --steps or --duration"),
        (["--steps", "0", "x.py"], "argument --steps: a number, 1 or more, not '0'"),
        (["torchrun", "--standalone", "x.py"], "torchrun [OPTIONS] -m overhead_lint run SCRIPT"),
        (["-m", "torch.distributed.run", "x.py"], "-m torch.distributed.run [OPTIONS] -m overhead_lint run"),
        (["accelerate", "launch", "x.py"], "accelerate launch [OPTIONS] -m overhead_lint run SCRIPT"),
        (["python3", "x.py"], "python3: leave the interpreter out: overhead-lint run SCRIPT"),
        (["pytest", "tests"], "pytest: write overhead-lint run --pytest"),
        (["-o", "a", "--report-to", "./a", "whole.py"], "a: cannot hold both the evidence and the report"),
    ],
)
def test_wrong_use_that_shows_before_the_program_is_looked_at(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["run", *arguments])
    except SystemExit as error:
        status = int(error.code or 0)
    out, err = capsys.readouterr()
    assert (status, out, list(tmp_path.iterdir())) == (2, "", [])
    assert complaint in err
    assert err.rstrip().count("\n") == 0 or err.startswith("usage: ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["missing.py"], "missing.py: no such file"),
        (["."], ".: a folder without __main__.py"),
        (["app.zip"], "app.zip: is an archive, whose lines cannot be counted: unpack it, and run the folder"),
        (["-m", "missing_module"], "-m missing_module: no such module"),
        (["--step-function", "json:stop", __file__], "--step-function json:stop: there is no such function"),
        (["program.pyz"], "program.pyz: is no Python source"),
        (
            ["-o", "whole.py", "whole.py"],
            "whole.py: is the program, and what is written would take its place",
        ),
        (["--report-to", "link.py", "-m", "whole"], "link.py: is the program"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    (tmp_path / "program.pyz").write_bytes(b"PK\3\4\0\0")
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("__main__.py", "print('ran')\n")
    (tmp_path / "whole.py").write_text("print('ran')\n")
    (tmp_path / "link.py").symlink_to("whole.py")
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert (tmp_path / "whole.py").read_text() == "print('ran')\n"
    assert complaint in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.rstrip().count("\n") == 0


def test_evidence_that_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('done')\n")
    done = run(tmp_path, "-o", "/proc/evidence.json", "program.py")
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert "overhead-lint: /proc/evidence.json: cannot be written: " in done.stderr


def test_numbers_of_tests_come_beside_the_report_that_pytest_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "test_it.py").write_text(
        "import torch\ndef test_one():\n    torch.compile(lambda x: x + 1, backend='eager')(torch.ones(1))\n"
    )
    options = "-q", "-p", "no:cacheprovider", "--overhead-report=report.json"
    done = run_with_torch(tmp_path, "-q", "--pytest", *options)
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if "written" in line] == ["report.json: report written"]
    (name,) = evidence(tmp_path)["tests"]
    assert evidence(tmp_path)["tests"][name]["guards"] > 0
    assert json.loads((tmp_path / "report.json").read_text())["tests"].keys() == {name}


def test_the_native_core_is_compiled_when_torch_is_imported_and_in_silence_where_asked_for(
    tmp_path: Path,
) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\ntest $1 = --version && echo 'c++ 1'\n")
    compiler.chmod(0o755)
    (tmp_path / "a.py").write_text("import sys, torch\nprint('imported')\nsys.stderr.write('here\\n')\n")
    variables = {"CXX": str(compiler), "OVERHEAD_LINT_CACHE": str(tmp_path / "cache")}
    assert run(tmp_path, "-q", "a.py", **variables).stderr == "here\n"
    failed = run(tmp_path, "-q", "--device", "simulated", "a.py", **variables).stderr
    assert failed.startswith(
        "overhead-lint: --device simulated: the native core (simulated) does not compile"
    )
    told = run(tmp_path, "a.py", **variables).stderr
    assert told.index("building the native core") < told.index("here\n")


@pytest.mark.parametrize(
    ("built", "why"),
    [
        ("None", "no CUDA device; `--device simulated` gives the program a simulated one"),
        (
            "'13.0'",
            "no CUDA device: this torch is built for GPUs and finds none; a CPU-only torch can simulate one",
        ),
    ],
)
def test_a_device_is_advised_only_where_it_can_be_had(tmp_path: Path, built: str, why: str) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    (tmp_path / "train.py").write_text(f"import torch.version\ntorch.version.cuda = {built}\n{TRAIN}")
    run_with_torch(tmp_path, "-q", "train.py")
    assert evidence(tmp_path)["unavailable"]["event_record"] == why


def test_fixes_of_a_copy_are_compared_with_what_was_predicted(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    done = run_with_torch(tmp_path, "--fix", "--verify", "--verify-runs", "1", "train.py")
    assert done.returncode == 0
    assert done.stdout.count("done") == 1
    assert "1 finding fixed in a copy" in done.stderr and "predicted saving" in done.stderr
    verified = evidence(tmp_path)["verified"]
    assert verified["fixed"] == ["train.py:6: OVH101"]
    assert len(verified["before_seconds"]) == len(verified["after_seconds"]) == 1
    assert (tmp_path / "train.py").read_text() == TRAIN


@pytest.mark.parametrize(("option", "name"), [("-o", "e.json"), ("--report-to", "report.txt")])
@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_place_that_cannot_be_written_is_told_before_the_program_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    name: str,
    what: str,
) -> None:
    place = tmp_path / name
    (tmp_path / "program.py").write_text("print('ran')\n")
    if what == "file":
        place.touch()
    locked = place if what == "file" else tmp_path
    access = os.access  # root may write anywhere
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != locked and access(path, mode))
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-o", os.devnull, option, str(place), "program.py"]) == 2
    why = "it is read-only" if what == "file" else f"{tmp_path} is read-only"
    told = f"overhead-lint: {place}: cannot be written: {why}; name a file elsewhere\n"
    assert capsys.readouterr() == ("", told)


def test_evidence_is_written_also_where_the_report_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import sys\nsys.modules['tabulate'] = sys.modules['overhead_lint.dynamic.report'] = None\n"
    )
    done = run(tmp_path, "program.py")
    assert done.returncode == 0
    start = "overhead-lint: the report: cannot be written in what the program left of the interpreter: Mod"
    assert done.stderr.startswith(start) and done.stderr.count("\n") == 1
    assert evidence(tmp_path)["status"] == 0


def test_a_program_without_a_module_that_it_needs_is_told_so_and_leaves_no_evidence(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import os\nos.environ.get('A')\nimport no_such_module_here\n")
    done = run(tmp_path, "train.py")
    assert (done.returncode, done.stdout) == (1, "")
    last = "overhead-lint: the program ended with ModuleNotFoundError before a step was measured"
    assert done.stderr.splitlines()[-1] == f"{last}: no evidence is written"
    assert "No finding ran" not in done.stderr and not (tmp_path / "overhead.json").exists()


def test_tests_that_are_not_there_leave_no_evidence(tmp_path: Path) -> None:
    done = run(tmp_path, "--pytest", "no_such_tests")
    assert done.returncode == 4
    assert done.stderr.splitlines()[-1] == "overhead-lint: pytest ran no test: no evidence is written"
    assert not (tmp_path / "overhead.json").exists()
