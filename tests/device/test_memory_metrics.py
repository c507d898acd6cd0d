"""Bytes that a block asks a device for, and the most that it has at once, by source line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

pytest.importorskip("torch")

import torch

from overhead_lint.probes import measure
from overhead_lint.probes.api import Measurement, ProbeUnavailable

from .device_cases import line_of

BOTH = ["alloc_bytes", "peak_bytes"]


def measured(
    block: Callable[[], object], metrics: list[str] = BOTH, *, attribute: bool = True
) -> Measurement:
    with measure(metrics, attribute=attribute) as found:
        block()
    return found


def lines(found: Measurement, metric: str) -> dict[int, int]:
    amounts: Counter[int] = Counter()
    for cause in found.causes[metric]:
        amounts[cause.line] += int(cause.amount)
    return dict(amounts)


def test_bytes_are_those_asked_for_and_the_peak_is_what_lives_at_once(one_device: None) -> None:
    def block() -> None:
        one = torch.empty(100, device="cuda")
        del one
        two = torch.empty(200, device="cuda")
        three = torch.empty(50, device="cuda")
        del two, three
        torch.empty(30, device="cuda")

    found = measured(block)
    assert found.values == {"alloc_bytes": 4 * 380, "peak_bytes": 4 * 250}
    place = {name: line_of(block, f"empty({name}") for name in ("100", "200", "50", "30")}
    assert lines(found, "alloc_bytes") == {place[name]: 4 * int(name) for name in place}
    assert lines(found, "peak_bytes") == {place["200"]: 800, place["50"]: 200}


def test_what_was_there_before_counts_neither_way(one_device: None) -> None:
    kept = [torch.empty(1000, device="cuda")]

    def block() -> None:
        kept.clear()  # 4,000 bytes less than when it began
        torch.empty(100, device="cuda")

    assert measured(block).values == {"alloc_bytes": 400, "peak_bytes": 0}


def test_counts_are_the_same_with_and_without_lines(one_device: None) -> None:
    layer = torch.nn.Linear(8, 8, device="cuda")
    x = torch.ones(4, 8, device="cuda")

    def step() -> None:
        layer.zero_grad(set_to_none=True)
        layer(x).relu().sum().backward()

    step()
    with_lines, without = measured(step), measured(step, attribute=False)
    assert with_lines.values == without.values
    assert sum(lines(with_lines, "alloc_bytes").values()) == without.values["alloc_bytes"] > 0


def test_what_the_program_reads_of_its_memory_stays(one_device: None) -> None:
    big = torch.empty(10_000, device="cuda")
    torch.cuda.reset_peak_memory_stats()
    del big
    before = torch.cuda.max_memory_allocated()
    measured(lambda: torch.empty(10, device="cuda"))
    assert torch.cuda.max_memory_allocated() == before


def test_blocks_nest(one_device: None) -> None:
    with measure(BOTH, attribute=False) as outer:
        held = torch.empty(100, device="cuda")
        with measure(BOTH, attribute=False) as inner:
            torch.empty(10, device="cuda")
        del held
        torch.empty(20, device="cuda")
    assert inner.values == {"alloc_bytes": 40, "peak_bytes": 40}
    assert outer.values == {"alloc_bytes": 520, "peak_bytes": 440}


def test_statistics_that_the_program_resets_are_told(one_device: None) -> None:
    torch.empty(100, device="cuda")

    def block() -> None:
        torch.empty(10, device="cuda")
        torch.cuda.reset_accumulated_memory_stats()
        torch.empty(10, device="cuda")

    with pytest.raises(ProbeUnavailable, match="reset the statistics"):
        measured(block)


def test_bytes_without_a_device_are_unavailable_and_never_zero() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(ProbeUnavailable, match="no CUDA device"):
        measured(lambda: None)
