"""A process that used the device ends as it should, however it ends."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("torch")

BEFORE = """
import os, signal, sys, threading, time, torch
from overhead_lint.probes.events import METRICS, EventsProbe
from overhead_lint.simulated import disable, enable

enable(2)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).cuda()
x = torch.randn(3, 4, device="cuda")

class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, in_backward):
        ctx.in_backward = in_backward
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        return ctx.in_backward(grad), None

# One for all steps: for a moment after backward the engine's thread holds its last node, and with it
# the stream on which that leaf was used.
side = torch.cuda.Stream()

def step():
    h = model[0](x)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = model[2](model[1](h))
    torch.cuda.current_stream().wait_stream(side)
    y.square().sum().backward()

def records():
    probe = EventsProbe(attribute=False)
    probe.start(frozenset({"event_record"}))
    step()
    return probe.stop().values["event_record"]

def back_to_usual():
    # A device thread may hold the failed graph, and so its leaves' streams, a moment longer.
    for _ in range(40):
        if records() == usual:
            return True
        time.sleep(0.05)

def caught(kind, attempt):
    for _ in range(3):
        try:
            attempt()
            time.sleep(0.05)
        except kind:
            continue
        raise SystemExit("nothing was raised")

step()
usual = records()
EventsProbe().start(frozenset(m.name for m in METRICS))
step()
"""

ENDINGS = {
    "device exposed and probe running": "",
    "events alive": """
        sys.keep = [torch.cuda.Event() for _ in range(9)]
        for event in sys.keep:
            event.record()
        """,
    "device taken back": "disable()",
    "sys.exit": "print('done', flush=True); sys.exit(0)",
    "four threads trained": """
        def loop():
            for _ in range(50):
                torch.ones(4, device="cuda", requires_grad=True).mul(2).sum().backward()
        threads = [threading.Thread(target=loop) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        """,
    "kernels and backward raised": """
        wrong = lambda grad: grad @ torch.ones(99, 99, device="cuda")
        caught(RuntimeError, lambda: Custom.apply(model(x), wrong).sum().backward())
        caught(RuntimeError, lambda: x @ torch.ones(7, 7, device="cuda"))
        caught(IndexError, lambda: torch.ones(3, device="cuda")[torch.tensor([7], device="cuda")])
        assert back_to_usual()
        """,
    "backward interrupted": """
        def interrupted(grad):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.02)
            return grad
        caught(KeyboardInterrupt, lambda: Custom.apply(model(x), interrupted).sum().backward())
        assert back_to_usual()
        """,
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_process_ends_cleanly(ending: str) -> None:
    code = BEFORE + textwrap.dedent(ENDINGS[ending]) + "\nprint('done')\n"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "done"), done.stderr
