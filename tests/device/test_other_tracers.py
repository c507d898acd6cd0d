"""The sink stands beside torch's own Python callbacks, which the CUDA sanitizer uses."""

from __future__ import annotations

import textwrap

import pytest
from warm_python import python

torch = pytest.importorskip("torch")

BEFORE = """
import torch
import torch.cuda._gpu_trace as trace
from overhead_lint.probes.api import ProbeUnavailable
from overhead_lint.probes.events_probe import EventsProbe
from overhead_lint.simulated import simulated_cuda

seen = []
def install():
    trace.register_callback_for_event_record(lambda event, stream: seen.append(event))
    torch._C._activate_gpu_trace()

def record():
    torch.cuda.Event().record()

def probe():
    probe = EventsProbe()
    probe.start(frozenset({"event_record"}))
    return probe
"""


def run(code: str) -> str:
    done = python("-W", "ignore", "-c", BEFORE + textwrap.dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_callbacks_installed_before_are_still_called() -> None:
    code = """
        with simulated_cuda():
            install()
            record()
            running = probe()
            record()
            value = running.stop().values["event_record"]
            record()
        print(value, len(seen))
    """
    assert run(code) == "1 3"


def test_tool_that_takes_the_trace_points_over_makes_the_count_unavailable() -> None:
    code = """
        with simulated_cuda():
            running = probe()
            record()
            install()
            record()
            try:
                running.stop()
            except ProbeUnavailable as error:
                print("took over" in str(error))
            record()
        print(len(seen))
    """
    assert run(code).split() == ["True", "2"]
