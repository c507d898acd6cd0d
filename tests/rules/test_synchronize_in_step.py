"""OVH405: waits for whole devices and streams."""

from __future__ import annotations

import pytest
from rule_cases import forward, lines, lint
from stream_cases import streams


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("torch.cuda.synchronize()", 1),
        ("torch.cuda.synchronize(x.device)", 1),
        ("torch.xpu.synchronize()", 1),
        ("torch.cuda.current_stream().synchronize()", 1),
        ("stream.synchronize()", 1),
        ("self.copy_stream.synchronize()", 1),
        ("self.event.synchronize()", 0),
        ("self.upstream.synchronize()", 0),
        ("other.synchronize(stream)", 0),
        ("self.streams.synchronize()", 0),
        ("n = x.to('cpu', non_blocking=True)\nstream.synchronize()\nx = n.tolist()", 0),
        ("n = x.to('cuda', non_blocking=True)\nstream.synchronize()", 1),
        ("if x.device.type in ('cpu', 'mps'):\n    torch.cuda.synchronize()", 0),
        ("begin = self.event.elapsed_time(other)\ntorch.cuda.synchronize()", 0),
        ("try:\n    return x\nexcept RuntimeError:\n    torch.cuda.synchronize()", 0),
    ],
)
def test_waits_for_devices_and_streams_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH405", streams(body + "\nreturn x"))) == found


def test_modules_of_devices_are_told_by_their_names() -> None:
    body = "get_accelerator().{0}()\nself.pool.{0}()\nreturn x"
    assert lines("OVH405", forward(body.format("synchronize"))) == [10]
    assert lines("OVH406", forward(body.format("empty_cache"))) == [10]


def test_a_function_named_as_what_it_calls_leaves_that_to_its_callers() -> None:
    text = (
        "import torch\nimport torch.distributed as dist\n"
        "class Strategy:\n    def barrier(self):\n        if dist.is_initialized():\n"
        "            dist.barrier()\n        return None\n"
        "def train(model, loader, strategy: Strategy):\n    for batch in loader:\n"
        "        model(batch).backward()\n        strategy.barrier()\n"
    )
    assert lint("OVH405", text) == []
    assert (
        len(lint("OVH405", text.replace("barrier(self)", "meet(self)").replace("y.barrier", "y.meet"))) == 1
    )
