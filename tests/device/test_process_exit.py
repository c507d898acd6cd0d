"""A process that used the device ends as it should, however it ends."""

from __future__ import annotations

from functools import partial

import pytest
from warm_python import python

from device.endings import ENDINGS, backward_works_in_forks, ends
from overhead_lint.native import build

torch = pytest.importorskip("torch")

TIMES = 2
run = partial(python, whole_end=True)
LEFT_OPEN = """
import sys, torch
from overhead_lint.probes import measure
from overhead_lint.simulated import simulated_accelerator, simulated_cuda

def suspended(block):
    with block:
        yield

kind, metrics = sys.argv[1], ["dispatches", "event_record", "guards", "guard_time_cold", "saved_tensors"]
block = simulated_cuda() if "cuda" in kind else simulated_accelerator() if "accelerator" in kind else measure(
    metrics, strict=False, watch=True
)
if "suspended" in kind:
    block = suspended(block)
    next(block)
else:
    block.__enter__()
if "module" in kind:  # which goes later than this one
    torch.nn.left_open = block
device = "cuda" if "cuda" in kind else "simulated" if "accelerator" in kind else "cpu"
torch.ones(2, device=device, requires_grad=True).mul(2).sum().backward()
"""


@pytest.mark.skipif(torch.version.cuda is not None, reason="the simulated device is for a CPU-only torch")
@pytest.mark.parametrize("how", ["", "suspended", "module", "suspended module"])
@pytest.mark.parametrize("block", ["cuda", "accelerator", "measure"])
def test_a_block_that_nobody_left_ends_with_the_process_in_silence(block: str, how: str) -> None:
    for name in ("counters", "simulated"):  # a first build says so on stderr
        build.build(build.packaged(name))
    done = run("-c", LEFT_OPEN, f"{block} {how}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ENDINGS)
def test_process_ends_as_it_should(name: str) -> None:
    if name == "forked" and not backward_works_in_forks(run):
        pytest.skip("the engine of this torch runs no backward in a forked child")
    wrong = "".join(ends(name, TIMES, TIMES, run))
    assert not wrong, wrong  # in full: the reason for a skip may be in the middle
