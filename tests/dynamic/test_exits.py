"""`overhead-lint run`: a program that leaves its process at once, or becomes another one, leaves evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from .run_cases import evidence, python, run


def test_leaving_at_once_writes_the_report_once(tmp_path: Path) -> None:
    text = "import os\nif os.fork() == 0:\n    os._exit(3)\nprint(os.wait()[1], flush=True)\nos._exit(259)\n"
    (tmp_path / "program.py").write_text(text)
    done = run(tmp_path, "program.py")
    assert (done.returncode, done.stdout) == (3, f"{3 << 8}\n")
    assert done.stderr.count("overhead.json: evidence written") == 1
    assert evidence(tmp_path)["status"] == 3


def test_a_thread_that_ends_a_program_that_hangs_does_not_wait(tmp_path: Path) -> None:
    text = "import os, threading, time\nthreading.Timer(0, os._exit, (5,)).start()\ntime.sleep(60)\n"
    (tmp_path / "program.py").write_text(text)
    done = run(tmp_path, "program.py")
    assert (done.returncode, done.stderr) == (5, "")


def test_another_process_may_be_told_to_leave(tmp_path: Path) -> None:
    text = """
import multiprocessing as mp, os, pickle
if __name__ == "__main__":
    process = mp.get_context("spawn").Process(target=os._exit, args=(5,))
    process.start()
    process.join()
    print(process.exitcode, pickle.loads(pickle.dumps(os.execv)) is os.execv)
"""
    (tmp_path / "program.py").write_text(text)
    done = run(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "5 True\n", "")


def test_what_is_no_status_is_refused_as_ever(tmp_path: Path) -> None:
    text = "import os\ntry:\n    os._exit('1')\nexcept TypeError as error:\n    print(error)\n"
    (tmp_path / "program.py").write_text(text)
    done = run(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout) == (0, python(tmp_path, "program.py").stdout)
    assert evidence(tmp_path)["status"] == 0


@pytest.mark.parametrize("call", ["execl(sys.executable, 'python', '-c', CODE)", "execvpe('sh', SHELL, {})"])
def test_becoming_another_program_leaves_what_was_measured(tmp_path: Path, call: str) -> None:
    names = "CODE = 'print(7)'\nSHELL = ['sh', '-c', 'echo 7']\n"
    missing = "try:\n    os.execv('missing', ['x'])\nexcept FileNotFoundError:\n    pass\n"
    (tmp_path / "program.py").write_text(f"import os, sys\n{names}{missing}os.{call}\n")
    done = run(tmp_path, "program.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")
    assert (evidence(tmp_path)["program"], evidence(tmp_path)["status"]) == (["program.py"], None)
