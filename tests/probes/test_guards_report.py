"""``overhead-lint guards report``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from warm_python import DYNAMO, python

from overhead_lint.cli.main import main
from overhead_lint.probes import guards_lookout, timing

# Its number of guards is the same from torch 2.11 on: a loop over a `ModuleList` has three more before 2.13.
SCRIPT = """
import sys

import torch

class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2
    def forward(self, x):
        return x * self.scale

class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = torch.nn.ModuleDict({str(i): Scale() for i in range(n)})
    def forward(self, x):
        for layer in self.layers.values():
            x = layer(x)
        return x if self.training else -x

def times(x, k):
    torch._dynamo.graph_break()
    return x * k

if __name__ == "__main__":
    model = torch.compile(Model(int(sys.argv[1])), backend="eager")
    for _ in range(4):
        model(torch.ones(3))
    compiled = torch.compile(times, backend="eager", dynamic=False)
    for k in ("a", "b"):
        compiled(torch.ones(3), len(k) if k == "a" else 2.5)
    print("own output")
    sys.exit(3)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def report(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "overhead_lint", "guards", "report", *arguments, modules=DYNAMO)


def test_a_run_is_reported_by_frame_as_json(script: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    output = tmp_path / "report.json"
    done = report("--no-advice", "--output-format", "json", "-o", str(output), str(script), "5")
    assert (done.returncode, done.stdout) == (1, "own output\n")  # the script's own status is a failure
    content = json.loads(output.read_text())
    model = next(entry for entry in content["entries"] if entry["function"].endswith("forward"))
    assert (model["file"], model["line"]) == (str(script), 17)
    assert "advice" not in content
    assert (model["guards"], model["calls"], model["python_guards"]) == (17 + 4 * 5, 3, 1)
    assert sum(model["by_type"].values()) == sum(model["by_source"].values()) == 37
    assert model["by_source"]["L['self']._modules['layers']._modules[*].scale"] == 5
    assert model["by_line"][f"{script}:11"] == 7
    assert 0 < model["hot_seconds"] < 1
    lower, upper = model["cold_quartiles_seconds"]
    assert 0 < lower <= model["cold_seconds"] <= upper < 1
    assert model["by_subject"] == {"modules": 30, "global state": 4, "other": 1, "tensors": 2}
    assert 0 < model["wrapper_seconds"] < 0.01
    resumed = [entry for entry in content["entries"] if "resume" in entry["function"]]
    assert [len(entry["recompiles"]) for entry in resumed] in ([0, 1], [1, 0])
    assert all(entry["wrapper_seconds"] is None for entry in resumed)
    broken = [entry for entry in content["entries"] if entry["graph_breaks"]]
    assert all(entry["graph_breaks"][0].startswith(f"{script}:23 ") for entry in broken)
    assert broken


@pytest.fixture
def small_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill the caches with little, where the figures do not matter."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(timing, "LEAST_FLUSH", 1 << 20)
    monkeypatch.setattr(timing, "last_level_cache_bytes", lambda: 0)
    torch._dynamo.reset()


@pytest.mark.usefixtures("small_flush")
def test_the_text_names_frames_and_lines(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guards", "report", str(script), "5"]) == 1
    output, errors = capsys.readouterr()
    assert output.startswith("own output\n")
    assert f"forward  {script}:17\n  37 guards, 1 of them Python, hot " in output
    assert re.search(
        r"wrapper [\d.e+]+ us, code [\d.e+]+ us, 3 calls\n  guards are \d+% of what a warm call pays",
        output,
    )
    assert re.search(r", cold [\d.e+]+ us \([\d.e+]+ to [\d.e+]+\), wrapper ", output)
    assert "\nguards by line\n" in output
    assert f"{script}:11  guard on " in output
    assert "  where " in output and " of an evaluation go\n" in output
    assert re.search(r"\n +[\d.]+ us +\d+% +\d+ guards  [LGg]", output)
    assert "\nwhat would save time, tried here\n" in output
    assert (
        "Model.forward: overhead_lint.runtime.compile(..., guard_eval='full') (OVH307)\n    saves " in output
    )
    assert "compile it as one graph, without its graph breaks (line 23) (OVH311)" in output
    assert errors == ""


@pytest.mark.usefixtures("small_flush")
def test_paths_in_the_text_are_those_from_here(
    script: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(script.parent)
    assert main(["guards", "report", "--no-advice", script.name, "5"]) == 1
    output = capsys.readouterr().out
    assert f"forward  {script.name}:17\n" in output
    assert f"  graph break: {script.name}:23 " in output
    assert str(script.parent) not in output


@pytest.mark.usefixtures("small_flush")
def test_advice_is_data_too(script: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.json"
    assert main(["guards", "report", "--output-format", "json", "-o", str(output), str(script), "5"]) == 1
    content = json.loads(output.read_text())
    tried = [*content["advice"], *content["without_effect"]]
    rules = {(one["function"].rpartition(".")[2], one["rule"]) for one in tried}
    assert {("forward", "OVH307"), ("times", "OVH311")} <= rules
    assert all(one["file"] == str(script) and one["saves_seconds"] < one["of_seconds"] for one in tried)
    assert {one["calls"] for one in tried if one["function"].endswith("forward")} == {3}
    families = next(e for e in content["entries"] if e["function"].endswith("forward"))["family_seconds"]
    assert families["global state"] > 0


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("x = 1\n", 2, "overhead-lint: no compiled frame ran: nothing that torch.compile made was called"),
        ("raise ValueError('mine')\n", 2, "ValueError: mine"),
    ],
)
def test_a_run_without_compiled_frames_is_no_empty_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, message: str
) -> None:
    torch = pytest.importorskip("torch")

    def unlike_the_scripts(x: object) -> object:
        for _ in range(2):
            torch._dynamo.graph_break()
        return x

    guards_lookout.prepare()  # as a test does that is measured
    torch.compile(unlike_the_scripts, backend="eager")(torch.ones(3))
    script = tmp_path / "script.py"
    script.write_text(text)
    before = list(sys.argv), list(sys.path)
    assert main(["guards", "report", str(script)]) == status
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert (sys.argv, sys.path) == before


ENDS = """
import os, sys, torch
compiled = torch.compile(lambda x: x + 1, backend="eager")
compiled(torch.ones(3))
{end}
"""


@pytest.mark.parametrize(
    ("end", "status", "said"),
    [
        (
            "raise ValueError('boom')",
            1,
            'Traceback (most recent call last):\n  File "ends.py", line 5, in <module>\n',
        ),
        (
            "raise GeneratorExit",
            1,
            'Traceback (most recent call last):\n  File "ends.py", line 5, in <module>\n',
        ),
        ("sys.exit(['a', 'list'])", 1, "['a', 'list']\n"),
        ("sys.stdout = open('log.txt', 'w')", 0, ""),
        ("sys.stdout = None", 0, ""),
        ("os.fork() or sys.exit(7); print(os.WEXITSTATUS(os.wait()[1]))", 0, ""),
        (
            "sys.stdout.close()",
            2,
            "overhead-lint: the script closed standard output: say where to write to: -o FILE",
        ),
    ],
)
def test_a_run_is_reported_however_the_script_ends(tmp_path: Path, end: str, status: int, said: str) -> None:
    pytest.importorskip("torch")
    (tmp_path / "ends.py").write_text(ENDS.format(end=end))
    words = ["-m", "overhead_lint", "guards", "report", "--no-advice", "ends.py"]
    done = python(*words, cwd=tmp_path, modules=DYNAMO)
    assert (done.returncode, done.stderr[: len(said)]) == (status, said)
    assert done.stdout.count("1 compiled frame") == (status != 2)
    assert "overhead_lint" not in done.stderr
    assert done.stdout.startswith("7\n") == ("fork" in end)


def test_a_script_has_its_own_modules_where_they_are_called_as_the_librarys(tmp_path: Path) -> None:
    (tmp_path / "statistics.py").write_text("own = 7\n")
    text = "import sys, torch, statistics\ntorch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))\n"
    (tmp_path / "script.py").write_text(f"{text}print(statistics.own, file=sys.stderr)\n")
    command = [sys.executable, "-m", "overhead_lint", "guards", "report", "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "7\n")
    assert "script.py:2" in done.stdout


def test_a_script_may_change_the_folder(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "ends.py").write_text(ENDS.format(end="os.chdir('/')"))
    words = ["-m", "overhead_lint", "guards", "snapshot", "-o", "guards.txt", "ends.py"]
    done = python(*words, cwd=tmp_path, modules=DYNAMO)
    assert (done.returncode, done.stderr) == (0, "")
    assert "frame" in (tmp_path / "guards.txt").read_text()


def test_wrong_use_is_one_line_and_status_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guards", "report", str(tmp_path / "none.py")]) == 2
    assert capsys.readouterr().err == f"overhead-lint: {tmp_path / 'none.py'}: no such file\n"
    with pytest.raises(SystemExit, match="2"):
        main(["guards", "report"])
    capsys.readouterr()
    wrong, binary, right = (tmp_path / name for name in ("wrong.py", "binary.py", "right.py"))
    wrong.write_text("x = 1\ndef f(:\n")
    binary.write_bytes(b"\xff\xfe\x00")
    right.write_text("x = 1\n")
    deep = tmp_path / "deep.py"
    deep.write_text(f"x = {' + '.join(['1'] * 40_000)}\n")
    too_deep = "Stack overflow" if sys.version_info >= (3, 14) else "maximum recursion depth exceeded during"
    for arguments, told in (
        ([str(wrong)], f"{wrong}:2: invalid syntax"),
        ([str(deep)], f"{deep}: {too_deep}"),
        ([str(binary)], f"{binary}:"),
        ([str(tmp_path)], f"{tmp_path}: is no file"),
        (
            ["-o", str(tmp_path / "no" / "a.txt"), str(right)],
            f"{tmp_path / 'no' / 'a.txt'}: cannot be written: no such folder: ",
        ),
        (["-o", str(tmp_path), str(right)], f"{tmp_path}: cannot be written: is a folder"),
        (["-o", str(right), str(right)], f"{right}: is the script, and what is written would take its place"),
    ):
        assert main(["guards", "report", *arguments]) == 2
        output, errors = capsys.readouterr()
        assert output == "" and errors.count("\n") == 1
        assert errors.startswith(f"overhead-lint: {told}")
    assert right.read_text() == "x = 1\n"
