"""``overhead-lint`` as a user runs it: output, exit status, and every kind of wrong use."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

MODEL = """\
import time
from torch import nn

class Model(nn.Module):
    def forward(self, x):
\tif x: time.sleep('ä漢', 1)
        x = x + 1
        x = x + 2
\tif x: 'ä漢'; time.sleep(2)
        return x
""".replace("\tif", "        if")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file in which the example pack's rule finds two places."""
    path = tmp_path / "model.py"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_full_output_shows_the_span_the_heat_and_the_help(run: Run, pack: Path, model: Path) -> None:
    done = run("model.py", "--select", "EXA", "--sort", "path", path=pack)
    assert (
        done.stdout
        == """\
model.py:6:15: EXA001 sleep-in-step the step sleeps
  |
6 |         if x: time.sleep('ä漢', 1)
  |               ^^^^^^^^^^^^^^^^^^^^
  = cost: host: once a step; no case of the rule was timed
  = heat: step: Model.forward runs on every call of the module
  = help: wait for an event

model.py:9:21: EXA001 sleep-in-step the step sleeps
  |
9 |         if x: 'ä漢'; time.sleep(2)
  |                      ^^^^^^^^^^^^^
  = cost: host: once a step; no case of the rule was timed
  = heat: step: Model.forward runs on every call of the module
  = help: wait for an event

Found 2 findings in 1 file.
"""
    )
    assert (done.stderr, done.returncode) == ("", 1)


def test_paths_may_stand_on_both_sides_of_options(run: Run, pack: Path, model: Path, tmp_path: Path) -> None:
    for name in ("b.py", "-c.py"):
        (tmp_path / name).write_text(MODEL, encoding="utf-8")
    shown = "--output-format", "concise", "--sort", "path", "-q"
    arguments = ("model.py", "--select", "EXA", "b.py", *shown, "--", "-c.py")
    places = [line.partition(":")[0] for line in run(*arguments, path=pack).stdout.splitlines()]
    assert places == ["model.py"] * 2 + ["b.py"] * 2 + ["-c.py"] * 2


def test_concise_output_is_one_line_a_finding(run: Run, pack: Path, model: Path) -> None:
    done = run("check", "--output-format=concise", "--select=EXA001", ".", path=pack)
    assert done.stdout.splitlines() == [
        "model.py:6:15: EXA001 sleep-in-step the step sleeps [host, step]",
        "model.py:9:21: EXA001 sleep-in-step the step sleeps [host, step]",
        "Found 2 findings in 1 file.",
    ]
    assert done.returncode == 1


_TRAINING = """\
import torch

def train(loader, model, opt):
    for x in loader:
        model(x).sum().backward()
        opt.step()
"""


def test_full_output_shows_all_lines_of_a_span_and_wraps_at_words(run: Run, tmp_path: Path) -> None:
    calls = {
        "short": "torch.cat([\n            x,\n        ]).sum().item()",
        "long": "torch.cat([\n            x,\n            x,\n            x,\n        ]).sum().item()",
    }
    source = _TRAINING + "".join(
        f"        {name} = {call}\n        use({name})\n" for name, call in calls.items()
    )
    (tmp_path / "train.py").write_text(source)
    done = run("--select", "OVH404", "--sort", "path", "train.py")
    blocks = done.stdout.split("\n\n")
    assert max(map(len, done.stdout.splitlines())) <= 120
    assert [line for line in blocks[0].splitlines() if " | " in line and "^" not in line] == [
        "7 |         short = torch.cat([",
        "8 |             x,",
        "9 |         ]).sum().item()",
    ]
    carets = [line for line in blocks[0].splitlines() if "^" in line]
    assert [len(line) - len(line.lstrip(" |")) for line in carets] == [20, 16, 12]


def test_full_output_shows_the_ends_of_a_long_span(run: Run, tmp_path: Path) -> None:
    items = "            x,\n" * 5
    source = f"{_TRAINING}        a = torch.cat([\n{items}        ]).sum().item()\n"
    (tmp_path / "train.py").write_text(source)
    shown = run("--select", "OVH404", "train.py").stdout.splitlines()
    at = shown.index(" 7 |         a = torch.cat([")
    assert shown[at + 2 : at + 4] == ["   | ...", "13 |         ]).sum().item()"]


