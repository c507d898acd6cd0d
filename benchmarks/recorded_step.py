"""What recording a step as spans adds to that step.

    python benchmarks/recorded_step.py [--rounds N]

The same training step (eight blocks with autocast, backward, AdamW; one thread) is taken plain and
recorded, in turn, by the processor time of the thread. Printed are the least and median time of both, the
median ratio of neighbours, how many spans there are, and what each adds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from time import thread_time

import torch

from overhead_lint.dynamic.trace import StepTrace


class Block(torch.nn.Module):
    """A layer with an autocast context in its forward."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(width, width)
        self.norm = torch.nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y: torch.Tensor = x + self.inner(self.norm(x))
            return y


def training_step(width: int = 128) -> Callable[[], None]:
    """A step of training, ready to be called."""
    model = torch.nn.Sequential(*[Block(width) for _ in range(8)])
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    batch = torch.randn(32, width)

    def step() -> None:
        model(batch).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description="Compare a step that is recorded with the same step plain.")
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    step = training_step()
    for _ in range(10):
        step()
    plain: list[float] = []
    recorded: list[float] = []
    spans = 0
    for _ in range(rounds):
        begun = thread_time()
        step()
        plain.append(thread_time() - begun)
        trace = StepTrace()
        if not trace.begin(1):
            raise SystemExit(f"cannot record: {trace.unavailable}")
        begun = thread_time()
        step()
        recorded.append(thread_time() - begun)
        trace.end()
        found = trace.trace()
        assert found is not None, "just recorded"
        spans = len(found.spans)
    for name, times in (("plain", plain), ("recorded", recorded)):
        print(f"{name}: least {min(times) * 1e3:.2f} ms, median {statistics.median(times) * 1e3:.2f} ms")
    ratio = statistics.median(after / before for before, after in zip(plain, recorded, strict=True))
    each = (statistics.median(recorded) - statistics.median(plain)) / spans
    print(f"median ratio {ratio:.2f}, of the least {min(recorded) / min(plain):.2f}")
    print(f"{spans} spans, {each * 1e9:.0f} ns each")


if __name__ == "__main__":
    main()
