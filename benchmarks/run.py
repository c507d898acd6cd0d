"""What `overhead-lint run` costs the program that it runs.

    python benchmarks/run.py [--steps N] [--runs N]

A training script with findings on its path (autocast, `.item()`, gradient mode, a compiled part) runs by
itself and under `overhead-lint run`, in turn, each in a process of its own with one thread; the script
times its own steps, by processor time, which other work on the machine disturbs least. Printed is the ratio
of the whole time of the steps, close looks at some of them included, and how much longer the whole
process takes apart from its steps, which does not grow with their number.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TRAIN = """\
import json, sys, time
import torch

class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = torch.nn.Linear(width, width)
        self.norm = torch.nn.LayerNorm(width)
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x + self.inner(self.norm(x))

def main(steps, compiled):
    torch.manual_seed(0)
    model = torch.nn.Sequential(*[Block(128) for _ in range(8)])
    step_model = torch.compile(model, backend="eager") if compiled else model
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    batch, losses = torch.randn(32, 128), []
    for step in range(steps + 5):
        if step == 5:
            begun = time.process_time()
        loss = step_model(batch).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    print(json.dumps(time.process_time() - begun))

main(int(sys.argv[1]), sys.argv[2] == "compiled")
"""


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Run the script; processor seconds of its steps, and of the whole process."""
    begun = _children()
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return float(json.loads(done.stdout)), _children() - begun


def _children() -> float:
    """Processor seconds of all processes that were started and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Print both ratios."""
    parser = argparse.ArgumentParser(description="Compare steps under `overhead-lint run` with those alone.")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train.py").write_text(TRAIN)
        for form in ("eager", "compiled"):
            program = ["train.py", str(found.steps), form]
            alone: list[tuple[float, float]] = []
            under: list[tuple[float, float]] = []
            for _ in range(found.runs):
                alone.append(timed([sys.executable, *program], folder))
                under.append(timed([sys.executable, "-m", "overhead_lint", "run", *program], folder))
            ratios = [run[0] / one[0] for one, run in zip(alone, under, strict=True)]
            fixed = [(run[1] - run[0]) - (one[1] - one[0]) for one, run in zip(alone, under, strict=True)]
            step = min(one[0] for one in alone) / found.steps
            print(
                f"{form}: {step * 1e3:.2f} ms a step, ratio of steps {statistics.median(ratios):.2f} "
                f"({min(ratios):.2f} to {max(ratios):.2f}), once {statistics.median(fixed):.1f} s more",
                flush=True,
            )


if __name__ == "__main__":
    main()
