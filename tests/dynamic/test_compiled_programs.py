"""What a program compiles under `overhead-lint run` is what it compiles alone: nothing of ours is in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import warm_python

from .run_cases import evidence, run_with_torch

pytest.importorskip("torch")

COMPILED = """\
import logging, os, sys, warnings
import torch
from torch.utils.data import DataLoader
from overhead_lint import runtime

backend = sys.argv[1]
logger = logging.getLogger("train")

def parts(make=torch.optim.SGD, lr=0.1):
    model = torch.nn.Linear(8, 8)
    return model, torch.randn(4, 8), make(model.parameters(), lr=lr)

def called_in_a_function():
    model, x, optimizer = parts()
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=20)
    @torch.compile(backend=backend)
    def step():
        optimizer.step()
    for _ in range(6):
        model(x).square().mean().backward()
        step()
        schedule.step()

def the_whole_step():
    model, x, optimizer = parts(torch.optim.AdamW, torch.tensor(0.1))
    @torch.compile(backend=backend)
    def step():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss
    for _ in range(6):
        step()

def the_method():
    model, x, optimizer = parts(torch.optim.Adam, torch.tensor(0.1))
    step = torch.compile(optimizer.step, backend=backend)
    for _ in range(6):
        model(x).square().mean().backward()
        step()

def a_loop_over_a_loader():
    model, _, optimizer = parts()
    loader = DataLoader(torch.randn(24, 8), batch_size=4)
    @torch.compile(backend=backend)
    def epoch():
        total = 0
        for batch in loader:
            loss = model(batch).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total = total + loss.detach()
        return total
    for _ in range(3):
        epoch()

def an_import_after_a_break():
    @torch.compile(backend=backend)
    def step(x):
        x = x + 1
        sys.setrecursionlimit(1000)
        import helper
        runtime.step()
        return helper.twice(x)
    for _ in range(4):
        step(torch.ones(2))

warnings.simplefilter("ignore")
counters = torch._dynamo.utils.counters
for form in sys.argv[2:]:
    torch._dynamo.reset()
    counters.clear()
    torch.manual_seed(0)
    globals()[form]()
    breaks = [(reason.split("\\n")[0], number) for reason, number in counters["graph_break"].items()]
    print(form, dict(counters["frames"]), sorted(breaks))
"""
HELPER = """\
import torch
def twice(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x * 2
"""
FORMS = ("called_in_a_function", "the_whole_step", "the_method", "a_loop_over_a_loader")


@pytest.mark.parametrize(
    ("backend", "forms"),
    [
        ("eager", (*FORMS, "an_import_after_a_break")),
        pytest.param(
            "inductor",
            ("the_method",),
            marks=pytest.mark.skipif(not shutil.which("g++"), reason="Inductor needs a compiler"),
        ),
    ],
)
def test_a_program_that_compiles_its_steps_compiles_what_it_does_alone(
    tmp_path: Path, backend: str, forms: tuple[str, ...]
) -> None:
    (tmp_path / "train.py").write_text(COMPILED)
    (tmp_path / "helper.py").write_text(HELPER)
    arguments = ("train.py", backend, *forms)
    alone = warm_python.python(*arguments, cwd=tmp_path, modules=warm_python.DYNAMO)
    done = run_with_torch(tmp_path, *arguments)
    assert (alone.returncode, done.returncode) == (0, 0), done.stderr
    assert alone.stdout.count("frames") == 0 and alone.stdout.count("total") == len(forms)
    assert done.stdout == alone.stdout
    breaks = [cause for cause in evidence(tmp_path)["causes"] if cause["metric"] == "graph_breaks"]
    assert breaks and not any("overhead_lint/dynamic" in cause["path"] for cause in breaks)
