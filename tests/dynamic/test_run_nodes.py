"""`overhead-lint run` under torchrun on two nodes that share no disk: two agents in folders of their own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .run_cases import TRAIN, evidence

pytest.importorskip("torch.distributed")

from overhead_lint.dynamic import nodes
from overhead_lint.dynamic.ranks import this_rank
from overhead_lint.measure import torchrun_store
from overhead_lint.measure.evidence import Evidence
from overhead_lint.measure.torchrun_store import Place, Store, place_of

NODE = {
    "RANK": "0",
    "WORLD_SIZE": "3",
    "LOCAL_RANK": "0",
    "LOCAL_WORLD_SIZE": "1",
    "MASTER_ADDR": "localhost",
    "MASTER_PORT": "29500",
    "TORCHELASTIC_RUN_ID": "x",
    "TORCHELASTIC_USE_AGENT_STORE": "True",
}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("localhost", 0))
        port: int = one.getsockname()[1]
        return port


def test_nodes_without_a_shared_disk_become_one_file_where_rank_0_runs(tmp_path: Path) -> None:
    """One rank on the first node, two on the second; and nothing is left beside the files."""
    environ = {name: value for name, value in os.environ.items() if name not in (*NODE, "GROUP_RANK")}
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nnodes=2", "--rdzv-backend=static"]
    torchrun += ["--master-addr=localhost", f"--master-port={free_port()}", "--nproc-per-node=2"]
    agents = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "train.py").write_text(TRAIN)
        command = [*torchrun, f"--node-rank={number}", "-m", "overhead_lint", "run", "train.py"]
        agents.append(
            subprocess.Popen(command, cwd=folder, env=environ, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        )
    first, second = (agent.communicate(timeout=240)[1].decode() for agent in agents)
    if "PyTorch was built without libuv" in first:
        pytest.skip("torchrun does not start: this torch is built without libuv")
    assert [agent.returncode for agent in agents] == [0, 0], first + second
    whole, part = evidence(tmp_path / "0"), evidence(tmp_path / "1")
    assert (whole["processes"], part["processes"]) == (4, 2), first  # which says why ranks are missing
    assert (whole["steps"]["count"], part["steps"]["count"]) == (28, 14)
    assert {entry["total"] for entry in whole["findings"] if entry["code"] == "OVH101"} == {40}
    assert "4 ranks" in first and "evidence written" in first
    assert "evidence written" not in second
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json*"))
    assert left == ["0/overhead.json", "1/overhead.json"]


class InMemory:
    """A store without a server."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def set(self, key: str, value: str | bytes) -> None:
        self.kept[key] = value if isinstance(value, bytes) else value.encode()

    def get(self, key: str) -> bytes:
        return self.kept[key]

    def check(self, keys: list[str]) -> bool:
        return set(keys) <= self.kept.keys()

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        raise NotImplementedError


def measured(seconds: float) -> Evidence:
    return Evidence(program=("train.py",), status=0, seconds=seconds)


def ended(path: Path, number: int, seconds: float, **more: str) -> Evidence | None:
    environ = {**NODE, "RANK": str(number), **more}
    rank, place = this_rank(environ), place_of(environ)
    assert rank is not None and place is not None
    return nodes.write(path, measured(seconds), rank, place, patience=0.05)


def test_a_rank_that_does_not_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = InMemory()
    monkeypatch.setattr(nodes, "connected", lambda place, patience: store)
    for folder in "abc":
        (tmp_path / folder).mkdir()
    assert ended(tmp_path / "b" / "overhead.json", 1, 2.0) is None
    whole = ended(tmp_path / "a" / "overhead.json", 0, 1.0)
    assert whole is not None
    assert (whole.processes, whole.seconds) == (2, 3.0)
    assert whole.unavailable == {"ranks": "2: not ended within 0.05 s of rank 0"}
    assert evidence(tmp_path / "a")["unavailable"] == whole.unavailable
    assert ended(tmp_path / "c" / "overhead.json", 2, 4.0) is None
    whole = ended(tmp_path / "a" / "overhead.json", 0, 1.0)
    assert whole is not None
    assert (whole.processes, whole.seconds, whole.unavailable) == (3, 7.0, {})


def test_a_store_that_is_gone_leaves_each_node_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(place: object, patience: float) -> Store:
        raise RuntimeError("Connection refused\nat frame 0")

    monkeypatch.setattr(nodes, "connected", refused)
    whole = ended(tmp_path / "overhead.json", 2, 4.0)
    assert whole is not None
    why = "those of other nodes: the store of torchrun cannot be asked: Connection refused"
    assert (whole.processes, whole.unavailable) == (1, {"ranks": why})
    assert (evidence(tmp_path)["seconds"], evidence(tmp_path)["unavailable"]) == (4.0, {"ranks": why})


def test_a_node_says_that_others_are_missing_whichever_of_its_ranks_ends_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(place: Place, patience: float) -> Store:
        if place.number == 0:
            raise RuntimeError("Broken pipe")
        return InMemory()

    monkeypatch.setattr(nodes, "connected", lost)
    for order in (0, 1), (1, 0):
        path = tmp_path / str(order[0]) / "overhead.json"
        path.parent.mkdir()
        for number in order:
            ended(path, number, 2.0, LOCAL_WORLD_SIZE="2", LOCAL_RANK=str(number))
        found = evidence(path.parent)
        why = "those of other nodes: the store of torchrun cannot be asked: Broken pipe"
        assert (found["processes"], found["unavailable"]) == (2, {"ranks": why})
        assert [one.name for one in path.parent.glob(".overhead.json*")] == []


def test_what_is_larger_than_the_store_takes_at_once_goes_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torchrun_store, "_PIECE", 16)
    store, content = InMemory(), json.dumps(list(range(100))).encode()
    torchrun_store.give(store, "k", content)
    assert len(store.kept) > 5
    assert max(map(len, store.kept.values())) <= 16
    assert torchrun_store.taken(store, "k", time.monotonic() + 60) == content
    assert torchrun_store.taken(store, "other", time.monotonic()) is None


def test_the_ranks_of_a_node_are_those_that_its_agent_started() -> None:
    place = place_of({**NODE, "RANK": "5", "WORLD_SIZE": "8", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "4"})
    assert place is not None
    assert (place.here, place.is_on_several_nodes) == (range(4, 8), True)
    alone = place_of({"RANK": "1", "WORLD_SIZE": "2"})
    assert alone is not None and not alone.is_on_several_nodes
