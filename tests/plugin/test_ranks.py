"""Several ranks, as torchrun starts them, share what they measure and keep one budget together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from warm_python import DYNAMO, python

pytest.importorskip("torch.distributed")

from pytest_overhead.rank_store import Share, place_of
from pytest_overhead.rank_tables import table, told

TORCHRUN = {
    "RANK": "1",
    "WORLD_SIZE": "2",
    "MASTER_ADDR": "here",
    "MASTER_PORT": "29500",
    "TORCHELASTIC_RUN_ID": "x",
    "TORCHELASTIC_RESTART_COUNT": "0",
    "TORCHELASTIC_USE_AGENT_STORE": "True",
}

TESTS = """
    import os
    import pytest, torch
    import torch.distributed as dist

    RANK = int(os.environ["RANK"])
    X = torch.ones(2, 4)

    @pytest.fixture
    def group():
        dist.init_process_group("gloo")
        yield
        dist.destroy_process_group()

    @pytest.mark.overhead_budget(autograd_nodes="== 5", warmup=3)
    def test_ddp(group):
        net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 2))
        net(X).sum().backward()

    def test_compiled():
        net = torch.nn.Sequential(*[torch.nn.ReLU()] * (1 + RANK))
        torch.compile(net, backend="eager")(X)

    @pytest.mark.overhead_budget(dispatches=2)
    def test_uneven():
        for _ in range(1 + 2 * RANK):
            torch.neg(X)

    def test_blocks(overhead_budget):
        with overhead_budget(dispatches=2):
            torch.neg(X)
        with overhead_budget(dispatches=2):
            for _ in range(3 - 2 * RANK):
                torch.neg(X)

    @pytest.mark.overhead_budget(dispatches=2)
    def test_fails_on_one():
        assert RANK == 0

    def snapshot(overhead_guards, relus, name):
        torch._dynamo.reset()
        torch.compile(torch.nn.Sequential(*[torch.nn.ReLU()] * relus), backend="eager")(X)
        overhead_guards.assert_matches(name)

    def test_same_guards(overhead_guards):
        snapshot(overhead_guards, 1, "same")

    def test_other_guards(overhead_guards):
        snapshot(overhead_guards, 1 + RANK, "other")

    def test_guards_by_rank(overhead_guards):
        snapshot(overhead_guards, 1 + RANK, f"rank-{RANK}")

    @pytest.fixture
    def setup():
        assert RANK == 0

    @pytest.mark.overhead_budget(dispatches=2)
    def test_set_up_on_one(setup):
        pass
"""


def test_a_budget_that_one_rank_breaks_fails_on_all_and_rank_0_tells_and_writes(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(textwrap.dedent(TESTS))
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = -p no:cacheprovider -p no:asyncio -p no:hypothesispytest\n"
    )
    inner = ["pytest", "-rA", "--overhead-update", "--overhead-report=report.json"]
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    logs = ["--redirects=3", f"--log-dir={tmp_path / 'logs'}"]
    environ = {name: value for name, value in os.environ.items() if name not in ("CI", *TORCHRUN)}
    done = subprocess.run(
        [*command, *logs, "-m", *inner],
        cwd=tmp_path,
        env=environ,
        timeout=240,
        check=False,
        capture_output=True,
    )
    if b"PyTorch was built without libuv" in done.stderr:
        pytest.skip("torchrun does not start: this torch is built without libuv")
    first, second = sorted(path.read_text() for path in (tmp_path / "logs").rglob("stdout.log"))
    if "rank 0 of 2" not in first:
        first, second = second, first
    for told_by in (first, second):
        assert "PASSED test_it.py::test_ddp" in told_by
        assert "rank 1: dispatches 3 > 2\ntest_it.py::test_uneven\n" in told_by
        assert "  dispatches: rank 0 1, rank 1 3, spread 2\n  on rank 1:\n    dispatches: limit 2" in told_by
        assert "OVER BUDGET test_it.py::test_uneven" in told_by
        assert "Pass `--full-trace`" not in told_by
        assert "rank 0: dispatches 3 > 2\ntest_it.py::test_blocks\n" in told_by
        assert "dispatches (2): rank 0 3, rank 1 1, spread 2" in told_by
        assert "PASSED test_it.py::test_same_guards" in told_by
        assert "PASSED test_it.py::test_guards_by_rank" in told_by
    # Whoever comes first has the name.
    has, fails = (first, second) if "PASSED test_it.py::test_other_guards" in first else (second, first)
    assert "PASSED test_it.py::test_other_guards" in has
    assert "guards differ from those that rank " in fails
    assert "name each snapshot by its rank" in fails
    written = sorted(path.name.partition(".")[0] for path in (tmp_path / "guard_snapshots").iterdir())
    assert written == ["other", "rank-0", "rank-1", "same"]
    assert "PASSED test_it.py::test_fails_on_one" in first
    assert "FAILED test_it.py::test_fails_on_one" in second
    assert "PASSED test_it.py::test_set_up_on_one" in first
    assert "ERROR test_it.py::test_set_up_on_one" in second

    assert "overhead of 2 ranks" in first
    assert "overhead of 2 ranks" not in second
    rows = [line.split() for line in first.splitlines()]
    assert ["test_it.py::test_ddp", "autograd_nodes", "5", "5", "0"] in rows
    tests = json.loads((tmp_path / "report.json").read_text())["tests"]
    zero, one = tests["test_it.py::test_compiled"]["ranks"]["guards"]
    assert 0 < zero < one == tests["test_it.py::test_compiled"]["values"]["guards"]
    assert f"guards = {int(one)}\n" in (tmp_path / "overhead-budget.toml").read_text()
    assert "overhead-budget.toml: written" not in second


def test_a_snapshot_that_another_launchers_rank_has_written_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("""
import os, pathlib, time
import torch