def test_json_output_is_a_list_and_nothing_else(run: Run, pack: Path, model: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f(:  # sleep\n")
    done = run("--output-format", "json", "--select", "EXA", ".", path=pack)
    first, _ = json.loads(done.stdout)
    assert first == {
        "path": "model.py",
        "line": 6,
        "column": 15,
        "end_line": 6,
        "end_column": 34,
        "code": "EXA001",
        "name": "sleep-in-step",
        "message": "the step sleeps",
        "help": "wait for an event",
        "tier": "host",
        "cost": {
            "seconds_per_step": None,
            "executions_per_step": 1.0,
            "seconds_per_execution": None,
            "estimate": True,
            "rounds_assumed": False,
            "waits": False,
            "waits_again": False,
            "stays": None,
        },
        "heat": "step",
        "confidence": 1.0,
        "worth": 1.0,
        "branches": 1,
        "why": "Model.forward runs on every call of the module",
        "chain": [{"path": "model.py", "line": 5, "what": "Model.forward"}],
        "reason": {"kind": "module", "links": 1, "evaluates": False},
        "gate": None,
        "options": [],
        "also": [],
        "count": 1,
        "told_by": None,
        "fix": None,
    }
    assert done.stderr == "broken.py:1:7: syntax error: invalid syntax\n"
    assert done.returncode == 2


def test_json_tells_where_the_links_of_a_chain_are(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        """\
import torch
from helper import Helper

class Trainer:
    def fit(self, loader, helper: Helper):
        def inner(loss):
            helper.report(loss)
        for batch in loader:
            loss = self.model(batch)
            loss.backward()
            inner(loss)
"""
    )
    (tmp_path / "helper.py").write_text(
        "import torch\nclass Helper:\n    def report(self, loss: torch.Tensor):\n        return loss.item()\n"
    )
    (tmp_path / "pyproject.toml").touch()
    for _ in range(2):  # at first, and from what is kept
        (finding,) = json.loads(run("--output-format", "json", "--select", "OVH404", ".").stdout)
        assert [(one["path"], one["line"], one["what"]) for one in finding["chain"]] == [
            ("train.py", 8, "loop in Trainer.fit"),
            ("train.py", 6, "Trainer.fit.<locals>.inner"),
            ("helper.py", 3, "Helper.report"),
        ]
    (tmp_path / "helper.py").write_text("import os\n" + (tmp_path / "helper.py").read_text())
    (finding,) = json.loads(run("--output-format", "json", "--select", "OVH404", ".").stdout)
    assert finding["chain"][-1]["line"] == 4, "lines are those of the files as they are"


def test_json_tells_what_a_place_hangs_on(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import torch\n"
        "class Model(torch.nn.Module):\n"
        "    def __init__(self, log=False):\n"
        "        super().__init__()\n"
        "        self.log = log\n"
        "    def forward(self, x):\n"
        "        if self.log:\n"
        "            print(x.sum().item())\n"
        "        return x\n"
    )
    done = run("--output-format", "json", "--select", "OVH404", "--min-heat", "presumed", "a.py")
    [finding] = json.loads(done.stdout)
    assert finding["options"] == [
        {"kind": "argument", "owner": ".Model.__init__", "name": "log", "default": "False", "shipped": False}
    ]
    assert finding["why"].endswith("the module, but not by default: Model(log=False)")
    assert (finding["heat"], finding["gate"]) == ("presumed", None)


def test_json_output_without_findings_is_an_empty_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = run("--output-format", "json", "a.py")
    assert (done.stdout, done.returncode) == ("[]\n", 0)


def test_a_clean_run_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = run("a.py")
    assert (done.stdout, done.stderr, done.returncode) == ("No findings.\n", "", 0)


def make_unreadable(folder: Path) -> None:
    """A file that not even root can read: a link that goes round."""
    (folder / "loop.py").symlink_to("loop.py")


@pytest.mark.parametrize(
    ("name", "data", "arguments", "error"),
    [
        ("a.py", b"", ("gone.py",), "gone.py: no such file or folder"),
        ("a.py", b"", ("--select", "OVH999", "a.py"), "overhead-lint: unknown rule 'OVH999': "),
        (
            "a.py",
            b"",
            ("--ignore", "EXA002", "a.py"),
            "overhead-lint: unknown rule 'EXA002': did you mean EXA001?",
        ),
        ("a.py", b"def f(:\n", ("a.py",), "a.py:1:7: syntax error: invalid syntax"),
        ("a.py", b"x = '\xe9'\n", ("a.py",), "a.py:1:6: is not valid utf-8"),
        ("a.py", b"# coding: klingon\n", ("a.py",), "a.py:1:1: unknown encoding: klingon"),
        ("a.py", b"x\0", ("a.py",), "a.py:1:2: contains null bytes"),
        ("a.txt", b"", (".",), ".: no Python files to check in this folder"),
    ],
)
def test_wrong_use_and_bad_files_are_one_line_and_status_2(
    run: Run,
    pack: Path,
    tmp_path: Path,
    name: str,
    data: bytes,
    arguments: tuple[str, ...],
    error: str,
) -> None:
    (tmp_path / name).write_bytes(data)
    done = run(*arguments, path=pack)
    assert done.stderr.startswith(error)
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2


def test_an_unreadable_file_is_named(run: Run, tmp_path: Path) -> None:
    make_unreadable(tmp_path)
    (tmp_path / "folder.py").mkdir()
    done = run("loop.py")
    assert "loop.py" in done.stderr
    assert done.returncode == 2


def test_what_can_be_checked_is_checked_beside_what_cannot(run: Run, pack: Path, model: Path) -> None:
    done = run("gone.py", "model.py", "--select", "EXA", "--output-format", "concise", path=pack)
    assert done.stdout.count("EXA001") == 2
    assert done.stderr == "gone.py: no such file or folder\n"
    assert done.returncode == 2


@pytest.mark.parametrize("arguments", [("--nonsense", "a.py"), ("--min-heat", "boiling", "a.py")])
def test_a_wrong_command_line_shows_the_usage(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.stderr.startswith("usage: overhead-lint")
    assert done.returncode == 2


def test_an_empty_path_is_refused(run: Run) -> None:
    done = run("")
    assert "an empty PATH" in done.stderr
    assert done.returncode == 2


def test_the_help_names_each_command(run: Run) -> None:
    from overhead_lint.cli.main import COMMANDS

    shown = run("--help").stdout
    assert [
        name for name in COMMANDS if f"overhead-lint {name}" not in shown.replace("[check]", "check")
    ] == []


def test_a_file_named_twice_is_checked_once(run: Run, pack: Path, model: Path, tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to("model.py")
    done = run("model.py", ".", "./model.py", "--select=EXA", "--output-format=concise", path=pack)
    assert done.stdout.count("EXA001") == 2


def test_selection_by_prefix_and_by_longer_entry(run: Run, pack: Path, model: Path) -> None:
    def found(*arguments: str) -> int:
        return run("model.py", *arguments, path=pack).stdout.count("EXA001 ")

    assert found("--select", "EXA0") == 2
    assert found("--select", "ALL", "--ignore", "EXA") == 0
    assert found("--select", "EXA001", "--ignore", "EXA") == 2
    assert found("--select", "OVH", "--ignore", "EXA001") == 0
    assert found("--select", "EXA", "--min-heat", "loop") == 0


def test_a_reader_that_goes_away_is_no_traceback(pack: Path, model: Path, tmp_path: Path) -> None:
    more = "; time.sleep(2)\n" + "        x + 1\n        x + 1\n        time.sleep(2)\n" * 4000
    model.write_text(MODEL.replace("; time.sleep(2)\n", more), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(pack)}
    command = [sys.executable, "-m", "overhead_lint", "--select=EXA", "model.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.parametrize(("closed", "status"), [(">&-", 1), ("2>&-", 1), (">&- 2>&- <&-", 1)])
def test_closed_streams_lead_nowhere(tmp_path: Path, closed: str, status: int) -> None:
    text = "from torch import nn\nclass N(nn.Module):\n    def forward(self, x):\n        return x.item()\n"
    (tmp_path / "train.py").write_text(text)
    command = f"{shlex.quote(sys.executable)} -m overhead_lint train.py {closed}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (status, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["rule --list", "--help", "--version", "clean --help", "run -h"])
def test_a_full_disk_behind_stdout_is_one_line(arguments: str, unbuffered: str) -> None:
    command = [sys.executable, "-m", "overhead_lint", *arguments.split()]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
    assert done.stderr == "overhead-lint: output cannot be written: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_stderr_is_no_finding() -> None:
    command = [sys.executable, "-m", "overhead_lint", "no-such-file.py"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.stdout, done.returncode) == (b"", 2)


def interrupted(*_: object) -> int:
    raise KeyboardInterrupt


def replaced(*_: object) -> int:
    try:
        return interrupted()
    finally:
        raise KeyError("a node")  # as libcst does in the midst of its code generation


@pytest.mark.parametrize("ending", [interrupted, replaced])
@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("overhead_lint.cli.check.run", ["a.py"]),
        ("overhead_lint.cli.streams.open_closed", ["a.py"]),
        ("overhead_lint.cli.run.run", ["run", "a.py"]),
        ("overhead_lint.cli.run_measured.load", ["run", __file__]),
        ("overhead_lint.engine.linter._check", ["-j1", "--no-cache", "--isolated", "a.py"]),
        ("overhead_lint.edits.syntax.cst.parse_module", ["--diff", "--no-cache", "--isolated", "a.py"]),
    ],
)
def test_ctrl_c_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    arguments: list[str],
    ending: Callable[..., int],
) -> None:
    from overhead_lint.cli.main import main

    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        with torch.cuda.amp.autocast():\n            return x\n"
    )
    monkeypatch.setattr(place, ending)
    assert main(arguments) == 130
    assert capsys.readouterr().err == "overhead-lint: interrupted\n"


def test_ctrl_c_while_modules_are_imported_is_one_line() -> None:
    program = (
        "import sys\nclass Finder:\n    def find_spec(self, name, *_):\n"
        "        if name == 'overhead_lint.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\nfrom overhead_lint.__main__ import console\nconsole()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "overhead-lint: interrupted\n")


def test_ctrl_c_at_the_end_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("a = 1\n")
    program = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from overhead_lint.__main__ import console\n"
        "import atexit\natexit._run_exitfuncs = lambda: signal.raise_signal(signal.SIGINT)\n"
        "console()"
    )
    command = [sys.executable, "-c", program, "--no-cache", "-q", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "overhead-lint: interrupted\n")


def test_a_terminal_that_lacks_a_character_gets_it_escaped(run: Run, pack: Path, model: Path) -> None:
    done = run("model.py", "--select=EXA", path=pack, PYTHONIOENCODING="ascii")
    assert "time.sleep('\\xe4\\u6f22', 1)" in done.stdout
    assert done.returncode == 1


def test_linting_without_fixes_imports_nothing_heavy(tmp_path: Path, model: Path) -> None:
    code = (
        "import sys; from overhead_lint.cli.main import main; main(['model.py', '--output-format=json']);"
        "print([name for name in ('torch', 'libcst', 'pytest', 'numpy', 'pluggy', 'importlib.metadata',"
        "'pathspec') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_functions_in_functions_that_nest_too_deeply_are_told_in_a_line(run: Run, tmp_path: Path) -> None:
    """Whether anything in the file may be hot is asked before the rules look."""
    (tmp_path / "deep.py").write_text("import torch\nx = " + "lambda: " * 1500 + "torch.zeros(2)\n")
    done = run("deep.py")
    assert (done.returncode, done.stderr) == (2, "deep.py: is nested too deeply to be checked\n")


@pytest.mark.parametrize(
    "made",
    [
        "ready = ready and model(batch).sum().item()",
        "if ready and model(batch).sum().item():\n        ready = ready and other",
    ],
)
def test_a_value_that_is_made_of_itself_is_followed_once(run: Run, tmp_path: Path, made: str) -> None:
    (tmp_path / "m.py").write_text(
        f"import torch\n\n\ndef training_step(model, batch, other):\n    {made}\n    return ready\n"
    )
    done = run("--isolated", "--select", "ALL", "m.py")
    assert (done.returncode, done.stderr) == (1, "")


def test_huge_and_binary_files_of_a_folder_are_left_out_with_a_note(run: Run, tmp_path: Path) -> None:
    (tmp_path / "huge.py").write_bytes(b"#" * 5_000_001)
    (tmp_path / "binary.py").write_bytes(b"\0")
    done = run(".")
    assert done.returncode == 0
    assert sorted(done.stderr.splitlines()) == [
        "binary.py:1:1: contains null bytes, so it is not Python source (left out)",
        "huge.py: is larger than 5 MB; split it (left out)",
    ]
    assert run("huge.py").returncode == 2
