"""`overhead-lint run`: signals and children are left to the program."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .run_cases import evidence, run


@pytest.mark.parametrize(
    ("number", "status", "said"), [(signal.SIGINT, 130, "KeyboardInterrupt"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_writes_the_report_and_ends_the_program(
    tmp_path: Path, number: signal.Signals, status: int, said: str
) -> None:
    (tmp_path / "program.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "overhead_lint", "run", "program.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
    assert process.returncode == -number
    assert said in errors and "overhead.json: evidence written" in errors
    assert (evidence(tmp_path)["program"], evidence(tmp_path)["status"]) == (["program.py"], status)


def test_a_signal_while_a_file_of_the_program_is_linted_is_reported_behind_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')\n")
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == os.environ['AT']:\n"
        "            sys.meta_path.remove(self)\n"
        "            os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    for at in ("overhead_lint.dynamic.session", "overhead_lint.rules.guards.compile_per_call"):
        done = run(tmp_path, "program.py", PYTHONPATH=str(tmp_path), AT=at)
        assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")
        assert done.stderr.endswith("overhead.json: evidence written\n")
        assert evidence(tmp_path)["status"] == 143
        (tmp_path / "overhead.json").unlink()


def test_a_signal_while_torch_is_imported_is_reported(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("import torch.half\n")
    (tmp_path / "torch" / "half.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    (tmp_path / "program.py").write_text("import torch\nprint('ran')\n")
    done = run(tmp_path, "program.py")
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")
    assert done.stderr.endswith("overhead.json: evidence written\n")


def test_a_second_signal_waits_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')\n")
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys, time\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'overhead_lint.dynamic.session':\n"
        "            for _ in range(2):\n"
        "                os.kill(os.getpid(), signal.SIGTERM)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    done = run(tmp_path, "program.py", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, "", "")


FORKS = """\
import os, signal, time
child = os.fork()
if child == 0:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(30)
    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, flush=True)
    time.sleep(60)
os.kill(child, signal.SIGTERM) if time.sleep(1) is None else None
print(os.waitpid(child, 0)[1])
signal.signal(signal.SIGTERM, lambda *_: print("mine"))
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_children_and_handlers_of_the_program_have_the_signal_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FORKS)
    done = run(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"True\n{int(signal.SIGTERM)}\nmine\n", "")


COMPOSES = """\
import os, signal
number = signal.SIGTERM
found = signal.getsignal(number)
print(found is signal.SIG_DFL, signal.getsignal(signal.SIGHUP) is signal.SIG_DFL)

def handle(number, frame):
    print("mine")
    if callable(found):
        found(number, frame)

print(signal.signal(number, handle) is found)
os.kill(os.getpid(), number)
print(signal.signal(number, found) is handle, signal.getsignal(number) is found, flush=True)
child = os.fork()
if child == 0:
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
print(os.waitpid(child, 0)[1] == number, flush=True)
os.kill(os.getpid(), number)
"""


def test_a_program_that_asks_for_handlers_finds_none_and_may_restore_that(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(COMPOSES)
    done = run(tmp_path, "program.py")
    hangs_up = signal.getsignal(signal.SIGHUP) is signal.SIG_DFL  # not under nohup, and programs are told so
    expected = f"True {hangs_up}\nTrue\nmine\nTrue True\nTrue\n"
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, expected)
    assert done.stderr.endswith("overhead.json: evidence written\n")
    assert evidence(tmp_path)["status"] == 143


SHORT_LIVED = """\
import os, signal, time
signals = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        time.sleep(60)
    os.kill(child, signal.SIGTERM)
    signals.append(os.waitpid(child, 0)[1])
print(signals)
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


def test_children_die_of_signals_that_come_as_they_begin(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SHORT_LIVED)
    done = run(tmp_path, "-q", "program.py")
    assert done.stdout == f"{[int(signal.SIGTERM)] * 10}\nset()\n"


@pytest.mark.parametrize(("code", "status"), [("-1", 255), ("256", 0), ("True", 1)])
def test_the_status_of_the_evidence_is_the_one_that_the_system_gets(
    tmp_path: Path, code: str, status: int
) -> None:
    (tmp_path / "program.py").write_text(f"import sys\nsys.exit({code})\n")
    assert run(tmp_path, "-q", "program.py").returncode == status
    assert (type(evidence(tmp_path)["status"]), evidence(tmp_path)["status"]) == (int, status)
