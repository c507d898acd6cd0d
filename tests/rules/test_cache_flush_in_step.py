"""OVH406: caches of memory that are emptied in a step, and what a profiler does with them."""

from __future__ import annotations

import pytest
from rule_cases import forward, lines, lint

from overhead_lint.rule import Tier


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("import gc\ngc.collect()", 1),
        ("torch.cuda.memory.empty_cache()", 1),
        ("torch.mps.empty_cache()", 1),
        ("model = make()\nmodel(x)\ndel model\ntorch.cuda.empty_cache()", 0),
        ("y = x * 2\ndel y\ntorch.cuda.empty_cache()", 1),
        ("self.cache.empty_cache()", 0),
        ("if self.debug:\n    torch.cuda.empty_cache()", 0),
        ("if x.shape[-2] > 2000:\n    torch.cuda.empty_cache()", 0),
        ("if not self.training and x.size(1) >= 4096:\n    torch.cuda.empty_cache()", 0),
        ("if x.shape[-2] > 1:\n    torch.cuda.empty_cache()", 1),
        ("if x.shape[-2] > 2000:\n    x = x * 2\nelse:\n    torch.cuda.empty_cache()", 1),
        ("if self.training or x.shape[-2] > 2000:\n    torch.cuda.empty_cache()", 1),
        ("import time\ny = time.time()\ntorch.cuda.empty_cache()\nx = time.time() - y", 1),
    ],
)
def test_emptied_caches_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH406", forward(body + "\nreturn x"))) == found


@pytest.mark.parametrize(
    ("body", "tier"),
    [("import gc\ngc.collect()", Tier.HOST), ("torch.cuda.empty_cache()", Tier.STALL)],
)
def test_collecting_garbage_waits_for_no_device(body: str, tier: Tier) -> None:
    (found,) = lint("OVH406", forward(body + "\nreturn x"))
    assert found.tier is tier


@pytest.mark.parametrize(("name", "found"), [("MemoryProfiler", 0), ("Net", 1)])
def test_caches_that_a_profiler_empties_are_its_own(name: str, found: int) -> None:
    text = forward("torch.cuda.empty_cache()\nreturn x").replace("class Net", f"class {name}")
    assert len(lint("OVH406", text)) == found


@pytest.mark.parametrize(("name", "found"), [("MemoryProfiler", 0), ("Net", 1)])
def test_readings_of_memory_are_what_a_profiler_is_for(name: str, found: int) -> None:
    text = forward("self.used = torch.cuda.memory_allocated()\nreturn x").replace(
        "class Net", f"class {name}"
    )
    assert len(lint("OVH602", text)) == found


def test_function_that_only_empties_the_cache_is_silent_and_its_callers_decide() -> None:
    text = "import torch\ndef free():\n    torch.cuda.empty_cache()\n" + forward("free()\nreturn x")
    assert lint("OVH406", text) == []


def test_a_loop_that_serves_a_queue_is_hot() -> None:
    text = """
    import gc
    def serve(q):
        while True:
            item = q.get()
            work(item)
            q.task_done()
            gc.collect()
    def drain(q):
        while not q.empty():
            q.get()
            gc.collect()
    """
    assert lines("OVH406", text) == [8]
