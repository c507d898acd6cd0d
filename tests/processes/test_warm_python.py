"""Programs in forks of a process with torch behave as under `python` itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warm_python import TORCH, connected, forks, python

pytest.importorskip("torch")

PROGRAM = """\
import os, sys
print(__name__, sys.argv, sys.path[0], os.getcwd(), sorted(os.environ), sys.stdin.read())
print(sys.path, sorted(globals()), sys.modules["__main__"].__dict__ is globals())
print("told", file=sys.stderr)
sys.exit(3)
"""


def fresh(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@pytest.mark.parametrize(
    "words", [["-c", PROGRAM, "x"], ["-m", "program", "x", "-y"], ["program.py", "x"], ["sub/../program.py"]]
)
def test_a_program_sees_what_it_sees_under_python(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "program.py").write_text(PROGRAM)
    alone = fresh(tmp_path, *words, NEW="variable")
    done = python(*words, cwd=tmp_path, env=os.environ | {"NEW": "variable"})
    assert (done.returncode, done.stdout, done.stderr) == (3, alone.stdout, "told\n")


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("", 0),
        ("sys.exit('no')", 1),
        ("1 / 0", 1),
        ("import missing", 1),
        ("os._exit(9)", 9),
        ("os.kill(os.getpid(), 9)", -9),
        ("atexit.register(print, 'last'); raise ValueError('é')", 1),
    ],
)
def test_a_program_ends_as_under_python(tmp_path: Path, end: str, status: int) -> None:
    (tmp_path / "program.py").write_text(f"import atexit, os, sys\ndef end():\n    {end or 'pass'}\nend()\n")
    alone, done = fresh(tmp_path, "program.py"), python("program.py", cwd=tmp_path)
    assert done.returncode == alone.returncode == status
    assert (done.stdout, done.stderr) == (alone.stdout, alone.stderr)


@pytest.mark.parametrize(
    ("place", "whole", "finalized"), [("own", 0, 1), ("own", 1, 1), ("torch.own", 0, 0), ("torch.own", 1, 1)]
)
def test_what_a_program_has_is_finalized_and_torch_only_where_asked_for(
    place: str, whole: bool, finalized: bool
) -> None:
    code = f"""
import ctypes, torch
class Kept:
    def __del__(self): print("finalized")
{place} = Kept()
ctypes.CDLL(None).puts(b"by C")
"""
    done = python("-c", code, whole_end=whole)
    assert done.stderr == ""
    assert sorted(done.stdout.splitlines()) == ["by C", *["finalized" for _ in range(finalized)]]


def test_an_interrupt_ends_it_as_one_does() -> None:
    done = python("-c", "import os, signal\nos.kill(os.getpid(), signal.SIGINT)")
    assert done.returncode == -signal.SIGINT
    assert done.stderr.endswith("KeyboardInterrupt\n")


def test_nothing_of_one_program_is_left_for_the_next() -> None:
    first = (
        "import json, sys, torch\ntorch.set_num_threads(1)\nsys.mark = torch.mark = 1\nprint(torch.ones(1))"
    )
    assert python("-c", first).stdout == "tensor([1.])\n"
    next_ = "import sys, torch\nprint(hasattr(sys, 'mark') or hasattr(torch, 'mark'))"
    assert python("-c", next_).stdout == "False\n"


def test_warnings_are_filtered_as_asked() -> None:
    code = "import warnings\nwarnings.warn('seen')"
    assert "seen" in python("-c", code).stderr
    assert python("-W", "ignore", "-c", code).stderr == ""


def test_torch_is_there_before_the_program_is_unless_start_up_would_differ() -> None:
    code = "import sys\nprint('torch' in sys.modules, sys.flags.hash_randomization)"
    assert python("-c", code).stdout == "True 1\n"
    assert python("-c", code, env=os.environ | {"PYTHONHASHSEED": "0"}).stdout == "False 0\n"
    assert python("-X", "dev", "-c", code).stdout == "False 1\n"


@pytest.mark.skipif(not forks(), reason="this system cannot fork")
def test_a_program_may_talk_over_a_connection() -> None:
    code = (
        "import sys\nsys.stdout.reconfigure(errors='replace')\n"
        "print('torch' in sys.modules, sys.stdin.readline(), flush=True)\nsys.exit(len(sys.stdin.read()))"
    )
    ours, theirs = socket.socketpair()
    with theirs:
        ended = connected(theirs, "-c", code, modules=TORCH)
    with ours, ours.makefile("rw") as lines:
        lines.write("asked\n")
        lines.flush()
        assert lines.readline() == "True asked\n"
        lines.write("more")
        lines.flush()
        ours.shutdown(socket.SHUT_WR)
        assert ended() == 4


def test_a_program_that_takes_too_long_is_killed() -> None:
    before = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        python("-c", "import time\ntime.sleep(100)", timeout=0.1)
    assert time.monotonic() - before < 50
