"""The simulated device counts what an H100 counted over samples that torch's own tests have of its operators.

``benchmarks/gpu_counts.py`` recorded them there, and says which operators differ, and why.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, of a folder that is no package."""
    pytest.importorskip("expecttest", reason="torch's tests need it")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    # torch's tests forbid all that the process runs later to set flags of backends: take that back.
    kept = torch.backends.flags_frozen.__globals__
    monkeypatch.setitem(kept, "__allow_nonbracketed_mutation_flag", True)
    import gpu_counts

    return gpu_counts


def test_operators_wait_and_copy_as_on_the_gpu(one_device: None, counts: Any) -> None:
    if torch.version.cuda is not None:
        pytest.skip("the record is for the simulated device")
    _, gpu = counts.read(BENCHMARKS.parent / "evaluation" / "gpu_counts_h100.jsonl.gz")
    names = sorted({key[0] for key in gpu} - counts.EXPECTED.keys())
    costing = {key[0] for key, sample in gpu.items() if sample.get("ours")} - counts.EXPECTED.keys()
    # All that cost something there, and some of the others, which are most.
    compared, wrong = Counter[str](), []
    for sample in _recorded(counts, [*sorted(costing), *names[::12]]):
        there = gpu.get(counts.key_of(sample))
        if there is None or "ours" not in there or "ours" not in sample:
            continue
        compared[sample["operator"]] += 1
        if difference := counts.difference(sample["ours"], there["ours"]):
            wrong.append(f"{sample['operator']} {sample['mode']}: {difference}")
    assert len(compared) > 80
    assert wrong == []


def _recorded(counts: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from counts.recorded(2, names, (0, 1))
