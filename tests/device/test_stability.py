"""Counts and the text about them are the same in fresh processes, with other hash seeds and threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

PROGRAM = """
import sys
from pathlib import Path

import torch
from torch import nn

from overhead_lint.probes import METRICS, MetricKind, measure
from overhead_lint.probes.guards_lookout import prepare
from overhead_lint.simulated import simulated_cuda
from pytest_overhead.budgets import Budget, excesses
from pytest_overhead.failure_message import failure

torch.set_num_threads(int(sys.argv[1]))
prepare()


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


with simulated_cuda():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, device="cuda")
    head = torch.compile(nn.Sequential(nn.Linear(8, 4), nn.Tanh()).cuda(), backend="aot_eager")
    optimizer = torch.optim.AdamW([*layer.parameters(), *head.parameters()])
    side = torch.cuda.Stream()

    def step():
        x = torch.ones(2, 3, 8).cuda()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            h = layer(x)
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                h = Scale.apply(h)
            torch.cuda.current_stream().wait_stream(side)
            y = head(h)
        y.float().sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        return y.sum().item()

    step()
    step()
    counts = [name for name, metric in METRICS.items() if metric.kind is MetricKind.COUNT]
    with measure(counts) as m:
        step()
    again = torch._dynamo.utils.counters["stats"]["unique_graphs"]
over = excesses(Budget(dict.fromkeys(counts, 0)), m, lambda metric, value, limit: value <= limit)
print(failure("test", over, {}, Path(sys.argv[2]), causes=10**6))
print("graphs", again)
print(sorted(m.values.items()))
"""


def test_counts_and_lines_are_the_same_in_fresh_processes(tmp_path: Path) -> None:
    if torch.version.cuda is not None:
        pytest.skip("torch is built for CUDA: the simulated device is for a CPU-only torch")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    told = set()
    for threads, seed in (("1", "1"), ("2", "7")):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(program), threads, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.add(done.stdout)
    assert len(told) == 1
    (text,) = told
    for metric in (
        "guards",
        "event_wait",
        "stream_sync",
        "copies_h2d",
        "dispatches",
        "saved_bytes",
        "contexts",
    ):
        assert f"\n  {metric}: limit 0" in text
    assert "graphs 1\n" in text
    assert "program.py" in text
