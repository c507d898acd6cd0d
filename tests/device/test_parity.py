"""The simulated device counts what a GPU counts: the same programs, held to the same numbers on either.

A torch is built with CUDA or without, so the two devices never meet in one process. Without a GPU the first
half runs and the second is skipped; with one it is the other way round. Whoever ran the second half writes
the result into docs/events.md.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from overhead_lint.probes import measure

from .parity_programs import METRICS, PROGRAMS, Program
from .test_engine_events import CASES, Case

GPU = torch.version.cuda is not None and torch.cuda.is_available()
with_a_gpu = pytest.mark.skipif(not GPU, reason="no GPU: torch finds no CUDA device")
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=[p.build.__name__ for p in PROGRAMS])


def counted(program: Program) -> dict[str, float]:
    step = program.build()
    step()
    torch.cuda.synchronize()
    with measure(METRICS, attribute=False) as m:
        step()
    return dict(m.values)


@every_program
def test_simulated_device_counts_what_torchs_sources_say(one_device: None, program: Program) -> None:
    assert counted(program) == program.counts


@with_a_gpu
@every_program
def test_real_device_counts_the_same(program: Program) -> None:
    assert counted(program) == program.counts


@with_a_gpu
@pytest.mark.parametrize("case", CASES, ids=[c.build.__name__ for c in CASES])
def test_real_engine_records_the_same_events(case: Case) -> None:
    if "two_devices" in case.build.__name__ and torch.cuda.device_count() < 2:
        pytest.skip("one GPU: this case needs two")
    backward = case.build()
    torch.cuda.synchronize()
    with measure(["event_record", "event_wait"], attribute=False) as m:
        backward()
    assert m.values == {"event_record": case.events, "event_wait": case.events}, case.why


@with_a_gpu
@every_program
def test_profiler_sees_the_same_copies(program: Program) -> None:
    step = program.build()
    step()
    torch.cuda.synchronize()
    memcpys = profiled(step)
    assert memcpys["HtoD"] == program.counts["copies_h2d"]
    assert memcpys["HtoD (Pageable"] == program.counts["copies_pageable"]
    # An operator that looks at the size of its result reads it through a copy that is no operator.
    assert memcpys["DtoH"] >= program.counts["copies_d2h"]


def profiled(step: Callable[[], object]) -> dict[str, int]:
    """Memcpys of a step between host and device as CUPTI records them."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        step()
        torch.cuda.synchronize()
    names = [event.name for event in profiler.events()]
    return {way: sum(f"Memcpy {way}" in name for name in names) for way in ("HtoD", "HtoD (Pageable", "DtoH")}


@with_a_gpu
def test_profiler_sees_the_launches_of_a_step() -> None:
    from torch.profiler import ProfilerActivity, profile

    x = torch.ones(4, device="cuda")
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        x.mul(2)
        torch.cuda.synchronize()
    assert sum("cudaLaunchKernel" in event.name for event in profiler.events()) == 1