RANK = int(os.environ["RANK"])

def snapshot(overhead_guards, relus, name):
    torch._dynamo.reset()
    torch.compile(torch.nn.Sequential(*[torch.nn.ReLU()] * relus), backend="eager")(torch.ones(2))
    overhead_guards.assert_matches(name)

def test_meet():
    pathlib.Path(f"begun-{RANK}").touch()
    end = time.monotonic() + 60
    while not pathlib.Path(f"begun-{1 - RANK}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)

def test_same(overhead_guards):
    snapshot(overhead_guards, 1, "same")

def test_other(overhead_guards):
    snapshot(overhead_guards, 1 + RANK, "other")

def test_by_rank(overhead_guards):
    snapshot(overhead_guards, 1 + RANK, f"rank-{RANK}")
""")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = -p no:cacheprovider -p no:asyncio -p no:hypothesispytest -rA\n"
    )
    environ = {name: value for name, value in os.environ.items() if name not in ("CI", *TORCHRUN)}

    def ranks(*options: str) -> list[str]:
        def rank(number: int) -> str:
            environment = {**environ, "RANK": str(number), "WORLD_SIZE": "2"}
            return python("-m", "pytest", *options, cwd=tmp_path, env=environment, modules=DYNAMO).stdout

        with ThreadPoolExecutor(2) as threads:
            said = [*threads.map(rank, range(2))]
        for path in tmp_path.glob("begun-*"):
            path.unlink()
        return said

    written, refused = sorted(ranks("--overhead-update"), key=lambda text: "FAILED test_it.py" in text)
    for test in ("test_same", "test_by_rank"):
        assert f"PASSED test_it.py::{test}" in written and f"PASSED test_it.py::{test}" in refused
    assert "PASSED test_it.py::test_other" in written
    assert "other: guards differ from those that another process has written since this one began" in refused
    assert "name each snapshot by itself, that of a rank by its rank" in refused
    kept = ranks("-k", "meet or same or by_rank")
    assert all("3 passed" in text for text in kept)


def test_place_is_that_of_torchrun_and_gathered_only_where_it_keeps_a_store() -> None:
    place = place_of(TORCHRUN)
    assert place is not None
    assert (place.number, place.size, place.host, place.port, place.gathered) == (1, 2, "here", 29500, True)
    other = place_of({"RANK": "0", "WORLD_SIZE": "2"})
    assert other is not None
    assert not other.gathered
    assert place_of({}) is None
    assert place_of({"RANK": "0", "WORLD_SIZE": "1"}) is None
    assert place_of({"RANK": "zero", "WORLD_SIZE": "2"}) is None


@pytest.mark.parametrize("seconds", ["soon", "nan", "-1", "0", "inf"])
def test_a_time_to_wait_for_ranks_that_makes_no_sense_is_a_usage_error(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, seconds: str
) -> None:
    for name, value in TORCHRUN.items():
        monkeypatch.setenv(name, value)
    pytester.makeini(f"[pytest]\noverhead_rank_timeout = {seconds}\n")
    result = pytester.runpytest_inprocess(
        "--overhead-budget", "-p", "no:asyncio", "-p", "no:hypothesispytest"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *: overhead_rank_timeout: '{seconds}': write a number of seconds*"])


def test_a_rank_that_does_not_come_fails_the_test() -> None:
    shares = [Share([{"guards": 3}]), Share(ended="did not come to this test within 5 s")]
    assert told("test_it.py::test_a", shares).splitlines() == [
        "rank 1 did not come to this test within 5 s",
        "test_it.py::test_a",
        "  guards: rank 0 3, rank 1 -, spread -",
    ]


def test_a_rank_that_fails_or_skips_leaves_the_others_alone() -> None:
    assert told("t", [Share([{"guards": 3}]), Share(ended="failed with KeyError")]) == ""
    assert told("t", [Share([{"guards": 3}]), Share(ended="skipped")]) == ""


def test_rows_that_differ_most_come_first_and_the_rest_are_counted() -> None:
    results = {
        "even": [Share([{"guards": 3}]), Share([{"guards": 3}])],
        "uneven": [Share([{"guards": 3}]), Share([{"guards": 9}])],
    }
    lines = table(results, 2, most=1)
    assert [line.split() for line in lines] == [
        ["test", "metric", "rank", "0", "rank", "1", "spread"],
        ["uneven", "guards", "3", "9", "6"],
        ["and", "1", "more", "row", "(-v", "shows", "all)"],
    ]
    assert len(table(results, 2, most=None)) == 3
