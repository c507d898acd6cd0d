"""`overhead-lint run`: workers are counted apart, and ranks become one file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .run_cases import TRAIN, evidence, run, run_with_torch

LOADER = """\
import sys
import torch
from torch.utils.data import DataLoader, Dataset

class Data(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, index):
        return torch.ones(4) * index

if __name__ == "__main__":
    start = {"multiprocessing_context": sys.argv[1]}
    print(sum(batch.sum().item() for batch in DataLoader(Data(), num_workers=2, **start)))
"""


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_of_data_loaders_are_counted_apart(tmp_path: Path, start: str) -> None:
    (tmp_path / "load.py").write_text(LOADER)
    done = run_with_torch(tmp_path, "-q", "load.py", start)
    assert (done.returncode, done.stdout, done.stderr) == (0, "112.0\n", "")
    found = next(entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH703")
    assert (found["total"], found["elsewhere"]) == (0, 8)


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_that_end_by_themselves_are_not_told_as_lost(tmp_path: Path, start: str) -> None:
    (tmp_path / "load.py").write_text(LOADER)
    done = run_with_torch(tmp_path, "load.py", start)
    assert (done.returncode, done.stdout) == (0, "112.0\n")
    assert "8 in workers" in done.stderr
    assert "not measured: workers" not in done.stderr


POOL = """\
import multiprocessing, sys
import torch

def work(number):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return number

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(sum(pool.map(work, range(8), chunksize=1)))
"""


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_workers_of_pools_are_counted_though_they_are_killed(tmp_path: Path, start: str) -> None:
    (tmp_path / "pool.py").write_text(POOL)
    done = run_with_torch(tmp_path, "pool.py", start)
    assert (done.returncode, done.stdout) == (0, "28\n")
    found = next(entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH101")
    # A worker may be killed before it comes back for the next task.
    assert found["total"] == 0 and 6 <= found["elsewhere"] <= 8


def test_workers_that_cannot_write_go_on(tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text("""\
import multiprocessing, resource, torch

def allow_no_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

def double(x):
    with torch.autocast("cpu"):
        return 2 * x

if __name__ == "__main__":
    pool = multiprocessing.get_context("fork").Pool(1, allow_no_files, maxtasksperchild=2)
    print(pool.map_async(double, range(4), chunksize=1).get(60))
    pool.close()
    pool.join()
""")
    done = run_with_torch(tmp_path, "-q", "pool.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 2, 4, 6]\n", "")


def test_workers_that_are_killed_are_told(tmp_path: Path) -> None:
    (tmp_path / "kill.py").write_text(
        "import multiprocessing, time\n\nif __name__ == '__main__':\n"
        "    process = multiprocessing.Process(target=time.sleep, args=(600,))\n"
        "    process.start(), time.sleep(1), process.terminate(), process.join()\n"
        "    print(process.exitcode)\n"
    )
    done = run(tmp_path, "kill.py")
    assert (done.returncode, done.stdout) == (0, "-15\n")
    assert "not measured: workers: 1 of the processes that multiprocessing started were killed" in done.stderr


def test_what_only_a_worker_loads_is_counted(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "import torch\ndef work(n):\n    with torch.autocast('cpu', dtype=torch.half):\n        return n\n"
    )
    (tmp_path / "main.py").write_text(
        "import multiprocessing\n\ndef call(n):\n    import work\n    work.work(n)\n\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=call, args=(1,))\n"
        "    process.start(), process.join()\n    print(process.exitcode)\n"
    )
    done = run(tmp_path, "main.py")
    assert (done.returncode, done.stdout) == (0, "0\n")
    (found,) = (entry for entry in evidence(tmp_path)["findings"] if entry["code"] == "OVH101")
    assert (found["path"], found["total"], found["elsewhere"]) == ("work.py", 0, 1)


def test_ranks_become_one_file(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    ranks = {"WORLD_SIZE": "2", "MASTER_PORT": "1"}
    first = run_with_torch(tmp_path, "train.py", RANK="1", **ranks)
    assert "evidence written" not in first.stderr
    assert evidence(tmp_path)["processes"] == 1
    last = run_with_torch(tmp_path, "train.py", RANK="0", **ranks)
    assert "2 ranks" in last.stderr
    content = evidence(tmp_path)
    assert (content["processes"], content["steps"]["count"]) == (2, 14)
    assert {entry["total"] for entry in content["findings"] if entry["code"] == "OVH101"} == {20}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["overhead.json", "train.py"]


WAITS = """\
import os, pathlib, time
print("begun", flush=True)
while os.environ["RANK"] == "0" and not pathlib.Path("go").exists():
    time.sleep(0.05)
"""


def test_what_a_rank_left_of_a_run_that_was_broken_off_is_not_merged(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WAITS)
    (tmp_path / "go").touch()
    ranks = {"WORLD_SIZE": "2", "MASTER_PORT": "1"}
    run(tmp_path, "train.py", RANK="0", **ranks)  # the other one was killed
    (tmp_path / "go").unlink()
    command = [sys.executable, "-m", "overhead_lint", "run", "train.py"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, **ranks, "RANK": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = run(tmp_path, "train.py", RANK="1", **ranks)
        (tmp_path / "go").touch()
        errors = process.communicate(timeout=60)[1]
    assert "evidence written" not in first.stderr
    assert b"evidence written" in errors
    assert evidence(tmp_path)["processes"] == 2
