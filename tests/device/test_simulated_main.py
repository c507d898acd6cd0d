"""``python -m overhead_lint.simulated`` runs a CUDA program and says what it cost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from warm_python import python

from overhead_lint.simulated import is_enabled
from overhead_lint.simulated.__main__ import main

pytestmark = pytest.mark.skipif(torch.version.cuda is not None, reason="torch is built for CUDA")

PROGRAM = """
import sys, torch
assert __name__ == "__main__"
x = torch.ones(2, device="cuda")
print(x.sum().item(), sys.argv[1:], torch.cuda.device_count())
if "fail" in sys.argv:
    sys.exit(3)
"""


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return python("-W", "ignore", "-m", "overhead_lint.simulated", *arguments, cwd=cwd)


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    return str(path)


def test_program_gets_its_arguments_and_counts_follow(program: str) -> None:
    done = run("--devices", "2", "--lines", program, "--epochs", "3")
    assert (done.returncode, done.stdout) == (0, "2.0 ['--epochs', '3'] 2\n"), done.stderr
    assert ["stream_sync", "1"] in [line.split() for line in done.stderr.splitlines()]
    assert f"{program}:5" in done.stderr


def test_exit_status_of_the_program_is_kept_and_counts_are_shown(program: str) -> None:
    done = run("--metrics", "stream_sync", program, "fail")
    assert done.returncode == 3
    assert "stream_sync" in done.stderr


def test_a_module_runs_as_the_interpreter_would_run_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "test_sum.py").write_text(
        "import torch\n\ndef test_sum():\n    assert torch.ones(2, device='cuda').sum().item() == 2\n"
    )
    done = run("--metrics", "stream_sync", "-m", "train", "--epochs", "3", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2.0 ['--epochs', '3'] 1\n"), done.stderr
    done = run(
        "--metrics",
        "stream_sync",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr.split()) == (0, ["stream_sync", "1"]), done.stdout


def test_a_program_that_does_not_parse_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("def\n")
    done = run(str(tmp_path / "train.py"))
    assert done.returncode == 1
    assert done.stderr.endswith("SyntaxError: invalid syntax\n")
    assert "Traceback" not in done.stderr


def test_a_program_too_deep_to_compile_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f"x = {' + '.join(['1'] * 40_000)}\n")
    command = [sys.executable, str(tmp_path / "train.py")]
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    done = run(str(tmp_path / "train.py"))
    assert (done.returncode, without_size(done.stderr)) == (alone.returncode, without_size(alone.stderr))


def without_size(told: str) -> str:
    """Without the number of kilobytes of the stack that Python 3.14 tells, which varies."""
    return re.sub(r"used \d+ kB", "used", told)


def test_a_program_that_fails_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("def step():\n    raise ValueError('no batch')\n\nstep()\n")
    command = [sys.executable, str(tmp_path / "train.py")]
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    done = run("--metrics", "stream_sync", str(tmp_path / "train.py"))
    assert (done.returncode, alone.returncode) == (1, 1)
    assert done.stderr.partition("Traceback")[2] == alone.stderr.partition("Traceback")[2]


def test_wrong_use_is_one_line_and_status_2(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for arguments, message in (
        ([str(tmp_path / "none.py")], "none.py: no such file"),
        ([str(tmp_path)], "a folder without __main__.py; name a script, or -m with a package"),
        (["-m", "no_such_module"], "-m no_such_module: no such module"),
        ([], "name a script, or -m MODULE"),
        (["--metrics", "evnt_record", program], "unknown metric 'evnt_record'; did you mean 'event_record'?"),
        (["--devices", "99", program], "1 to 8 devices can be shown, not 99"),
    ):
        try:
            status: object = main(arguments)
        except SystemExit as error:
            status = error.code
        assert status == 2
        assert message in capsys.readouterr().err.splitlines()[-1]
    assert not is_enabled()


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
@pytest.mark.parametrize(
    "command", [("overhead_lint.simulated",), ("overhead_lint", "run", "--device", "simulated")]
)
def test_processes_that_start_anew_have_the_device(
    tmp_path: Path, command: tuple[str, ...], start: str
) -> None:
    (tmp_path / "train.py").write_text("""\
import sys, torch, torch.multiprocessing

def work(rank):
    print(rank, torch.cuda.device_count(), torch.ones(2, device="cuda").sum().item(), flush=True)

if __name__ == "__main__":
    torch.multiprocessing.start_processes(work, nprocs=1, start_method=sys.argv[1])
    print(torch.ones(3, device="cuda").sum().item())
""")
    done = python("-W", "ignore", "-m", *command, "train.py", start, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0 1 2.0\n3.0\n"), done.stderr


@pytest.mark.parametrize("loads", ["", "context.set_forkserver_preload(['overhead_lint.simulated'])"])
def test_a_fork_server_that_was_there_before_gives_the_device_while_it_is_exposed(
    tmp_path: Path, loads: str
) -> None:
    # In newer versions of Python the server loads the main program, and with it this package, of itself.
    (tmp_path / "train.py").write_text(f"""\
import multiprocessing
import torch
from overhead_lint.simulated import disable, enable

def work():
    print(torch.cuda.device_count(), flush=True)

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    {loads}
    for switch in (lambda: None, lambda: enable(2), disable):
        switch()
        process = context.Process(target=work)
        process.start()
        process.join()
""")
    done = python("-W", "ignore", "train.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0\n2\n0\n"), done.stderr
